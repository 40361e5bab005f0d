"""Gear of remixed worlds: the pieces of each level, and their recipes.

Recipes take materials of nodes up to their level, and drops of monsters of lower levels. The amount of work in a piece
follows the classic world. A few pieces are not crafted: they drop from a monster of the level below. Distractors are
gear that is only told: as strong as gear of its level, with an ingredient that exists nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from herobench.task_gen.remix.blueprint import Blueprint
from herobench.task_gen.remix.dialect import Dialect, code_of
from herobench.task_gen.remix.materials import Material, Store, item_row
from herobench.task_gen.remix.monsters import Bestiary
from herobench.task_gen.remix.nodes import Nodes
from herobench.task_gen.remix.nouns import GEAR, UNKNOWN
from herobench.task_gen.remix.strength import Forge

KINDS = tuple(GEAR)
_CRAFT = {"weapon": "weapon", "ring": "jewel", "amulet": "jewel"}
"""The skill that a type is made with, if not the armorer's."""
_WORK: tuple[tuple[int, ...], ...] = (
    (5, 5, 5, 5, 6),
    (5, 5, 6, 6, 6, 6),
    (6, 6, 6, 6, 7, 8, 9),
    (6, 6, 7, 7, 7, 8, 10),
    (8, 9, 9, 9, 9, 10, 12),
    (7, 8, 9, 9, 9, 9, 10),
    (9, 9, 9, 11, 11, 11),
    (10, 10, 10, 11, 11, 12),
    (10, 10, 11),
)
"""The item difficulties of gear at each level."""
_RECIPE = 2
"""The item difficulty that a recipe adds to that of its parts."""
_FALLEN_FROM, _FALLEN = 6, 0.12
"""The step from which on some gear is only dropped, and the share of it."""
_NEAR = 15
"""Materials of at most this many levels below a recipe come first."""
_PLAIN_WEAPONS = 0.5
"""The share of weapons that take no drops: a hero without a weapon cannot hunt."""
_DISTRACTORS = 0.4
"""The number of distractors for each piece of crafted gear."""
_STRONGER = range(100, 131)
"""The effects of a distractor in percent of those of the piece that it is modelled on."""
_MINED, _MOST_MINED = 0.4, 2
"""The share of other gear with a mined part, and the most mined parts of a plain weapon."""


