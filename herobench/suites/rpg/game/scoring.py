"""The score of an episode: a pure function of task, events and rules. The output of a plan never counts.

Milestones are what an ideal plan reaches and what an episode reached. Each earns one point of reward if the edition
credits it. With `credit` at all, as published, every one does, including any other monster that is beaten and any leaf,
however it was acquired. These two take no plan: a script that gathers and fights at every told place reaches them. So
with `credit` at made they earn nothing by themselves. Only what is made of them does, and no episode can make more than
an ideal plan.

An episode whose plan did not run to its end is lost with a reward of 0, as published, unless the game ended it at a
lost fight or over its budget. If defeats are counted, each lost fight costs a part of the score. A refusal wins an
impossible task and loses any other. In `standard` the events win exactly when they reach the target. The paper's
editions read the outcome of a craft task from log lines, so a task that is forfeited after its target was crafted is
lost with `target_win`, and a mention alone wins without it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Literal, NamedTuple

from herobench.suites.rpg.game.episode import Episode
from herobench.suites.rpg.game.events import (
    Bought,
    Crafted,
    CraftRefused,
    Equipped,
    Event,
    Fought,
    Gathered,
    Refusal,
    Unequipped,
)
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Kind, Task, reaches
from herobench.suites.rpg.game.world import Code, World


def reaches_goal(task: Task, events: Iterable[Event]) -> bool:
    """Return whether some event does what a task asks for."""
    return any(reaches(task, event) for event in events)


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
_CREDITED = _MADE | {TARGET_WIN.kind, "craft_intermediate"}
"""The kinds of milestones that earn a point in every edition; `equip_missing` does for an item that was made."""


def points(rules: Rules, milestones: Collection[Milestone]) -> int:
    """Return how many of an episode's milestones earn a point."""
    if rules.credit == "all":
        return len(milestones)
    # Putting on what was bought, or worn in another slot from the start, takes no plan either.
    crafts = {code for kind, code in milestones if kind in _MADE}
    return sum(kind in _CREDITED or (kind == "equip_missing" and code in crafts) for kind, code in milestones)


@dataclass(frozen=True)
class TaskItems:
    """The items that a task is about: missing gear, intermediates (crafted on the way), and leaves (not crafted)."""

    missing: frozenset[Code]
    intermediates: frozenset[Code]
    leaves: frozenset[Code]

    @classmethod
    def of(cls, task: Task, world: World) -> TaskItems:
        """Sort the items of a task.

        A kill task has the recipe trees of its missing gear. A craft task has everything in its target, with starter
        items, since a craft needs all of its ingredients.
        """
        missing = frozenset(task.missing.values())
        if task.kind == "kill":
            tree = frozenset[Code]().union(*map(world.recipe_tree, missing))
        else:
            tree = world.everything_in(task.target) - {task.target}
        crafts = frozenset(code for code in tree if world.recipe_of(code))
        return cls(missing, crafts - missing, tree - crafts)


def ideal(task: Task, world: World) -> tuple[Milestone, ...]:
    """Return the milestones of an ideal plan, in a fixed order."""
    parts = TaskItems.of(task, world)
    of_crafts = tuple(_craft_milestones(world, parts))
    of_leaves = _leaf_milestones(task, world, parts) if task.kind == "kill" else _purchases(task, parts)
    return (TARGET_WIN, *of_crafts, *of_leaves)


def _craft_milestones(world: World, parts: TaskItems) -> Iterator[Milestone]:
    """Yield the milestones of the missing gear and of what is crafted on the way."""
    # Sorted, here and below: a set of texts has another order in every process.
    for code in sorted(parts.missing):
        yield Milestone("craft_missing" if world.recipe_of(code) else "obtain_missing", code)
        yield Milestone("equip_missing", code)
    for code in sorted(parts.intermediates):
        yield Milestone("craft_intermediate", code)


def _leaf_milestones(task: Task, world: World, parts: TaskItems) -> Iterator[Milestone]:
    """Yield how the leaves of a kill task are found."""
    monsters: set[Code] = set()
    for code in sorted(parts.leaves):
        droppers = world.droppers.get(code, ())
        # As published, every dropper counts, though one is enough, and its drop earns no milestone of its own.
        monsters.update(droppers)
        if not droppers:
            yield Milestone("gather_resource", code)
    # The target already has a milestone; hunting it for its drops earns no second one.
    for code in sorted(monsters - {task.target}):
        yield Milestone("other_monster", code)


