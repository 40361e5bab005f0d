"""The reach of a hero: an upper bound, checked against a search over all states of tiny worlds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from herobench.suites.rpg.game.rules import next_combat_level
from herobench.suites.rpg.game.task import Knowledge, Mechanics, Reach, Task
from herobench.suites.rpg.game.world import Place, World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.unsolvable.proof import proof_faults
from herobench.task_gen.rpg.unsolvable.reach import HeroReach, climb
from tests.builders import craft_task, hero_row, tiny_task
from tests.sizes import for_each, many
from tests.task_gen.rpg.unsolvable.tiny_search import RULES, random_task, random_world, some_state_wins

STANDARD = load_rules()
SEEDS = range(many(2000, 24))


@cache
def case(seed: int) -> tuple[World, Task, Reach | None]:
    """A random world and task, and the reach that proves the task impossible, if it does."""
    chance = Random(seed)
    world = random_world(chance)
    task = random_task(world, chance)
    own = task.rules(RULES)
    return world, task, HeroReach(world, own, task).reach(own.closed)


def reach(world: World, task: Task, *closed: Place) -> Reach | None:
    return HeroReach(world, task.rules(STANDARD), task).reach(closed)


def bare_task(world: World, **changes: Any) -> Task:
    """The drake's task of an exchange that sells nothing."""
    nothing = Knowledge((), (), frozenset(), (), tuple(world.tiles), ())
    task = tiny_task(world, **changes)
    return replace(task, knowledge=nothing, mechanics=Mechanics(exchange="told"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_proven_impossible_is_won_in_no_state_of_the_game(seed: int) -> None:
    world, task, found = case(seed)
    wins = some_state_wins(world, RULES, task)
    assert not (found and wins), "the proof says that it is impossible"


@for_each("seed", SEEDS)
def test_the_check_of_a_proof_agrees_with_it(seed: int) -> None:
    world, task, found = case(seed)
    if found:
        assert list(proof_faults(world, task.rules(RULES), task, found)) == []


def test_the_random_tasks_are_of_both_kinds_and_outcomes_and_hardly_any_is_left_open() -> None:
    cases = Counter((case(seed)[1].kind, case(seed)[2] is not None) for seed in SEEDS)
    assert len(cases) == 4
    left_open = [
        seed for seed in SEEDS[:24] if not case(seed)[2] and not some_state_wins(case(seed)[0], RULES, case(seed)[1])
    ]
    assert len(left_open) <= 2


@for_each("seed", SEEDS[:20])
def test_a_proof_without_an_item_that_work_gives_has_faults(seed: int) -> None:
    world, task, found = case(seed)
    if found:
        own = task.rules(RULES)
        open_nodes = {code for place, code in world.standing("resource").items() if place not in own.closed}
        for code in found.items & ({"clay"} if "pit" in open_nodes else set()):
            less = replace(found, items=found.items - {code})
            assert list(proof_faults(world, own, task, less))


# -- the ways out, one by one -----------------------------------------------------------------------------------------


def test_a_craft_needs_its_workshop_and_all_that_goes_into_it(tiny: World) -> None:
    task = craft_task(tiny, "bar_sword")
    assert reach(tiny, task) is None
    assert reach(tiny, task, (2, 1)), "the forge"
    assert reach(tiny, task, (1, 1)), "the ore"
    assert reach(tiny, task, (1, 0)), "the rat has the fur"
    assert reach(tiny, task, (3, 1), (0, 1), (2, 0)) is None, "the kitchen, the clay and the drake do not matter"


def test_what_is_for_sale_needs_no_other_source_but_the_exchange(tiny: World) -> None:
    hunter = hero_row(worn={"blade": "twig"})
    task = replace(bare_task(tiny, hero=hunter), kind="craft", target="broth", missing={})
    assert reach(tiny, task), "nobody sells salt"
    sold = replace(task, knowledge=replace(task.knowledge, sold=frozenset({"salt"})))
    assert reach(tiny, sold) is None
    assert reach(tiny, sold, (0, 2))


def test_a_skill_that_is_too_low_can_be_raised_where_something_teaches_it(tiny: World) -> None:
    skills = {name: {"level": 1, "xp": 0, "next_level_xp": 150} for name in tiny.skills}
    task = craft_task(tiny, "bar", hero=hero_row(skills=skills))
    assert reach(tiny, task) is None
    found = reach(tiny, task, (0, 1))
    assert found, "without the clay nothing teaches digging"
    assert found.skills["digging"] == 1


def test_a_fight_is_won_with_gear_food_or_levels_if_any_of_them_is_left(tiny: World) -> None:
    weak = bare_task(tiny, hero=hero_row(level=1, stats={"hp": 60}, worn={"blade": "twig"}))
    assert reach(tiny, weak) is None
    assert reach(tiny, weak, (2, 1)), "without the forge the twig does not do"
    found = reach(tiny, weak, (2, 1))
    assert found is not None
    assert "drake" not in found.beaten


def test_food_may_win_a_fight_that_is_lost_without_it(tiny: World) -> None:
    hero = hero_row(level=40, stats={"hp": 40}, worn={"blade": "bar_sword"})
    task = bare_task(tiny, hero=hero)
    no_gear = ((2, 1),)
    assert reach(tiny, task, *no_gear), "nobody sells salt"
    salted = replace(task, knowledge=replace(task.knowledge, sold=frozenset({"salt"})))
    assert reach(tiny, salted, *no_gear) is None
    assert reach(tiny, salted, *no_gear, (3, 1)), "without the kitchen there is no food"
    own = replace(salted, mechanics=replace(salted.mechanics, closed=no_gear)).rules(STANDARD)
    hungry = reach(tiny, task, *no_gear)
    assert hungry is not None
    told = list(proof_faults(tiny, own, salted, replace(hungry, items=hungry.items | {"broth"})))
    assert "the hero may beat drake, and the proof says that he cannot" in told


def test_the_paper_lets_any_craft_win_that_mentions_the_target(tiny: World) -> None:
    rules = replace(STANDARD, craft_credit="mention")
    task = replace(craft_task(tiny, "bar"), target="bar_swor")
    world = tiny
    closed = [(1, 0)]
    assert HeroReach(world, STANDARD, task).reach([]) is not None, "there is no such item"
    assert HeroReach(world, rules, task).reach([]) is None
    assert HeroReach(world, rules, task).reach(closed) is not None


def test_levels_end_where_nothing_teaches() -> None:
    assert climb(STANDARD, (1, 0, 150), 1, [(5, 1)], next_combat_level) == 16
    assert climb(STANDARD, (1, 0, 150), 1, [], next_combat_level) == 1
    assert climb(STANDARD, (1, 0, 150), 1, [(40, 1)], next_combat_level) == STANDARD.level_cap
    assert climb(STANDARD, (1, 900, 150), 1, [(1, 1)], next_combat_level) == STANDARD.level_cap, "much at once"
    assert climb(STANDARD, (1, 0, 150), 1, [(1, 9)], next_combat_level) == STANDARD.level_cap, "a large step"


# -- a proof that was changed -----------------------------------------------------------------------------------------


def spoilt(tiny: World, **changes: Any) -> list[str]:
    task = craft_task(tiny, "bar_sword")
    closed = replace(task, mechanics=Mechanics(closed=((1, 1),)))
    found = reach(tiny, closed, (1, 1))
    assert found
    return list(proof_faults(tiny, closed.rules(STANDARD), closed, replace(found, **changes)))


def test_a_sound_proof_has_no_faults(tiny: World) -> None:
    assert spoilt(tiny) == []


def test_a_changed_proof_is_found_out(tiny: World) -> None:
    task = craft_task(tiny, "bar_sword")
    found = reach(tiny, task, (1, 1))
    assert found
    assert spoilt(tiny, items=found.items - {"brick"}) == ["smithing gives brick, and the proof leaves it out"]
    assert spoilt(tiny, items=found.items - {"fur"})[0] == "rat gives fur, and the proof leaves it out"
    assert spoilt(tiny, items=found.items | {"bar"}) == [
        "smithing gives bar_sword, and the proof leaves it out",
        "the hero may craft bar_sword",
        "the hero may raise smithing beyond level 12",
    ]
    assert "the hero may beat rat, and the proof says that he cannot" in spoilt(tiny, beaten=frozenset())
    assert spoilt(tiny, level=10)[-1] == "the hero may gain more levels than 10"
    assert spoilt(tiny, level=1)[0] == "the hero starts with higher levels than the proof says that he can reach"
    assert "the hero may raise digging beyond level 10" in spoilt(tiny, skills={**found.skills, "digging": 10})


def test_a_target_that_the_proof_beats_is_a_fault(tiny: World) -> None:
    task = replace(bare_task(tiny), mechanics=Mechanics(exchange="told", closed=((2, 1),)))
    own = task.rules(STANDARD)
    all_of_it = Reach(40, dict.fromkeys(tiny.skills, 40), frozenset(tiny.items), frozenset(tiny.monsters))
    assert "its own proof says that the hero can beat the target" in list(proof_faults(tiny, own, task, all_of_it))
