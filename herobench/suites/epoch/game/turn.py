"""Reads what a model sends in one turn: a call of a tool, a signal, or something that is neither.

A turn is an object with one of these: `call`, a call with `name` and `arguments`; `calls`, several, of which the first
counts; `text`, words without a call; `api_error`, true when the endpoint gave no reply.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Signal = Literal["stuck", "done"]
Why = Literal["no-call", "unknown-tool", "bad-arguments"]
SIGNALS: tuple[Signal, ...] = ("stuck", "done")
"""The tools that end a game. As words they stand alone on the last line, in upper case."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool. Its arguments are an object, or the JSON text of one, if the model did well."""

    name: Any
    arguments: Any

    def read(self) -> Mapping[str, Any] | None:
        """Return the arguments; None if they are no object."""
        found = self.arguments
        if isinstance(found, str):
            try:
                found = json.loads(found)
            except (ValueError, RecursionError):
                return None
        return found if isinstance(found, Mapping) else None


@dataclass(frozen=True, slots=True)
class ApiError:
    """The endpoint gave no reply."""


Sent = Call | Signal | ApiError | None
"""A call, a signal, or an endpoint that gave no reply; None for a turn with none of them."""


def read_turn(turn: Mapping[str, Any]) -> Sent:
    """Return what a turn comes to."""
    if turn.get("api_error"):
        return ApiError()
    call = first_call(turn)
    if call is not None:
        name = call.get("name")
        signal = next((signal for signal in SIGNALS if signal == name), None)
        return signal or Call(name, call.get("arguments"))
    text = turn.get("text")
    return _signal_in(text) if isinstance(text, str) else None


def first_call(turn: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the call that counts; None if there is none, or something else than an object in its place."""
    calls = turn.get("calls") or [turn.get("call")]
    first = calls[0] if isinstance(calls, Sequence) else None
    return first if isinstance(first, Mapping) else None


def _signal_in(text: str) -> Signal | None:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((signal for signal in SIGNALS if lines and lines[-1] == signal.upper()), None)


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

MOST_INVALID = 5
"""The errors in a row that end a game."""
MOST_API_ERRORS = 3
"""The failures of the endpoint in a row that end a game."""
MOST_VISITS = 4
"""The visits of one state that end a game, the start counted."""


@dataclass
class GameTally:
    """The counts of one game."""

    start: int
    milestones_total: int
    turns: int = 0
    valid: int = 0
    format_errors: int = 0
    refusals: int = 0
    api_errors: int = 0
    api_errors_in_a_row: int = 0
    signals: int = 0
    streak: int = 0
    misread: int = 0
    """The format errors of the streak."""
    longest_streak: int = 0
    streaks: int = 0
    recovered: int = 0
    milestones: int = 0
    idle: int = 0
    """The turns since the last new milestone."""
    visits: dict[int, int] = field(init=False)
    """How often each state was there."""

    def __post_init__(self) -> None:
        self.visits = {self.start: 1}

    def count_valid(self, state: int, new_milestones: int) -> None:
        """Count a valid action that led to a state."""
        self._turn()
        self.valid += 1
        self.visits[state] = self.visits.get(state, 0) + 1
        if self.streak:
            self.recovered += 1
            self.streak = self.misread = 0
        self.milestones += new_milestones
        self.idle = 0 if new_milestones else self.idle + 1

    def count_error(self, *, refused: bool) -> None:
        """Count a refusal, or else a format error."""
        self._turn()
        if refused:
            self.refusals += 1
        else:
            self.format_errors += 1
            self.misread += 1
        self.idle += 1
        self.streaks += not self.streak
        self.streak += 1
        self.longest_streak = max(self.longest_streak, self.streak)

    def count_signal(self) -> None:
        """Count a signal."""
        self._turn()
        self.signals += 1

    def count_api_error(self) -> None:
        """Count a turn without a reply of the endpoint."""
        self.turns += 1
        self.api_errors += 1
        self.api_errors_in_a_row += 1

    def _turn(self) -> None:
        self.turns += 1
        self.api_errors_in_a_row = 0

    def row(self, stop: Stop | None) -> dict[str, Any]:
        """Return the figures. A quotient over nothing is None."""
        solved, errors = stop == "SOLVED", self.format_errors + self.refusals
        calls = self.turns - self.signals - self.api_errors
        read = calls - self.format_errors
        return {
            "solved": solved,
            "stop_reason": stop,
            "total_steps": self.turns,
            "world_valid_steps": self.valid,
            "world_invalid_steps": errors,
            "steps_to_solve_total": self.turns if solved else None,
            "plan_length": self.valid if solved else None,
            "error_overhead": self.turns - self.valid if solved else None,
            "overhead_ratio": _quotient(self.turns, self.valid) if solved else None,
            "tool_calls_total": calls,
            "tool_calls_ok": read,
            "tool_call_validity_rate": _quotient(read, calls),
            "world_action_accuracy": _quotient(self.valid, read),
            "invalid_rate": _quotient(errors, calls),
            "max_invalid_streak": self.longest_streak,
            "format_errors": self.format_errors,
            "precondition_errors": self.refusals,
            "api_errors": self.api_errors,
            "control_signals": self.signals,
            "recovery_rate": _quotient(self.recovered, self.streaks),
            "recovered_streaks": self.recovered,
            "total_invalid_streaks": self.streaks,
            "milestones_reached": self.milestones,
            "milestones_total": self.milestones_total,
            "milestone_progress": _quotient(self.milestones, self.milestones_total),
            "causal_efficiency": _quotient(self.milestones, self.valid),
            "unique_states": len(self.visits),
            "loop_detected": stop == "LOOP_DETECTED",
            "stagnation_stop": stop == "STAGNATION",
        }


def _quotient(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None
