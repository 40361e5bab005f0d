"""What the events of a row come to: why it was lost, and how many of its actions brought nothing.

Events are the one part of a row whose form depends on the version that wrote it. Where they cannot be followed the row
is refused by its place, whatever it was that they broke.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from herobench.analysis.causes.cause import Found
from herobench.analysis.causes.explain import explain
from herobench.analysis.rows import Row
from herobench.analysis.sources import Source
from herobench.analysis.waste import wasted
from herobench.errors import InputError, Problem
from herobench.rpg.trace import repeats_of

_TOLD_FROM = ("kind", "target", "missing", "noise", "milestones")
"""What a cause is told from, of a plan that ran to its end."""
_BROKEN = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""What events of another form end in. A CallError is a TypeError."""
_MOST = 1e15


class Account(NamedTuple):
    """The cause of a loss, and actions that were wasted; None where that cannot be told."""

    found: Found | None = None
    wasted: int | None = None


def is_told(row: Mapping[str, Any]) -> bool:
    """Whether a row has all that the cause of its loss is told from. Rows of older formats do not."""
    if row.get("status", "ok") != "ok" or row.get("events") is None or row.get("ended") is None:
        return False
    return row["ended"] != "finished" or all(row.get(column) is not None for column in _TOLD_FROM)


def account_of(row: Row, place: str) -> Account:
    """What a row's events come to. Raises InputError, with the place, where they are none."""
    trace = row.get("events") if row.get("status", "ok") == "ok" else None
    if trace is None:
        return Account()
    try:
        events = list(repeats_of(trace))
        account = Account(explain(row, events) if is_told(row) else None, wasted(events))
        sound = _is_sound(account)
    except _BROKEN as error:
        raise InputError([_problem(place)]) from error
    if not sound:
        raise InputError([_problem(place)])
    return account


def accounted(source: Source) -> Iterator[Row]:
    """The rows of a source whose events, where there are some, can be followed."""
    for number, row in source.numbered():
        account_of(row, source.place(number))
        yield row


def _is_sound(account: Account) -> bool:
    """Whether what was found is of the types that it should have: a list in an event may stand where a name should."""
    found = account.found
    told = found is None or (
        type(found.subject) in (str, type(None))
        and (found.line is None or (type(found.line) is int and 0 <= found.line < _MOST))
    )
    return told and account.wasted is not None and -_MOST < account.wasted < _MOST


def _problem(place: str) -> Problem:
    return Problem(place, "$.events", "events as this version writes them")
