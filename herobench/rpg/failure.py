"""The paper's failure buckets, and the two error counts of its Table 2.

Coarse by design, and kept as published, so that new runs compare with old ones; `analysis/causes` finds finer causes.
All of it is derived from events. One case has no published bucket: a loss in which no milestone is missed. Here that
is always a forfeited craft task, and since a failed craft lost it, its bucket is `execution`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from herobench.rpg.episode import Episode
from herobench.rpg.events import Event, Refusal
from herobench.rpg.scoring import Score
from herobench.rpg.task import Kind, Task
from herobench.rpg.world import Code

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

    A plan that the game ended at a lost fight, or over its budget, is valid code too: its bucket is that of what it
    lacked there. A refusal is in the bucket of a plan that does nothing."""
    return episode.counts or episode.ending.kind == "empty" or episode.ending.how == "gave_up"


def _bucket(
    kind: Kind, score: Score, any_errors: bool, uncrafted: set[Code | None], attempted: set[Code | None]
) -> Bucket:
    # A loss may pass several of these tests. They come in the paper's order, and the first one decides.
    lacks_gear = any(milestone.kind in ("craft_missing", "obtain_missing") for milestone in score.missed)
    if lacks_gear and not any_errors:
        return "gear"
    # All the gear was there, and the target was not beaten all the same.
    if kind == "kill" and not lacks_gear:
        return "other"
    if kind == "craft" or (uncrafted and uncrafted <= attempted):
        return "execution"
    return "gear_and_execution"


def collapsed(events: Sequence[Event]) -> list[Event]:
    """Return the refused actions; of several in a row with the same action name, only the first.

    Unprocessable calls are left out: the paper counted replies with an `error`, and theirs have none.
    """
    # Only errors are looked at: a successful action between two of them does not begin a new count.
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
