"""Drawn roads: the same from the same seed, always with a way to the end, and with nothing told by names or orders."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache

from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.task import Dials
from herobench.suites.rpg.journey.walk import Call, start, walk
from herobench.task_gen.rpg.journey.draw import draw_road, edition
from herobench.task_gen.rpg.journey.regrets import best_steps, legal_steps
from herobench.task_gen.rpg.journey.values import BackwardSolver
from tests.sizes import for_each, many
from tests.suites.rpg.journey.roads import all_dials, bare_plan


def test_the_same_seed_gives_the_same_road_in_every_process() -> None:
    line = (
        "import json; from herobench.suites.rpg.journey.task import Dials;"
        "from herobench.task_gen.rpg.journey.draw import draw_road;"
        "print(json.dumps(draw_road('7', Dials(4, 'maps', 3, 2)).as_row()))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", line], check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    here = draw_road("7", Dials(4, "maps", 3, 2)).as_row()
    assert [json.loads(text) for text in outputs] == [here]
    assert draw_road("8", Dials(4, "maps", 3, 2)).as_row() != here


def some_roads(count: int = many(50, 4)) -> Iterator[tuple[Dials, Road]]:
    for dials in all_dials(6):
        for number in range(count):
            yield dials, draw_road(f"some/{number}", dials)


def test_roads_are_as_their_dials_say() -> None:
    for dials, road in some_roads():
        words, width, reach = edition(), edition()["width"][str(dials.width)], edition()["reach"][str(dials.reach)]
        limits = road.limits
        assert (limits.bag, limits.places, limits.hearts) == (width["bag"], width["places"], width["hearts"])
        assert limits.uses == reach["uses"]
        assert (len(road.regions), len(road.materials), len(road.gear)) == (6, width["materials"], width["kinds"])
        assert (road.side is None) == (dials.sites == "hand")
        names = [*road.materials, *road.gear, *(foe.code for region in road.regions for foe in region.monsters)]
        known_names = {*words["materials"], *words["gear"], *words["monsters"]}
        assert set(names) <= known_names
        assert set(road.gear).isdisjoint(road.materials)


def test_every_material_is_in_a_recipe_and_every_recipe_is_another_one() -> None:
    for _, road in some_roads():
        node_materials = {node.material for region in road.regions for node in region.nodes}
        assert node_materials <= {material for kind in road.gear.values() for material in kind.recipe}
        recipes = [kind.recipe for kind in road.gear.values()]
        assert len(set(recipes)) == len(recipes)
        assert all(
            kind.power == len(kind.recipe) <= road.limits.bag or len(kind.recipe) == 3 for kind in road.gear.values()
        )


def test_sites_of_a_map_lie_apart_and_off_its_gates() -> None:
    for _, road in some_roads():
        for region in road.regions:
            sites = [each.place for each in (*region.nodes, *region.monsters)]
            sites += [region.workshop.place] if region.workshop else []
            sites += [region.inn] if region.inn else []
            assert len({node.material for node in region.nodes}) == len(region.nodes)
            if road.side is None:
                assert {*sites, region.enter, region.leave} == {(0, 0)}
                continue
            assert len({*sites, region.enter, region.leave}) == len(sites) + 2
            assert all(0 <= x < road.side and 0 <= y < road.side for x, y in (*sites, region.enter, region.leave))


def test_every_road_can_be_walked_with_bare_hands() -> None:
    assert all(walk(road, bare_plan(road)).arrived for _, road in some_roads())


# -- no leak ----------------------------------------------------------------------------------------------------------


@cache
def best_of_many() -> tuple[tuple[Road, tuple[Call, ...]], ...]:
    """Short roads, each with all best first actions. Sites lie apart in a tenth of them."""
    roads = []
    for number in range(many(2_000, 150)):
        road = draw_road(f"leak/{number}", Dials(2, "hand" if number % 10 else "maps", 1, 1))
        solver = BackwardSolver(road)
        best = best_steps(solver, solver.region(0), legal_steps(road, start(road)))
        roads.append((road, tuple(step.call for step in best)))
    return tuple(roads)


def assert_at_chance(places: Iterator[tuple[int, int]], least: int) -> None:
    """Each of two things that are listed is the best as often, but for four standard deviations."""
    counts = Counter(places)
    first, second = counts[1, 0], counts[0, 1]
    assert first + second >= least
    assert abs(first - second) <= 4 * (first + second) ** 0.5, counts


@for_each("name", ["gather", "fight"])
def test_the_best_first_decision_is_no_matter_of_order(name: str) -> None:
    def places() -> Iterator[tuple[int, int]]:
        for road, best in best_of_many():
            region = road.regions[0]
            codes = [node.material for node in region.nodes] if name == "gather" else [m.code for m in region.monsters]
            targets = {call[1] for call in best if call[0] == name}
            if len(codes) > 1:
                yield codes[0] in targets, codes[1] in targets

    assert_at_chance(places(), least=15 if name == "gather" else 1)


def test_the_best_first_decision_is_no_matter_of_names() -> None:
    """Of two materials, or monsters, the one that comes first in the alphabet is no better."""

    def places() -> Iterator[tuple[int, int]]:
        for road, best in best_of_many():
            region = road.regions[0]
            for names in ([node.material for node in region.nodes], [each.code for each in region.monsters]):
                targets = {call[1] for call in best if call[0] in ("gather", "fight")}
                if len(names) > 1:
                    yield min(names) in targets, max(names) in targets

    assert_at_chance(places(), least=15)


def test_gear_that_is_listed_first_is_no_stronger() -> None:
    def places() -> Iterator[tuple[int, int]]:
        for number in range(many(2_000, 400)):
            gear = list(draw_road(f"gear/{number}", Dials(2, "hand", 2, 2)).gear.values())
            yield gear[0].power > gear[-1].power, gear[0].power < gear[-1].power

    assert_at_chance(places(), least=100)
