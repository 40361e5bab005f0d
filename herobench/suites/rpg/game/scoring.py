"""The score of an episode: a pure function of task, events and rules. The output of a plan never counts.

An episode whose plan did not run to its end is lost with a reward of 0, as published, unless the game ended it at a
lost fight or over its budget. If defeats are counted, each lost fight costs a part of the score. A refusal wins an
impossible task and loses any other. In `standard` the events win exactly when they reach the target. The paper's
editions read the outcome of a craft task from log lines, so a task that is forfeited after its target was crafted is
lost with `target_win`, and a mention alone wins without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from herobench.suites.rpg.game.events import Crafted, CraftRefused, Episode, Event, Fought, Refusal
from herobench.suites.rpg.game.milestones import Milestone, goals_reached, ideal, points, reached
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Kind, Task
from herobench.suites.rpg.game.world import Code, World

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
    errors = collapsed(episode.events)
    uncrafted = {milestone.code for milestone in score.missed if milestone.kind == "craft_missing"}
    # From the collapsed errors, as published: a craft that failed right after another failed one goes unseen.
    attempted = {_crafted_code(event) for event in errors if event.action.name == "craft"}
    return Failure(
        bucket=None if score.outcome == "win" else _bucket(_kind(task), score, bool(errors), uncrafted, attempted),
        high_level_errors=len(uncrafted - attempted),
        execution_errors=sum(_counts(event) for event in errors),
    )


def _kind(task: Task) -> Kind:
    """Return the kind of a task. A campaign counts as a kill task if any of its goals is one: then gear is made."""
    return "kill" if any(goal.kind == "kill" for goal in task.goals) else "craft"


def _ran(episode: Episode) -> bool:
    """Return whether the paper took the code as valid. It ran an empty text as a plan that does nothing.

    A plan that the game ended at a lost fight, or over its budget, is valid code too: its bucket follows from what it
    lacked there. A refusal has the bucket of a plan that does nothing."""
    return episode.counts or episode.ending.kind == "empty" or episode.ending.how == "gave_up"


def _bucket(
    kind: Kind, score: Score, any_errors: bool, uncrafted: set[Code | None], attempted: set[Code | None]
) -> Bucket:
    # A loss may pass several of these tests. They are in the paper's order, and the first one decides.
    lacks_gear = any(milestone.kind in ("craft_missing", "obtain_missing") for milestone in score.missed)
    if lacks_gear and not any_errors:
        return "gear"
    # All the gear was there, and the target was still not beaten.
    if kind == "kill" and not lacks_gear:
        return "other"
    if kind == "craft" or (uncrafted and uncrafted <= attempted):
        return "execution"
    return "gear_and_execution"


def collapsed(events: Sequence[Event]) -> list[Event]:
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

SCORER = 4
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
    wanted, gained = ideal(task, world), reached(task, world, rules, episode.events)
    defeats = sum(isinstance(event.detail, Fought) and not event.detail.won for event in episode.events)
    if task.impossible is not None:
        won = episode.ending.how == "gave_up"
        earned, left = points(rules, wanted) if won else 0, 100
    else:
        won = episode.counts and has_won(task, rules, episode.events)
        earned, left = points(rules, gained), rules.score_left(defeats)
    return Score(
        outcome="win" if won else "lose",
        reward=earned if episode.counts or won else 0,
        ideal_reward=points(rules, wanted),
        reached=gained,
        missed=tuple(milestone for milestone in wanted if milestone not in gained),
        earned=earned,
        defeats=defeats,
        left=left,
    )


def has_won(task: Task, rules: Rules, events: Sequence[Event]) -> bool:
    """Return whether the events win the task: they reach all of its goals, in order.

    The published check of craft tasks looks for the target's code anywhere in log lines. With `craft_credit` at
    mention, the craft of any item wins whose code contains the target's. If failed crafts are logged, one that names
    the target anywhere, even among the ingredients that another recipe lacked, loses the task for good.
    """
    if task.campaign:
        return len(goals_reached(task, events)) == len(task.goals)
    if task.kind == "craft" and rules.failed_craft_is_logged and any(_forfeits(task.target, event) for event in events):
        return False
    if task.kind == "craft" and rules.craft_credit == "mention":
        return any(isinstance(event.detail, Crafted) and task.target in event.detail.item for event in events)
    return bool(goals_reached(task, events))


def _forfeits(target: Code, event: Event) -> bool:
    """Return whether an event is a failed craft that names the target."""
    refusal = event.detail
    if not isinstance(refusal, CraftRefused):
        return False
    # A part of a code is enough, as in the published search of log lines.
    return any(target in code for code in (refusal.item, *(code for code, _, _ in refusal.lacking)))
