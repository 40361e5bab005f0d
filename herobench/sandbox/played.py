"""The record of a plan that was played: `worker` sends it over `wire`, and `replay` in the parent applies it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii

from herobench.rpg.episode import Ending
from herobench.rpg.events import Action, Value

MOST_TEXT = 200
"""The longest text that is recorded as an argument, in bytes of JSON. Every code, name and number is shorter."""
_SURE = MOST_TEXT // 12
"""Texts of up to this many characters always fit, since JSON needs at most 12 bytes for one."""


def fits(text: str) -> bool:
    """Say whether a text can be recorded as an argument of an action."""
    return len(text) <= _SURE or (len(text) <= MOST_TEXT and len(encode_basestring_ascii(text)) <= MOST_TEXT + 2)


def recordable(value: object) -> Value:
    """Return an argument as it can be recorded: a small plain value as it is, anything else as an empty text."""
    # No action accepts an empty text, so the game refuses the attempt as it would refuse the argument itself.
    kind = type(value)
    if kind is int:
        return value if -(10**12) < value < 10**12 else ""  # type: ignore[operator, return-value]
    if kind is str:
        return value if fits(value) else ""  # type: ignore[arg-type, return-value]
    if value is None or kind is bool or (kind is float and math.isfinite(value)):  # type: ignore[arg-type]
        return value  # type: ignore[return-value]
    return ""


@dataclass(frozen=True, slots=True)
class Played:
    """The attempts of a plan, its ending, and its output."""

    attempts: tuple[Action, ...]
    ending: Ending
    output: str
