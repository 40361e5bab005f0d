"""The milestones of a task: which an ideal plan reaches, and which an episode reached.

Each earns one point of reward if the edition credits it. With `credit` at all, as published, every one does, including
any other monster that is beaten and any leaf, however it was acquired. These two take no plan: a script that gathers
and fights at every told place reaches them. So with `credit` at made they earn nothing by themselves. Only what is made
of them does, and no episode can make more than an ideal plan.

A milestone is reached by events, not by the outcome: in an edition that judges craft tasks by log lines, a lost task
can have `target_win` and a won one not. A campaign counts its goals and what is made for them, in every edition,
because no campaign was published.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from herobench.suites.rpg.game.events import Bought, Crafted, Equipped, Event, Fought, Gathered, Unequipped
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Goal, Task
from herobench.suites.rpg.game.world import Code, World


def reaches(goal: Goal | Task, event: Event) -> bool:
    """Return whether an event does what a goal, or the first goal of a task, asks for."""
    match event.detail:
        case Fought(monster=monster, won=True):
            return goal.kind == "kill" and monster == goal.target
        case Crafted(item=item):
            return goal.kind == "craft" and item == goal.target
        case _:
            return False


def goals_reached(task: Task, events: Sequence[Event], before: int = 0) -> tuple[int, ...]:
    """Return the numbers of the events that reach the goals, one for each goal reached, in order.

    `before` goals were reached before these events."""
    goals = task.goals[before:]
    found: list[int] = []
    for number, event in enumerate(events):
        if len(found) == len(goals):
            break
        if reaches(goals[len(found)], event):
            found.append(number)
    return tuple(found)


def stages(task: Task) -> Iterator[Task]:
    """Yield each goal as a task of its own, whose hero wears the gear meant for the goal before.

    A task of one goal is its own only stage.
    """
    if not task.then:
        yield task
        return
    worn = task.hero.worn
    for goal in task.goals:
        hero = replace(task.hero, worn=worn)
        yield replace(task, kind=goal.kind, target=goal.target, missing=goal.missing, hero=hero, then=())
        worn = MappingProxyType({**worn, **goal.missing})


class Milestone(NamedTuple):
    """A partial goal of a task."""

    kind: str
    code: Code | None = None

    def __str__(self) -> str:
        return self.kind if self.code is None else f"{self.kind}:{self.code}"

    @classmethod
    @lru_cache(maxsize=4096)  # a world has some hundred milestones, and an analysis reads millions of them
    def parse(cls, text: str) -> Milestone:
        """Return the milestone that a row stores as text, such as `craft_missing:iron_sword`."""
        kind, colon, code = text.partition(":")
        return cls(kind, code if colon else None)


TARGET_WIN = Milestone("target_win")
_MADE = frozenset({"craft_missing", "obtain_missing"})
_CREDITED = _MADE | {TARGET_WIN.kind, "goal", "craft_intermediate"}
"""The kinds of milestones that earn a point in every edition; `equip_missing` does for an item that was made."""


def points(rules: Rules, milestones: Collection[Milestone]) -> int:
    """Return how many of an episode's milestones earn a point."""
    if rules.credit == "all":
        return len(milestones)
    # Putting on what was bought, or worn in another slot from the start, takes no plan either.
    made = {code for kind, code in milestones if kind in _MADE}
    return sum(kind in _CREDITED or (kind == "equip_missing" and code in made) for kind, code in milestones)


@dataclass(frozen=True)
class TaskItems:
    """The items that a task is about: missing gear, intermediates (crafted on the way), and leaves (not crafted)."""

    missing: frozenset[Code]
    intermediates: frozenset[Code]
    leaves: frozenset[Code]

    @classmethod
    def of(cls, task: Task, world: World) -> TaskItems:
        """Sort the items of a task, all goals together.

        A kill task has the recipe trees of its missing gear. A craft task has everything in its target, with starter
        items, since a craft needs all of its ingredients. The hero of a campaign need not make what he starts with.
        """
        missing = frozenset(code for goal in task.goals for code in goal.missing.values())
        if task.campaign:
            missing -= {*task.hero.inventory, *task.hero.worn.values()}
        targets = [goal.target for goal in task.goals if goal.kind == "craft"]
        tree = frozenset[Code]().union(
            *map(world.recipe_tree, missing), *(world.everything_in(code) - {code} for code in targets)
        )
        crafted = frozenset(code for code in tree if world.recipe_of(code))
        return cls(missing, crafted - missing, tree - crafted)


