"""The account of an RPG sample's events: the cause of a loss, and how many actions were wasted.

Events are the one part of a row whose form depends on the version that wrote it. If they cannot be followed, the row is
refused as a whole, whatever the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from herobench.analysis.reading.contract import Found
from herobench.analysis.samples.samples import Sample, is_measured
from herobench.analysis.suites.rpg.explain import explain
from herobench.suites.rpg.game.events import OK, Event, Fought
from herobench.suites.rpg.play.trace import repeats_of

_NEEDED = {"finished": ("kind", "target", "missing", "noise", "milestones"), "error": ("end_error",)}
"""Columns that the cause is found in, by how the plan ended."""
_BROKEN = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""The errors that events of another form lead to. A CallError is a TypeError."""
_MOST = 1e15


class Account(NamedTuple):
    """The cause of a loss and the number of wasted actions; None if it cannot be told."""

    found: Found | None = None
    wasted: int | None = None


def account_of(sample: Sample) -> Account | None:
    """Return the account of a sample; None if its events cannot be followed."""
    trace = sample["events"] if is_measured(sample) else None
    if trace is None:
        return Account()
    try:
        events = events_in(trace)
        found = explain(sample["details"], events) if _is_lost(sample) and _is_told(sample["details"]) else None
        account = Account(found, wasted(events))
        return account if _is_sound(account) else None
    except _BROKEN:
        return None


def events_in(trace: Mapping[str, Any]) -> Sequence[tuple[Event, int]]:
    """Return the events of a trace, each with how often it happened in a row. Raise as `repeats_of` does.

    Those of the last trace are kept: the account, the replay and the goals of a sample are made of them in turn."""
    if _LAST.get("trace") is not trace:
        _LAST.update(trace=trace, events=tuple(repeats_of(trace)))
    events: Sequence[tuple[Event, int]] = _LAST["events"]
    return events


_LAST: dict[str, Any] = {}


def wasted(events: Iterable[tuple[Event, int]]) -> int:
    """Count the actions that brought nothing: refused ones, lost fights, and moves from which nothing was done.

    The events come with how often each happened in a row. To gather or craft too much is not waste in this sense; it
    shows in how many actions a plan takes for each of the oracle's.
    """
    count = idle_moves = 0
    for (action, status, _, detail), times in events:
        moves = action.name == "move"
        if moves and status == OK:
            idle_moves += times
            continue
        lost = isinstance(detail, Fought) and not detail.won
        count += times if lost or status != OK else 0
        if not moves:
            # the last of the moves led to where something was tried
            count += max(0, idle_moves - 1)
            idle_moves = 0
    return count + idle_moves


def _is_lost(sample: Sample) -> bool:
    return sample["won"] is False


def _is_told(details: Mapping[str, Any]) -> bool:
    """Return whether a row has all columns that the cause is found in. Rows of older formats do not."""
    ended = details.get("ended")
    return ended is not None and all(details.get(column) is not None for column in _NEEDED.get(ended, ()))


def _is_sound(account: Account) -> bool:
    """Return whether the values have the right types: an event may have a list in place of a name."""
    found = account.found
    told = found is None or (
        type(found.subject) in (str, type(None))
        and (found.line is None or (type(found.line) is int and 0 <= found.line < _MOST))
    )
    return told and account.wasted is not None and -_MOST < account.wasted < _MOST