def _purchases(task: Task, parts: TaskItems) -> Iterator[Milestone]:
    """Yield how the leaves of a craft task are found: bought if the task tells that they are sold, else gathered."""
    for code in sorted(parts.leaves):
        yield Milestone("buy_resource" if code in task.knowledge.sold else "gather_resource", code)


def list_reached(task: Task, world: World, rules: Rules, events: Sequence[Event]) -> tuple[Milestone, ...]:
    """Return the milestones that the events reach, each once: the target first, then in the order of the events."""
    # A dict in place of a set, because it keeps the order of the events.
    milestones = dict.fromkeys([TARGET_WIN] if reaches_goal(task, events) else [])
    creditable = _creditable_milestones(task, world)
    for event in events:
        if event.ok:
            milestones.update(dict.fromkeys(gain for gain in _gains(rules, event) if gain in creditable))
    return tuple(milestones)


def _creditable_milestones(task: Task, world: World) -> frozenset[Milestone]:
    """Return the milestones that single events of a task can reach.

    In a kill task any other monster counts, even if no ideal plan needs it. In a craft task fights earn nothing, and a
    leaf counts whether it was gathered or bought.
    """
    parts = TaskItems.of(task, world)
    milestones = set(_craft_milestones(world, parts))
    milestones.update(Milestone("gather_resource", code) for code in parts.leaves)
    if task.kind == "kill":
        milestones.update(Milestone("other_monster", code) for code in world.monsters if code != task.target)
    else:
        milestones.update(Milestone("buy_resource", code) for code in parts.leaves)
    return frozenset(milestones)


def _gains(rules: Rules, event: Event) -> Iterator[Milestone]:
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
        case Unequipped(item=item) if rules.equip_credit == "mention":
            yield Milestone("equip_missing", item)
        # Every drop, not only what the plan gathered for.
        case Gathered(drops=drops):
            yield from (Milestone("gather_resource", item) for item, _ in drops)
        case Bought(item=item):
            yield Milestone("buy_resource", item)


Bucket = Literal["invalid_code", "gear", "gear_and_execution", "execution", "other"]


@dataclass(frozen=True, slots=True)
class Failure:
    """The bucket of a lost episode (None for a win), and the number of errors of each kind."""

    bucket: Bucket | None
    high_level_errors: int
    """The number of pieces of missing gear that were neither crafted nor part of a failed craft."""
    execution_errors: int


def classify(task: Task, episode: Episode, score: Score) -> Failure:
    """Classify an episode as the paper did. No errors are counted if the code was invalid."""
    if not _ran(episode):
        return Failure("invalid_code", 0, 0)
    if task.impossible is not None and score.outcome == "win":
        return Failure(None, 0, 0)
    errors = collapse(episode.events)
    never_made = {milestone.code for milestone in score.missed if milestone.kind == "craft_missing"}
    # From the collapsed errors, as published: a craft that failed right after another failed one goes unseen.
    tries = {_crafted_code(event) for event in errors if event.action.name == "craft"}
    return Failure(
        bucket=None if score.outcome == "win" else _bucket(task.kind, score, bool(errors), never_made, tries),
        high_level_errors=len(never_made - tries),
        execution_errors=sum(_counts(event) for event in errors),
    )


def _ran(episode: Episode) -> bool:
    """Return whether the paper took the code as valid. It ran an empty text as a plan that does nothing.

    A plan that the game ended at a lost fight, or over its budget, is valid code too: its bucket follows from what it
    lacked there. A refusal has the bucket of a plan that does nothing."""
    return episode.counts or episode.ending.kind == "empty" or episode.ending.how == "gave_up"


def _bucket(
    kind: Kind, score: Score, any_errors: bool, never_made: set[Code | None], tries: set[Code | None]
) -> Bucket:
    # A loss may pass several of these tests. They are in the paper's order, and the first one decides.
    lacks_gear = any(milestone.kind in ("craft_missing", "obtain_missing") for milestone in score.missed)
    if lacks_gear and not any_errors:
        return "gear"
    # All the gear was there, and the target was still not beaten.
    if kind == "kill" and not lacks_gear:
        return "other"
    if kind == "craft" or (never_made and never_made <= tries):
        return "execution"
    return "gear_and_execution"


