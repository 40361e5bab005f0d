"""Reads what a model sends in one turn: a call of a tool, a signal, or something that is neither.

A turn is an object with one of these: `call`, a call with `name` and `arguments`; `calls`, several, of which the first
counts; `text`, words without a call; `api_error`, true when the endpoint gave no reply.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
"""What a turn comes to; None if there is neither call nor signal in it."""


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
