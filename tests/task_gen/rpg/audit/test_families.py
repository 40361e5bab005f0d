"""Families of the audit: trivial players, rules of thumb, trials, and players that compute fights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from herobench.suites.rpg.game.events import Fought
from herobench.suites.rpg.game.hero import Hero
from herobench.suites.rpg.game.rules import Fighter, duel
from herobench.suites.rpg.game.scoring import score
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Item, World
from herobench.suites.rpg.sandbox import Sandbox
from herobench.task_gen.rpg.audit import families
from herobench.task_gen.rpg.audit.families import (
    FAMILIES,
    RULES,
    by_simulation,
    by_trial,
    greedy_choice,
    make_all_listed,
    ruled_gear,
    strongest_loadouts,
)
from herobench.task_gen.rpg.audit.journey import Journey
from herobench.task_gen.rpg.audit.workshop import Case, OpenSlot, open_slots
from herobench.task_gen.rpg.datasets import shipped_tasks
from herobench.task_gen.rpg.gear.candidates import add, subtract
from tests.builders import hero_row
from tests.sizes import for_each
from tests.task_gen.rpg.audit.cases import ALL, WINNING, armed, case, final, noise, told
from tests.task_gen.rpg.audit.cases import RULES as EDITION
from tests.task_gen.rpg.made import tasks

WEAK = {"recipes": ["brick", "club"], "materials": ["clay", "twig"]}
"""The knowledge of a weapon with which the hero loses to the drake."""
SWORDS = {**ALL, "recipes": ["brick", "bar", "club", "bar_sword", "fur_coat"]}


def fights(journey: Journey) -> list[bool]:
    """Return for each fight with the drake whether it was won."""
    details = [event.detail for event in journey.game.events]
    return [detail.won for detail in details if isinstance(detail, Fought) and detail.monster == "drake"]


def test_the_plan_of_each_family_does_in_the_sandbox_what_is_judged(tiny: World, classic: World) -> None:
    known = armed(tiny, **ALL)
    asked = [(tiny, known), (tiny, final(known)), *((classic, task) for task in tasks(classic, 2, brackets=(2, 4)))]
    for world, task in asked:
        with Sandbox(world, EDITION) as sandbox:
            for name, family in FAMILIES.items():
                played = family.play(case(world, task))
                episode = sandbox.execute(task, played.plan or "pass")
                assert played.final_score() == score(task, world, task.rules(EDITION), episode), name


# -- rules of thumb ---------------------------------------------------------------------------------------------------


def chosen(world: World, task: Task, name: str) -> dict[str, str]:
    return {slot: item.code for slot, item in ruled_gear(case(world, task), name).items()}


def test_listed_gear_is_dealt_to_the_slots_in_order_and_again_from_the_start(tiny: World) -> None:
    two = armed(tiny, **{**ALL, "recipes": ["brick", "club", "bar", "bar_sword"]})
    assert chosen(tiny, two, "listed") == {"blade": "club"}
    both = chosen(tiny, told(tiny, **{**ALL, "recipes": ["pearl_charm"]}), "listed")
    assert both["charm1"] == both["charm2"] == "pearl_charm"


def test_what_is_worn_is_kept_if_it_looks_better(tiny: World) -> None:
    better = told(tiny, hero_row(worn={"blade": "bar_sword"}), **WEAK, stats=["bar_sword"])
    assert chosen(tiny, better, "strongest") == {}
    assert chosen(tiny, better, "listed") == {"blade": "club"}


def test_strength_is_the_sum_of_effects(tiny: World) -> None:
    task = armed(tiny, **{**ALL, "recipes": ["brick", "bar", "club", "bar_sword"]})
    assert chosen(tiny, task, "strongest") == {"blade": "bar_sword"}


def test_noise_is_no_choice_however_strong_it_looks(tiny: World) -> None:
    task = armed(tiny, **WINNING, noise=[noise("axe", effects={"attack_heat": 99}, level=9)])
    for name in RULES:
        assert chosen(tiny, task, name).get("blade") == "bar_sword"
    assert FAMILIES["strongest"].play(case(tiny, task)).final_score().score == 100
    assert make_all_listed(case(tiny, task)).final_score().outcome == "win"


def test_who_makes_the_wrong_gear_loses_and_keeps_what_he_reached(tiny: World) -> None:
    judged = FAMILIES["listed"].play(case(tiny, armed(tiny, recipes=["fur_coat"], materials=["fur"]))).final_score()
    assert judged.outcome == "lose"
    assert {str(milestone) for milestone in judged.reached} >= {"craft_missing:fur_coat", "equip_missing:fur_coat"}


def test_the_filter_makes_all_and_wears_what_is_listed_first(tiny: World) -> None:
    first = make_all_listed(case(tiny, armed(tiny, **SWORDS)))
    assert first.hero.worn["blade"] == "club"
    assert "bar_sword" in first.hero.inventory


# -- trials -----------------------------------------------------------------------------------------------------------


def test_sets_are_tried_in_order_until_one_wins_or_the_tries_are_used_up(
    tiny: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fights(by_trial(case(tiny, armed(tiny, **{**WEAK, "stats": ["twig"]})))) == [False, False]
    assert fights(by_trial(case(tiny, final(armed(tiny, **WEAK))))) == [False], "a final defeat ends the plan"
    weakest_first = list(reversed(strongest_loadouts(every_slot(tiny, armed(tiny, **ALL)), 1_000)))
    monkeypatch.setattr(families, "strongest_loadouts", lambda _, count: weakest_first[:count])
    tried = by_trial(case(tiny, armed(tiny, **ALL)))
    assert fights(tried) == [*[False] * (len(fights(tried)) - 1), True]
    assert len(fights(tried)) > 2
    monkeypatch.setattr(families, "TRIES", 2)
    assert fights(by_trial(case(tiny, armed(tiny, **ALL)))) == [False, False]


def every_slot(world: World, task: Task) -> list[OpenSlot]:
    found = case(world, task)
    return open_slots(found.told, found.craftable, task.hero.combat[0])


@for_each("count", [1_000, 5])
def test_the_strongest_sets_come_once_each_and_in_order(tiny: World, count: int) -> None:
    slots = every_slot(tiny, armed(tiny, **ALL))
    found = strongest_loadouts(slots, count)
    every = {tuple(sorted(item.code for item in some)) for some in product(*(slot.either for slot in slots))}
    sums = [sum(tiny.items[code].power for code in codes) for codes in every]
    best = sorted(sums, reverse=True)[:count]
    assert [sum(tiny.items[code].power for code in loadout.values()) for loadout in found] == best
    assert len({tuple(sorted(loadout.values())) for loadout in found}) == len(found)


def test_a_worn_piece_fills_one_slot_only_and_stays_where_it_is(tiny: World) -> None:
    worn, other = tiny.items["drake_charm"], tiny.items["pearl_charm"]
    slots = [OpenSlot("charm1", 0, (other,), None), OpenSlot("charm2", 1, (other,), worn)]
    mixed, alike = (
        {"charm1": "pearl_charm", "charm2": "drake_charm"},
        dict.fromkeys(("charm1", "charm2"), "pearl_charm"),
    )
    found = strongest_loadouts(slots, 10)
    assert found == ([mixed, alike] if worn.power > other.power else [alike, mixed])
    assert strongest_loadouts([], 10) == [{}], "without open slots there is the set that is worn"


# -- computed fights --------------------------------------------------------------------------------------------------


def test_the_simulator_makes_what_wins_and_only_that(tiny: World) -> None:
    assert fights(by_simulation(case(tiny, armed(tiny, **WINNING)))) == [True]
    assert fights(by_simulation(case(tiny, armed(tiny, **WEAK)))) == [False]
    assert fights(by_simulation(case(tiny, final(armed(tiny, **ALL))))) == [True]


def test_the_simulator_does_not_fight_without_the_set_that_it_found(
    tiny: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    sets = iter([{"blade": "bar_sword"}, {"blade": "club"}])
    monkeypatch.setattr(families, "simulated_gear", lambda *_: next(sets))
    journey = by_simulation(case(tiny, final(armed(tiny, **WEAK))))
    assert fights(journey) == [False]
    assert journey.hero.worn["blade"] == "club", "made after the sword turned out to be out of reach"


def merit(world: World, task: Task, gear: dict[str, Item]) -> tuple[bool, float, float]:
    """Return how good a fight in some gear is: won, then the monster's health, then the hero's."""
    stats = Hero(world, task.hero).stats
    for slot, item in gear.items():
        worn = task.hero.worn.get(slot)
        stats = add(subtract(stats, world.items[worn].worn) if worn else stats, item.worn)
    fight = duel(Fighter(stats), world.monsters[task.target].stats, EDITION.rounds)
    return fight.won, -fight.monster_hp, fight.hero_hp


def one_more(found: Case, gear: dict[str, Item]) -> Iterator[dict[str, Item]]:
    yield from ({**gear, slot.slot: item} for slot in found.slots for item in slot.told)


def test_the_greedy_choice_ends_in_a_win_or_where_nothing_alone_helps(classic: World) -> None:
    shipped = [*shipped_tasks("base").values()][::10] + [*shipped_tasks("decoys").values()][::5]
    won = []
    for task in (task for task in shipped if task.kind == "kill"):
        found = case(classic, task)
        gear = greedy_choice(found)
        reached = merit(classic, task, gear)
        assert reached > merit(classic, task, {}) or not gear
        assert reached[0] or max(merit(classic, task, more) for more in one_more(found, gear)) <= reached
        won.append(reached[0])
    assert 0 < sum(won) < len(won)


def test_what_helps_most_is_put_on_first_and_what_does_not_help_is_not(tiny: World) -> None:
    task = armed(tiny, **SWORDS)
    gear = greedy_choice(case(tiny, task))
    first = next(iter(gear))
    best = max(one_more(case(tiny, task), {}), key=lambda more: merit(tiny, task, more))
    assert {first: gear[first]} == best
    mighty = told(tiny, hero_row(stats={"hp": 1000, "attack_heat": 1_000_000}), **ALL)
    weaker = told(tiny, hero_row(worn={"blade": "bar_sword"}), **WEAK, stats=["bar_sword"])
    invented = told(tiny, noise=[noise("axe", effects={"attack_heat": 10_000})])
    assert [greedy_choice(case(tiny, each)) for each in (mighty, weaker, invented)] == [{}, {}, {}]


def test_greedy_makes_and_wears_what_it_chose_and_does_not_look_at_what_is_missing(tiny: World) -> None:
    task = armed(tiny, **WINNING)
    journey = FAMILIES["greedy"].play(case(tiny, task))
    assert {slot: item.code for slot, item in greedy_choice(case(tiny, task)).items()}.items() <= (
        journey.hero.worn.items()
    )
    assert journey.final_score().outcome == "win"
    assert FAMILIES["greedy"].play(case(tiny, replace(task, missing={}))).plan == journey.plan