def collapse(events: Sequence[Event]) -> list[Event]:
    """Return the refused actions; of several in a row with the same name, only the first.

    Unprocessable calls are left out: the paper counted replies with an `error`, and theirs have no such key.
    """
    # Successful actions between two errors do not begin a new run.
    errors = [event for event in events if not event.ok and event.refusal is not Refusal.UNPROCESSABLE]
    return [next(run) for _, run in groupby(errors, key=lambda event: event.action.name)]


def _crafted_code(event: Event) -> Code | None:
    """Return the item of a craft, as the paper read it from the call's repr: positional, with something after it."""
    args = event.action.args
    # A craft with keywords, or without a quantity after the code, does not count: the published pattern missed it.
    return args[1] if len(args) > 2 and isinstance(args[1], str) else None


def _counts(event: Event) -> bool:
    """Return whether an error counts: every one does, but of the equip errors only the full slot."""
    return event.action.name != "equip" or event.refusal is Refusal.SLOT_FULL


Outcome = Literal["win", "lose"]

SCORER = 5
"""The version of the scorer. Raise it with any change that gives the same answers other scores."""


@dataclass(frozen=True, slots=True)
class Score:
    """The outcome and the reward of an episode. A win can have a score below 100."""

    outcome: Outcome
    reward: int
    ideal_reward: int
    reached: tuple[Milestone, ...]
    missed: tuple[Milestone, ...]
    """Both cover all events, even if the plan's end makes them worthless, and all milestones, even if the edition does
    not credit them."""
    earned: int
    """The points of what was reached, even if the plan's end makes them worthless."""
    defeats: int
    """The number of lost fights."""
    left: int
    """The percent of the score that the lost fights leave."""

    @property
    def score(self) -> float:
        """The reward in percent of the ideal, less what lost fights cost."""
        return self.left * self.reward / self.ideal_reward

    @property
    def progress_before_end(self) -> float:
        """The same for the points earned, even if the plan did not run to its end."""
        return self.left * self.earned / self.ideal_reward


def score(task: Task, world: World, rules: Rules, episode: Episode) -> Score:
    """Judge an episode.

    A refusal wins an impossible task with the full score. What a plan reaches there is worth nothing.
    """
    ideal_milestones, milestones = ideal(task, world), list_reached(task, world, rules, episode.events)
    defeats = sum(isinstance(event.detail, Fought) and not event.detail.won for event in episode.events)
    if task.impossible is not None:
        won = episode.ending.how == "gave_up"
        credit, left = points(rules, ideal_milestones) if won else 0, 100
    else:
        won = episode.counts and has_won(task, rules, episode.events)
        credit, left = points(rules, milestones), rules.score_left(defeats)
    return Score(
        outcome="win" if won else "lose",
        reward=credit if episode.counts or won else 0,
        ideal_reward=points(rules, ideal_milestones),
        reached=milestones,
        missed=tuple(milestone for milestone in ideal_milestones if milestone not in milestones),
        earned=credit,
        defeats=defeats,
        left=left,
    )


def has_won(task: Task, rules: Rules, events: Sequence[Event]) -> bool:
    """Return whether the events win the task: one of them reaches its goal.

    The published check of craft tasks looks for the target's code anywhere in log lines. With `craft_credit` at
    mention, the craft of any item wins whose code contains the target's. If failed crafts are logged, one that names
    the target anywhere, even among the ingredients that another recipe lacked, loses the task for good.
    """
    if task.kind == "craft" and any(forfeits(task, rules, event) for event in events):
        return False
    if task.kind == "craft" and rules.craft_credit == "mention":
        return any(isinstance(event.detail, Crafted) and task.target in event.detail.item for event in events)
    return reaches_goal(task, events)


def forfeits(task: Task, rules: Rules, event: Event) -> bool:
    """Return whether an event loses a craft task for good: a failed craft that names the target, where it is logged."""
    refusal = event.detail
    if not isinstance(refusal, CraftRefused) or not rules.failed_craft_is_logged:
        return False
    codes = (refusal.item, *(code for code, _, _ in refusal.lacking))  # a part of a code is enough, as published
    return task.kind == "craft" and any(task.target in code for code in codes)
