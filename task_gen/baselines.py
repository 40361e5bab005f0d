"""Baselines: what a player gets who reads the prompt and does no sums.

Each looks at the gear that is told, chooses some by a rule of thumb, makes it, puts it on and fights the target; what a
fight would come to is never computed. Only what the prompt tells goes into the choice: the task's knowledge and its
hero. Making the gear is left to the oracle's machinery, which knows the world, so that a baseline never loses by clumsy
work: where the tasks of a file can be won like this, they give their answer away.

Slots are filled whose gear the player can compare: those of a type that something is told of, and that are empty or
hold something that he is told the effects of. Gear that is told because it goes into other told gear is a part, and
comes into question only where nothing else of its type is told. In a craft task the target is named, so every baseline
just crafts it.
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
class Choice:
    """A slot to be filled, and what the prompt offers for it."""

    slot: str
    number: int
    """How many slots of the type are filled before this one."""
    told: Sequence[Item]
    """Gear that is told to be had, in the order of the prompt."""
    worn: Item | None
    """What is in the slot."""

    @property
    def either(self) -> list[Item]:
        """What may be in the slot in the end, the gear that is worn last."""
        return [*self.told, *([self.worn] if self.worn else [])]


Rule = Callable[[Choice, Random], Item]
"""Which item goes into a slot."""


def _listed(choice: Choice, _: Random) -> Item:
    return choice.told[choice.number % len(choice.told)]


def _last(choice: Choice, _: Random) -> Item:
    return choice.told[-1 - choice.number % len(choice.told)]


def _random(choice: Choice, chance: Random) -> Item:
    return chance.choice(choice.either)


def _strongest(choice: Choice, _: Random) -> Item:
    return max(choice.either, key=lambda item: (power(item), item.level))


def _highest_level(choice: Choice, _: Random) -> Item:
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
"""What each baseline goes by. `listed`: the first items of the prompt, one after the other to the slots of their type.
`last`: the same from the end. `random`: any of it, or what is worn. `strongest`: the highest sum of effects, and
`highest_level`: the highest level, of what is told and what is worn."""


def baseline_plan(world: World, rules: Rules, task: Task, name: str) -> str | None:
    """The plan of a baseline as code; None where what it chose cannot be had."""
    steps = _steps(world, rules, task, name)
    return None if steps is None else as_code(steps)


def baseline_wins(world: World, rules: Rules, task: Task, name: str) -> bool:
    """Whether a baseline wins a task under an edition of the rules."""
    steps = _steps(world, rules, task, name)
    if steps is None:
        return False
    own = task.rules(rules)
    game = play(steps, Game(world, own, task.hero, task.seed))
    return score(task, world, own, Episode(tuple(game.events), FINISHED)).outcome == "win"


def chosen_gear(world: World, task: Task, name: str) -> dict[str, Item]:
    """What a baseline wants to make and put on, by slot."""
    chance = Random(task.seed)  # noqa: S311 - reproducible chance
    chosen = {choice.slot: (choice, BASELINES[name](choice, chance)) for choice in choices(world, task)}
    return {slot: item for slot, (choice, item) in chosen.items() if item != choice.worn}


def choices(world: World, task: Task) -> Iterator[Choice]:
    """The slots that can be filled by what a kill task tells, in the world's order."""
    told = _gear_by_type(world, task)
    stats = {*task.knowledge.stats, *task.knowledge.recipes, *task.knowledge.materials}
    filled = dict.fromkeys(told, 0)
    for slot in gear_slots(world):
        kind, worn = slot_type(slot), task.hero.worn.get(slot)
        if kind in told and (worn is None or worn in stats):
            yield Choice(slot, filled[kind], told[kind], world.items[worn] if worn else None)
            filled[kind] += 1


def _gear_by_type(world: World, task: Task) -> dict[str, list[Item]]:
    """The told gear that the hero can wear and that stands for itself, by type, in the order of the prompt."""
    knows = task.knowledge
    items = [*(world.items[code] for code in (*knows.recipes, *knows.materials)), *knows.noise]
    parts = {part for item in items if item.recipe for part in item.recipe.ingredients}
    kinds = {slot_type(slot) for slot in gear_slots(world)}
    found: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda item: (item.level, item.code)):
        if item.type in kinds and item.level <= task.hero.combat[0]:
            found.setdefault(item.type, []).append(item)
    return {kind: _whole(gear, parts) or gear for kind, gear in found.items()}


def _whole(gear: Iterable[Item], parts: set[Code]) -> list[Item]:
    return [item for item in gear if item.code not in parts]


def _steps(world: World, rules: Rules, task: Task, name: str) -> list[Step] | None:
    """What a baseline does; None where what it chose cannot be had."""
    chosen = chosen_gear(world, task, name) if task.kind == "kill" else {}
    if any(item.code not in world.items for item in chosen.values()):
        return None
    gear = MappingProxyType({slot: item.code for slot, item in chosen.items()})
    try:
        return oracle_plan(world, task.rules(rules), replace(task, missing=gear))
    except Unplannable:
        return None
