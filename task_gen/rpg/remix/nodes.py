"""Resource nodes of remixed worlds: their yields, by the ladders of the gathering skills, and the refined materials.

Metals and woods are refined before use; from level 20 on some are an alloy with an older refined material. Crystals
are used raw, fish go into the kitchen, and gems fall rarely from the veins of their level and those above it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from herobench.task_gen.rpg.remix.blueprint import LONGEST_STEP, NODES, RAW, REFINED, Blueprint, WordSource, spell_code

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
        materials = sorted(choice, key=lambda material: (self._taken[material.code], order[material.code]))[:number]
        self._taken.update(material.code for material in materials)
        return materials

    def unused_materials(self) -> list[Material]:
        """Return the materials that no recipe takes."""
        return [material for material in self._materials if not self._taken[material.code]]


_ALLOYS_FROM, _ALLOYS = 20, 2 / 3
_GEM_IN = 200
_BESIDE = 0.5
"""The share of gems that are in two veins."""
_ORES, _ORES_IN_ALLOY, _OLD_IN_ALLOY = 8, 5, 3
_PLAIN, _ALLOY = 3, 4
"""The item difficulties of a refined material of one raw material, and of an alloy."""
_BARS, _GEMS = (4, 8), (1, 1)
"""The least and the largest number of these that a recipe takes."""


class Nodes:
    """The nodes of a world, with their materials."""

    def __init__(self, plan: Blueprint, skills: dict[str, str], dialect: WordSource, chance: Random) -> None:
        self._plan = plan
        self._skills = skills
        self._dialect = dialect
        self._chance = chance
        self.rows: list[dict[str, Any]] = []
        self.items: list[Row] = []
        self.refined = Store()
        self.leaves = Store()
        self.fish = Store()
        for kind in ("metal", "wood"):
            self._refinery(kind)
        for level in self._levels("crystal"):
            self.leaves.add([self._node("crystal", "metal", level)])
        for level in self._levels("fish"):
            self.fish.add([self._node("fish", "fish", level)])
        self._gems()

    def _levels(self, kind: str) -> list[int]:
        """Return the levels of a kind, each as often as the plan says."""
        rows = zip(self._plan.levels, self._plan.counts[kind], strict=True)
        return [level for level, count in rows for _ in range(count)]

    def _node(self, kind: str, skill: str, level: int) -> Material:
        word = self._dialect.word()
        node, raw = f"{word} {NODES[kind]}", f"{word} {RAW[kind]}"
        self.items.append(item_row(spell_code(raw), raw, level, "resource", self._skills[skill]))
        self.rows.append(
            {
                "code": spell_code(node),
                "name": node,
                "skill": self._skills[skill],
                "level": level,
                "drops": [drop(spell_code(raw), 1)],
            }
        )
        return Material(spell_code(raw), raw, level, 1)

    def _refinery(self, kind: str) -> None:
        """Make the nodes of a kind, with the refined materials."""
        below: list[Material] = []
        here: list[Material] = []
        for level in self._levels(kind):
            if here and here[0].level < level:
                below, here = here, []
            raw = self._node(kind, kind, level)
            here.append(raw)
            is_alloy = level >= _ALLOYS_FROM and bool(below) and self._chance.random() < _ALLOYS
            self.refined.add([self._refine(kind, raw, self._chance.choice(below) if is_alloy else None)])

    def _refine(self, kind: str, raw: Material, old: Material | None) -> Material:
        name = f"{raw.word} {REFINED[kind]}"
        row = item_row(spell_code(name), name, raw.level, "resource", spell_code(REFINED[kind]))
        parts = {raw.code: _ORES_IN_ALLOY, old.code: _OLD_IN_ALLOY} if old else {raw.code: _ORES}
        row["recipe"] = {"skill": self._skills[kind], "level": raw.level, "ingredients": parts}
        self.items.append(row)
        return Material(row["code"], name, raw.level, _ALLOY if old else _PLAIN, _BARS)

    def _gems(self) -> None:
        """Put gems into veins of their level, and some also into another vein not far above."""
        for level in self._levels("gem"):
            home = self._chance.choice(self._veins(level))
            veins = [home, *self._beside(home)]
            name = f"{self._dialect.word()} {RAW['gem']}"
            gem = Material(spell_code(name), name, home["level"], 1, _GEMS)
            self.items.append(item_row(gem.code, name, gem.level, "resource", self._skills["metal"]))
            self.leaves.add([gem])
            for vein in veins:
                vein["drops"].append(drop(gem.code, _GEM_IN))

    def _veins(self, level: int) -> list[dict[str, Any]]:
        """Return the veins of a level, or of the nearest level that has any."""
        veins = [row for row in self.rows if row["skill"] == self._skills["metal"]]
        nearest = min((row["level"] for row in veins), key=lambda other: (abs(other - level), other))
        return [row for row in veins if row["level"] == nearest]

    def _beside(self, home: dict[str, Any]) -> list[dict[str, Any]]:
        """Draw one more vein within a step above, or none."""
        veins = (row for row in self.rows if row["skill"] == self._skills["metal"] and row is not home)
        near = [row for row in veins if 0 <= row["level"] - home["level"] <= LONGEST_STEP]
        return [self._chance.choice(near)] if near and self._chance.random() < _BESIDE else []
