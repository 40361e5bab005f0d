"""The options of a run, and the columns: the `details` of samples, and what the suite keeps of an attempt as events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from herobench.data.columns import COUNT, FLAG, TEXT, Column, RowFormat, Schema, optional
from herobench.data.options import Option

PLAYERS = ("oracle", "experimenter", "random", "standard", "noop")
Disclosure = Literal["told", "hinted"]
GoalTold = Literal["after", "first"]
Lane = Literal["found", "told"]
LANES: tuple[Lane, ...] = get_args(Lane)
"""The prompt tells all differences before the plan (`told`), or none, and the player has to find them (`found`)."""


@dataclass(frozen=True, slots=True)
class DiscoverStyle:
    """The way in which mysteries are asked."""

    disclosure: Annotated[Disclosure, Option("Whether the prompt tells the families of differences, and how many.")] = (
        "told"
    )
    goal: Annotated[GoalTold, Option("Whether the goal is told after the exploration, or first.")] = "after"
    lane: Annotated[Lane, Option("Whether differences have to be found, or all are told and only a plan is asked.")] = (
        "found"
    )


FAILURES = ("no_plan", "believed", "plan")
"""Why an attempt was lost: there is no plan; it would have won if all were as told; or neither."""
_TEXTS: Schema = {"type": "array", "items": TEXT}

FIGURES = tuple(
    column.optional
    for column in (
        Column("explored", COUNT, "The actions of the exploration, refused ones included."),
        Column("resets", COUNT, "How often the game was begun again."),
        Column("refused", COUNT, "The actions of the exploration that were refused."),
        Column(
            "told_nothing",
            COUNT,
            "The actions that were refused for want of a place, or were answered alike before in the same gear.",
        ),
        Column("decisive", COUNT, "The number of the first action that the told world answers otherwise."),
        Column("surprises", COUNT, "How many actions the told world answers otherwise."),
        Column("stated", COUNT, "The differences that the form states."),
        Column("stated_right", COUNT, "Those of them that are right, exactly."),
        Column("named", FLAG, "True if the form states all differences and no others."),
        Column("plan_actions", COUNT, "The actions that the plan attempted."),
        Column("ended", TEXT, "How the plan ended."),
        Column("end_reason", TEXT, "Why it ended, in a sentence."),
        Column("goals_reached", COUNT, "How many goals it reached."),
    )
)
"""The figures of an attempt; null in a sample that was not measured, and where there was none of it."""

DETAILS = (
    Column("schema", {"const": 1}, "The number of this format."),
    Column("mode", {"enum": ["tools", "plan"]}, "tools: an exploration, then a plan. plan: a plan alone."),
    Column("told", {"enum": list(LANES)}, "The lane: found, or told if the prompt told all differences."),
    Column(
        "disclosure", {"enum": list(get_args(Disclosure))}, "told if the prompt told the families and their number."
    ),
    Column("goal", {"enum": list(get_args(GoalTold))}, "When the goal was told: after the exploration, or first."),
    Column("changes", COUNT, "How many things differ."),
    Column("facts", COUNT, "How many of them are facts; the others are rules."),
    Column("families", _TEXTS, "The families of what differs."),
    Column("decisions", COUNT, "The length of the task: the decisions of the certified plan."),
    Column("oracle_actions", COUNT, "The actions of the certified plan."),
    Column("budget_actions", COUNT, "The most actions of the exploration."),
    Column("budget_resets", COUNT, "The most resets of the exploration."),
    Column("goals", COUNT, "The number of goals."),
    *FIGURES,
    Column(
        "twin_of", optional(TEXT), "The id of the task that this task was made to resemble; null if none.", later=True
    ),
)
"""The columns of a sample's `details`, in their order."""

_CALL: Schema = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "arguments", "answer"],
    "properties": {"name": TEXT, "arguments": {"type": "object"}, "answer": {"type": "object"}},
}
EVENTS = (
    Column("schema", {"const": 1}, "The number of this format."),
    Column("exploration", {"type": "array", "items": _CALL}, "The calls of the exploration with their answers."),
    Column(
        "stated", optional({"type": "array", "items": {"type": "object"}}), "What the form states; null without one."
    ),
    Column("plan", {"type": "object"}, "The events of the plan, in the form of the suite rpg."),
)

FORMATS = (
    RowFormat(
        "discover-details",
        1,
        "The details of a sample of the suite discover",
        "The suite's own columns of a sample. The figures are null in a sample that was not measured.",
        DETAILS,
    ),
    RowFormat(
        "discover-events", 1, "The events of an attempt of the suite discover", "Its calls and its plan.", EVENTS
    ),
)
