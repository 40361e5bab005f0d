"""Finds the first cause of a lost plan, in the details and events of its sample.

If code did not run to its end, this is the cause; so is the last fight or the budget if the game ended the plan there.
Otherwise the cause is the first refused action or lost fight that was not made good later; without one, it is what was
not done. A harmless refusal, such as a move to the hero's own place, is never a cause. A craft task whose target was
made can only be lost by being forfeited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from herobench.analysis.reading.contract import Found
from herobench.analysis.suites.rpg.deeds import Deeds, arguments_by_name
from herobench.suites.rpg.game.events import OK, UNPROCESSABLE, CraftRefused, Event, Fought, ValueReason


class Cause(StrEnum):
    """The cause of a loss, with its definition."""

    definition: str

    def __new__(cls, value: str, definition: str) -> Cause:
        """Make a text, as causes are stored, that knows its definition."""
        cause = str.__new__(cls, value)
        cause._value_ = value
        cause.definition = definition
        return cause

    GAVE_UP = "gave_up", "The plan gives the task up, and the task can be done."
    IMPOSSIBLE = "impossible", "The task is proven to be impossible, and the plan does not give it up."

    NO_CODE = "no_code", "The answer has no plan in it, or an empty one."
    SYNTAX = "syntax", "The plan is not Python."
    FORBIDDEN = "forbidden", "The plan uses a construct or name that plans may not use, such as an import."
    NOT_STRAIGHT = (
        "not_straight",
        "The task asks for a straight plan, and the plan holds more than calls with plain values in counted loops.",
    )
    TOO_LARGE = "too_large", "The plan has more text than is read."
    NAME_ERROR = "name_error", "The plan stops at a name that is not defined."
    TYPE_ERROR = (
        "type_error",
        "The plan stops at a value of the wrong type, or at a call that does not fit its function.",
    )
    LOOKUP_ERROR = "lookup_error", "The plan stops at an index or key that is not there."
    OTHER_ERROR = "other_error", "The plan stops at any other error at run time."
    WASTED_ACTIONS = (
        "wasted_actions",
        "The plan is ended by the limit on actions, after many times as many as any task takes.",
    )
    LIMIT = "limit", "The plan is ended by another limit: on steps, memory, output, depth or time."

    DISTRACTOR = "distractor", "The plan goes after an item that was told but cannot be had."
    CLOSED_PLACE = "closed_place", "A move to a place that is closed."
    UNKNOWN_NAME = (
        "unknown_name",
        "An action names an item, recipe, slot, place or hero that does not exist, or gets what is no value for it.",
    )
    WRONG_TILE_WORKSHOP = "wrong_tile_workshop", "A craft away from its workshop."
    WRONG_TILE_RESOURCE = "wrong_tile_resource", "A gather where there is no resource."
    WRONG_TILE_MONSTER = "wrong_tile_monster", "A fight where there is no monster."
    WRONG_TILE_EXCHANGE = "wrong_tile_exchange", "A purchase away from the grand exchange."
    NOT_SOLD = "not_sold", "A purchase of what the exchange does not sell here."
    TOO_FEW = "too_few", "A craft with less of an ingredient than it takes; the cause says of which."
    SKILL_TOO_LOW = "skill_too_low", "A gather or craft above the hero's skill."
    LEVEL_TOO_LOW = "level_too_low", "An item is put on above the hero's level."
    SLOT_NOT_EMPTIED = "slot_not_emptied", "An item is put on where another one is still worn."
    WRONG_SLOT = (
        "wrong_slot",
        "An item is put into a slot of another type, or more of it than a slot holds, or taken from an empty one.",
    )
    NOT_OWNED = "not_owned", "An item is put on that the hero does not have, or more of it taken off than is on."
    DEFEATED = "defeated", "A fight is lost, and the task ends the plan there: in it a defeat is final."
    OVER_BUDGET = (
        "over_budget",
        "The plan attempts more actions than the task allows, and has not reached the goal by then.",
    )
    LOST_HUNT = "lost_hunt", "A fight against another monster than the target is lost, and never won after."

    WRONG_GEAR = (
        "wrong_gear",
        "Other gear than the missing was made or put on, and some of the missing was not even tried.",
    )
    GEAR_LEFT_OUT = "gear_left_out", "Some of the missing gear was not even tried, and nothing in its place."
    NOT_WORN = "not_worn", "Missing gear was come by, but never put on."
    TOO_EARLY = "too_early", "The target was fought, and not beaten, before all the missing gear was on, and not after."
    TARGET_LOST = "target_lost", "The target was fought with all the missing gear on, and still not beaten."
    STOPS_SHORT = (
        "stops_short",
        "Nothing was refused for good, and yet the plan ends before it fights or crafts its target.",
    )
    FORFEITED = (
        "forfeited",
        "The target was crafted, and a failed craft that names it lost the task all the same, as one edition has it.",
    )
    UNEXPLAINED = "unexplained", "None of these."


Details = Mapping[str, Any]
"""The RPG's columns of a sample, which a scored row has too."""
Repeats = Sequence[tuple[Event, int]]

