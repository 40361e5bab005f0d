"""The episode: the events of a plan and how it ended; and its trace: the events as plain data, stored with a score.

The analysis and the report's replay read the trace. Every part has its name, and empty parts are left out;
`rpg-events.schema.json` describes the form. Equal events in a row are one entry with a count, because plans repeat
themselves: a trace is far shorter than its episode. Example of an entry:

    {"action": "move", "args": ["Hero", 1, 2], "line": 3, "status": 200, "detail": {"kind": "moved", "place": [1, 2]}}
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

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

_MOST_CHARACTERS = 10_000
"""The longest text that is checked."""
# Possessive quantifiers (`*+`) never give back what they took, so no text can make the match slow.
_GAP = r"(?:[^\S\n]*+(?:#[^\n]*+)?+(?:\n|\Z))*+[^\S\n]*+"
_TEXT = r"""(?:"(?!"")(?:[^"\\\n]|\\[^\n])*+"|'(?!'')(?:[^'\\\n]|\\[^\n])*+')"""
_NUMBER = r"[+-]?+(?:[0-9]++\.?+[0-9]*+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+"
_REFUSAL = re.compile(
    rf"{_GAP}give_up\(\s*+(?:reason\s*+=\s*+)?+(?P<reason>{_TEXT})\s*+"
    rf"(?:,\s*+p\s*+=\s*+(?P<p>{_NUMBER})\s*+)?+,?+\s*+\)[^\S\n]*+;?+{_GAP}\Z"
)


class GivingUp(NamedTuple):
    """A refusal: its reason, and the stated probability that the task is impossible; None without one from 0 to 1."""

    reason: str
    stated: float | None


def giving_up(plan: str) -> GivingUp | None:
    """Return the refusal if a plan is nothing else; otherwise None."""
    match = _REFUSAL.match(plan) if len(plan) <= _MOST_CHARACTERS else None
    if match is None:
        return None
    chance = float(match["p"]) if match["p"] else None
    # The verdict does not depend on the number, so one outside 0 to 1 is ignored.
    return GivingUp(match["reason"][1:-1], chance if chance is not None and 0 <= chance <= 1 else None)


Ended = Literal["finished", "defeated", "over_budget", "no_code", "rejected", "error", "limit", "gave_up"]

EndKind = Literal[
    "empty", "syntax", "forbidden", "not_straight", "size", "runtime", "steps", "actions", "memory", "output", "depth",
    "wall_clock", "killed", "protocol", "fight", "budget",
]  # fmt: skip
"""Why a plan ended: an empty text; its syntax, a forbidden construct, a construct that straight plans exclude, or its
size (rejected); an error at run time; a limit on steps, actions, memory, output, depth of calls or time; a killed
process, or an impossible message from it; a lost fight if a defeat is final (defeated); or an action beyond the budget
of the task (over_budget)."""
END_KINDS: tuple[EndKind, ...] = get_args(EndKind)
GAME_ENDS: Mapping[EndKind, Ended] = MappingProxyType({"fight": "defeated", "budget": "over_budget"})
"""The ends that the game itself causes, by kind. What such a plan reached counts."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a plan: how, the reason in a sentence for people, the line of the plan, and the kind."""

    how: Ended
    reason: str | None = None
    line: int | None = None
    kind: EndKind | None = None
    error: str | None = None
    """The class of the error that the plan did not catch, such as NameError; None for any other end."""
    stated: float | None = None
    """The probability, stated in a refusal, that the task is impossible; None for any other end."""


FINISHED = Ending("finished")


def gave_up(reason: str, chance: float | None) -> Ending:
    """Return the ending of a plan that refuses its task."""
    return Ending("gave_up", reason or "it gives no reason", stated=chance)


def defeat(monster: str, line: int | None) -> Ending:
    """Return the ending of a plan that lost a fight against this monster if a defeat is final."""
    return Ending("defeated", f"the hero lost his fight against {monster}, and a defeat is final here", line, "fight")


def over_budget(budget: int, line: int | None) -> Ending:
    """Return the ending of a plan that attempts more actions than the budget of its task."""
    return Ending("over_budget", f"the plan attempts more than the {budget:,} actions of its budget", line, "budget")


@dataclass(frozen=True, slots=True)
class Episode:
    """The events up to the end of the plan, and how it ended."""

    events: tuple[Event, ...]
    ending: Ending
    output: str = ""
    """The text that the plan printed, for people to read. It never counts in a score."""

    @property
    def finished(self) -> bool:
        """True if the plan ran to its end."""
        return self.ending.how == "finished"

    @property
    def counts(self) -> bool:
        """True if what the episode reached counts. Otherwise it is lost.

        The game may end a plan at a lost fight or over its budget. Such a plan broke no rule, so it keeps what it
        reached, like a plan that stops there by itself."""
        return self.finished or self.ending.how in GAME_ENDS.values()


_SCHEMA = 1
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
    pick_parts = itemgetter(*fields) if len(fields) > 1 else lambda written: [written[fields[0]]]
    if not others:
        return lambda written: _new(detail, pick_parts(written))

    def read(written: Mapping[str, Any]) -> Detail:
        parts = list(pick_parts(written))
        for number, convert in others:
            parts[number] = convert(parts[number])
        instance: Detail = _new(detail, parts)
        return instance

    return read


_new: Callable[[type[Any], Iterable[Any]], Any] = tuple.__new__
_READERS = MappingProxyType({kind: _make_reader(detail) for kind, detail in DETAIL_KINDS.items()})


def write_trace(events: Iterable[Event]) -> dict[str, Any]:
    """Return the trace of events."""
    return {
        "schema": _SCHEMA,
        "actions": [_entry(event, sum(1 for _ in equal)) for event, equal in groupby(events)],
    }


def read_repeats(trace: Mapping[str, Any]) -> Iterator[tuple[Event, int]]:
    """Yield the events of a trace, each with its count of repetitions.

    Raises ValueError for a trace of another format, and a LookupError or TypeError for an invalid entry.
    """
    if trace["schema"] != _SCHEMA:
        raise ValueError(f"events of format {trace['schema']}: this version reads format {_SCHEMA}")
    for entry in trace["actions"]:
        # bound once, because an analysis reads millions of entries
        get = entry.get
        kwargs, detail, unread = get("kwargs"), get("detail"), get("unread")
        keywords = tuple(kwargs.items()) if kwargs else ()
        # the constructors of named tuples take twice as long
        action = _new(Action, (entry["action"], tuple(get("args", ())), keywords, get("line")))
        reason = ValueReason(unread["parameter"], unread["expected"]) if unread else get("reason", "")
        detail_read = _READERS[detail["kind"]](detail) if detail else None
        yield _new(Event, (action, entry["status"], reason, detail_read)), get("times", 1)


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
        entry["detail"] = _write_detail(detail)
    return entry


def _write_detail(detail: Detail) -> dict[str, Any]:
    """Return a detail as plain data."""
    kind, keys, others = _WRITERS[type(detail)]
    row = dict(zip(keys, (kind, *detail), strict=True))
    for part, write in others:
        row[part] = write(row[part])
    return row
