"""The options of a run, and the columns: the `details` of samples, and what the suite keeps of an attempt as events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from herobench.data.columns import COUNT, FLAG, TEXT, Column, RowFormat, Schema, optional
from herobench.data.options import Option

PLAYERS = ("oracle", "experimenter", "sight", "rote", "standard", "noop")
Lane = Literal["found", "told"]
LANES: tuple[Lane, ...] = get_args(Lane)
"""The prompt tells all that is hidden before the plan (`told`), or nothing of it, and the player finds it (`found`)."""


@dataclass(frozen=True, slots=True)
class DiscoverStyle:
    """The way in which mysteries are asked."""

    lane: Annotated[Lane, Option("Whether the secrets have to be found, or all are told and only a plan is asked.")] = (
        "found"
    )


FAILURES = ("no_plan", "slip", "refuted", "guess")
"""Why an attempt was lost. There is no plan; it wins in no possible world; it wins in some, but the answers rule all of
these out; or it wins in a world that the answers leave, which is not the true one."""
_SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 100}

FIGURES = tuple(
    column.optional
    for column in (
        Column("explored", COUNT, "The actions of the exploration, refused ones included."),
        Column("refused", COUNT, "Those of them that were refused."),
        Column("days_used", COUNT, "The days on which something was tried."),
        Column("told_nothing", COUNT, "Those of them of which no answer ruled out a world."),
        Column("bits", {"type": "number"}, "What the answers tell of the secrets, in bits."),
        Column("bits_left", {"type": "number"}, "The bits that the answers leave."),
        Column(
            "excluded",
            _SHARE,
            "The share of the rival worlds of a land that the answers rule out, in percent: the mean of all lands.",
        ),
        Column(
            "days_over",
            {"type": "number"},
            "The days until one plan is sure, of all lands, over the mean of the best halving.",
        ),
        Column("plan_chance", _SHARE, "The share of the worlds that the answers leave in which the plan wins."),
        Column("lands_won", COUNT, "The lands in which the plan beats the lord."),
        Column("plan_actions", COUNT, "The actions that the plan attempted."),
        Column("end_reason", TEXT, "How the plan ended, in a sentence."),
        Column("sure", FLAG, "True if the plan wins in all worlds that the answers leave."),
    )
)
"""The figures of an attempt; null in a sample that was not measured, and where there was none of it."""

DETAILS = (
    Column("schema", {"const": 3}, "The number of this format."),
    Column("mode", {"enum": ["tools", "plan"]}, "tools: an exploration, then a plan. plan: a plan alone."),
    Column("told", {"enum": list(LANES)}, "The lane: found, or told if the prompt told what is hidden."),
    Column(
        "laws",
        TEXT,
        "The forms of the laws of a single land, with the number of things of each, or how many lands there are.",
    ),
    Column("lands", COUNT, "How many lands are explored one after the other."),
    Column("bits_hidden", {"type": "number"}, "How much is hidden: the logarithm of the number of possible worlds."),
    Column("days", COUNT, "The most days of the exploration: the length of the task."),
    Column("expected_days", {"type": "number"}, "The days that the best halving needs on average."),
    *FIGURES,
    Column("twin_of", optional(TEXT), "The id of the task that this task was made to resemble; null if none."),
)
"""The columns of a sample's `details`, in their order."""

_CALL: Schema = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "arguments", "answer", "left"],
    "properties": {
        "name": TEXT,
        "arguments": {"type": "object"},
        "answer": {"type": "object"},
        "left": {"type": "integer", "minimum": 1},
    },
}
_CALLS: Schema = {"type": "array", "items": _CALL}
EVENTS = (
    Column("schema", {"const": 2}, "The number of this format."),
    Column("exploration", _CALLS, "The calls with their answers, and the worlds of the land that are left after each."),
    Column("plan", _CALLS, "The calls of the plan with what came of them."),
)

FORMATS = (
    RowFormat(
        "discover-details",
        3,
        "The details of a sample of the suite discover",
        "The suite's own columns of a sample. The figures are null in a sample that was not measured.",
        DETAILS,
    ),
    RowFormat(
        "discover-events", 2, "The events of an attempt of the suite discover", "Its calls and its plan.", EVENTS
    ),
)
