"""The milestones of a task: what an ideal plan reaches, and what an episode did reach.

Each is worth one point of reward. Where the two differ it is the published way: another monster beaten counts even when
no ideal plan needs it, and so does a leaf come by in another way than the ideal one.

A milestone is reached by what happened, not by the outcome. `target_win` is reached by beating or crafting the target
itself. So in an edition that judges the outcome of craft tasks by what log lines mention, a task can be lost with
`target_win` reached, or won without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from herobench.rpg.events import Bought, Crafted, Equipped, Event, Fought, Gathered, Unequipped
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import Code, World


class Milestone(NamedTuple):
    """One point of reward."""

    kind: str
    code: Code | None = None

    def __str__(self) -> str:
        return self.kind if self.code is None else f"{self.kind}:{self.code}"


TARGET_WIN = Milestone("target_win")


@dataclass(frozen=True)
class Parts:
    """The items that a task is about, sorted by what has to be done with them."""

    missing: frozenset[Code]
    intermediates: frozenset[Code]
    leaves: frozenset[Code]

    @classmethod
    def of(cls, task: Task, world: World) -> Parts:
        """Kill tasks: the recipe trees of the missing gear. Craft tasks: all that goes into the target, starter items
        too, for who crafts has to come by everything."""
        missing = frozenset(task.missing.values())
        if task.kind == "kill":
            tree = frozenset[Code]().union(*map(world.recipe_tree, missing))
        else:
            tree = world.everything_in(task.target) - {task.target}
        crafted = frozenset(code for code in tree if world.recipe_of(code))
        return cls(missing, crafted - missing, tree - crafted)


def ideal(task: Task, world: World) -> tuple[Milestone, ...]:
    """What an ideal plan reaches, in a fixed order."""
    parts = Parts.of(task, world)
    return (TARGET_WIN, *(_ideal_kill(task, world, parts) if task.kind == "kill" else _ideal_craft(task, parts)))


def _ideal_kill(task: Task, world: World, parts: Parts) -> Iterator[Milestone]:
    for code in sorted(parts.missing):
        yield Milestone("craft_missing" if world.recipe_of(code) else "obtain_missing", code)
        yield Milestone("equip_missing", code)
    for code in sorted(parts.intermediates):
        yield Milestone("craft_intermediate", code)
    hunted: set[Code] = set()
    for code in sorted(parts.leaves):
        droppers = world.droppers.get(code, ())
        hunted.update(droppers)
        if not droppers:
            yield Milestone("gather_resource", code)
    for code in sorted(hunted - {task.target}):
        yield Milestone("other_monster", code)


def _ideal_craft(task: Task, parts: Parts) -> Iterator[Milestone]:
    for code in sorted(parts.intermediates):
        yield Milestone("craft_intermediate", code)
    for code in sorted(parts.leaves):
        yield Milestone("buy_resource" if code in task.knowledge.sold else "gather_resource", code)


def reaches_target(task: Task, event: Event) -> bool:
    """Whether an event beats the monster, or crafts the item, that is the task's target."""
    match event.detail:
        case Fought(monster=monster, won=True):
            return task.kind == "kill" and monster == task.target
        case Crafted(item=item):
            return task.kind == "craft" and item == task.target
        case _:
            return False


def reached(task: Task, world: World, rules: Rules, events: Sequence[Event]) -> tuple[Milestone, ...]:
    """List what the events reach, each once: the target first, the rest in the order in which it was reached."""
    parts = Parts.of(task, world)
    found = dict.fromkeys([TARGET_WIN] if any(reaches_target(task, event) for event in events) else [])
    for event in events:
        if event.ok:
            found.update(dict.fromkeys(_credited(task, world, rules, parts, event)))
    return tuple(found)


def _credited(task: Task, world: World, rules: Rules, parts: Parts, event: Event) -> Iterator[Milestone]:
    return _credited_kill(task, world, rules, parts, event) if task.kind == "kill" else _credited_craft(parts, event)


def _credited_kill(task: Task, world: World, rules: Rules, parts: Parts, event: Event) -> Iterator[Milestone]:
    match event.detail:
        case Fought(monster=monster, won=True, drops=drops):
            if monster != task.target:
                yield Milestone("other_monster", monster)
            for item, _ in drops:
                if item in parts.missing and not world.recipe_of(item):
                    yield Milestone("obtain_missing", item)
        case Crafted(item=item):
            if item in parts.missing:
                yield Milestone("craft_missing", item)
            elif item in parts.intermediates:
                yield Milestone("craft_intermediate", item)
        case Equipped(item=item) if item in parts.missing:
            yield Milestone("equip_missing", item)
        case Unequipped(item=item) if item in parts.missing and rules.equip_credit == "mention":
            yield Milestone("equip_missing", item)
        case Gathered(drops=drops):
            yield from (Milestone("gather_resource", item) for item, _ in drops if item in parts.leaves)


def _credited_craft(parts: Parts, event: Event) -> Iterator[Milestone]:
    """Fights earn nothing here; a leaf counts as it was come by, whichever way is ideal."""
    match event.detail:
        case Crafted(item=item) if item in parts.intermediates:
            yield Milestone("craft_intermediate", item)
        case Gathered(drops=drops):
            yield from (Milestone("gather_resource", item) for item, _ in drops if item in parts.leaves)
        case Bought(item=item) if item in parts.leaves:
            yield Milestone("buy_resource", item)
