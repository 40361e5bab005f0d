"""The actions of a player: `noop`, the four arrows, and `click COLUMN ROW`."""

from __future__ import annotations

import re
from typing import NamedTuple

from herobench.errors import UsageError

KEYS = ("left", "right", "up", "down")
_CLICK = re.compile(r"click\s+(-?[0-9]{1,9})\s+(-?[0-9]{1,9})")


class Action(NamedTuple):
    """One action: `kind` is the event in the program, empty for none. `x` is the column, `y` the row of a click."""

    kind: str
    x: int = 0
    y: int = 0


def read_action(text: str) -> Action:
    """Return the action that a text names. Raises UsageError."""
    word = text.strip()
    if word == "noop":
        return Action("")
    if word in KEYS:
        return Action(word)
    if match := _CLICK.fullmatch(word):
        return Action("click", int(match[1]), int(match[2]))
    raise UsageError(
        f"{text[:40]!a} is no action: expected 'left', 'right', 'up', 'down', 'noop' or 'click COLUMN ROW', "
        "such as 'click 3 4'."
    )
