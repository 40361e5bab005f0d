"""Gear and food of remixed worlds: the pieces of each level, the dishes, and their recipes.

Recipes take materials of nodes up to their level, and drops of monsters of lower levels. The amount of work in a piece
follows the classic world. A few pieces are not crafted: they drop from a monster of the level below. Distractors are
gear that is only told: as strong as gear of its level, with an ingredient that exists nowhere.

Dishes of fish restore health in a fight, dishes of game boost the hero for one. Drops of the monsters of the highest
level go into them too, since no gear is made of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any

from herobench.task_gen.rpg.remix.blueprint import (
    BOOSTING,
    GEAR,
    LEVELS,
    RESTORING,
    UNKNOWN,
    Blueprint,
    WordSource,
    spell_code,
)
from herobench.task_gen.rpg.remix.monsters import Bestiary
from herobench.task_gen.rpg.remix.nodes import Material, Nodes, Store, item_row

Effects = Mapping[str, int]
Style = tuple[int, int, int]
"""The percentages of its points that a piece spends on health, damage and resistance."""

HEALTH, DAMAGE, RESISTANCE = 1, 3, 5
"""The price of one point of each."""
_POINTS: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "weapon": (8, 16, 24, 32, 40, 50, 72, 82, 100),
        "shield": (60, 80, 120, 140, 180, 210, 260, 280, 320),
        "helmet": (56, 72, 105, 125, 150, 210, 290, 340, 430),
        "body_armor": (42, 55, 118, 165, 220, 290, 330, 360, 450),
        "leg_armor": (36, 49, 110, 140, 190, 245, 310, 345, 400),
        "boots": (40, 60, 90, 150, 200, 220, 250, 280, 320),
        "ring": (24, 30, 48, 54, 84, 90, 99, 108, 120),
        "amulet": (24, 30, 51, 72, 99, 126, 150, 189, 220),
        "artifact": (60, 75, 90, 120, 150, 165, 180, 210, 240),
    }
)
"""The budgets, by level."""
_STYLES: Mapping[str, tuple[Style, ...]] = MappingProxyType(
    {
        "shield": ((0, 0, 100), (25, 0, 75)),
        "helmet": ((60, 40, 0), (50, 35, 15), (65, 20, 15)),
        "body_armor": ((45, 35, 20), (50, 50, 0), (40, 30, 30)),
        "leg_armor": ((50, 35, 15), (45, 55, 0), (50, 20, 30)),
        "boots": ((45, 0, 55), (40, 15, 45), (0, 0, 100)),
        "ring": ((0, 100, 0), (25, 75, 0), (100, 0, 0), (0, 100, 0)),
        "amulet": ((40, 60, 0), (55, 45, 0), (100, 0, 0)),
        "artifact": ((100, 0, 0), (0, 100, 0), (50, 50, 0)),
    }
)
_MANY = 50
"""After this many drawn pieces that exist already, styles and spreads leave the tables."""
_SPREADS = ((1,), (1,), (1, 1), (1, 1), (2, 1), (1, 1, 1, 1))
_BLADES = ((1,), (1,), (1,), (1, 1), (3, 1), (1, 1, 1, 1))
"""Ways to spread points over elements."""


class Forge:
    """Makes the effects of gear, none of them twice."""

    def __init__(self, elements: Sequence[str], chance: Random) -> None:
        self._elements = elements
        self._chance = chance
        self._unarmed = list(elements)
        self._made: set[tuple[str, frozenset[tuple[str, int]]]] = set()

    def effects(self, kind: str, step: int) -> Effects:
        """Draw the effects of a new piece of a type at a step."""
        # The tables hold few combinations; a large world needs more pieces than that, so later tries go beyond them.
        for tries in range(100 * _MANY):
            effects = self._draw_effects(kind, _POINTS[kind][step], bold=tries >= _MANY)
            effect_set = (f"{kind} {LEVELS[step]}", frozenset(effects.items()))
            if effect_set not in self._made:
                self._made.add(effect_set)
                return effects
        raise AssertionError("there is always another way to spend so many points")

    def _draw_effects(self, kind: str, points: int, bold: bool) -> dict[str, int]:
        if kind == "weapon":
            return self._blade(points, bold)
        _, damage, resistance = self._style(kind, bold)
        effects = self._spread("dmg", points * damage // 100 // DAMAGE, self._chance.choice(_SPREADS), bold)
        effects |= self._spread("res", points * resistance // 100 // RESISTANCE, self._chance.choice(_SPREADS), bold)
        points_spent = sum(
            value * (DAMAGE if name.startswith("dmg") else RESISTANCE) for name, value in effects.items()
        )
        health = (points - points_spent) // HEALTH
        return {"hp": health, **effects} if health else effects

    def _blade(self, points: int, bold: bool) -> dict[str, int]:
        """Draw the attack of a weapon. The first weapons cover all elements, one each."""
        if self._unarmed:
            return {f"attack_{self._unarmed.pop()}": points}
        return self._spread("attack", points, self._chance.choice(_BLADES), bold)

    def _style(self, kind: str, bold: bool) -> Style:
        health, damage, resistance = self._chance.choice(_STYLES[kind])
        shift = self._chance.randint(-15, 15) if bold else 0
        damage = min(100, max(0, damage + shift))
        return health, damage, min(resistance, 100 - damage)

    def _spread(self, effect: str, amount: int, parts: Sequence[int], bold: bool) -> dict[str, int]:
        """Share an amount out over as many elements as there are parts."""
        if bold:
            parts = [part * 4 + self._chance.randint(0, 8) for part in self._chance.choice(((1, 1), (1, 1, 1)))]
        elements = self._chance.sample(list(self._elements), len(parts))
        shares = [amount * part // sum(parts) for part in parts]
        # What the division leaves goes to the first element, so that the budget is spent to the point.
        shares[0] += amount - sum(shares)
        return {f"{effect}_{element}": share for element, share in zip(elements, shares, strict=True) if share}


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
"""The item difficulty that a recipe adds to the difficulty of its parts."""
_FALLEN_FROM, _FALLEN = 6, 0.12
"""The step from which on some gear is only dropped, and the share of it."""
_NEAR = 15
"""Materials of at most this many levels below a recipe come first."""
_PLAIN_WEAPONS = 0.5
"""The share of weapons that take no drops: a hero without a weapon cannot hunt."""
_DISTRACTORS = 0.4
"""The number of distractors for each piece of crafted gear."""
_STRONGER = range(100, 131)
"""The effects of a distractor, in percent of the piece that it is modelled on."""
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
        dialect: WordSource,
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
        """All gear, lowest levels first."""
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
        row = item_row(spell_code(name), name, level, kind)
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
        materials = self._nodes.refined.open_at(level, level - _NEAR) or self._nodes.refined.open_at(level)
        number = 1 if work < 2 * materials[0].work else self._chance.choice((1, 1, 2))
        parts = self._nodes.refined.take(materials, number, self._chance)
        work_left = max(0, work - sum(part.work for part in parts))
        plain = kind == "weapon" and self._chance.random() < _PLAIN_WEAPONS
        return parts + (
            self._mine(level, min(work_left, _MOST_MINED)) if plain else self._gather_materials(level, work_left)
        )

    def _mine(self, level: int, number: int) -> list[Material]:
        """Take a number of parts that nodes yield, as far as there are any."""
        return self._nodes.leaves.take(self._nodes.leaves.open_at(level, level - _NEAR), number, self._chance)

    def _gather_materials(self, level: int, number: int) -> list[Material]:
        """Take a number of parts that are hunted for; at times one of them is mined."""
        from_nodes = self._nodes.leaves.open_at(level, level - _NEAR)
        materials = self._mine(level, min(1, number)) if from_nodes and self._chance.random() < _MINED else []
        drops = self._bestiary.drops
        from_monsters = drops.open_at(level, level - _NEAR) or drops.open_at(level)
        return materials + drops.take(from_monsters, number - len(materials), self._chance)

    def _use_up(self, store: Store) -> None:
        """Put each material that no recipe takes into one of the lowest recipes that may."""
        for material in store.unused_materials():
            rows = [row for row in self.items if "recipe" in row and row["level"] >= material.level]
            lowest = [row for row in rows if row["level"] == rows[0]["level"]]
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


def distractors(gear: Sequence[dict[str, Any]], dialect: WordSource, chance: Random) -> list[dict[str, Any]]:
    """Make distractors, each like a piece of the gear."""
    rows = [row for row in gear if "recipe" in row]
    likes = chance.sample(rows, round(len(rows) * _DISTRACTORS))
    return [_like(row, dialect, chance) for row in sorted(likes, key=lambda row: (row["level"], row["code"]))]


def _like(row: dict[str, Any], dialect: WordSource, chance: Random) -> dict[str, Any]:
    name = f"{dialect.word()} {chance.choice(GEAR[row['type']])}"
    row_made = item_row(spell_code(name), name, row["level"], row["type"])
    percent = chance.choice(_STRONGER)
    # Rounded up: a distractor must not look weaker than the piece that it is like.
    row_made["effects"] = {effect: -(-value * percent // 100) for effect, value in row["effects"].items()}
    parts = list(row["recipe"]["ingredients"].items())
    unknown = f"{dialect.word()} {chance.choice(UNKNOWN)}"
    index = chance.randrange(len(parts))
    parts[index] = (spell_code(unknown), parts[index][1])
    row_made["recipe"] = {**row["recipe"], "ingredients": dict(parts)}
    return row_made


# -- food -------------------------------------------------------------------------------------------------------------

_RESTORED = (8, 13, 20, 25, 30, 38, 45, 55, 65)
_BOOSTED = (32, 40, 48, 60, 80, 92, 104, 120, 140)
"""The strength of dishes, by level: the health they restore, and the health they boost."""
_LENT_FOR_ONE = 3
"""The boosted health that is worth one point restored."""
_DAMAGE = 4
"""The boosted health that a percent of damage is worth."""
_PARTS = (1, 3)


class Kitchen:
    """The dishes of a world. As with gear, no dish of a level dominates another."""

    def __init__(
        self,
        plan: Blueprint,
        elements: Sequence[str],
        skill: str,
        fish: Store,
        game: Store,
        chance: Random,
        dialect: WordSource,
    ) -> None:
        self._elements = elements
        self._skill = skill
        self._chance = chance
        self._dialect = dialect
        self._made: set[tuple[int, frozenset[tuple[str, int]]]] = set()
        self._names: set[str] = set()
        self.items: list[dict[str, Any]] = []
        for step, level in enumerate(plan.levels):
            for catch in [each for each in fish.open_at(level) if each.level == level]:
                self._restoring(step, level, catch)
            for _ in range(plan.counts["boost"][step]):
                self._boosting(step, level, game.take(game.open_at(level), chance.randint(1, 2), chance))
        self._feast(len(plan.levels) - 1, plan.levels[-1], game)

    def _feast(self, step: int, level: int, game: Store) -> None:
        """Make dishes of the game that no recipe takes."""
        leftovers = game.unused_materials()  # so that no drop is without a use
        while leftovers:
            parts, leftovers = leftovers[: _PARTS[1]], leftovers[_PARTS[1] :]
            self._boosting(step, level, game.take(parts, len(parts), self._chance))

    def _restoring(self, step: int, level: int, fish: Material) -> None:
        """Make a dish that restores all it can; if there is one already, one that restores less and boosts more."""
        less, effects = 0, {"restore": _RESTORED[step]}
        while not self._is_new(level, effects):
            less = self._chance.randint(1, _RESTORED[step] - 1)
            effects = {"restore": _RESTORED[step] - less, **self._boost(less * _LENT_FOR_ONE)}
        self._dish(level, RESTORING, "restore", [fish], effects)

    def _boosting(self, step: int, level: int, parts: Sequence[Material]) -> None:
        effects = self._boost(_BOOSTED[step])
        while not self._is_new(level, effects):
            effects = self._boost(_BOOSTED[step])
        self._dish(level, BOOSTING, "boost", parts, effects)

    def _boost(self, points: int) -> dict[str, int]:
        elements = self._chance.sample(list(self._elements), self._chance.randint(0, len(self._elements)))
        points_left, effects = points, dict[str, int]()
        for element in elements:
            percent = self._chance.randint(0, points_left // _DAMAGE)
            effects |= {f"boost_dmg_{element}": percent} if percent else {}
            points_left -= percent * _DAMAGE
        return {"boost_hp": points_left, **effects} if points_left else effects

    def _is_new(self, level: int, effects: dict[str, int]) -> bool:
        return (level, frozenset(effects.items())) not in self._made

    def _dish(
        self, level: int, nouns: Sequence[str], sort: str, parts: Sequence[Material], effects: dict[str, int]
    ) -> None:
        self._made.add((level, frozenset(effects.items())))
        name = self._name(nouns, parts)
        row = item_row(spell_code(name), name, level, "consumable", sort)
        row["effects"] = effects
        quantities = {part.code: self._chance.randint(*_PARTS) for part in parts}
        row["recipe"] = {"skill": self._skill, "level": level, "ingredients": quantities}
        self.items.append(row)

    def _name(self, nouns: Sequence[str], parts: Sequence[Material]) -> str:
        words = [*(part.word for part in parts), self._dialect.word()]
        names = [f"{word} {self._chance.choice(nouns)}" for word in words]
        name = next(name for name in names if name not in self._names)
        self._names.add(name)
        return name
