"""Players that find the gear by fighting, and the order in which they try loadouts."""

from __future__ import annotations

from itertools import islice, pairwise, product

import pytest

from herobench.suites.rpg.game.events import Equipped, Fought
from herobench.suites.rpg.game.world import Item, World
from herobench.task_gen.rpg.audit import simulator
from herobench.task_gen.rpg.audit.case import Budget, OpenSlot
from herobench.task_gen.rpg.audit.journey import Journey
from herobench.task_gen.rpg.audit.shortcuts import (
    by_trial,
    by_trial_after_grinding,
    by_trial_with_food,
    grind,
    loadouts,
)
from herobench.task_gen.rpg.audit.simulator import by_simulation
from herobench.task_gen.rpg.tasks.noise import power
from tests.builders import hero_row
from tests.task_gen.rpg.audit.cases import ALL, WINNING, armed, case, final, told

WEAK = {"recipes": ["brick", "club"], "materials": ["clay", "twig"]}


def fights(journey: Journey, monster: str = "drake") -> list[bool]:
    details = [event.detail for event in journey.game.events]
    return [detail.won for detail in details if isinstance(detail, Fought) and detail.monster == monster]


def weakest_first(item: object) -> float:
    return -power(item)  # type: ignore[arg-type]


def test_sets_are_tried_in_order_until_one_wins(tiny: World) -> None:
    found = by_trial(case(tiny, armed(tiny, **ALL)), weakest_first, 100)
    assert fights(found) == [*[False] * (len(fights(found)) - 1), True]
    assert len(fights(found)) > 2
    assert found.judged().outcome == "win"


def test_the_number_of_tries_is_kept(tiny: World) -> None:
    assert fights(by_trial(case(tiny, armed(tiny, **ALL)), weakest_first, 2)) == [False, False]
    few = by_trial(case(tiny, armed(tiny, **{**WEAK, "stats": ["twig"]})), power, 100)
    assert fights(few) == [False, False]


def test_levels_are_ground_on_the_strongest_that_can_be_beaten_up_to_the_number_of_fights(tiny: World) -> None:
    journey = case(tiny, told(tiny, hero_row(level=1, stats={"hp": 400}, worn={"blade": "twig"}), **ALL)).journey()
    grind(journey, 30)
    assert len(fights(journey, "rat")) == 30
    assert all(fights(journey, "rat"))
    assert journey.hero.combat.level > 1
    assert fights(journey, "drake") == []


def test_who_learns_nothing_more_stops_grinding(tiny: World) -> None:
    journey = case(tiny, told(tiny, hero_row(level=10, stats={"hp": 400}, worn={"blade": "twig"}), **ALL)).journey()
    grind(journey, 5000)
    gained = [event.detail.xp for event in journey.game.events if isinstance(event.detail, Fought)]
    assert 0 not in gained
    assert len(gained) < 5000


def test_new_levels_open_gear_that_was_too_high(tiny: World) -> None:
    hero = hero_row(level=4, stats={"hp": 100}, worn={"blade": "twig"})
    found = by_trial_after_grinding(case(tiny, told(tiny, hero, **{**ALL, "stats": ["twig"]}), Budget(fights=500)))
    worn = [event.detail.item for event in found.game.events if isinstance(event.detail, Equipped)]
    assert "bar_sword" in worn
    assert found.hero.combat.level >= 5


def test_food_is_cooked_and_eaten(tiny: World) -> None:
    hero = hero_row(stats={"hp": 100, "attack_heat": 4}, worn={"blade": "twig"})
    recipes = ["brick", "club", "fur_coat", "broth"]
    knowledge = {"recipes": recipes, "materials": ["clay", "twig", "fur", "salt"]}
    task = told(tiny, hero, **knowledge, sold=["twig", "salt"], stats=["twig"])
    hungry = by_trial(case(tiny, task), power, 100)
    fed = by_trial_with_food(case(tiny, task))
    assert hungry.judged().outcome == "lose"
    assert fed.judged().outcome == "win"


