"""What is left of a plan that was played: the record that a worker sends and a parent replays."""

from __future__ import annotations

from dataclasses import dataclass
from json.encoder import encode_basestring_ascii

from herobench.rpg.episode import Ending
from herobench.rpg.events import Action

MOST_TEXT = 200
"""The longest text that is recorded as an argument, in bytes of JSON: longer than any code, name or number."""
_SURE = MOST_TEXT // 12
"""No text of so few characters is longer in JSON."""


def fits(text: str) -> bool:
    """Whether a text can be recorded as an argument of an action."""
    return len(text) <= _SURE or (len(text) <= MOST_TEXT and len(encode_basestring_ascii(text)) <= MOST_TEXT + 2)


@dataclass(frozen=True, slots=True)
class Played:
    """What a plan attempted, how it ended, and what it printed."""

    attempts: tuple[Action, ...]
    ending: Ending
    output: str
