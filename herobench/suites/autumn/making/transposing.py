"""A program with rows and columns exchanged: left is up, right is down, and so for all that goes with them.

Not every program can be exchanged so: what flows like a liquid knows where down is, and ties are broken in a fixed
order of directions. So `transposed` refuses some words, and `is_mirror` plays both programs side by side.
"""

from __future__ import annotations

import re
from random import Random

from herobench.suites.autumn.challenge import started
from herobench.suites.autumn.language.actions import read_action
from herobench.suites.autumn.language.autumn_error import AutumnError
from herobench.suites.autumn.language.source import Node, Source, Word
from herobench.suites.autumn.language.statistics import random_action

_REFUSED = frozenset("nextLiquid nextLiquidClosestHole nextLiquidMoveClosestHole isFreeRangeExceptObj rotate".split())
_REFUSED |= {"rotateNoCollision"}
_PAIRS = [("left", "up"), ("right", "down")]
_PAIRS += [(f"moveLeft{end}", f"moveUp{end}") for end in ("", "Pos", "NoCollision")]
_PAIRS += [(f"moveRight{end}", f"moveDown{end}") for end in ("", "Pos", "NoCollision")]
_OTHER = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])} | {"nextSolid": "moveRightNoCollision"}
_AXES = {"x": "y", "y": "x", '"x"': '"y"', '"y"': '"x"'}
_SWAPPED = {"Position": 1, "Cell": 1, "moveNoCollision": 2, "moveCanCollision": 2}
"""The first of the two arguments that are exchanged, by the head of a form."""
_PLAYS = 3
_STEPS = 120


def transposed(program: str) -> str | None:
    """Return a program, or a condition, with rows and columns exchanged; None where that is not known to be right."""
    words = set(re.findall(r"[A-Za-z]+", program))
    own_axes = re.search(r"\(:\s+[xy]\s", program)
    if words & _REFUSED or own_axes:
        return None
    form, _ = Source(program).read_program()
    return _text(form)


def is_mirror(program: str, other: str) -> bool:
    """Return whether random plays of two programs show frames with rows and columns exchanged."""
    for number in range(_PLAYS):
        random = Random(f"mirror {number}")  # noqa: S311  a measurement, no secret
        try:
            one, two = started(program, number), started(other, number)
            for _ in range(_STEPS):
                if [list(row) for row in zip(*one.grid, strict=True)] != two.grid:
                    return False
                action = random_action(random, one.size)
                one.act(action)
                two.act(mirrored(action))
        except AutumnError:
            return False
    return True


def mirrored(action: str) -> str:
    """Return an action with rows and columns exchanged."""
    found = read_action(action)
    return f"click {found.y} {found.x}" if found.kind == "click" else _OTHER.get(action, action)


def _text(node: Node) -> str:
    if isinstance(node, Word):
        return _OTHER.get(node.text, node.text)
    parts = [_text(item) for item in node.items]
    at = _SWAPPED.get(node.head)
    if at is not None and len(parts) > at + 1:
        parts[at], parts[at + 1] = parts[at + 1], parts[at]
    if node.head in ("..", "updateObj") and len(parts) > 2:
        parts[2] = _AXES.get(parts[2], parts[2])
    return f"({' '.join(parts)})"