def ideal(task: Task, world: World) -> tuple[Milestone, ...]:
    """Return the milestones of an ideal plan, in a fixed order."""
    parts = TaskItems.of(task, world)
    made = tuple(_made(world, parts))
    if task.campaign:
        return (*map(_goal, range(len(task.goals))), *made)
    found = _hunted_or_gathered(task, world, parts) if task.kind == "kill" else _bought(task, parts)
    return (TARGET_WIN, *made, *found)


def _goal(number: int) -> Milestone:
    """Return the milestone of a goal of a campaign; people count goals from 1."""
    return Milestone("goal", str(number + 1))


def _made(world: World, parts: TaskItems) -> Iterator[Milestone]:
    """Yield the milestones of the missing gear and of what is crafted on the way."""
    # Sorted, here and below: a set of texts has another order in every process.
    for code in sorted(parts.missing):
        yield Milestone("craft_missing" if world.recipe_of(code) else "obtain_missing", code)
        yield Milestone("equip_missing", code)
    for code in sorted(parts.intermediates):
        yield Milestone("craft_intermediate", code)


def _hunted_or_gathered(task: Task, world: World, parts: TaskItems) -> Iterator[Milestone]:
    """Yield how the leaves of a kill task are found."""
    hunted: set[Code] = set()
    for code in sorted(parts.leaves):
        droppers = world.droppers.get(code, ())
        # As published, every dropper counts, though one is enough, and its drop earns no milestone of its own.
        hunted.update(droppers)
        if not droppers:
            yield Milestone("gather_resource", code)
    # The target already has a milestone; hunting it for its drops earns no second one.
    for code in sorted(hunted - {task.target}):
        yield Milestone("other_monster", code)


def _bought(task: Task, parts: TaskItems) -> Iterator[Milestone]:
    """Yield how the leaves of a craft task are found: bought if the task tells that they are sold, else gathered."""
    for code in sorted(parts.leaves):
        yield Milestone("buy_resource" if code in task.knowledge.sold else "gather_resource", code)


def reached(task: Task, world: World, rules: Rules, events: Sequence[Event]) -> tuple[Milestone, ...]:
    """Return the milestones that the events reach, each once: the goals first, then in the order of the events."""
    # A dict in place of a set, because it keeps the order of the events.
    if task.campaign:
        found = dict.fromkeys(map(_goal, range(len(goals_reached(task, events)))))
    else:
        found = dict.fromkeys([TARGET_WIN] if any(reaches(task, event) for event in events) else [])
    credited = _credited(task, world)
    for event in events:
        if event.ok:
            found.update(dict.fromkeys(gain for gain in _gains(task, rules, event) if gain in credited))
    return tuple(found)


def _credited(task: Task, world: World) -> frozenset[Milestone]:
    """Return the milestones that single events of a task can reach.

    In a kill task any other monster counts, even if no ideal plan needs it. In a craft task fights earn nothing, and a
    leaf counts whether it was gathered or bought.
    """
    parts = TaskItems.of(task, world)
    credited = set(_made(world, parts))
    if not task.campaign:
        credited.update(Milestone("gather_resource", code) for code in parts.leaves)
        if task.kind == "kill":
            credited.update(Milestone("other_monster", code) for code in world.monsters if code != task.target)
        else:
            credited.update(Milestone("buy_resource", code) for code in parts.leaves)
    return frozenset(credited)


def _gains(task: Task, rules: Rules, event: Event) -> Iterator[Milestone]:
    """Yield the milestones that an event would reach if the task credits them."""
    match event.detail:
        case Fought(monster=monster, won=True, drops=drops):
            yield Milestone("other_monster", monster)
            yield from (Milestone("obtain_missing", item) for item, _ in drops)
        case Crafted(item=item):
            yield Milestone("craft_missing", item)
            yield Milestone("craft_intermediate", item)
        case Equipped(item=item):
            yield Milestone("equip_missing", item)
        # The paper's editions read log lines, and a line about taking gear off names it too.
        case Unequipped(item=item) if rules.equip_credit == "mention" and not task.campaign:
            yield Milestone("equip_missing", item)
        # Every drop, not only what the plan gathered for. Found gear counts as obtained in campaigns only.
        case Gathered(drops=drops):
            kind = "obtain_missing" if task.campaign else "gather_resource"
            yield from (Milestone(kind, item) for item, _ in drops)
        case Bought(item=item):
            yield Milestone("buy_resource", item)
