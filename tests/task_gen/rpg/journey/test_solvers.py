"""The two solvers agree with each other, and with a search that tries every action everywhere."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from herobench.suites.rpg.journey.road import GearKind, Limits, Monster, Node, Region, Road, Workshop
from herobench.suites.rpg.journey.task import Dials
from herobench.suites.rpg.journey.walk import enter, start
from herobench.task_gen.rpg.journey.draw import draw_road
from herobench.task_gen.rpg.journey.labels import least_time
from herobench.task_gen.rpg.journey.regrets import best_steps, legal_steps
from herobench.task_gen.rpg.journey.values import BackwardSolver
from tests.sizes import for_each, many, one_in
from tests.suites.rpg.journey.roads import all_dials, least_by_search, random_position, small_road


def test_rests_and_crafts_are_done_on_the_way() -> None:
    """The rat costs a heart. Then come an inn, a workshop and three monsters on one line: the hero rests, makes two
    pieces at one visit, and never goes back."""
    limits = Limits(bag=4, places=2, hearts=2, uses=2, crafting=3, rest=1, camp=9)
    rat, ore = Monster("rat", 4, 3, "fire", (2, 0)), Node("ore", 3, 0, (1, 0))
    tough = tuple(Monster(code, 90, pace, "fire", (6, 0)) for code, pace in (("imp", 10), ("orc", 50), ("bat", 50)))
    first = Region((0, 0), (3, 0), (ore,), (rat,), None, None)
    last = Region((0, 0), (8, 0), (replace(ore, units=1),), tough, Workshop(("bow",), (4, 0)), (2, 0))
    road = Road(limits, {"bow": GearKind(9, "air", ("ore", "ore"))}, (first, last), 9)
    least = (3 + 4) + (8 + 1 + 2 * 3 + 3 * 10)
    assert BackwardSolver(road).least == least_time(road) == least_by_search(road, start(road)) == least


def test_a_new_piece_takes_the_place_of_the_more_worn_one() -> None:
    """Two pieces last four fights, and six after the more worn one is thrown away for a new one."""
    limits = Limits(bag=2, places=2, hearts=1, uses=3, crafting=3, rest=1, camp=9)
    here = (0, 0)
    foes = tuple(Monster(code, 90, 99, "fire", here) for code in ("bat", "imp", "orc", "rat", "yak"))
    first = Region(here, here, (), foes[:1], Workshop(("bow",), here), None)
    last = Region(here, here, (), foes, None, None)
    road = Road(limits, {"bow": GearKind(9, "air", ("ore", "ore"))}, (first, last), None)
    position = enter(road, 0, ("ore", "ore"), (("bow", 1), ("bow", 3)), 1)._replace(alive=(False,))
    solver = BackwardSolver(road)
    assert solver.time(solver.region(0), position) == least_by_search(road, position) == 3 + 5 * 10


def assert_agreed(seed: int) -> None:
    chance = Random(f"solvers/{seed}")
    road = small_road(chance, chance.choice([1, 2, 2, 3]))
    assert BackwardSolver(road).least == least_time(road) == least_by_search(road, start(road))


@for_each("seed", range(many(600, 25)))
def test_both_solvers_find_what_a_search_finds(seed: int) -> None:
    assert_agreed(seed)


@for_each("seed", range(many(300, 15)))
def test_the_least_time_is_known_from_every_position(seed: int) -> None:
    chance = Random(f"positions/{seed}")
    road = small_road(chance)
    solver, position = BackwardSolver(road), random_position(chance, road)
    values = solver.region(position.region)
    least = least_by_search(road, position)
    assert solver.time(values, position) == least
    options = legal_steps(road, position)
    best = [step for step in options if step.time + least_by_search(road, step.after) == least]
    assert best_steps(solver, values, options) == best
    assert best, "some action is best"


@pytest.mark.parametrize("dials", one_in(5, all_dials(2)))
def test_the_solvers_agree_on_drawn_roads_of_all_dials(dials: Dials) -> None:
    road = draw_road("agree", dials)
    assert BackwardSolver(road).least == least_time(road)


def test_no_length_is_too_long_for_the_numbers_of_a_solver() -> None:
    road = draw_road("long", Dials(2, "maps", 1, 1))
    first = road.regions[0]
    gentle = tuple(replace(monster, pace=99) for monster in first.monsters)
    bare_region = replace(first, nodes=(), workshop=None, monsters=gentle)  # nothing crosses the gates
    least, longest = (BackwardSolver(replace(road, regions=(bare_region,) * length)).least for length in (1, 1000))
    assert longest == 1000 * least > 2**15
