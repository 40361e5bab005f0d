"""What things are made of: what nodes give, what is refined from it, and what monsters drop.

Materials are used evenly: a recipe takes those that the fewest recipes have taken so far, so that none is left over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

Row = Mapping[str, Any]


class Material(NamedTuple):
    """Something that recipes take."""

    code: str
    name: str
    level: int
    """From which level on it is used."""
    work: int
    """Its item difficulty: 1 for what is not crafted."""
    pieces: tuple[int, int] = (1, 5)
    """How many of it a recipe takes, at least and at most."""

    @property
    def word(self) -> str:
        """The coined word in its name."""
        return self.name.split()[0]


def item_row(code: str, name: str, level: int, kind: str, subtype: str = "") -> dict[str, Any]:
    """An item that does nothing, yet."""
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
    """An item that falls, one at a time."""
    return {"item": item, "one_in": one_in, "min": 1, "max": 1}


class Store:
    """Materials of a kind, with how often each is taken."""

    def __init__(self) -> None:
        self._materials: list[Material] = []
        self._taken: Counter[str] = Counter()

    def add(self, materials: Iterable[Material]) -> None:
        """Put materials in."""
        self._materials += materials

    def open_at(self, level: int, since: int = 1) -> list[Material]:
        """What may be used at a level, of levels since another."""
        return [material for material in self._materials if since <= material.level <= level]

    def take(self, choice: Sequence[Material], number: int, chance: Random) -> list[Material]:
        """So many different ones, those first that are taken least."""
        order = {material.code: chance.random() for material in choice}
        taken = sorted(choice, key=lambda material: (self._taken[material.code], order[material.code]))[:number]
        self._taken.update(material.code for material in taken)
        return taken

    def unused(self) -> list[Material]:
        """What no recipe has taken."""
        return [material for material in self._materials if not self._taken[material.code]]
