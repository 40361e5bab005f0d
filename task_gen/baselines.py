"""Baselines: players that read the prompt, choose gear by a rule of thumb and never compute a fight.

Called by the shortcut audit and by the model `shortcut`. The choice may use only what the prompt tells: the task's
knowledge and its hero. The oracle, which knows the world, then plans how to make the chosen gear, so a baseline
never loses by clumsy work. A tasks file that baselines can win gives its answers away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType

from herobench.rpg.episode import FINISHED, Episode
from herobench.rpg.game import Game
from herobench.rpg.rules import Rules
from herobench.rpg.scoring import score
from herobench.rpg.task import Task
from herobench.rpg.world import Code, Item, World, slot_type
from herobench.task_gen.gear.candidates import gear_slots
from herobench.task_gen.knowledge.noise import power
from herobench.task_gen.oracle.planner import oracle_plan
from herobench.task_gen.oracle.steps import Step, as_code, play
from herobench.task_gen.oracle.unplannable import Unplannable


@dataclass(frozen=True)
class OpenSlot:
    """A slot that a baseline may fill, and the items that the prompt offers for it.

    The player must be able to compare gear for the slot: the prompt tells of gear of its type, and the slot is empty or
    holds an item whose effects the prompt tells.
    """

    slot: str
    number: int
    """The number of slots of the same type that are filled before this one."""
    told: Sequence[Item]
    """Gear that the prompt tells how to get, in the order of the prompt."""
    worn: Item | None
    """The item that the hero wears in the slot."""

    @property
    def either(self) -> list[Item]:
        """The items that may end up in the slot, the worn one last."""
        return [*self.told, *([self.worn] if self.worn else [])]


Rule = Callable[[OpenSlot, Random], Item]
"""Chooses the item for a slot."""


def _listed(choice: OpenSlot, _: Random) -> Item:
    return choice.told[choice.number % len(choice.told)]


def _last(choice: OpenSlot, _: Random) -> Item:
    return choice.told[-1 - choice.number % len(choice.told)]


def _random(choice: OpenSlot, rng: Random) -> Item:
    return rng.choice(choice.either)


def _strongest(choice: OpenSlot, _: Random) -> Item:
    return max(choice.either, key=lambda item: (power(item), item.level))


def _highest_level(choice: OpenSlot, _: Random) -> Item:
    return max(choice.either, key=lambda item: (item.level, power(item)))


BASELINES: Mapping[str, Rule] = MappingProxyType(
    {
        "listed": _listed,
        "last": _last,
        "random": _random,
        "strongest": _strongest,
        "highest_level": _highest_level,
    }
)
"""The rule of each baseline.

`listed` takes the first items of the prompt, one after the other, for the slots of their type; `last` does the same
from the end. `random` takes any told item or keeps the worn one. `strongest` takes the highest sum of effects and
`highest_level` the highest level, of the told and the worn items.
"""


def baseline_plan(world: World, rules: Rules, task: Task, name: str) -> str | None:
    """Return a baseline's plan as code, or None if the chosen gear cannot be made."""
    steps = _steps(world, rules, task, name)
    return None if steps is None else as_code(steps)


def baseline_wins(world: World, rules: Rules, task: Task, name: str) -> bool:
    """Return whether a baseline wins a task under an edition of the rules."""
    steps = _steps(world, rules, task, name)
    if steps is None:
        return False
    own = task.rules(rules)
    game = play(steps, Game(world, own, task.hero, task.seed))
    return score(task, world, own, Episode(tuple(game.events), FINISHED)).outcome == "win"


def chosen_gear(world: World, task: Task, name: str) -> dict[str, Item]:
    """Return what a baseline wants to make and put on, by slot."""
    # The task's seed makes the random baseline the same in every audit.
    rng = Random(task.seed)  # noqa: S311 - reproducible
    chosen = {choice.slot: (choice, BASELINES[name](choice, rng)) for choice in choices(world, task)}
    return {slot: item for slot, (choice, item) in chosen.items() if item != choice.worn}


def choices(world: World, task: Task) -> Iterator[OpenSlot]:
    """Yield the slots that a kill task's knowledge allows to fill, in the world's order."""
    told = _gear_by_type(world, task)
    stats = {*task.knowledge.stats, *task.knowledge.recipes, *task.knowledge.materials}
    filled = dict.fromkeys(told, 0)
    for slot in gear_slots(world):
        kind, worn = slot_type(slot), task.hero.worn.get(slot)
        # A worn item with unknown effects cannot be compared, so the player leaves it on.
        if kind in told and (worn is None or worn in stats):
            yield OpenSlot(slot, filled[kind], told[kind], world.items[worn] if worn else None)
            filled[kind] += 1


def in_gear(task: Task, gear: Sequence[Mapping[str, Code]]) -> Task:
    """Return a task whose kills have other missing gear, given for each goal."""
    first, *then = (
        replace(goal, missing=missing if goal.kind == "kill" else goal.missing)
        for goal, missing in zip(task.goals, gear, strict=True)
    )
    return replace(task, missing=first.missing, then=tuple(then))


def _gear_by_type(world: World, task: Task) -> dict[str, list[Item]]:
    """Return the told gear that the hero can wear, by type and in the order of the prompt.

    Gear that is an ingredient of other told gear is a part, and counts only if nothing else of its type is told.
    """
    knows = task.knowledge
    items = [*(world.items[code] for code in (*knows.recipes, *knows.materials)), *knows.noise]
    parts = {part for item in items if item.recipe for part in item.recipe.ingredients}
    kinds = {slot_type(slot) for slot in gear_slots(world)}
    found: dict[str, list[Item]] = {}
    # Sorted as the prompt shows them, because `listed` and `last` depend on that order.
    for item in sorted(items, key=lambda item: (item.level, item.code)):
        if item.type in kinds and item.level <= task.hero.combat[0]:
            found.setdefault(item.type, []).append(item)
    return {kind: _whole(gear, parts) or gear for kind, gear in found.items()}


def _whole(gear: Iterable[Item], parts: set[Code]) -> list[Item]:
    return [item for item in gear if item.code not in parts]


def _steps(world: World, rules: Rules, task: Task, name: str) -> list[Step] | None:
    """Return the actions of a baseline, or None if the chosen gear cannot be made."""
    # A craft names its target, so every baseline makes it. No rule looks at a fight, so all kills get equal gear.
    chosen = chosen_gear(world, task, name) if any(goal.kind == "kill" for goal in task.goals) else {}
    # Noise items exist in the prompt only, so no plan can make them.
    if any(item.code not in world.items for item in chosen.values()):
        return None
    gear = MappingProxyType({slot: item.code for slot, item in chosen.items()})
    try:
        return oracle_plan(world, task.rules(rules), in_gear(task, [gear] * len(task.goals)))
    except Unplannable:
        return None
