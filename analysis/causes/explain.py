"""Finds the first cause of a lost plan, in a scored row and nothing else.

Code that did not run to its end lost by that. Otherwise it is the first action that was refused, or the first fight
that was lost, and not made good later: what was refused once and done in the end lost nothing. Where there is none, it
is what was not done. What is refused without harm (a move to where the hero stands) is never a cause. A craft task
whose target was made can only have been lost by being forfeited, whatever else was refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from herobench.analysis.causes.cause import Cause, Found
from herobench.analysis.causes.deeds import Deeds, given
from herobench.rpg.events import UNPROCESSABLE, CraftRefused, Event, Fought
from herobench.rpg.trace import repeats_of

Row = Mapping[str, Any]
Repeats = Sequence[tuple[Event, int]]

_REJECTIONS = {"syntax": Cause.SYNTAX, "forbidden": Cause.FORBIDDEN, "size": Cause.TOO_LARGE}
_ERRORS = {
    "NameError": Cause.NAME_ERROR,
    "UnboundLocalError": Cause.NAME_ERROR,
    "TypeError": Cause.TYPE_ERROR,
    "CallError": Cause.TYPE_ERROR,
    "AttributeError": Cause.TYPE_ERROR,
    "IndexError": Cause.LOOKUP_ERROR,
    "KeyError": Cause.LOOKUP_ERROR,
}
_TILES = {
    "gather": Cause.WRONG_TILE_RESOURCE,
    "fight": Cause.WRONG_TILE_MONSTER,
    "buy": Cause.WRONG_TILE_EXCHANGE,
}
_HERO_UNKNOWN = 498
_STATUS = {
    UNPROCESSABLE: Cause.UNKNOWN_NAME,
    472: Cause.WRONG_SLOT,
    478: Cause.NOT_OWNED,
    493: Cause.SKILL_TOO_LOW,
    494: Cause.WRONG_SLOT,
    496: Cause.LEVEL_TOO_LOW,
    _HERO_UNKNOWN: Cause.UNKNOWN_NAME,
}


def explain(row: Row, events: Repeats | None = None) -> Found | None:
    """The first cause of a lost row; None for a row that is won, or that was not measured.

    Who has read the row's events already may give them, each with how often it happened in a row.
    """
    if row["outcome"] != "lose":
        return None
    if row["ended"] != "finished":
        return Found(_of_ending(row), row["end_line"])
    if events is None:
        events = list(repeats_of(row["events"]))
    deeds = Deeds.of(row, events)
    if row["kind"] == "craft" and deeds.target_made:
        return _forfeited(row, events)
    return _of_events(row, events, deeds) or _of_what_was_not_done(row, deeds)


def _of_ending(row: Row) -> Cause:
    """Of code that did not run to its end."""
    if row["ended"] == "no_code":
        return Cause.NO_CODE
    if row["ended"] == "limit":
        return Cause.WASTED_ACTIONS if row["end_kind"] == "actions" else Cause.LIMIT
    if row["ended"] == "rejected":
        return _REJECTIONS.get(row["end_kind"], Cause.FORBIDDEN)
    name = (row["end_reason"] or "").partition(":")[0]
    return _ERRORS.get(name, Cause.OTHER_ERROR)


# -- what went wrong --------------------------------------------------------------------------------------------------


def _of_events(row: Row, events: Repeats, deeds: Deeds) -> Found | None:
    """The first action that was refused and not made good."""
    noise = set(row["noise"])
    for number, (event, _) in enumerate(events):
        hunt = event.detail if event.ok and isinstance(event.detail, Fought) else None
        lost = hunt is not None and not hunt.won and hunt.monster != row["target"]
        if (event.ok and not lost) or deeds.made_good(event, number):
            continue
        if hunt:
            return Found(Cause.LOST_HUNT, event.action.line, hunt.monster)
        subject = _subject(event)
        return Found(Cause.DISTRACTOR, event.action.line, subject) if subject in noise else _of_refusal(event)
    return None


def _of_refusal(event: Event) -> Found:
    line, name, subject = event.action.line, event.action.name, _subject(event)
    if isinstance(event.detail, CraftRefused):
        return _of_craft(event.detail, line)
    if event.status == 598:
        return Found(_TILES[name], line, subject)
    if event.status == 404:
        return Found(Cause.NOT_SOLD if name == "buy" else Cause.UNKNOWN_NAME, line, subject)
    if event.status == 491:
        return Found(Cause.SLOT_NOT_EMPTIED if name == "equip" else Cause.WRONG_SLOT, line, subject)
    return Found(_STATUS.get(event.status, Cause.UNEXPLAINED), line, subject)


def _of_craft(refused: CraftRefused, line: int | None) -> Found:
    """A craft fails by all that it lacks; first comes what no later step of a plan could have mended by waiting."""
    if not refused.at_workshop:
        return Found(Cause.WRONG_TILE_WORKSHOP, line, refused.item)
    if not refused.skilled:
        return Found(Cause.SKILL_TOO_LOW, line, refused.skill)
    return Found(Cause.TOO_FEW, line, refused.lacking[0][0] if refused.lacking else refused.item)


def _subject(event: Event) -> str | None:
    """What an action is about: the text that could not be read, the hero that is none, or else its item or slot."""
    told = given(event.action)
    if event.status == UNPROCESSABLE and isinstance(unread := told.get(event.reason.partition(":")[0]), str):
        return unread
    named = told["name"] if event.status == _HERO_UNKNOWN else told.get("code", told.get("slot"))
    return named if isinstance(named, str) else None


def _forfeited(row: Row, events: Repeats) -> Found:
    """By the first failed craft that names the target, or a code that its own is part of, as the edition reads it."""
    for event, _ in events:
        if isinstance(refused := event.detail, CraftRefused):
            named = (refused.item, *(code for code, _, _ in refused.lacking))
            if any(row["target"] in code for code in named):
                return Found(Cause.FORFEITED, event.action.line, row["target"])
    return Found(Cause.UNEXPLAINED)


# -- what was not done ------------------------------------------------------------------------------------------------


def _of_what_was_not_done(row: Row, deeds: Deeds) -> Found:
    if row["kind"] == "craft":
        return Found(Cause.STOPS_SHORT, deeds.last_line, row["target"])
    checks: tuple[Callable[[], Found | None], ...] = (
        lambda: _untried(row, deeds),
        lambda: _unworn(row, deeds),
        lambda: _unfought(row, deeds),
    )
    return next((found for check in checks if (found := check())), Found(Cause.UNEXPLAINED, deeds.last_line))


def _untried(row: Row, deeds: Deeds) -> Found | None:
    """Missing gear that was neither made nor come by; a hero may wear the same thing twice."""
    untried = list((Counter(row["missing"].values()) - deeds.pieces).elements())
    if not untried:
        return None
    if other := (*deeds.other_worn, *reversed(deeds.other_made)):
        return Found(Cause.WRONG_GEAR, (deeds.other_worn | deeds.other_made)[other[0]], other[0])
    return Found(Cause.GEAR_LEFT_OUT, deeds.last_line, untried[0])


def _unworn(row: Row, deeds: Deeds) -> Found | None:
    worn = Counter(code for codes in deeds.worn.values() for code in codes)
    unworn = Counter(row["missing"].values()) - worn
    return next((Found(Cause.NOT_WORN, deeds.had[code], code) for code in unworn), None)


def _unfought(row: Row, deeds: Deeds) -> Found | None:
    if not deeds.target_fights:
        return Found(Cause.STOPS_SHORT, deeds.last_line, row["target"])
    line, dressed = next((fight for fight in deeds.target_fights if fight[1]), deeds.target_fights[-1])
    return Found(Cause.TARGET_LOST if dressed else Cause.TOO_EARLY, line, row["target"])
