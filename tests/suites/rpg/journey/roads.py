"""Roads for tests: small ones of all shapes, drawn ones of all dials, and the least time by a plain search."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import count, product
from random import Random
from typing import get_args

from herobench.suites.rpg.journey.road import GearKind, Limits, Monster, Node, Place, Region, Road, Workshop
from herobench.suites.rpg.journey.task import Dials, Journey, Sites
from herobench.suites.rpg.journey.walk import LEAVE, Call, Position, Refused, Step, act, enter, legal_calls, outcomes
from herobench.task_gen.rpg.journey.maker import make_journey


def small_road(chance: Random, regions: int = 2) -> Road:
    """A road of two materials and two kinds, small enough to search. Sites may stand on each other or on a gate."""
    side = chance.choice([None, 4])
    limits = Limits(
        chance.choice([1, 2, 2, 3, 4]),
        chance.randint(1, 2),
        hearts=chance.randint(1, 3),
        uses=chance.randint(1, 3),
        crafting=chance.randint(0, 3),
        rest=chance.randint(0, 6),
        camp=chance.randint(1, 7),
    )
    gear = {kind: GearKind(chance.randint(1, 4), chance.choice("ef"), _recipe(chance)) for kind in ("axe", "bow")}
    materials = sorted({code for kind in gear.values() for code in kind.recipe})
    return Road(limits, gear, tuple(_region(chance, limits, materials, side) for _ in range(regions)), side)


def risky_road(chance: Random, regions: int = 2) -> Road:
    """A small road with chance."""
    road = small_road(chance, regions)
    limits = replace(road.limits, hearts=road.limits.hearts + 1, uses=1, breaks=chance.choice((2, 3, 4, 99)))
    return replace(road, limits=limits)


def _recipe(chance: Random) -> tuple[str, ...]:
    return tuple(sorted(chance.choice(["coal", "iron"]) for _ in range(chance.randint(2, 3))))


def _region(chance: Random, limits: Limits, materials: list[str], side: int | None) -> Region:
    def place() -> Place:
        return (0, 0) if side is None else (chance.randrange(side), chance.randrange(side))

    nodes = tuple(
        Node(material, chance.randint(1, 2), chance.randint(0, 3), place())
        for material in chance.sample(materials, chance.randint(0, len(materials)))
    )
    monsters = []
    for code in chance.sample(["imp", "rat", "wolf"], chance.randint(1, 2)):
        hp = chance.randint(1, 12)
        monsters.append(
            Monster(code, hp, chance.randint(hp // limits.hearts + 1, hp + 2), chance.choice("ef"), place())
        )
    makes = tuple(chance.sample(["axe", "bow"], chance.randint(1, 2)))
    workshop = Workshop(makes, place()) if chance.random() < 0.8 else None
    return Region(place(), place(), nodes, tuple(monsters), workshop, place() if chance.random() < 0.4 else None)


@cache
def risky_journey(
    regions: int = 3, width: int = 1, reach: int = 2, seed: str = "test", sites: Sites = "hand"
) -> Journey:
    """A certified journey with chance. Where all is at hand it is solved quickly."""
    return make_journey(f"{regions}/{width}/{reach}/{seed}", seed, Dials(regions, sites, width, reach, "on"))


@cache
def journey(regions: int = 3, sites: Sites = "maps", width: int = 1, reach: int = 2, seed: str = "test") -> Journey:
    """A certified journey with these dials."""
    return make_journey(f"{regions}/{sites}/{width}/{reach}/{seed}", seed, Dials(regions, sites, width, reach))


def all_dials(regions: int) -> Iterator[Dials]:
    """All dials of roads of a length."""
    yield from (Dials(regions, *dials) for dials in product(get_args(Sites), (1, 2, 3), (1, 2, 3)))


def bare_plan(road: Road) -> list[Call]:
    """A plan without gear: a camp for each heart that is lost, and fights in the order of the list."""
    plan: list[Call] = []
    for region in road.regions:
        for monster in region.monsters:
            plan += [("fight", monster.code), *[("camp",)] * road.fight(monster, None)[1]]
        plan.append(LEAVE)
    return plan


def after(road: Road, position: Position, *calls: Call) -> Position:
    """The position after actions that the rules allow."""
    for call in calls:
        outcome = act(road, position, call)
        assert not isinstance(outcome, Refused), (call, outcome)
        position = outcome[1]
    return position


def random_position(chance: Random, road: Road, most: int = 12) -> Position:
    """A position to which random actions lead from some gate, with any load: few of them are on a best plan."""
    limits, kinds = road.limits, sorted(road.gear)
    bag = (chance.choice(road.materials) for _ in range(chance.randint(0, limits.bag)))
    gear = ((chance.choice(kinds), chance.randint(1, limits.uses)) for _ in range(chance.randint(0, limits.places)))
    load = tuple(sorted(bag)), tuple(sorted(gear)), chance.randint(1, limits.hearts)
    position = enter(road, chance.randrange(len(road.regions)), *load)
    for _ in range(chance.randint(0, most)):
        next_position = after(road, position, chance.choice(list(legal_calls(road, position))))
        if next_position.region == len(road.regions):
            break
        position = next_position
    return position


def expected_by_recursion(road: Road, begin: Position, choose: Callable[[Position], Call] | None = None) -> float:
    """The least expected time from a position to the end of its road, or that of a policy. Every legal action that
    changes anything is tried in every position: none leads back to where the hero was, so that this ends."""

    @cache
    def least(position: Position) -> float:
        if position.region == len(road.regions):
            return 0.0
        times = []
        for call in [choose(position)] if choose else legal_calls(road, position):
            time, worst = act(road, position, call)  # type: ignore[misc]
            if worst != position:
                step = Step(call, time, position, worst)
                times.append(time + sum(chance * least(after) for chance, after in outcomes(road, step)))
        return min(times)

    return least(begin)


def least_by_search(road: Road, position: Position) -> int:
    """The least time from a position to the end of its road. Every legal action is tried in every position."""
    times, order, visited_positions = {position: 0}, count(), set[Position]()
    queue = [(0, 0, position)]
    while queue:
        time, _, here = heapq.heappop(queue)
        if here.region == len(road.regions):
            return time
        if here in visited_positions:
            continue
        visited_positions.add(here)
        for call in legal_calls(road, here):
            cost, there = act(road, here, call)  # type: ignore[misc]
            if time + cost < times.get(there, 1_000_000):
                times[there] = time + cost
                heapq.heappush(queue, (time + cost, next(order), there))
    raise AssertionError("the road has no end")