_REJECTIONS = {
    "syntax": Cause.SYNTAX,
    "forbidden": Cause.FORBIDDEN,
    "not_straight": Cause.NOT_STRAIGHT,
    "size": Cause.TOO_LARGE,
}
_ERRORS = {
    "NameError": Cause.NAME_ERROR,
    "UnboundLocalError": Cause.NAME_ERROR,
    "TypeError": Cause.TYPE_ERROR,
    # raised for a call that does not fit an action; a subclass of TypeError
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
# statuses with one meaning for all actions; `_of_refusal` reads the others
_STATUS = {
    UNPROCESSABLE: Cause.UNKNOWN_NAME,
    472: Cause.WRONG_SLOT,
    478: Cause.NOT_OWNED,
    493: Cause.SKILL_TOO_LOW,
    494: Cause.WRONG_SLOT,
    496: Cause.LEVEL_TOO_LOW,
    _HERO_UNKNOWN: Cause.UNKNOWN_NAME,
}


def explain(details: Details, events: Repeats) -> Found:
    """Return the first cause of a lost sample. Each event has a count of repetitions."""
    if details["ended"] == "gave_up":
        return Found(Cause.GAVE_UP)
    # older rows lack this column
    if details.get("solvable") is False and details["ended"] in ("finished", "defeated"):
        return Found(Cause.IMPOSSIBLE)
    if details["ended"] == "defeated":
        return _find_defeat(events)
    if details["ended"] != "finished":
        return Found(_of_ending(details), details["end_line"])
    # first one pass over all events, because a refused action may succeed later
    deeds = Deeds.of(details, events)
    if details["kind"] == "craft" and deeds.target_made:
        return _find_forfeit(details, events)
    if cause := _of_events(details, events, deeds):
        return cause
    return _of_what_was_not_done(details, deeds)


def _find_defeat(events: Repeats) -> Found:
    """Return the fight that ended the plan, which is its last action."""
    fight, _ = events[-1]
    return Found(Cause.DEFEATED, fight.action.line, fight.detail.monster if isinstance(fight.detail, Fought) else None)


def _of_ending(details: Details) -> Cause:
    """Return the cause of code that did not run to its end."""
    if details["ended"] == "no_code":
        return Cause.NO_CODE
    if details["ended"] == "over_budget":
        return Cause.OVER_BUDGET
    if details["ended"] == "limit":
        return Cause.WASTED_ACTIONS if details["end_kind"] == "actions" else Cause.LIMIT
    if details["ended"] == "rejected":
        return _REJECTIONS.get(details["end_kind"], Cause.FORBIDDEN)
    return _ERRORS.get(details["end_error"], Cause.OTHER_ERROR)


# -- what went wrong --------------------------------------------------------------------------------------------------


def _of_events(details: Details, events: Repeats, deeds: Deeds) -> Found | None:
    """Return the first refused action or lost fight that was not made good."""
    noise = set(details["noise"])
    for number, (event, _) in enumerate(events):
        ok = event.status == OK
        hunt = event.detail if ok and isinstance(event.detail, Fought) else None
        # a lost fight with the target is judged at the end, by the gear that was missing
        is_hunt_lost = hunt is not None and not hunt.won and hunt.monster != details["target"]
        if (ok and not is_hunt_lost) or deeds.made_good(event, number):
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
    # the meaning of these three statuses depends on the action
    if event.status == 496 and name == "move":
        return Found(Cause.CLOSED_PLACE, line)
    if event.status == 404:
        return Found(Cause.NOT_SOLD if name == "buy" else Cause.UNKNOWN_NAME, line, subject)
    if event.status == 491:
        return Found(Cause.SLOT_NOT_EMPTIED if name == "equip" else Cause.WRONG_SLOT, line, subject)
    # the game gives no other status, but events of another version may have one
    return Found(_STATUS.get(event.status, Cause.UNEXPLAINED), line, subject)


def _of_craft(refusal: CraftRefused, line: int | None) -> Found:
    """Return the cause of a failed craft: first the workshop, then the skill, then the ingredients."""
    if not refusal.at_workshop:
        return Found(Cause.WRONG_TILE_WORKSHOP, line, refusal.item)
    if not refusal.skilled:
        return Found(Cause.SKILL_TOO_LOW, line, refusal.skill)
    return Found(Cause.TOO_FEW, line, refusal.lacking[0][0] if refusal.lacking else refusal.item)


def _subject(event: Event) -> str | None:
    """Return what an action is about: the text that could not be read, the unknown hero, or else its item or slot."""
    arguments = arguments_by_name(event.action)
    if isinstance(event.reason, ValueReason) and isinstance(unread := arguments.get(event.reason.parameter), str):
        return unread
    subject = arguments["name"] if event.status == _HERO_UNKNOWN else arguments.get("code", arguments.get("slot"))
    return subject if isinstance(subject, str) else None


def _find_forfeit(details: Details, events: Repeats) -> Found:
    """Return the first failed craft that names the target, or a code that contains the target's."""
    for event, _ in events:
        if isinstance(refusal := event.detail, CraftRefused):
            items_named = (refusal.item, *(code for code, _, _ in refusal.lacking))
            # a part of a code is enough, as in the scorer
            if any(details["target"] in code for code in items_named):
                return Found(Cause.FORFEITED, event.action.line, details["target"])
    return Found(Cause.UNEXPLAINED)


# -- what was not done ------------------------------------------------------------------------------------------------


def _of_what_was_not_done(details: Details, deeds: Deeds) -> Found:
    if details["kind"] == "craft":
        return Found(Cause.STOPS_SHORT, deeds.last_line, details["target"])
    checks: tuple[Callable[[], Found | None], ...] = (
        lambda: _find_untried(details, deeds),
        lambda: _unworn(details, deeds),
        lambda: _unfought(details, deeds),
    )
    return next(
        (explanation for check in checks if (explanation := check())), Found(Cause.UNEXPLAINED, deeds.last_line)
    )


def _find_untried(details: Details, deeds: Deeds) -> Found | None:
    """Return missing gear that was neither made nor found; a hero may wear the same item in two slots."""
    untried = list((Counter(details["missing"].values()) - deeds.pieces).elements())
    if not untried:
        return None
    # what was worn says most; then the last item made, because parts precede the items that they are used for
    if other := (*deeds.other_worn, *reversed(deeds.other_made)):
        return Found(Cause.WRONG_GEAR, (deeds.other_worn | deeds.other_made)[other[0]], other[0])
    return Found(Cause.GEAR_LEFT_OUT, deeds.last_line, untried[0])


def _unworn(details: Details, deeds: Deeds) -> Found | None:
    worn = Counter(code for codes in deeds.worn.values() for code in codes)
    unworn = Counter(details["missing"].values()) - worn
    return next((Found(Cause.NOT_WORN, deeds.had[code], code) for code in unworn), None)


def _unfought(details: Details, deeds: Deeds) -> Found | None:
    if not deeds.target_fights:
        return Found(Cause.STOPS_SHORT, deeds.last_line, details["target"])
    # a fight in the right gear shows more than earlier ones
    line, is_dressed = next((fight for fight in deeds.target_fights if fight[1]), deeds.target_fights[-1])
    return Found(Cause.TARGET_LOST if is_dressed else Cause.TOO_EARLY, line, details["target"])
