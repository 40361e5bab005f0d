"""A trace: the events of an episode as plain data, stored with a score and read again.

The analysis and the report's replay read it. Every part has its name, and empty parts are left out;
`rpg-events.schema.json` describes the form. Equal events in a row are one entry with a count, because plans repeat
themselves: a trace is far shorter than its episode. Example of an entry:

    {"action": "move", "args": ["Hero", 1, 2], "line": 3, "status": 200, "detail": {"kind": "moved", "place": [1, 2]}}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, repeat
from operator import itemgetter
from types import MappingProxyType
from typing import Any

from herobench.suites.rpg.game.events import (
    Action,
    Bought,
    Crafted,
    CraftRefused,
    Detail,
    Equipped,
    Event,
    Fought,
    Gathered,
    Moved,
    Unequipped,
    ValueReason,
)
from herobench.suites.rpg.game.world import Code

SCHEMA = 1
Entry = dict[str, Any]

DETAIL_KINDS: Mapping[str, type[Detail]] = MappingProxyType(
    {
        "moved": Moved,
        "fought": Fought,
        "gathered": Gathered,
        "crafted": Crafted,
        "craft_refused": CraftRefused,
        "equipped": Equipped,
        "unequipped": Unequipped,
        "bought": Bought,
    }
)
"""The stored name of each kind of detail. It does not change with the name of a class."""


def _drops(drops: Sequence[tuple[Code, int]]) -> list[dict[str, Any]]:
    return [{"item": item, "quantity": quantity} for item, quantity in drops]


def _lacking(lacking: Sequence[tuple[Code, int, int]]) -> list[dict[str, Any]]:
    return [{"item": item, "needed": needed, "owned": owned} for item, needed, owned in lacking]


_read_drop = itemgetter("item", "quantity")
_read_lacking = itemgetter("item", "needed", "owned")
_WRITE: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {"drops": _drops, "lacking": _lacking, "place": list, "workshop": lambda place: place and list(place)}
)
"""The writers of the parts of a detail that have another form in JSON."""
_READ: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        "drops": lambda drops: tuple(map(_read_drop, drops)),
        "lacking": lambda lacking: tuple(map(_read_lacking, lacking)),
        "place": tuple,
        "workshop": lambda place: place and tuple(place),
    }
)
"""The readers of the same parts."""
# computed once for each kind, because a run has millions of details
_WRITERS = MappingProxyType(
    {
        detail: (kind, ("kind", *detail._fields), [(part, _WRITE[part]) for part in detail._fields if part in _WRITE])
        for kind, detail in DETAIL_KINDS.items()
    }
)


def _make_reader(detail: type[Detail]) -> Callable[[Mapping[str, Any]], Detail]:
    """Return a function that reads a detail without the constructor, which would take twice as long."""
    fields = detail._fields
    others = [(number, _READ[part]) for number, part in enumerate(fields) if part in _READ]
    # a getter of one field returns the part itself, not a tuple
    parts_of = itemgetter(*fields) if len(fields) > 1 else lambda written: [written[fields[0]]]
    if not others:
        return lambda written: _new(detail, parts_of(written))

    def read(written: Mapping[str, Any]) -> Detail:
        parts = list(parts_of(written))
        for number, convert in others:
            parts[number] = convert(parts[number])
        made: Detail = _new(detail, parts)
        return made

    return read


_new: Callable[[type[Any], Iterable[Any]], Any] = tuple.__new__
_READERS = MappingProxyType({kind: _make_reader(detail) for kind, detail in DETAIL_KINDS.items()})


def write_trace(events: Iterable[Event]) -> dict[str, Any]:
    """Return the trace of events."""
    return {"schema": SCHEMA, "actions": [_entry(event, sum(1 for _ in equal)) for event, equal in groupby(events)]}


def read_events(trace: Mapping[str, Any]) -> Iterator[Event]:
    """Yield the events of a trace, each with its repetitions."""
    for event, times in read_repeats(trace):
        yield from repeat(event, times)


def read_repeats(trace: Mapping[str, Any]) -> Iterator[tuple[Event, int]]:
    """Yield the events of a trace, each with its count of repetitions.

    Raises ValueError for a trace of another format, and a LookupError or TypeError for an invalid entry.
    """
    if trace["schema"] != SCHEMA:
        raise ValueError(f"events of format {trace['schema']}: this version reads format {SCHEMA}")
    for entry in trace["actions"]:
        # bound once, because an analysis reads millions of entries
        get = entry.get
        kwargs, detail, unread = get("kwargs"), get("detail"), get("unread")
        keywords = tuple(kwargs.items()) if kwargs else ()
        # the constructors of named tuples take twice as long
        action = _new(Action, (entry["action"], tuple(get("args", ())), keywords, get("line")))
        reason = ValueReason(unread["parameter"], unread["expected"]) if unread else get("reason", "")
        told = _READERS[detail["kind"]](detail) if detail else None
        yield _new(Event, (action, entry["status"], reason, told)), get("times", 1)


def _entry(event: Event, times: int) -> Entry:
    (name, args, keywords, line), status, reason, detail = event
    entry: Entry = {"action": name}
    # empty parts are left out, because a run stores millions of entries
    if args:
        entry["args"] = list(args)
    if keywords:
        entry["kwargs"] = dict(keywords)
    if line is not None:
        entry["line"] = line
    entry["status"] = status
    if times > 1:
        entry["times"] = times
    if reason:
        entry["reason"] = reason
        if isinstance(reason, ValueReason):
            entry["unread"] = {"parameter": reason.parameter, "expected": reason.expected}
    if detail is not None:
        entry["detail"] = _written(detail)
    return entry


def _written(detail: Detail) -> dict[str, Any]:
    """Return a detail as plain data."""
    kind, keys, others = _WRITERS[type(detail)]
    written = dict(zip(keys, (kind, *detail), strict=True))
    for part, write in others:
        written[part] = write(written[part])
    return written
