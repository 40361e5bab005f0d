"""The causes of lost plans in the RPG: a closed set, each with its definition.

They are finer than the paper's failure classes and say what to look at. Some are about the code, some about one action
that was refused and never made good, the rest about what was not done. `explain` finds them.
"""

from __future__ import annotations

from enum import StrEnum


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
    OUT_OF_ORDER = (
        "out_of_order",
        "What the next goal of a campaign asks for was done before its turn, and not again when it was due.",
    )
    FORFEITED = (
        "forfeited",
        "The target was crafted, and a failed craft that names it lost the task all the same, as one edition has it.",
    )
    UNEXPLAINED = "unexplained", "None of these."
