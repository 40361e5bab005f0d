"""The options of a run, and the columns of what it keeps.

The columns are those of the `details` of samples, whose figures are counted here, and of the events of a game.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, Literal, get_args

from herobench.data.columns import COUNT, FLAG, TEXT, Column, RowFormat, Schema, optional
from herobench.data.options import Option

Mode = Literal["tools", "plan"]
TOOLS: Mode = "tools"
PLAN: Mode = "plan"
MODES: tuple[Mode, ...] = get_args(Mode)
Preconditions = Literal["found", "told"]
Hints = Literal["on", "off"]
StateTold = Literal["full", "changes"]
Told = Literal["plan", "rules", "steps"]
LANES: tuple[Told, ...] = get_args(Told)
"""The lanes. `plan` tells nothing beyond the level, `rules` tells all rules as facts, `steps` the steps of a plan."""


@dataclass(frozen=True, slots=True)
class LevelStyle:
    """The way in which a level is told."""

    window: Annotated[int, Option("How many of the latest turns the model is sent.", least=1, most=10_000)] = 10
    preconditions: Annotated[
        Preconditions, Option("Whether refusals alone say what actions need, or the prompt does.")
    ] = "found"
    hints: Annotated[Hints, Option("Whether a refusal says what can make a missing fact true.")] = "on"
    state: Annotated[StateTold, Option("Whether each turn tells the whole state, or only what changed.")] = "full"
    lane: Annotated[
        Told,
        Option("What the prompt tells beyond the level: nothing, rules as facts, or steps; `run` asks all in turn."),
    ] = "plan"

    def as_row(self) -> dict[str, Any]:
        """Return the settings as plain data. The usual lane is left out, as in samples from before there were lanes."""
        row = {name: value for name, value in asdict(self).items() if name != "lane"}
        return row if self.lane == LANES[0] else {**row, "told": self.lane}

    def as_options(self) -> dict[str, str]:
        """Return the settings as texts."""
        return {("lane" if name == "told" else name): str(value) for name, value in self.as_row().items()}


ALL = "all"


@dataclass(frozen=True, slots=True)
class LevelChoice:
    """Which levels are played, and how."""

    levels: Annotated[
        str, Option("Which levels are played, by their numbers, such as 1-3 or 1,4-6.", metavar="N-M")
    ] = ALL
    mode: Annotated[Mode, Option("One call a turn with feedback, or one plan without any.")] = MODES[0]


# -- columns ----------------------------------------------------------------------------------------------------------

Stop = Literal[
    "SOLVED",
    "MAX_STEPS",
    "MAX_INVALID_STREAK",
    "LOOP_DETECTED",
    "STAGNATION",
    "LLM_STUCK",
    "LLM_DONE_EARLY",
    "API_FAILURE",
    "TEMPORAL_DECAY",
]
"""Why a game ended."""
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

ROAD_FIGURES = (
    Column("hours", optional(COUNT), "Of a road, the hours of all turns.", later=True),
    Column("hours_over", optional(COUNT), "Of a road that was solved, the hours over the least.", later=True),
    Column("mistakes", optional(COUNT), "Of a road, the turns that made the rest dearer.", later=True),
    Column(
        "first_mistake",
        optional(COUNT),
        "Of a road, the first turn behind which the least hours were out of reach, from 1; null for none.",
        later=True,
    ),
)
"""The figures that need the exact values of roads."""
DETAILS = (
    Column("schema", {"const": 1}, "The number of this format."),
    Column("level", TEXT, "The level's id."),
    Column("optimal", COUNT, "The proven length of a shortest solution; of a road, the length of its reference plan."),
    Column("mode", {"enum": list(MODES)}, "tools: one call a turn, with feedback. plan: the whole plan in one reply."),
    Column("window", COUNT, "How many of the latest turns the model was sent."),
    Column("preconditions", {"enum": list(get_args(Preconditions))}, "told if the prompt says what actions need."),
    Column("hints", {"enum": list(get_args(Hints))}, "on if refusals say what can make a missing fact true."),
    Column("state", {"enum": list(get_args(StateTold))}, "full if the whole state is told after each turn."),
    *FIGURES,
    Column("final_state", optional(TEXT), "The digest of all facts at the end."),
    Column(
        "told",
        {"enum": list(LANES)},
        "What the prompt told beyond the level: rules or steps. Rows of the lane `plan`, which tells nothing, have "
        "none.",
        later=True,
    ),
    *ROAD_FIGURES,
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
    Column(
        "regrets",
        {"type": "array", "items": COUNT},
        "Of a road, the hours by which each turn made the rest dearer.",
        later=True,
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


@dataclass
class GameTally:
    """The counts of one game, those of columns under the names of these."""

    start: int
    milestones_total: int
    total_steps: int = 0
    world_valid_steps: int = 0
    format_errors: int = 0
    precondition_errors: int = 0
    api_errors: int = 0
    api_errors_in_a_row: int = 0
    control_signals: int = 0
    streak: int = 0
    misread: int = 0
    """The format errors of the streak."""
    max_invalid_streak: int = 0
    total_invalid_streaks: int = 0
    recovered_streaks: int = 0
    milestones_reached: int = 0
    idle: int = 0
    """The turns since the last new milestone."""
    visits: dict[int, int] = field(init=False)
    """How often each state was there."""

    def __post_init__(self) -> None:
        self.visits = {self.start: 1}

    def count_valid(self, state: int, new_milestones: int) -> None:
        """Count a valid action that led to a state."""
        self._turn()
        self.world_valid_steps += 1
        self.visits[state] = self.visits.get(state, 0) + 1
        if self.streak:
            self.recovered_streaks += 1
            self.streak = self.misread = 0
        self.milestones_reached += new_milestones
        self.idle = 0 if new_milestones else self.idle + 1

    def count_error(self, *, refused: bool) -> None:
        """Count a refusal, or else a format error."""
        self._turn()
        if refused:
            self.precondition_errors += 1
        else:
            self.format_errors += 1
            self.misread += 1
        self.idle += 1
        self.total_invalid_streaks += not self.streak
        self.streak += 1
        self.max_invalid_streak = max(self.max_invalid_streak, self.streak)

    def count_signal(self) -> None:
        """Count a signal."""
        self._turn()
        self.control_signals += 1

    def count_api_error(self) -> None:
        """Count a turn without a reply of the endpoint."""
        self.total_steps += 1
        self.api_errors += 1
        self.api_errors_in_a_row += 1

    def _turn(self) -> None:
        self.total_steps += 1
        self.api_errors_in_a_row = 0

    def row(self, stop: Stop | None) -> dict[str, Any]:
        """Return the figures. A quotient over nothing is None."""
        solved, errors = stop == "SOLVED", self.format_errors + self.precondition_errors
        calls = self.total_steps - self.control_signals - self.api_errors
        valid_calls = calls - self.format_errors
        figures = {
            **vars(self),
            "solved": solved,
            "stop_reason": stop,
            "world_invalid_steps": errors,
            "steps_to_solve_total": self.total_steps if solved else None,
            "plan_length": self.world_valid_steps if solved else None,
            "error_overhead": self.total_steps - self.world_valid_steps if solved else None,
            "overhead_ratio": _quotient(self.total_steps, self.world_valid_steps) if solved else None,
            "tool_calls_total": calls,
            "tool_calls_ok": valid_calls,
            "tool_call_validity_rate": _quotient(valid_calls, calls),
            "world_action_accuracy": _quotient(self.world_valid_steps, valid_calls),
            "invalid_rate": _quotient(errors, calls),
            "recovery_rate": _quotient(self.recovered_streaks, self.total_invalid_streaks),
            "milestone_progress": _quotient(self.milestones_reached, self.milestones_total),
            "causal_efficiency": _quotient(self.milestones_reached, self.world_valid_steps),
            "unique_states": len(self.visits),
            "loop_detected": stop == "LOOP_DETECTED",
            "stagnation_stop": stop == "STAGNATION",
        }
        return {column.name: figures[column.name] for column in FIGURES}


def _quotient(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None
