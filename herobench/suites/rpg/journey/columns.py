"""The columns of the samples of the suite journey. `python -m herobench.data.columns` writes the schemas."""

from __future__ import annotations

from typing import get_args

from herobench.data.columns import AMOUNT, COUNT, FLAG, TEXT, Column, RowFormat, Schema, optional
from herobench.suites.rpg.journey.options import LANES, MODES, Judged

NEAR = 1.01
"""A plan that takes at most so many times the least time is near it."""
ENDS = ("arrived", "stopped", "refused", "failed", "rejected", "no_plan")
FAILURES = ("no_plan", "rejected", "failed", "refused", "stopped", "slower")
"""Why an attempt is no win: there is no plan; it holds what it must not; a policy raised an error or took too many
steps; an action was refused; it ends before the last gate; or it takes more than the least time."""
_COUNTS: Schema = {"type": "array", "items": COUNT}
FIGURES = tuple(
    column.optional
    for column in (
        Column("ended", {"enum": list(ENDS)}, "How the plan ended."),
        Column("end_reason", TEXT, "Why it ended, in a sentence; null if it arrived."),
        Column("end_line", COUNT, "The line of the plan at which it ended; null if it has no such line."),
        Column(
            "time",
            AMOUNT,
            "The time of the actions that were carried out. Of a policy that arrives, the expected time: the least and "
            "the regret. Null for other policies.",
        ),
        Column("walked", COUNT, "The regions that the hero left; of a policy, on its shortest walk."),
        Column("best", FLAG, "True if the plan takes the least time."),
        Column("near", FLAG, "True if it takes at most 1 % more than that."),
        Column(
            "choices",
            COUNT,
            "The decisions: all actions that were carried out, gates among them. What several walks of a policy do in "
            "the same position counts once.",
        ),
        Column("mistakes", COUNT, "The decisions with a regret; null without regrets."),
        Column("regret", AMOUNT, "The sum of all regrets; of a policy the mean over its walks. Null without regrets."),
        Column("large_mistakes", COUNT, "The decisions whose regret is above 1 % of the mean time of a region."),
        Column(
            "reaches",
            _COUNTS,
            "The decisions by reach, from 1 on; those of the certified plan for a best plan. Null without regrets.",
        ),
    )
)
"""The figures of an attempt; null in a sample that was not measured."""
DETAILS = (
    Column("schema", {"const": 1}, "The number of this format."),
    Column(
        "mode",
        {"enum": [*MODES, "policy"]},
        "The answer: a plan, a plan in parts with feedback, or on a road with chance a policy as code.",
    ),
    Column("told", {"enum": list(LANES)}, "The lane: what the prompt told."),
    Column("regrets", {"enum": list(get_args(Judged))}, "Whether decisions were judged."),
    Column("regions", COUNT, "The length of the road."),
    Column("sites", {"enum": ["maps", "hand"]}, "Whether sites lie apart on maps, or all are at hand."),
    Column("width", COUNT, "How much the hero can carry, from 1 to 3."),
    Column("reach", COUNT, "How long gear lasts, and how rare workshops and inns are, from 1 to 3."),
    Column("chance", {"enum": ["off", "on"]}, "Whether gear breaks and wounds are drawn by chance."),
    Column("least", AMOUNT, "The least time of the road, or the least expected one."),
    Column(
        "sights",
        {"type": "array", "items": AMOUNT},
        "The times of the planners that see 1, 2, 3 and more regions; on a road with chance, expected ones.",
    ),
    Column("oracle_actions", COUNT, "The actions of the certified plan."),
    *FIGURES,
    Column("twin_of", optional(TEXT), "The id of the task that this task was made to resemble; null if none."),
)
"""The columns of a sample's `details`, in their order."""
_MISTAKE: Schema = {
    "type": "object",
    "additionalProperties": False,
    "required": ["action", "regret", "reach", "better"],
    "properties": {
        "walk": COUNT,
        "action": COUNT,
        "regret": AMOUNT,
        "reach": COUNT,
        "better": {"type": "array", "items": TEXT},
    },
}
EVENTS = (
    Column("schema", {"const": 1}, "The number of this format."),
    Column(
        "walk",
        COUNT,
        "Of a policy, the number of the walk whose actions follow, from 1: the first that did not arrive, or that with "
        "the most regret.",
        later=True,
    ),
    Column("actions", {"type": "array", "items": {"type": "array", "items": TEXT}}, "The actions carried out."),
    Column("times", _COUNTS, "The time of each action."),
    Column(
        "mistakes",
        optional({"type": "array", "items": _MISTAKE}),
        "The number of each action that is a mistake, from 0, its regret, the regions that a planner must see to take "
        "the decision rightly, and an action without a regret in its place. Of a policy those of all walks, each with "
        "the walk whose actions are kept, if that made it, or else the first that did. Null without regrets.",
    ),
)
FORMATS = (
    RowFormat(
        "journey-details",
        1,
        "The details of a sample of the suite journey",
        "The suite's own columns of a sample. The figures are null in a sample that was not measured.",
        DETAILS,
    ),
    RowFormat(
        "journey-events",
        1,
        "The events of an attempt of the suite journey",
        "What the plan did, and which of its decisions were mistakes.",
        EVENTS,
    ),
)
