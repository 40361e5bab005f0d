"""The record of a plan that was played: `worker` sends it over `wire`, and `replay` in the parent applies it."""

from __future__ import annotations

from dataclasses import dataclass
from json.encoder import encode_basestring_ascii

from herobench.rpg.episode import Ending
from herobench.rpg.events import Action

MOST_TEXT = 200
"""The longest text that is recorded as an argument, in bytes of JSON. Every code, name and number is shorter."""
_SURE = MOST_TEXT // 12
"""Texts of up to this many characters always fit, since JSON needs at most 12 bytes for one."""


def fits(text: str) -> bool:
    """Say whether a text can be recorded as an argument of an action."""
    return len(text) <= _SURE or (len(text) <= MOST_TEXT and len(encode_basestring_ascii(text)) <= MOST_TEXT + 2)


@dataclass(frozen=True, slots=True)
class Played:
    """The attempts of a plan, its ending, and its output."""

    attempts: tuple[Action, ...]
    ending: Ending
    output: str
