"""Events as plain data, to be stored with a score and read again: what an analysis, or a replay, is made of.

An entry is a list: how often it happened in a row, line, status, action, arguments, detail, reason, keywords; what is
empty at the end is left out. Plans repeat themselves, so a trace is far shorter than its episode.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, repeat
from types import MappingProxyType
from typing import Any, get_args

from herobench.rpg.events import OK, Action, Detail, Event

Entry = list[Any]

_DETAILS: Mapping[str, type[Any]] = MappingProxyType({detail.__name__.lower(): detail for detail in get_args(Detail)})
_EMPTY: tuple[Any, ...] = (1, None, OK, "", (), None, "", MappingProxyType({}))
"""What stands for the parts of an entry that were left out."""


def trace_of(events: Iterable[Event]) -> list[Entry]:
    """The trace of some events."""
    return [_entry(event, sum(1 for _ in repeats)) for event, repeats in groupby(events)]


def events_of(trace: Iterable[Sequence[Any]]) -> Iterator[Event]:
    """The events of a trace, each as often as it happened."""
    for event, times in repeats_of(trace):
        yield from repeat(event, times)


def repeats_of(trace: Iterable[Sequence[Any]]) -> Iterator[tuple[Event, int]]:
    """The events of a trace, each with how often it happened in a row."""
    for entry in trace:
        times, line, status, name, args, detail, reason, keywords = (*entry, *_EMPTY[len(entry) :])
        action = Action(name, tuple(args), tuple(keywords.items()), line)
        yield Event(action, status, reason, _detail(*detail) if detail else None), times


def _entry(event: Event, times: int) -> Entry:
    action, detail = event.action, event.detail
    told = None if detail is None else [type(detail).__name__.lower(), *map(_plain, detail)]
    entry = [
        times,
        action.line,
        event.status,
        action.name,
        list(action.args),
        told,
        event.reason,
        dict(action.keywords),
    ]
    while not entry[-1]:
        entry.pop()
    return entry


def _detail(kind: str, *parts: Any) -> Detail:
    made: Detail = _DETAILS[kind](*[_frozen(part) if type(part) is list else part for part in parts])
    return made


def _plain(value: Any) -> Any:
    """A value with lists for its tuples, as JSON has it."""
    return list(map(_plain, value)) if isinstance(value, tuple) else value


def _frozen(value: list[Any]) -> tuple[Any, ...]:
    """A JSON list with tuples for lists, all the way down."""
    return tuple([_frozen(part) if type(part) is list else part for part in value])
