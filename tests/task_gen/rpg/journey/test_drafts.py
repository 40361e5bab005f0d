"""Programs that change a whole plan arrive, obey the rules, and are better than what they begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.task import Dials
from herobench.suites.rpg.journey.walk import Call, walk
from herobench.task_gen.rpg.journey.drafts import inserted_plan, repaired_plan
from herobench.task_gen.rpg.journey.draw import draw_road
from herobench.task_gen.rpg.journey.labels import least_time
from herobench.task_gen.rpg.journey.planners import greedy_plan
from tests.sizes import for_each
from tests.suites.rpg.journey.roads import bare_plan

WALKS = 150
PROGRAMS: dict[str, Callable[[Road], Sequence[Call]]] = {
    "repair": lambda road: repaired_plan(road, "seed", WALKS),
    "insertion": inserted_plan,
}


def time_of(road: Road, plan: Sequence[Call]) -> int:
    road_walk = walk(road, plan)
    assert road_walk.refusal is None
    assert road_walk.arrived
    return road_walk.time


ROADS = [
    draw_road("drafts", Dials(4, "maps", 1, 1)),
    draw_road("drafts", Dials(4, "maps", 1, 3)),
    draw_road("drafts", Dials(5, "hand", 1, 2)),
]


@for_each(("name", "road"), [(name, road) for name in PROGRAMS for road in ROADS])
def test_a_plan_arrives_and_takes_no_less_than_the_least_time(name: str, road: Road) -> None:
    assert least_time(road) <= time_of(road, PROGRAMS[name](road)) < time_of(road, bare_plan(road))


def total(plans: Iterable[Sequence[Call]]) -> int:
    return sum(time_of(road, plan) for road, plan in zip(ROADS, plans, strict=True))


def test_repair_improves_what_it_begins_with() -> None:
    assert total(repaired_plan(road, "seed", WALKS) for road in ROADS) < total(map(greedy_plan, ROADS))


def test_packages_are_crafted_and_used() -> None:
    for road in ROADS:
        plan = inserted_plan(road)
        kinds = {call[1] for call in plan if call[0] == "craft"}
        assert kinds
        assert kinds == {call[2] for call in plan if call[0] == "fight" and len(call) > 2}


@for_each("name", PROGRAMS)
def test_the_same_seed_gives_the_same_plan(name: str) -> None:
    assert PROGRAMS[name](ROADS[0]) == PROGRAMS[name](ROADS[0])
