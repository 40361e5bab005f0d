"""The natives: how each is called, which is what the compiler knows of them, and the functions of one run.

In the reference, much of the library is an Autumn text. Here all of it is Python, written from the meaning of each
function: that is faster, and names that the library uses inside are not visible to programs. The method of a native has
the native's name as Python spells it: `isFreePos` is `is_free_pos`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from herobench.suites.autumn.language.drawing import Drawing
from herobench.suites.autumn.language.lists import Lists
from herobench.suites.autumn.language.objects import Key, Objects
from herobench.suites.autumn.language.run import Run
from herobench.suites.autumn.language.space import Direction, Motion, Nearness, Space

Kind = Literal["", "int", "bool", "list"]
"""What a value is for certain; empty if it can be anything."""


@dataclass(frozen=True, slots=True)
class Signature:
    """How a native is called. Arguments beyond `most` are evaluated and dropped by all but those in EXACT."""

    least: int
    most: int
    kind: Kind = ""
    pure: bool = False
    """Whether the value depends on nothing but the arguments."""
    calls: dict[int, int] = field(default_factory=dict)
    """The arguments that are functions, called at once, and with how many arguments."""


def _table(text: str, kind: Kind = "", *, pure: bool = False) -> dict[str, Signature]:
    """Return the signatures of words such as `move:2` or `range:1-2`."""
    signatures = {}
    for word in text.split():
        name, _, counts = word.partition(":")
        least, _, most = counts.partition("-")
        signatures[name] = Signature(int(least), int(most or least), kind, pure)
    return signatures


SIGNATURES: dict[str, Signature] = {
    "map": Signature(2, 2, "list", True, {0: 1}),
    "filter": Signature(2, 2, "list", True, {0: 1}),
    "foldl": Signature(3, 3, "", True, {0: 2}),
    "any": Signature(1, 2, "bool", True, {0: 1}),
    "removeObj": Signature(1, 2, "", False, {1: 1}),
    "updateObj": Signature(2, 3, "", False, {1: 1, 2: 1}),
    **_table("concat:1 vcat:1 range:2 arrayEqual:2 rect:2 allPositions:1-2", "list", pure=True),
    **_table("length:1 sqrt:1 abs:1 sign:1 max:2 min:2 sum:1", "int", pure=True),
    **_table("head:1 tail:1 at:2 print:1 movePos:2 deltaPos:2 displacement:2", pure=True),
    **_table("moveRightPos:1 moveLeftPos:1 moveUpPos:1 moveDownPos:1 unitVector:2 unitVectorObjPos:2", pure=True),
    **_table("deltaElem:2 deltaObj:2", pure=True),
    **_table("isList:1 in:2 adjacentPoss:3 adjacentElem:2", "bool", pure=True),
    **_table("adjacentTwoObjs:3 adj:3 intersectsElems:2", "bool"),
    **_table("intersects:2 defined:1 clicked:0-1 left:0 right:0 up:0 down:0", "bool"),
    **_table("isFreePos:1 isFree:1 isFreeExcept:2 isFreePosExceptObj:2", "bool"),
    **_table("isWithinBounds:1", "bool"),
    **_table("adjPositions:1 randomPositions:2 allObjs:0 renderValue:1 objClicked:1 addObj:2", "list"),
    **_table("adjacentObjs:2 adjacentObjsDiag:1", "list"),
    **_table("prev:1 uniformChoice:1-2 move:2 closest:2 closestPos:2"),
    **_table("moveRight:1 moveLeft:1 moveUp:1 moveDown:1 moveNoCollision:3"),
    **_table("moveRightNoCollision:1 moveLeftNoCollision:1 moveUpNoCollision:1 moveDownNoCollision:1"),
    **_table("nextSolid:1 nextLiquid:1"),
}
EXACT = frozenset({"addObj", "removeObj", "updateObj", "prev"})
"""Natives that refuse further arguments. The others drop them, as functions do."""
EVENTS = frozenset({"clicked", "left", "right", "up", "down"})
"""Natives that a condition may name without calling them."""
RANDOM = frozenset({"uniformChoice", "randomPositions"})


Native = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Library:
    """What generated code calls."""

    drawing: Drawing
    lists: Lists
    objects: Objects
    natives: dict[str, Native]


_SAME = {"vcat": "concat", "displacement": "deltaPos", "nextSolid": "moveDownNoCollision"}
"""Natives that are others under a second name."""
_DIRECTIONS = {"Right": (1, 0), "Left": (-1, 0), "Up": (0, -1), "Down": (0, 1)}
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def library(run: Run) -> Library:
    """Return the library for a run."""
    drawing = Drawing(run)
    lists, objects, space = Lists(run), Objects(run, drawing, frozenset(SIGNATURES)), Space(run, drawing)
    nearness = Nearness(run, space, objects)
    motion = Motion(run, space, nearness)
    natives: dict[str, Native] = {"prev": run.previous_value, "in": lists.in_}
    for name, (across, down) in _DIRECTIONS.items():
        direction = Direction(motion, across, down)
        natives[f"move{name}"] = direction.move
        natives[f"move{name}Pos"] = direction.move_pos
        natives[f"move{name}NoCollision"] = direction.move_no_collision
        natives[name.lower()] = Key(run, name.lower()).pressed
    for name in SIGNATURES.keys() - natives.keys() - _SAME.keys():
        method = _HUMP.sub("_", name).lower()
        (part,) = (part for part in (lists, objects, space, nearness, motion) if hasattr(part, method))
        natives[name] = getattr(part, method)
    natives |= {name: natives[other] for name, other in _SAME.items()}
    return Library(drawing, lists, objects, {name: natives[name] for name in SIGNATURES})
