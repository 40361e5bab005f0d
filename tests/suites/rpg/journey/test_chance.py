"""The rules of roads with chance: what a fight may lead to, and that luck is the same for all."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import isclose
from random import Random

from herobench.suites.rpg.journey.road import HERE, GearKind, Limits, Monster, Region, Road
from herobench.suites.rpg.journey.walk import (
    LEAVE,
    Call,
    Position,
    Refused,
    Step,
    act,
    draw_luck,
    enter,
    legal_calls,
    outcomes,
    start,
    walk,
)
from tests.sizes import many
from tests.suites.rpg.journey.roads import journey, random_position, risky_road

WOLF = Monster("wolf", 11, 4, "earth", HERE)
"""Bare hands take 11 rounds: two hearts, or three with the chance 3/4. The bow takes 6: one, or two with the chance
1/2."""
LIMITS = Limits(bag=2, places=2, hearts=5, uses=1, crafting=1, rest=1, camp=7, breaks=3)
ROAD = Road(LIMITS, {"bow": GearKind(2, "fire", ("ash", "ash"))}, (Region(HERE, HERE, (), (WOLF,), None, None),), None)
BARE: Call = ("fight", "wolf")
BOW: Call = ("fight", "wolf", "bow")
TWO_BOWS = (("bow", 1), ("bow", 1))


def armed(hearts: int = 5) -> Position:
    return enter(ROAD, 0, (), TWO_BOWS, hearts)


def after(call: Call, draw: tuple[float, float]) -> tuple[int, int]:
    """The hearts and the pieces after a fight with this draw."""
    outcome = act(ROAD, armed(), call, draw)
    assert not isinstance(outcome, Refused)
    return outcome[1].hearts, len(outcome[1].gear)


def test_a_fight_costs_one_heart_more_and_breaks_its_piece_by_the_chances_that_are_told() -> None:
    assert [after(BARE, (draw, 0.0)) for draw in (0.0, 0.74, 0.75, 1.0)] == [(2, 2), (2, 2), (3, 2), (3, 2)]
    assert [after(BOW, (draw, 1.0)) for draw in (0.49, 0.5)] == [(3, 2), (4, 2)]
    assert [after(BOW, (1.0, draw)) for draw in (0.33, 0.34)] == [(4, 1), (4, 2)]
    assert act(ROAD, armed(), BOW)[0] == 6  # type: ignore[index]


def test_a_fight_is_refused_where_the_worst_outcome_leaves_no_heart() -> None:
    always = (1.0, 1.0)
    assert [act(ROAD, armed(hearts), BARE, always) is Refused.TOO_WEAK for hearts in (3, 4)] == [True, False]
    assert [act(ROAD, armed(hearts), BOW, always) is Refused.TOO_WEAK for hearts in (2, 3)] == [True, False]


def test_outcomes_have_the_chances_of_the_rules() -> None:
    time, worst = act(ROAD, armed(), BOW)  # type: ignore[misc]
    ends = {(each.hearts, len(each.gear)): chance for chance, each in outcomes(ROAD, Step(BOW, time, armed(), worst))}
    assert {end: round(chance, 9) for end, chance in ends.items()} == {
        (4, 2): round(1 / 3, 9), (3, 2): round(1 / 3, 9), (4, 1): round(1 / 6, 9), (3, 1): round(1 / 6, 9),
    }  # fmt: skip


def test_outcomes_are_what_luck_leads_to() -> None:
    """Each draw leads to one of the outcomes, and about as often as its chance says."""
    draws, seen = many(4_000, 1_000), Counter[Position]()
    for number in range(draws):
        outcome = act(ROAD, armed(), BOW, draw_luck(f"seed {number}", armed(), BOW))
        assert not isinstance(outcome, Refused)
        seen[outcome[1]] += 1
    time, worst = act(ROAD, armed(), BOW)  # type: ignore[misc]
    chances = {position: chance for chance, position in outcomes(ROAD, Step(BOW, time, armed(), worst))}
    assert chances.keys() == seen.keys()
    assert all(abs(seen[position] / draws - chance) < 0.06 for position, chance in chances.items())


def test_every_action_has_outcomes_that_are_certain_together() -> None:
    for seed in range(many(400, 40)):
        chance = Random(seed)
        road = risky_road(chance)
        position = random_position(chance, road)
        for call in legal_calls(road, position):
            time, worst = act(road, position, call)  # type: ignore[misc]
            ends = list(outcomes(road, Step(call, time, position, worst)))
            assert isclose(sum(each for each, _ in ends), 1)
            assert len({each for _, each in ends}) == len(ends)
            assert call[0] == "fight" or ends == [(1, worst)]


def test_luck_depends_on_the_seed_the_region_and_the_monster_and_on_nothing_else() -> None:
    base = draw_luck("a", armed(), BOW)
    assert base == draw_luck("a", armed(3), BARE) == draw_luck("a", start(ROAD), BOW)
    others = [draw_luck("b", armed(), BOW), draw_luck("a", armed()._replace(region=1), BOW)]
    assert len({base, *others, draw_luck("a", armed(), ("fight", "orc", "bow"))}) == 4


def test_a_walk_has_the_luck_of_its_seed() -> None:
    ends = [walk(ROAD, [BARE, LEAVE], luck=f"{number}") for number in range(20)]
    assert all(each.arrived and each.time == 11 for each in ends)
    assert {each.position.hearts for each in ends} == {2, 3}
    assert [walk(ROAD, [BARE], luck=f"{number}").position.hearts for number in range(20)] == [
        each.position.hearts for each in ends
    ]


def test_without_chance_luck_changes_nothing() -> None:
    task = journey(3, "hand", 1, 2)
    assert walk(task.road, task.plan, luck="a") == walk(task.road, task.plan, luck="b")
    plain = replace(ROAD, limits=replace(LIMITS, breaks=0))
    assert {act(plain, armed(), BOW, draw) for draw in ((0.0, 0.0), (1.0, 1.0))} == {act(plain, armed(), BOW)}
    assert plain.wound_chance(WOLF, None) == 0
