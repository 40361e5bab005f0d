"""Draws roads of regions from a seed.

Everything is drawn without a look at the best plan, and all names, kinds and orders are drawn too: nothing in a list
tells what is good. Bare fights win everywhere with all hearts, and a camp gives hearts anywhere, so that no road has a
position without a way to its end.

The generator of the suite stands here, since its options are asked for by commands that make no journey.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, ClassVar

from herobench.data.documents import content_folder
from herobench.suite.generating import GenerateRequest, Numbered, TaskGenerator
from herobench.suites.rpg.journey.road import HERE, GearKind, Limits, Monster, Node, Place, Region, Road, Workshop
from herobench.suites.rpg.journey.task import Dials

_LARGE_RECIPES = 3
"""Of so many kinds one is made of three units, and stronger."""
_MAKES = 3
"""The kinds of gear that a workshop makes."""


def draw_road(seed: str, dials: Dials) -> Road:
    """Return the road of a seed."""
    words, chance = edition(), Random(f"journey/{seed}/{dials.as_row()}")  # noqa: S311 - the same seed, the same road
    width, reach = words["width"][str(dials.width)], words["reach"][str(dials.reach)]
    uses, breaks = (reach["uses"], 0) if dials.chance == "off" else (1, reach["breaks"])
    limits = Limits(width["bag"], width["places"], width["hearts"], uses, **words["costs"], breaks=breaks)
    materials = chance.sample(words["materials"], width["materials"])
    gear = _draw_gear(chance, materials, width["kinds"])
    regions = tuple(draw_region(chance, dials, materials, list(gear)) for _ in range(dials.regions))
    return Road(limits, gear, regions, words[dials.sites]["side"])


@cache
def edition() -> Any:
    """Return the edition of the rules: the words, the costs and what each step of a dial means."""
    return json.loads(content_folder().joinpath("journey.json").read_text(encoding="utf-8"))


def _draw_gear(chance: Random, materials: list[str], count: int) -> dict[str, GearKind]:
    """Return kinds of gear: their recipes are distinct, have two units, or three for stronger ones, and use all
    materials."""
    units = [3 if number % _LARGE_RECIPES == _LARGE_RECIPES - 1 else 2 for number in range(count)]
    recipes: set[tuple[str, ...]] = set()
    while len(recipes) < count or {code for recipe in recipes for code in recipe} != set(materials):
        recipes = {_draw_recipe(chance, materials, each) for each in units}
    elements = edition()["elements"]
    codes = chance.sample(edition()["gear"], count)
    kinds = [GearKind(len(recipe), chance.choice(elements), recipe) for recipe in sorted(recipes)]
    return dict(sorted(zip(codes, kinds, strict=True)))


def _draw_recipe(chance: Random, materials: list[str], units: int) -> tuple[str, ...]:
    first, second = chance.sample(materials, 2)
    return tuple(sorted([first, second, *(chance.choice(materials) for _ in range(units - 2))]))


def draw_region(chance: Random, dials: Dials, materials: list[str], gear: list[str]) -> Region:
    """Return a region with nodes of these materials and a workshop for some of this gear, and codes of monsters."""
    kind, reach = edition()[dials.sites], edition()["reach"][str(dials.reach)]
    places = _draw_places(chance, kind["side"])
    nodes = tuple(
        Node(material, chance.randint(*kind["units"]), chance.randint(*kind["time"]), next(places))
        for material in chance.sample(materials, chance.randint(*kind["nodes"]))
    )
    workshop = None
    if chance.random() < reach["workshops"]:
        workshop = Workshop(tuple(sorted(chance.sample(gear, _MAKES))), next(places))
    inn = next(places) if chance.random() < reach["inns"] else None
    codes = chance.sample(edition()["monsters"], chance.randint(*kind["monsters"]))
    monsters = tuple(_draw_monster(chance, code, kind, dials, next(places)) for code in codes)
    if kind["side"] is None:
        return Region(HERE, HERE, nodes, monsters, workshop, inn)
    last = kind["side"] - 1
    enter, leave = (0, chance.randint(0, last)), (last, chance.randint(0, last))
    return Region(enter, leave, nodes, monsters, workshop, inn)


def _draw_monster(chance: Random, code: str, kind: dict[str, Any], dials: Dials, place: Place) -> Monster:
    """Return a monster that a hero with all hearts beats without gear."""
    hp = chance.randint(*kind["hp"])
    least, most = kind["pace"]
    hearts = edition()["width"][str(dials.width)]["hearts"]
    least = max(least, hp // hearts + 1 if dials.chance == "off" else -(-hp // (hearts - 1)))
    return Monster(code, hp, chance.randint(least, max(least, most)), chance.choice(edition()["elements"]), place)


def _draw_places(chance: Random, side: int | None) -> Any:
    """Yield distinct places of a map in a drawn order; the same one again and again without a map."""
    if side is None:
        while True:
            yield HERE
    cells: list[Place] = [(x, y) for x in range(1, side - 1) for y in range(side)]
    chance.shuffle(cells)
    yield from cells


@dataclass(frozen=True)
class _Make:
    """Makes a row by its number. It can be pickled."""

    seed: int
    dials: Dials

    def __call__(self, number: int) -> Mapping[str, Any]:
        from herobench.task_gen.rpg.journey.maker import make_journey  # the solvers load numpy

        dials = self.dials
        kind = "-".join(str(value) for value in dials.as_row().values())
        name = f"{kind}/{number + 1}"
        return make_journey(name, f"{self.seed}/{number}", dials).as_row()


class JourneyGenerator(TaskGenerator):
    """The generator of the suite."""

    options = Dials
    count: ClassVar[int] = 20

    def numbered(self, request: GenerateRequest) -> Numbered:
        """Return journeys with these dials."""
        count = self.count if request.count is None else request.count
        identity = {"seed": request.seed, "dials": vars(request.options), "edition": edition()}
        return Numbered(_Make(request.seed, request.options), identity, numbers=range(count))
