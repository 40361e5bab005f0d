"""Remixed worlds: new names, map, recipes and strengths, as deep as the classic world.

A blueprint says how many things of each kind there are; materials come first, gear is made of them, and each monster
gets the strength at which the smallest winning set has the wanted size. The same seed and size give the same bytes on
every machine and Python. `build` is the plugin behind `remix:SEED`, `remix` serves the command.

The map is one island in named regions, with more dangerous things further from the start. The land grows tile by tile
from the start, so it is connected; the things on it are placed by distance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

from herobench.suites.rpg.game.world import Place
from herobench.suites.rpg.worlds.content import DEFAULT_WORLD, load_rules, read_world
from herobench.task_gen.rpg.remix.blueprint import (
    ELEMENTS,
    FORMAT,
    LAND,
    SKILLS,
    STARTER,
    Blueprint,
    Wish,
    WordSource,
    everyday_words,
    spell_code,
)
from herobench.task_gen.rpg.remix.monsters import Armory, Bestiary, arm
from herobench.task_gen.rpg.remix.nodes import Nodes, Row, item_row
from herobench.task_gen.rpg.remix.smithy import KINDS, Kitchen, Smithy, distractors

_NUMBER_OF_ELEMENTS = 4
_SLOTS = {"ring": 2, "artifact": 3}
"""The number of slots of a type, if it is not 1."""
_FOOD_SLOTS = ("consumable1", "consumable2")
_PLACES = (1, 2, 2, 3)
_NEAR_START = 1


def build(wish: str) -> Mapping[str, Any]:
    """Return the six documents of the world for a wish such as `7` or `7:0.5`."""
    seed, size = Wish.of(wish)
    return remix(seed, size)


def remix(seed: int, size: float = 1.0) -> Mapping[str, Any]:
    """Return the six documents of a world. Raises UsageError for an invalid seed or size."""
    return _Remix(Wish(seed, size).check()).documents()


@cache
def taken_words() -> frozenset[str]:
    """Return the words that no dialect may make: the words of the classic world, and everyday words."""
    classic, _ = read_world(DEFAULT_WORLD)
    rows = [row for name in ("items", "distractors") for row in classic[name]["items"]]
    rows += [row for name in ("monsters", "resources") for row in classic[name][name]]
    return frozenset([*everyday_words(), *(word for row in rows for word in row["name"].split())])


class _Remix:
    """One world in the making."""

    def __init__(self, wish: Wish) -> None:
        self._wish = wish
        self._plan = plan = Blueprint.of(wish.size)
        # Each part draws from a source of its own: more monsters in a later format would leave the words as they are.
        self._dialect = dialect = WordSource(wish.chance("words"), taken_words())
        chance = wish.chance("names")
        self._name = dialect.word()
        self._elements = chance.sample(ELEMENTS, _NUMBER_OF_ELEMENTS)
        self._skills = {purpose: chance.choice(names) for purpose, names in SKILLS.items()}
        self._nodes = Nodes(plan, self._skills, dialect, wish.chance("nodes"))
        self._bestiary = Bestiary(plan, dialect, wish.chance("monsters"))
        self._smithy = Smithy(
            plan, self._elements, self._skills, self._nodes, self._bestiary, dialect, wish.chance("gear")
        )
        game = self._bestiary.drops
        food = wish.chance("food")
        self._kitchen = Kitchen(plan, self._elements, self._skills["food"], self._nodes.fish, game, food, dialect)
        self._balance()

    def _balance(self) -> None:
        """Give the monsters their strengths, by the gear of their level."""
        rules, chance = load_rules(), self._wish.chance("balance")
        unused = set(range(len(self._elements)))
        beasts_left = len(self._bestiary.beasts)
        slots = {kind: _SLOTS.get(kind, 1) for kind in KINDS}
        for step, beasts in enumerate(self._bestiary.by_step):
            armory = Armory.of(self._elements, self._smithy.effects(step), slots)
            for beast in beasts:
                beasts_left -= 1
                arm(beast, armory, self._elements, rules, chance, () if beasts_left else sorted(unused))
                unused -= {index for index, element in enumerate(self._elements) if element in beast.attack}

    def documents(self) -> Mapping[str, Any]:
        """Return the six documents of the finished world."""
        starter = self._starter()
        rows = [starter, *self._nodes.items, *self._bestiary.items, *self._smithy.items, *self._kitchen.items]
        items = sorted(rows, key=lambda row: (row["level"], row["code"]))
        phantoms = distractors(self._smithy.items, self._dialect, self._wish.chance("distractors"))
        monsters = [beast.row for beast in self._bestiary.beasts]
        ground = tiles(self._plan.tiles, list(self._things()), self._dialect, self._wish.chance("map"))
        about = self._about(starter["code"], len(items), len(monsters), len(ground))
        return {
            "world": about,
            "monsters": {"schema": 1, "monsters": monsters},
            "resources": {
                "schema": 1,
                "resources": sorted(self._nodes.rows, key=lambda row: (row["level"], row["code"])),
            },
            "items": {"schema": 1, "items": items},
            "distractors": {"schema": 1, "items": phantoms},
            "map": {"schema": 1, "tiles": ground},
        }

    def _about(self, starter: str, items: int, monsters: int, ground: int) -> Mapping[str, Any]:
        kinds = f"{monsters} monsters, {len(self._nodes.rows)} kinds of resource nodes"
        return {
            "schema": 1,
            "code": self._wish.code,
            "name": self._name,
            "description": f"A remixed world: {kinds}, {items} items on {ground} tiles.",
            "credits": f"Made by herobench world remix {self._wish.options}, format {FORMAT}.",
            "elements": self._elements,
            "skills": list(self._skills.values()),
            "slots": [
                *(slot for kind in KINDS if any(self._plan.counts[kind]) for slot in _slot_names(kind)),
                *_FOOD_SLOTS,
            ],
            "start": {"x": 0, "y": 0},
            "starter_items": [starter],
            "exchange_sells": "every item",
        }

    def _starter(self) -> dict[str, Any]:
        name = f"{self._dialect.word()} {STARTER}"
        row = item_row(spell_code(name), name, 1, "weapon")
        row["effects"] = {f"attack_{self._elements[0]}": 4}
        return row

    def _things(self) -> Iterator[GroundThing]:
        """Yield the things on the map, each once for each of its places."""
        chance = self._wish.chance("places")
        for beast in self._bestiary.beasts:
            yield from [GroundThing("monster", spell_code(beast.name), beast.level)] * chance.choice(_PLACES)
        for row in self._nodes.rows:
            yield from [GroundThing("resource", row["code"], row["level"])] * chance.choice(_PLACES)
        for purpose, skill in self._skills.items():
            if purpose != "fish":  # the one thing that nothing is refined from
                yield GroundThing("workshop", skill, _NEAR_START)
        for kind in ("grand_exchange", "bank"):
            yield GroundThing(kind, kind, _NEAR_START)


def _slot_names(kind: str) -> list[str]:
    """Return the slots of a type."""
    number = _SLOTS.get(kind, 1)
    return [f"{kind}{index + 1}" for index in range(number)] if number > 1 else [kind]


# -- the map ----------------------------------------------------------------------------------------------------------

_NEXT = ((1, 0), (0, 1), (-1, 0), (0, -1))
_TILES_OF_A_REGION = 40
_PER_THING = 2
"""The least number of tiles for each thing on the map."""
_WANDER = 6
"""The noise in the order of distance, in places."""


class GroundThing(NamedTuple):
    """A thing that stands on a tile. The higher its level, the further out it belongs."""

    kind: str
    code: str
    level: int


def tiles(count: int, things: Sequence[GroundThing], dialect: WordSource, chance: Random) -> list[Row]:
    """Return the rows of a map with all the things on it."""
    land = _land(max(count, _PER_THING * len(things) + 1), chance)
    standing = _dealt(land, things, chance)
    regions = _regions(land, dialect, chance)
    rows: list[Row] = []
    for x, y in sorted(land, key=lambda place: (place[1], place[0])):
        name = regions[min(regions, key=lambda centre: (abs(centre[0] - x) + abs(centre[1] - y), centre))]
        row = {"x": x, "y": y, "name": name, "skin": spell_code(name)}
        thing = standing.get((x, y))
        rows.append(row | ({"content": {"type": thing.kind, "code": thing.code}} if thing else {}))
    return rows


def _land(number: int, chance: Random) -> list[Place]:
    """Return a number of connected places, the start first."""
    land: dict[Place, None] = {(0, 0): None}
    coast = [(0, 0)]
    while len(land) < number:
        index = chance.randrange(len(coast))
        x, y = coast[index]
        open_sea = [(x + dx, y + dy) for dx, dy in _NEXT if (x + dx, y + dy) not in land]
        if open_sea:
            place = chance.choice(open_sea)
            land[place] = None
            coast.append(place)
        else:
            # No open sea beside it: it leaves the coast, and the last place takes its number, in constant time.
            coast[index] = coast[-1]
            coast.pop()
    return list(land)


def _dealt(land: Sequence[Place], things: Iterable[GroundThing], chance: Random) -> dict[Place, GroundThing]:
    """Place the things: the lowest levels near the start, with some noise."""
    by_level = sorted((thing.level + chance.randint(0, _WANDER), index, thing) for index, thing in enumerate(things))
    places = chance.sample(land[1:], len(by_level))
    places.sort(key=lambda place: (abs(place[0]) + abs(place[1]), place))
    return {place: thing for place, (_, _, thing) in zip(places, by_level, strict=True)}


def _regions(land: Sequence[Place], dialect: WordSource, chance: Random) -> dict[Place, str]:
    """Return the names of the regions, by their centres."""
    centres = chance.sample(land, max(1, len(land) // _TILES_OF_A_REGION))
    return {centre: f"{dialect.word()} {chance.choice(LAND)}" for centre in centres}