class Smithy:
    """The gear of a world."""

    def __init__(
        self,
        plan: Blueprint,
        elements: Sequence[str],
        skills: Mapping[str, str],
        nodes: Nodes,
        bestiary: Bestiary,
        dialect: Dialect,
        chance: Random,
    ) -> None:
        self._plan = plan
        self._forge = Forge(elements, chance)
        self._skills = skills
        self._nodes = nodes
        self._bestiary = bestiary
        self._dialect = dialect
        self._chance = chance
        self._names: set[str] = set()
        self.by_step = [[self._piece(kind, step) for kind in self._kinds(step)] for step in range(len(plan.levels))]
        for store in (nodes.refined, nodes.leaves, bestiary.drops):
            self._use_up(store)

    @property
    def items(self) -> list[dict[str, Any]]:
        """All gear, that of the lowest levels first."""
        return [row for rows in self.by_step for row in rows]

    def effects(self, step: int) -> dict[str, list[Mapping[str, int]]]:
        """Return the effects of the gear of all steps up to one, by type."""
        rows = [row for rows in self.by_step[: step + 1] for row in rows]
        return {kind: [row["effects"] for row in rows if row["type"] == kind] for kind in KINDS}

    def _kinds(self, step: int) -> Iterator[str]:
        for kind in KINDS:
            yield from [kind] * self._plan.counts[kind][step]

    def _piece(self, kind: str, step: int) -> dict[str, Any]:
        level = self._plan.levels[step]
        falls = kind == "artifact" or (step >= _FALLEN_FROM and self._chance.random() < _FALLEN)
        parts = [] if falls else self._parts(kind, step)
        name = self._name(kind, parts)
        row = item_row(code_of(name), name, level, kind)
        row["effects"] = dict(self._forge.effects(kind, step))
        if falls:
            self._bestiary.give(row["code"], step - 1)
        else:
            skill = self._skills[_CRAFT.get(kind, "armor")]
            row["recipe"] = {"skill": skill, "level": level, "ingredients": self._quantities(parts)}
        return row

    def _parts(self, kind: str, step: int) -> list[Material]:
        """Draw the parts of a piece for an amount of work: refined materials first, then others."""
        level, work = self._plan.levels[step], self._chance.choice(_WORK[step]) - _RECIPE
        refined = self._nodes.refined.open_at(level, level - _NEAR) or self._nodes.refined.open_at(level)
        number = 1 if work < 2 * refined[0].work else self._chance.choice((1, 1, 2))
        parts = self._nodes.refined.take(refined, number, self._chance)
        left = max(0, work - sum(part.work for part in parts))
        plain = kind == "weapon" and self._chance.random() < _PLAIN_WEAPONS
        return parts + (self._mined(level, min(left, _MOST_MINED)) if plain else self._found(level, left))

    def _mined(self, level: int, number: int) -> list[Material]:
        """Take a number of parts that nodes yield, as far as there are any."""
        return self._nodes.leaves.take(self._nodes.leaves.open_at(level, level - _NEAR), number, self._chance)

    def _found(self, level: int, number: int) -> list[Material]:
        """Take a number of parts that are hunted for; at times one of them is mined."""
        mined = self._nodes.leaves.open_at(level, level - _NEAR)
        taken = self._mined(level, min(1, number)) if mined and self._chance.random() < _MINED else []
        drops = self._bestiary.drops
        hunted = drops.open_at(level, level - _NEAR) or drops.open_at(level)
        return taken + drops.take(hunted, number - len(taken), self._chance)

    def _use_up(self, store: Store) -> None:
        """Put each material that no recipe takes into one of the lowest recipes that may."""
        for material in store.unused():
            crafted = [row for row in self.items if "recipe" in row and row["level"] >= material.level]
            lowest = [row for row in crafted if row["level"] == crafted[0]["level"]]
            for row in self._chance.sample(lowest, min(1, len(lowest))):
                row["recipe"]["ingredients"] |= self._quantities([material])
                store.take([material], 1, self._chance)

    def _quantities(self, parts: Sequence[Material]) -> dict[str, int]:
        return {part.code: self._chance.randint(*part.pieces) for part in parts}

    def _name(self, kind: str, parts: Sequence[Material]) -> str:
        """Name a piece after one of its parts, if the name is still free."""
        words = [part.word for part in self._chance.sample(parts, len(parts))]
        for word in [*words, self._dialect.word()]:
            name = f"{word} {self._chance.choice(GEAR[kind])}"
            if name not in self._names:
                self._names.add(name)
                return name
        raise AssertionError("a new word makes a new name")


# -- distractors ------------------------------------------------------------------------------------------------------


def distractors(gear: Sequence[dict[str, Any]], dialect: Dialect, chance: Random) -> list[dict[str, Any]]:
    """Make distractors, each like a piece of the gear."""
    crafted = [row for row in gear if "recipe" in row]
    likes = chance.sample(crafted, round(len(crafted) * _DISTRACTORS))
    return [_like(row, dialect, chance) for row in sorted(likes, key=lambda row: (row["level"], row["code"]))]


def _like(row: dict[str, Any], dialect: Dialect, chance: Random) -> dict[str, Any]:
    name = f"{dialect.word()} {chance.choice(GEAR[row['type']])}"
    made = item_row(code_of(name), name, row["level"], row["type"])
    percent = chance.choice(_STRONGER)
    # Rounded up: a distractor must not look weaker than the piece that it is like.
    made["effects"] = {effect: -(-value * percent // 100) for effect, value in row["effects"].items()}
    parts = list(row["recipe"]["ingredients"].items())
    unknown = f"{dialect.word()} {chance.choice(UNKNOWN)}"
    index = chance.randrange(len(parts))
    parts[index] = (code_of(unknown), parts[index][1])
    made["recipe"] = {**row["recipe"], "ingredients": dict(parts)}
    return made
