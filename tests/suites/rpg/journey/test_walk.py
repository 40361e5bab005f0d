"""The rules, each as the prompt tells it: what actions do and cost, and when they are refused."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from herobench.suites.rpg.journey.road import GearKind, Limits, Monster, Node, Region, Road, Workshop
from herobench.suites.rpg.journey.walk import ACTIONS, Call, Position, Refused, act, legal_calls, start, walk
from tests.sizes import for_each, many
from tests.suites.rpg.journey.roads import after, small_road

FIRST = Region(
    (0, 0),
    (4, 4),
    (Node("coal", 1, 2, (1, 0)), Node("iron", 2, 3, (0, 3))),
    (Monster("rat", 5, 2, "fire", (2, 2)), Monster("wolf", 7, 4, "air", (4, 0))),
    Workshop(("axe", "bow"), (3, 3)),
    (0, 1),
)
LAST = Region((0, 4), (4, 4), (), (Monster("imp", 1, 9, "air", (0, 4)),), Workshop(("bow",), (3, 3)), None)
ROAD = Road(
    Limits(bag=2, places=2, hearts=4, uses=2, crafting=5, rest=6, camp=7),
    {"axe": GearKind(3, "air", ("coal", "iron")), "bow": GearKind(2, "fire", ("iron", "iron"))},
    (FIRST, LAST),
    5,
)
BEGIN = start(ROAD)


def at(**fields: object) -> Position:
    """The first position, but for some of its fields."""
    return BEGIN._replace(**fields)  # type: ignore[arg-type]


def test_the_hero_begins_with_all_hearts_and_nothing_else() -> None:
    assert at() == (0, (1, 2), (True, True), (0, 0), (), (), 4)


@for_each(
    ("before", "call", "time", "changes"),
    [
        ({}, ("gather", "coal"), 1 + 2, {"left": (0, 2), "place": (1, 0), "bag": ("coal",)}),
        (
            {"bag": ("iron",), "left": (1, 1), "place": (4, 4)},
            ("gather", "iron"),
            5 + 3,
            {"left": (1, 0), "place": (0, 3), "bag": ("iron", "iron")},
        ),
        ({"bag": ("coal", "iron")}, ("craft", "axe"), 6 + 5, {"place": (3, 3), "bag": (), "gear": (("axe", 2),)}),
        (
            {"bag": ("iron", "iron"), "gear": (("bow", 1),), "place": (3, 3)},
            ("craft", "bow"),
            5,
            {"bag": (), "gear": (("bow", 1), ("bow", 2))},
        ),
        ({}, ("fight", "rat"), 4 + 5, {"alive": (False, True), "place": (2, 2), "hearts": 2}),
        # power 3 against air, to which the wolf is weak: 7 / 6, rounded up, are 2 rounds
        (
            {"gear": (("axe", 2),), "hearts": 1},
            ("fight", "wolf", "axe"),
            4 + 2,
            {"alive": (True, False), "place": (4, 0), "gear": (("axe", 1),)},
        ),
        # power 2 against fire, to which the wolf is not weak: 7 / 2, rounded up, are 4 rounds and one heart
        (
            {"gear": (("bow", 1),), "hearts": 2},
            ("fight", "wolf", "bow"),
            4 + 4,
            {"alive": (True, False), "place": (4, 0), "gear": (), "hearts": 1},
        ),
        ({"hearts": 1, "place": (3, 3)}, ("rest",), 5 + 6, {"hearts": 4, "place": (0, 1)}),
        ({}, ("rest",), 1 + 6, {"place": (0, 1)}),
        ({"hearts": 2, "place": (3, 3)}, ("camp",), 7, {"hearts": 3}),
        ({}, ("camp",), 7, {}),
        ({"bag": ("coal", "iron")}, ("drop", "iron"), 0, {"bag": ("coal",)}),
        ({"bag": ("iron", "iron")}, ("drop", "iron"), 0, {"bag": ("iron",)}),
        ({"gear": (("axe", 2), ("bow", 1))}, ("drop", "axe"), 0, {"gear": (("bow", 1),)}),
    ],
)
def test_what_an_action_does_and_costs(
    before: dict[str, object], call: Call, time: int, changes: dict[str, object]
) -> None:
    assert act(ROAD, at(**before), call) == (time, at(**before | changes))


def test_a_gate_leads_to_the_entry_of_the_next_region_with_all_that_he_carries() -> None:
    load = {"bag": ("coal",), "gear": (("axe", 1),), "hearts": 2}
    position = at(alive=(False, False), left=(0, 0), place=(4, 0), **load)
    assert act(ROAD, position, ("leave",)) == (4, Position(1, (), (True,), (0, 4), **load))  # type: ignore[arg-type]


@for_each("call", [("fight", "rat", "bow"), ("drop", "bow")])
def test_of_two_pieces_of_a_kind_a_name_means_the_one_that_lasts_fewer_fights(call: Call) -> None:
    assert after(ROAD, at(gear=(("bow", 1), ("bow", 2))), call).gear == (("bow", 2),)


def test_a_piece_lasts_so_many_fights() -> None:
    position = at(gear=(("bow", 2),))
    once = after(ROAD, position, ("fight", "rat", "bow"))
    assert once.gear == (("bow", 1),)
    assert after(ROAD, once, ("fight", "wolf", "bow")).gear == ()


@for_each(
    ("before", "call", "why"),
    [
        ({}, ("jump",), "NO_ACTION"),
        ({}, ("",), "NO_ACTION"),
        ({}, ("Leave",), "NO_ACTION"),
        ({}, ("gather",), "VALUES"),
        ({}, ("gather", "coal", "iron"), "VALUES"),
        ({}, ("craft",), "VALUES"),
        ({}, ("fight",), "VALUES"),
        ({}, ("fight", "rat", "axe", "bow"), "VALUES"),
        ({}, ("rest", "inn"), "VALUES"),
        ({}, ("camp", "1"), "VALUES"),
        ({}, ("drop",), "VALUES"),
        ({"alive": (False, False)}, ("leave", "1"), "VALUES"),
        ({}, ("gather", "gold"), "NO_SITE"),
        ({}, ("gather", "rat"), "NO_SITE"),
        ({"left": (0, 2)}, ("gather", "coal"), "NONE_LEFT"),
        ({"bag": ("iron", "iron")}, ("gather", "coal"), "BAG_FULL"),
        ({"bag": ("coal", "iron")}, ("craft", "sword"), "NO_WORKSHOP"),
        ({"bag": ("coal",)}, ("craft", "axe"), "NO_MATERIAL"),
        ({"bag": ("coal", "iron")}, ("craft", "bow"), "NO_MATERIAL"),
        ({"bag": ("coal", "iron"), "gear": (("axe", 1), ("bow", 2))}, ("craft", "axe"), "NO_PLACE"),
        ({}, ("fight", "imp"), "NO_SITE"),
        ({"alive": (False, True)}, ("fight", "rat"), "NONE_LEFT"),
        ({"gear": (("bow", 1),)}, ("fight", "rat", "axe"), "NOT_CARRIED"),
        ({"hearts": 2}, ("fight", "rat"), "TOO_WEAK"),
        ({"hearts": 1, "gear": (("bow", 1),)}, ("fight", "wolf", "bow"), "TOO_WEAK"),
        ({}, ("drop", "iron"), "NOT_CARRIED"),
        ({"bag": ("coal",)}, ("drop", "bow"), "NOT_CARRIED"),
        ({"alive": (False, True)}, ("leave",), "GATE_CLOSED"),
        ({"alive": (True, False)}, ("leave",), "GATE_CLOSED"),
    ],
)
def test_when_an_action_is_refused(before: dict[str, object], call: Call, why: str) -> None:
    assert act(ROAD, at(**before), call) is Refused[why]


def test_a_region_without_an_inn_or_a_workshop_has_neither() -> None:
    in_last = Position(1, (), (True,), (0, 4), ("coal", "iron"), (), 1)
    assert act(ROAD, in_last, ("rest",)) is Refused.NO_SITE
    assert act(ROAD, in_last, ("craft", "axe")) is Refused.NO_WORKSHOP, "it makes another kind"
    road = replace(ROAD, regions=(FIRST, replace(LAST, workshop=None)))
    assert act(road, in_last, ("craft", "bow")) is Refused.NO_WORKSHOP


WON: list[Call] = [("fight", "rat"), ("camp",), ("fight", "wolf"), ("leave",), ("fight", "imp"), ("leave",)]


def test_a_walk_takes_the_time_of_its_steps() -> None:
    road_walk = walk(ROAD, WON)
    assert (road_walk.arrived, road_walk.refusal, road_walk.position.region) == (True, None, 2)
    assert [step.time for step in road_walk.steps] == [9, 7, 4 + 7, 4, 1, 4]
    assert road_walk.time == sum(step.time for step in road_walk.steps)
    assert [step.call for step in road_walk.steps] == WON
    assert all(one.after == two.before for one, two in zip(road_walk.steps, road_walk.steps[1:], strict=False))


@for_each("call", [(name, *["x"] * values) for name, values in ACTIONS.items()])
def test_nothing_can_be_done_behind_the_last_gate(call: Call) -> None:
    road_walk = walk(ROAD, [*WON, call])
    assert (road_walk.arrived, road_walk.refusal, len(road_walk.steps)) == (False, Refused.ROAD_ENDED, len(WON))
    assert list(legal_calls(ROAD, road_walk.position)) == []


def test_a_refusal_ends_the_plan() -> None:
    road_walk = walk(ROAD, [*WON[:2], ("gather", "gold"), *WON[2:]])
    assert not road_walk.arrived
    assert (road_walk.refusal, road_walk.time, len(road_walk.steps)) == (Refused.NO_SITE, 16, 2)


def test_a_plan_that_stops_early_does_not_arrive() -> None:
    assert [walk(ROAD, WON[:number]).arrived for number in range(len(WON) + 1)] == [False] * len(WON) + [True]


def test_legal_calls_are_all_that_the_rules_allow() -> None:
    names = ["coal", "iron", "axe", "bow", "imp", "rat", "wolf", "gold"]
    calls: list[Call] = [(name,) for name in ACTIONS] + [(name, one) for name in ACTIONS for one in names]
    calls += [(name, one, two) for name in ACTIONS for one in names for two in names]
    chance = Random(1)
    for _ in range(many(200, 30)):
        road = small_road(chance)
        position = start(road)
        for _ in range(8):
            legal = list(legal_calls(road, position))
            assert len(set(legal)) == len(legal)
            assert set(legal) == {call for call in calls if not isinstance(act(road, position, call), Refused)}
            next_position = after(road, position, chance.choice(legal))
            if next_position.region == len(road.regions):
                break
            _assert_within_limits(road, next_position)
            position = next_position


def _assert_within_limits(road: Road, position: Position) -> None:
    assert len(position.bag) <= road.limits.bag
    assert len(position.gear) <= road.limits.places
    assert 1 <= position.hearts <= road.limits.hearts
    assert list(position.bag) == sorted(position.bag)
    assert list(position.gear) == sorted(position.gear)
    assert all(0 < uses <= road.limits.uses for _, uses in position.gear)