def test_a_plan_stays_within_the_actions_of_the_sandbox(tiny: World) -> None:
    journey = case(tiny, told(tiny, hero_row(level=1, stats={"hp": 400}, worn={"blade": "twig"}), **ALL)).journey()
    journey.do("move", 1, 1, times=9_980)
    assert journey.actions_left == 20
    grind(journey, 5_000)
    assert journey.actions_left >= 0
    assert journey.judged().missed
    journey.do("move", 1, 1, times=21)
    assert journey.actions_left < 0
    assert (journey.judged().outcome, journey.judged().reward) == ("lose", 0)


def test_the_simulator_makes_what_wins_and_only_that(tiny: World) -> None:
    found = by_simulation(case(tiny, armed(tiny, **WINNING)))
    assert fights(found) == [True]
    lost = by_simulation(case(tiny, armed(tiny, **WEAK)))
    assert fights(lost) == [False]


def test_where_a_defeat_is_final_only_the_first_set_is_tried(tiny: World) -> None:
    task = final(armed(tiny, **ALL))
    for found in (
        by_trial(case(tiny, task), weakest_first, 100),
        by_trial_with_food(case(tiny, final(armed(tiny, **WEAK)))),
        by_simulation(case(tiny, final(armed(tiny, **WEAK)))),
    ):
        assert fights(found) == [False]
        assert found.judged().outcome == "lose"
    assert fights(by_simulation(case(tiny, task))) == [True]


def test_the_simulator_does_not_fight_without_the_set_that_it_found(
    tiny: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = iter([{"blade": "bar_sword"}, {"blade": "club"}])
    monkeypatch.setattr(simulator, "simulated_gear", lambda *_: next(found))
    journey = by_simulation(case(tiny, final(armed(tiny, **WEAK)), Budget(evaluations=1)))
    assert fights(journey) == [False]
    assert journey.hero.worn["blade"] == "club", "made after the sword turned out to be out of reach"


# -- loadouts ---------------------------------------------------------------------------------------------------------


def worth(world: World, loadout: dict[str, str]) -> int:
    return sum(power(world.items[code]) for code in loadout.values())


def test_all_sets_come_once_and_the_highest_sum_comes_first(tiny: World) -> None:
    slots = case(tiny, armed(tiny, **ALL)).full_slots
    found = [dict(loadout) for loadout in loadouts(slots, power)]
    sums = [worth(tiny, loadout) for loadout in found]
    assert sums == sorted(sums, reverse=True)
    alike = {tuple(sorted(loadout.values())) for loadout in found}
    every = {tuple(sorted(item.code for item in some)) for some in product(*(slot.either for slot in slots))}
    assert len(found) == len(alike)
    assert alike == every


def test_a_worn_piece_fills_one_slot_only_and_stays_where_it_is(tiny: World) -> None:
    worn, other = tiny.items["drake_charm"], tiny.items["pearl_charm"]
    slots = [OpenSlot("charm1", 0, (other,), None), OpenSlot("charm2", 1, (other,), worn)]
    found = [dict(loadout) for loadout in loadouts(slots, lambda item: item.code == "drake_charm")]
    assert found == [
        {"charm1": "pearl_charm", "charm2": "drake_charm"},
        {"charm1": "pearl_charm", "charm2": "pearl_charm"},
    ]


def test_the_order_is_that_of_the_worth_that_is_given(tiny: World) -> None:
    def weakest(item: Item) -> float:
        return -power(item)

    found = [dict(loadout) for loadout in islice(loadouts(case(tiny, armed(tiny, **ALL)).full_slots, weakest), 5)]
    assert found[0]["blade"] == "twig"
    assert all(worth(tiny, one) <= worth(tiny, other) for one, other in pairwise(found))


def test_without_open_slots_there_is_the_set_that_is_worn(tiny: World) -> None:
    assert list(loadouts([], power)) == [{}]
