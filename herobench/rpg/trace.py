"""A trace: the events of an episode as plain data, stored with a score and read again.

The analysis and the report's replay are made of it. Every part has its name, and parts that say nothing are left out;
`rpg-events.schema.json` describes the form. Equal events in a row are one entry with a count, because plans repeat
themselves: a trace is far shorter than its episode. Example of an entry:

    {"action": "move", "args": ["Hero", 1, 2], "line": 3, "status": 200, "detail": {"kind": "moved", "place": [1, 2]}}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, repeat
from types import MappingProxyType
from typing import Any

from herobench.rpg.events import (
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
)

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
"""The stored name of each kind of detail. It stays when a class is renamed."""
_ITEMS = MappingProxyType({"drops": ("item", "quantity"), "lacking": ("item", "needed", "owned")})
"""The parts of a detail that are lists of items, and what is told of each item."""
_PLACES = frozenset({"place", "workshop"})
_KEYS = MappingProxyType({detail: ("kind", *detail._fields) for detail in DETAIL_KINDS.values()})
_NAMES = MappingProxyType({detail: kind for kind, detail in DETAIL_KINDS.items()})
_PARTS_OF = MappingProxyType(
    {
        detail: tuple(part for part in detail._fields if part in _ITEMS or part in _PLACES)
        for detail in DETAIL_KINDS.values()
    }
)
"""The parts of each kind of detail that JSON has in another form."""


def trace_of(events: Iterable[Event]) -> dict[str, Any]:
    """Return the trace of events."""
    return {"schema": SCHEMA, "actions": [_entry(event, sum(1 for _ in equal)) for event, equal in groupby(events)]}


def events_of(trace: Mapping[str, Any]) -> Iterator[Event]:
    """Yield the events of a trace, each as often as it happened."""
    for event, times in repeats_of(trace):
        yield from repeat(event, times)


def repeats_of(trace: Mapping[str, Any]) -> Iterator[tuple[Event, int]]:
    """Yield the events of a trace, each with how often it happened in a row.

    Raises ValueError for a trace of another format, and a LookupError or TypeError where an entry is none.
    """
    if trace["schema"] != SCHEMA:
        raise ValueError(f"events of format {trace['schema']}: this version reads format {SCHEMA}")
    for entry in trace["actions"]:
        get = entry.get
        kwargs, detail = get("kwargs"), get("detail")
        action = Action(entry["action"], tuple(get("args", ())), tuple(kwargs.items()) if kwargs else (), get("line"))
        yield Event(action, entry["status"], get("reason", ""), _detail(detail) if detail else None), get("times", 1)


def _entry(event: Event, times: int) -> Entry:
    (name, args, keywords, line), status, reason, detail = event
    entry: Entry = {"action": name}
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
    if detail is not None:
        entry["detail"] = _written(detail)
    return entry


def _written(detail: Detail) -> dict[str, Any]:
    """Return a detail as plain data."""
    of = type(detail)
    written = dict(zip(_KEYS[of], (_NAMES[of], *detail), strict=True))
    for part in _PARTS_OF[of]:
        value = written[part]
        if part in _ITEMS:
            keys = _ITEMS[part]
            written[part] = [dict(zip(keys, item, strict=True)) for item in value]
        elif value is not None:
            written[part] = list(value)
    return written


def _detail(written: Mapping[str, Any]) -> Detail:
    """Return the detail that was written."""
    parts = dict(written)
    of = DETAIL_KINDS[parts.pop("kind")]
    for part in _PARTS_OF[of]:
        value = parts[part]
        if part in _ITEMS:
            keys = _ITEMS[part]
            parts[part] = tuple([tuple([item[key] for key in keys]) for item in value])
        elif value is not None:
            parts[part] = tuple(value)
    detail: Detail = of(**parts)
    return detail
