"""Remixed worlds: new names, map, recipes and strengths, with a depth like that of the classic world.

A blueprint says how many things of each kind there are; materials come first, gear is made of them, and each monster
gets the strength at which the smallest winning set has the wanted size. The same seed and size give the same bytes on
every machine and Python. `build` is the plugin behind `remix:SEED`, `remix` serves the command.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from herobench.suites.rpg.worlds.content import DEFAULT_WORLD, load_rules, read_world
from herobench.task_gen.rpg.remix.blueprint import FORMAT, Blueprint, Wish
from herobench.task_gen.rpg.remix.ground import GroundThing, tiles
from herobench.task_gen.rpg.remix.kitchen import Kitchen
from herobench.task_gen.rpg.remix.monsters import Armory, Bestiary, arm
from herobench.task_gen.rpg.remix.nodes import Nodes, item_row
from herobench.task_gen.rpg.remix.smithy import KINDS, Smithy, distractors
from herobench.task_gen.rpg.remix.words import ELEMENTS, SKILLS, STARTER, WordSource, code_of, everyday_words

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
    return _Remix(Wish(seed, size).checked()).documents()


@cache
def taken_words() -> frozenset[str]:
    """Return the words that no dialect may make: those of the classic world, and the everyday words."""
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
        left = len(self._bestiary.beasts)
        slots = {kind: _SLOTS.get(kind, 1) for kind in KINDS}
        for step, beasts in enumerate(self._bestiary.by_step):
            armory = Armory.of(self._elements, self._smithy.effects(step), slots)
            for beast in beasts:
                left -= 1
                arm(beast, armory, self._elements, rules, chance, () if left else sorted(unused))
                unused -= {index for index, element in enumerate(self._elements) if element in beast.attack}

    def documents(self) -> Mapping[str, Any]:
        """Return the six documents of the finished world."""
        starter = self._starter()
        made = [starter, *self._nodes.items, *self._bestiary.items, *self._smithy.items, *self._kitchen.items]
        items = sorted(made, key=lambda row: (row["level"], row["code"]))
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
                *(slot for kind in KINDS if any(self._plan.counts[kind]) for slot in _numbered(kind)),
                *_FOOD_SLOTS,
            ],
            "start": {"x": 0, "y": 0},
            "starter_items": [starter],
            "exchange_sells": "every item",
        }

    def _starter(self) -> dict[str, Any]:
        name = f"{self._dialect.word()} {STARTER}"
        row = item_row(code_of(name), name, 1, "weapon")
        row["effects"] = {f"attack_{self._elements[0]}": 4}
        return row

    def _things(self) -> Iterator[GroundThing]:
        """Yield the things on the map, each as often as it stands there."""
        chance = self._wish.chance("places")
        for beast in self._bestiary.beasts:
            yield from [GroundThing("monster", code_of(beast.name), beast.level)] * chance.choice(_PLACES)
        for row in self._nodes.rows:
            yield from [GroundThing("resource", row["code"], row["level"])] * chance.choice(_PLACES)
        for purpose, skill in self._skills.items():
            if purpose != "fish":  # the one thing that nothing is refined from
                yield GroundThing("workshop", skill, _NEAR_START)
        for kind in ("grand_exchange", "bank"):
            yield GroundThing(kind, kind, _NEAR_START)


def _numbered(kind: str) -> list[str]:
    """Return the slots of a type."""
    number = _SLOTS.get(kind, 1)
    return [f"{kind}{index + 1}" for index in range(number)] if number > 1 else [kind]
