"""Materials of remixed worlds: the yields of nodes, their refined products, and the drops of monsters.

Materials are used evenly: a recipe takes those that the fewest recipes have taken so far, so that none is left over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

Row = Mapping[str, Any]


class Material(NamedTuple):
    """An item that recipes take."""

    code: str
    name: str
    level: int
    """The lowest level of recipes that take it."""
    work: int
    """Its item difficulty: 1 if it is not crafted."""
    pieces: tuple[int, int] = (1, 5)
    """The least and the largest number of pieces that a recipe takes."""

    @property
    def word(self) -> str:
        """The new word in its name."""
        return self.name.split()[0]


def item_row(code: str, name: str, level: int, kind: str, subtype: str = "") -> dict[str, Any]:
    """Return the row of an item without effects."""
    return {
        "code": code,
        "name": name,
        "level": level,
        "type": kind,
        "subtype": subtype,
        "description": "",
        "effects": {},
    }


def drop(item: str, one_in: int) -> Row:
    """Return the drop of one piece of an item."""
    return {"item": item, "one_in": one_in, "min": 1, "max": 1}


class Store:
    """Materials of a kind, with a count of the recipes that take each."""

    def __init__(self) -> None:
        self._materials: list[Material] = []
        self._taken: Counter[str] = Counter()

    def add(self, materials: Iterable[Material]) -> None:
        """Add materials."""
        self._materials += materials

    def open_at(self, level: int, since: int = 1) -> list[Material]:
        """Return the materials for recipes of a level, from levels not below `since`."""
        return [material for material in self._materials if since <= material.level <= level]

    def take(self, choice: Sequence[Material], number: int, chance: Random) -> list[Material]:
        """Take a number of different materials, those first that the fewest recipes take."""
        # Among materials that equally many recipes take, chance decides.
        order = {material.code: chance.random() for material in choice}
        taken = sorted(choice, key=lambda material: (self._taken[material.code], order[material.code]))[:number]
        self._taken.update(material.code for material in taken)
        return taken

    def unused(self) -> list[Material]:
        """Return the materials that no recipe takes."""
        return [material for material in self._materials if not self._taken[material.code]]
