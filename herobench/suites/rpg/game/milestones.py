"""The milestones of a task: those that an ideal plan reaches, and those that an episode reached.

Each earns one point of reward if the edition credits it. With `credit` at all, as published, every one does: also any
other monster that is beaten, even if no ideal plan needs it, and a leaf in whatever way it was acquired. These two take
no plan: a script that gathers and fights at every told place reaches them. So with `credit` at made they earn nothing
by themselves. What is made of them does, and of that no episode can reach more than an ideal plan.

A milestone is reached by events, not by the outcome: in an edition that judges craft tasks by log lines, a lost task
can have `target_win` and a won one not.
A campaign counts its goals and what is made for them, in every edition: nobody published one.
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

    So many goals were reached before these events."""
    goals = task.goals[before:]
    found: list[int] = []
    for number, event in enumerate(events):
        if len(found) == len(goals):
            break
        if reaches(goals[len(found)], event):
            found.append(number)
    return tuple(found)


def stages(task: Task) -> Iterator[Task]:
    """Yield each goal as a task of its own, whose hero wears what he is meant to wear for the goal before.

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
    # To put on what was bought, or worn in another slot from the start, takes no plan either.
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

        For a kill task these are the recipe trees of the missing gear. For a craft task they are everything in the
        target, with starter items, since a craft needs all of its ingredients. What the hero of a campaign has at the
        start need not be made.
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
    if task.campaign:
        goals = (_goal(number) for number in range(len(task.goals)))
        return (*goals, *_made(world, parts))
    return (TARGET_WIN, *(_ideal_kill(task, world, parts) if task.kind == "kill" else _ideal_craft(task, parts)))


def _ideal_kill(task: Task, world: World, parts: TaskItems) -> Iterator[Milestone]:
    # Sorted, here and below: a set of texts has another order in every process.
    for code in sorted(parts.missing):
        yield Milestone("craft_missing" if world.recipe_of(code) else "obtain_missing", code)
        yield Milestone("equip_missing", code)
    for code in sorted(parts.intermediates):
        yield Milestone("craft_intermediate", code)
    hunted: set[Code] = set()
    for code in sorted(parts.leaves):
        droppers = world.droppers.get(code, ())
        # Every dropper counts, though one would do, and what it drops earns nothing of its own: both as
        # published.
        hunted.update(droppers)
        if not droppers:
            yield Milestone("gather_resource", code)
    # The target has a milestone already; a hunt for its own drops earns no second one.
    for code in sorted(hunted - {task.target}):
        yield Milestone("other_monster", code)


def _ideal_craft(task: Task, parts: TaskItems) -> Iterator[Milestone]:
    for code in sorted(parts.intermediates):
        yield Milestone("craft_intermediate", code)
    for code in sorted(parts.leaves):
        # By what the task sells. A hero who gathers it all the same reaches `gather_resource`, which counts
        # as well.
        yield Milestone("buy_resource" if code in task.knowledge.sold else "gather_resource", code)


def reached(task: Task, world: World, rules: Rules, events: Sequence[Event]) -> tuple[Milestone, ...]:
    """Return the milestones that the events reach, each once: the target first, then in the order of the events."""
    parts = TaskItems.of(task, world)
    if task.campaign:
        return _reached_by_campaign(task, world, parts, events)
    # A dict in place of a set, because it keeps the order of the events.
    found = dict.fromkeys([TARGET_WIN] if any(reaches(task, event) for event in events) else [])
    for event in events:
        if event.ok:
            found.update(dict.fromkeys(_credited(task, world, rules, parts, event)))
    return tuple(found)


def _credited(task: Task, world: World, rules: Rules, parts: TaskItems, event: Event) -> Iterator[Milestone]:
    return _credited_kill(task, world, rules, parts, event) if task.kind == "kill" else _credited_craft(parts, event)


def _credited_kill(task: Task, world: World, rules: Rules, parts: TaskItems, event: Event) -> Iterator[Milestone]:
    match event.detail:
        case Fought(monster=monster, won=True, drops=drops):
            if monster != task.target:
                yield Milestone("other_monster", monster)
            for item, _ in drops:
                # Gear with a recipe earns by being crafted, and nothing when it drops.
                if item in parts.missing and not world.recipe_of(item):
                    yield Milestone("obtain_missing", item)
        case Crafted(item=item):
            if item in parts.missing:
                yield Milestone("craft_missing", item)
            elif item in parts.intermediates:
                yield Milestone("craft_intermediate", item)
        case Equipped(item=item) if item in parts.missing:
            yield Milestone("equip_missing", item)
        # The paper's editions read log lines, and a line about taking gear off names it too.
        case Unequipped(item=item) if item in parts.missing and rules.equip_credit == "mention":
            yield Milestone("equip_missing", item)
        # Every leaf among the drops, also one that came along with what the plan gathered for.
        case Gathered(drops=drops):
            yield from (Milestone("gather_resource", item) for item, _ in drops if item in parts.leaves)


def _credited_craft(parts: TaskItems, event: Event) -> Iterator[Milestone]:
    """Credit an event of a craft task. Fights earn nothing; a leaf counts whether it was gathered or bought."""
    match event.detail:
        case Crafted(item=item) if item in parts.intermediates:
            yield Milestone("craft_intermediate", item)
        case Gathered(drops=drops):
            yield from (Milestone("gather_resource", item) for item, _ in drops if item in parts.leaves)
        case Bought(item=item) if item in parts.leaves:
            yield Milestone("buy_resource", item)


# -- campaigns --------------------------------------------------------------------------------------------------------


def _goal(number: int) -> Milestone:
    """Return the milestone of a goal of a campaign; people count goals from 1."""
    return Milestone("goal", str(number + 1))


def _made(world: World, parts: TaskItems) -> Iterator[Milestone]:
    """Yield the milestones of the gear of a campaign and of what is crafted for it."""
    for code in sorted(parts.missing):
        yield Milestone("craft_missing" if world.recipe_of(code) else "obtain_missing", code)
        yield Milestone("equip_missing", code)
    for code in sorted(parts.intermediates):
        yield Milestone("craft_intermediate", code)


def _reached_by_campaign(task: Task, world: World, parts: TaskItems, events: Sequence[Event]) -> tuple[Milestone, ...]:
    """Return the milestones that the events reach: the goals first, then in the order of the events."""
    found = dict.fromkeys(map(_goal, range(len(goals_reached(task, events)))))
    wanted = frozenset(_made(world, parts))
    for event in events:
        found.update(dict.fromkeys(milestone for milestone in _done(event) if milestone in wanted))
    return tuple(found)


def _done(event: Event) -> Iterator[Milestone]:
    """Yield what an event could reach in any campaign."""
    match event.detail:
        case Crafted(item=item):
            yield Milestone("craft_missing", item)
            yield Milestone("craft_intermediate", item)
        case Equipped(item=item):
            yield Milestone("equip_missing", item)
        case Fought(drops=drops) | Gathered(drops=drops):
            yield from (Milestone("obtain_missing", item) for item, _ in drops)
