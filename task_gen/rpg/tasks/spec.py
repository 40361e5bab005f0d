"""Specs: the options that, with the world and an index, determine each task to a byte.

The generator, datasets and twins are built on specs. Every field but the track, the cost of defeats, the budget and the
share of impossible tasks goes into the random seed of a task, so a new or renamed field changes all tasks.

Total difficulty is what the paper defines, and a bracket has ten difficulties. An item that is not crafted has D = 1; a
crafted one has D = 2 + the sum of D over its ingredients, whatever their amounts. A craft task has D of its target. A
kill task has 4, plus D of each missing item, plus 1 for each slot that has to be emptied first; starter items do not
count. Example: D 3 to 12 is bracket 1, 13 to 22 is bracket 2.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any, Literal

from herobench.data.errors import UsageError
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import (
    BRACKETS,
    Certificate,
    DefeatRule,
    KnowledgeLevel,
    PlanTrack,
    Task,
    bracket_steps,
)
from herobench.suites.rpg.game.world import Code, World
from herobench.task_gen.rpg.refusals import TaskFault

LEAST_FACTOR, MOST_FACTOR = 1, 100
"""The bounds of the multiple."""


def refuse_other_brackets(numbers: Iterable[int]) -> None:
    """Raise UsageError for a number that is no bracket."""
    for number in numbers:
        if number not in BRACKETS:
            raise UsageError(TaskFault.NO_DIFFICULTY, number=number, most=BRACKETS[-1])


def with_budget(task: Task, factor: float) -> Task:
    """Return a certified task with the budget that a multiple of its lower bound gives."""
    assert task.certificate, "a budget is a multiple of a proven bound"
    budget = action_budget(task.certificate, factor)
    return replace(task, mechanics=replace(task.mechanics, budget=budget, budget_factor=factor))


def action_budget(certificate: Certificate, factor: float) -> int:
    """Return a multiple of the lower bound, rounded up, or the actions of the certified plan if they are more."""
    # As the decimal number that the user wrote: in floating point 1.1 * 10 is above 11.
    return max(math.ceil(Fraction(str(factor)) * certificate.lower_bound), certificate.actions)


FIGHT = 4
"""The difficulty of a kill task before its missing gear is added."""


def total_difficulty(world: World, task: Task) -> int:
    """Return the total difficulty of a task."""
    if task.kind == "craft":
        return item_difficulty(world, task.target)
    worn = {slot for slot, code in task.hero.worn.items() if code not in world.starter_items}
    return FIGHT + sum(item_difficulty(world, code) + (slot in worn) for slot, code in task.missing.items())


# The recursion meets shared ingredients once per path, and every draw of a task asks again.
@lru_cache(maxsize=100_000)
def item_difficulty(world: World, code: Code) -> int:
    """Return D of an item."""
    recipe = world.recipe_of(code)
    return 2 + sum(item_difficulty(world, part) for part in recipe.ingredients) if recipe else 1


DEFAULT_DATASET = "base"
"""The set that commands take if none is named."""
NOISE = 5
"""The number of noise items of a task, if the user asks for noise and gives no number."""
CRAFT_SHARE = 0.33
"""The share of craft tasks in mixed ones, at difficulties that have craft tasks."""
PLAYERS = tuple("oracle greedy noop refuser shortcut".split())
"""The names of the players that need no model."""


KindWish = Literal["kill", "craft", "mixed"]
DROP_SCALE = 10.0
"""The factor on drop rates in stochastic tasks: most drops then fall every second time."""
_NOT_DRAWN_BY = frozenset({"plan", "defeat", "budget", "unsolvable"})
"""The options that are no part of the seed: the same tasks can be asked in either track, at any cost of defeats, with
any budget, and as solvable or impossible ones."""
_BLOCK = 20
"""The number of tasks in a row that have the wanted share of impossible ones among them, to one task."""


@dataclass(frozen=True, slots=True)
class Spec:
    """The options of generated tasks."""

    seed: int = 0
    brackets: tuple[int, ...] = tuple(BRACKETS[:9])
    steps: tuple[int, ...] = ()
    """Total difficulties in place of the brackets' difficulties, if any."""
    kind: KindWish = "mixed"
    craft_share: float = CRAFT_SHARE
    monster: Code | None = None
    item: Code | None = None
    """An item that each task needs: as the target, as missing gear, or as a part or material of these."""
    level: int | None = None
    """The hero's level; None chooses one that suits the task."""
    knowledge: KnowledgeLevel = "exact"
    leveling: bool = False
    """True if the hero's gathering skills start at level 1."""
    noise: int = 0
    stochastic: bool = False
    plan: PlanTrack = "program"
    """The track. The same options give the same draws in both, so that one task can be asked in either."""
    defeat: DefeatRule | None = None
    """The cost of a lost fight; None leaves it to the rules. No part of the seed: other costs give the same tasks."""
    budget: float | None = None
    """The multiple of the lower bound that a plan may take in actions; None for no budget. No part of the seed."""
    unsolvable: float | None = None
    """The share of impossible tasks; None for tasks that close no place. With any share, every task closes places."""

    def check(self, world: World, rules: Rules) -> None:
        """Raise UsageError if the options contradict each other, the world or the rules."""
        refuse_other_brackets(self.brackets)
        if not self.brackets and not self.steps:
            raise UsageError(TaskFault.NO_DIFFICULTIES, most=BRACKETS[-1])
        # Ids number the tasks of a bracket, so a repeated bracket would repeat ids.
        if len(set(self.brackets)) < len(self.brackets):
            raise UsageError(TaskFault.DIFFICULTY_TWICE)
        if self.monster is not None and self.monster not in world.monsters:
            near = get_close_matches(self.monster, world.monsters, 3) or list(world.monsters)
            raise UsageError(TaskFault.NO_MONSTER, name=self.monster, code=world.code, near=", ".join(near))
        if self.item is not None and self.item not in world.items:
            raise UsageError(TaskFault.NO_ITEM, item=self.item, code=world.code)
        if self.monster is not None and self.kind == "craft":
            raise UsageError(TaskFault.MONSTER_OF_CRAFT)
        if not 0 <= self.craft_share <= 1:
            raise UsageError(TaskFault.BAD_CRAFT_SHARE, share=self.craft_share)
        if self.level is not None and not 1 <= self.level <= rules.level_cap:
            raise UsageError(TaskFault.BAD_LEVEL, level=self.level, most=rules.level_cap)
        if self.plan == "straight" and self.stochastic:
            raise UsageError(TaskFault.STRAIGHT_AND_CHANCE)
        self._check_budget()
        self._check_share()
        self._check_noise(world)

    def _check_budget(self) -> None:
        if self.budget is None:
            return
        if not LEAST_FACTOR <= self.budget <= MOST_FACTOR:
            raise UsageError(TaskFault.BAD_BUDGET, budget=self.budget, least=LEAST_FACTOR, most=MOST_FACTOR)
        if self.stochastic:
            raise UsageError(TaskFault.BUDGET_AND_CHANCE)

    def _check_noise(self, world: World) -> None:
        if self.noise < 0:
            raise UsageError(TaskFault.BAD_NOISE, noise=self.noise)
        if not self.noise:
            return
        from herobench.task_gen.rpg.tasks.telling import most_noise  # with the gear, which few specs need

        most = most_noise(world, {item.type for item in world.items.values()})
        if self.noise > most:
            raise UsageError(TaskFault.TOO_MUCH_NOISE, noise=self.noise, code=world.code, most=most)

    def _check_share(self) -> None:
        if self.unsolvable is None:
            return
        if self.kind == "craft":
            raise UsageError(TaskFault.IMPOSSIBLE_CRAFT)
        if not 0 <= self.unsolvable <= 1:
            raise UsageError(TaskFault.BAD_SHARE, share=self.unsolvable)
        if self.knowledge != "world":
            raise UsageError(TaskFault.IMPOSSIBLE_AND_NEEDED)

    def difficulty(self, index: int) -> int:
        """Return the total difficulty wanted of a task: the brackets take turns, and so do the steps of each."""
        if self.steps:
            return self.steps[index % len(self.steps)]
        steps = bracket_steps(self.brackets[index % len(self.brackets)])
        return steps[index // len(self.brackets) % len(steps)]

    def extras(self) -> list[str]:
        """Return the options that make tasks harder to find, in words."""
        wishes = {
            f"the item {self.item}": self.item is not None,
            "decoys": self.knowledge == "decoys",
            f"{self.noise} noise items": self.noise > 0,
            "leveling": self.leveling,
            "drops by chance": self.stochastic,
            f"defeats {self.defeat}": self.defeat is not None,
            "closed places": self.unsolvable is not None,
        }
        return [extra for extra, is_wished in wishes.items() if is_wished]

    def rng(self, world: World, index: int) -> Random:
        """Return the random stream of a task, seeded with a hash of the world, the options and the index."""
        # A cryptographic hash of sorted JSON: Python's hash() differs between processes.
        seed_text = json.dumps([world.digest, self.as_row(), index], sort_keys=True)
        return Random(int.from_bytes(hashlib.sha256(seed_text.encode()).digest(), "big"))  # noqa: S311 - reproducible

    def is_impossible(self, index: int) -> bool:
        """Return whether a task is to be impossible: of each block of tasks the wanted share, at random."""
        if not self.unsolvable:
            return False
        block, place = divmod(index, _BLOCK)
        # Rounded sums, so that the blocks together have the share that one block cannot have.
        count = round((block + 1) * _BLOCK * self.unsolvable) - round(block * _BLOCK * self.unsolvable)
        rng = Random(f"{self.seed} {block}")  # noqa: S311 - reproducible
        return place in rng.sample(range(_BLOCK), count)

    def as_row(self) -> dict[str, Any]:
        """Return the options that a task is drawn by, as plain data."""
        options = {name: value for name, value in asdict(self).items() if name not in _NOT_DRAWN_BY}
        if self.item is None:  # tasks keep their seeds: this option came later
            del options["item"]
        return options
