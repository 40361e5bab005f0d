"""The suite's columns: the `details` of its samples, and what it keeps of a game as events."""

from __future__ import annotations

from typing import get_args

from herobench.data.columns import COUNT, FLAG, TEXT, Column, RowFormat, Schema, optional
from herobench.suites.epoch.game.style import MODES, Hints, Preconditions, StateTold
from herobench.suites.epoch.game.turn import Stop

_SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_QUOTIENT: Schema = {"type": "number", "minimum": 0}

FIGURES = tuple(
    column.optional
    for column in (
        Column("solved", FLAG, "Whether the goal was reached."),
        Column("stop_reason", {"enum": list(get_args(Stop))}, "Why the game ended; null if the replies ended first."),
        Column("total_steps", COUNT, "All turns."),
        Column("world_valid_steps", COUNT, "The turns whose action was carried out."),
        Column("world_invalid_steps", COUNT, "The turns that were refused or not understood."),
        Column("steps_to_solve_total", COUNT, "All turns of a solved game."),
        Column("plan_length", COUNT, "The carried out actions of a solved game."),
        Column("error_overhead", COUNT, "The other turns of a solved game."),
        Column("overhead_ratio", _QUOTIENT, "All turns of a solved game by its carried out actions."),
        Column("tool_calls_total", COUNT, "All turns without signals and failures of the endpoint."),
        Column("tool_calls_ok", COUNT, "Those of them that were understood."),
        Column("tool_call_validity_rate", _SHARE, "tool_calls_ok by tool_calls_total."),
        Column("world_action_accuracy", _SHARE, "world_valid_steps by tool_calls_ok."),
        Column("invalid_rate", _SHARE, "world_invalid_steps by tool_calls_total."),
        Column("max_invalid_streak", COUNT, "The most errors in a row."),
        Column("format_errors", COUNT, "The turns that were not understood."),
        Column("precondition_errors", COUNT, "The turns whose action was refused."),
        Column("api_errors", COUNT, "The turns in which the endpoint failed."),
        Column("control_signals", COUNT, "The turns that ended the game by a signal."),
        Column("recovery_rate", _SHARE, "recovered_streaks by total_invalid_streaks."),
        Column("recovered_streaks", COUNT, "The streaks of errors after which an action was carried out."),
        Column("total_invalid_streaks", COUNT, "The streaks of errors."),
        Column("milestones_reached", COUNT, "The milestones that held at some time."),
        Column("milestones_total", COUNT, "The milestones of the level."),
        Column("milestone_progress", _SHARE, "milestones_reached by milestones_total."),
        Column("causal_efficiency", _QUOTIENT, "milestones_reached by world_valid_steps."),
        Column("unique_states", COUNT, "The different states that were there."),
        Column("loop_detected", FLAG, "Whether the game ended by a loop."),
        Column("stagnation_stop", FLAG, "Whether the game ended by stagnation."),
    )
)
"""The figures of a game, in the order of the published table; null in a sample that was not measured."""

DETAILS = (
    Column("schema", {"const": 1}, "The number of this format."),
    Column("level", TEXT, "The level's id."),
    Column("optimal", COUNT, "The proven length of a shortest solution."),
    Column("mode", {"enum": list(MODES)}, "tools: one call a turn, with feedback. plan: the whole plan in one reply."),
    Column("window", COUNT, "How many of the latest turns the model was sent."),
    Column("preconditions", {"enum": list(get_args(Preconditions))}, "told if the prompt says what actions need."),
    Column("hints", {"enum": list(get_args(Hints))}, "on if refusals say what can make a missing fact true."),
    Column("state", {"enum": list(get_args(StateTold))}, "full if the whole state is told after each turn."),
    *FIGURES,
    Column("final_state", optional(TEXT), "The digest of all facts at the end."),
)
"""The columns of a sample's `details`, in their order."""

EVENTS = (
    Column("schema", {"const": 1}, "The number of this format."),
    Column(
        "turns",
        {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["turn", "feedback"],
                "properties": {"turn": {"type": "object"}, "feedback": {"type": "object"}},
            },
        },
        "Each turn as the model sent it, and the feedback.",
    ),
)

FORMATS = (
    RowFormat(
        "epoch-details",
        1,
        "The details of a sample of the suite epoch",
        "The suite's own columns of a sample. The figures of a game are null in a sample that was not measured.",
        DETAILS,
    ),
    RowFormat("epoch-events", 1, "The events of a game of the suite epoch", "The turns of a game.", EVENTS),
)
