from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from herobench.suites.rpg.game.combat import duel
from herobench.suites.rpg.game.events import FINISHED, Episode
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.scoring import score
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.a_star import Unplannable
from herobench.task_gen.rpg.oracle.lower_bound import lower_bound
from herobench.task_gen.rpg.oracle.planner import oracle_plan
from herobench.task_gen.rpg.oracle.steps import as_code, play
from herobench.task_gen.rpg.tasks.certificate import SEEDS, certified, health_gained, rehearse, seeds_of
from tests.builders import craft_task, hero_row
from tests.plays import drake_task
from tests.task_gen.rpg.made import left_out, proof

rules = load_rules()
TWIG = {"blade": "twig"}


def drake(world: World, missing: Mapping[str, str] | None = None, **hero: Any) -> Task:
    """Return the task of sword and coat against the drake, for a hero who needs both."""
    task = drake_task(world, hero=hero_row(**{"worn": TWIG, "stats": {"hp": 120}, **hero}))
    return replace(task, missing=MappingProxyType(missing)) if missing else task


def certify(world: World, task: Task) -> Task:
    return certified(world, rules, task, rehearse(world, rules, task))


# -- what is refused --------------------------------------------------------------------------------------------------


def test_gear_of_which_some_is_not_needed_is_no_task(tiny: World) -> None:
    with_charm = {"blade": "bar_sword", "coat": "fur_coat", "charm1": "pearl_charm"}
    with pytest.raises(Unplannable, match="not all of the missing gear is needed with 0 more health"):
        rehearse(tiny, rules, drake(tiny, with_charm))
    with pytest.raises(Unplannable, match="not all of the missing gear is needed"):
        rehearse(tiny, rules, drake(tiny, stats={"hp": 500}))


def test_gear_that_is_not_enough_is_no_task(tiny: World) -> None:
    with pytest.raises(Unplannable, match="not all of the missing gear is needed"):
        rehearse(tiny, rules, drake(tiny, {"blade": "bar_sword"}))


def test_where_someone_who_drops_a_part_cannot_be_beaten_there_is_no_task(tiny: World) -> None:
    with pytest.raises(Unplannable, match="the hero cannot beat rat"):
        rehearse(tiny, rules, drake(tiny, worn={}))


def test_gear_that_is_no_longer_needed_once_the_hero_has_learnt_from_his_fights_is_no_task(tiny: World) -> None:
    """Five rats give him a level and five health, and then the sword alone is enough."""
    least = next(
        hp for hp in range(60, 400) if wins(tiny, drake(tiny, {"blade": "bar_sword"}, stats={"hp": hp}), {"blade"})
    )
    rehearse(tiny, rules, drake(tiny, stats={"hp": least - 6}))
    with pytest.raises(Unplannable, match="not all of the missing gear is needed with 5 more health"):
        rehearse(tiny, rules, drake(tiny, stats={"hp": least - 5}))
    with pytest.raises(Unplannable, match="not all of the missing gear is needed with 0 more health"):
        rehearse(tiny, rules, drake(tiny, stats={"hp": least}))


def wins(world: World, task: Task, slots: set[str]) -> bool:
    game = Game(world, rules, task.hero)
    for slot in slots:
        if slot in game.hero.worn:
            game.hero.take_off(slot)
        game.hero.put_on(slot, world.items[task.missing[slot]])
    return duel(game.hero.fighter(), world.monsters[task.target].stats, rules.rounds).won


def test_a_plan_that_does_not_win_in_the_game_is_no_proof(tiny: World) -> None:
    """He would win with sword and coat, but his level is too low to wear the sword."""
    with pytest.raises(Unplannable, match=r"the plan ends with outcome lose and score \d+"):
        rehearse(tiny, rules, drake(tiny, level=3))


def test_a_craft_of_what_is_not_for_sale_is_no_task(tiny: World) -> None:
    told = craft_task(tiny, "club", mechanics={"leveling": False, "drop_scale": None, "exchange": "told"})
    with pytest.raises(Unplannable, match="the plan ends with outcome lose"):
        rehearse(tiny, rules, told)


# -- what is certified ------------------------------------------------------------------------------------------------


def test_the_figures_of_a_certificate_are_those_of_the_game(tiny: World) -> None:
    task = certify(tiny, drake(tiny))
    told = proof(task)
    steps = oracle_plan(tiny, rules, task)
    game = play(steps, Game(tiny, rules, task.hero, task.seed))
    assert told.plan == as_code(steps)
    assert told.actions == len(game.events) == 17
    assert told.lower_bound == lower_bound(tiny, rules, task) == 17
    assert (told.seeds, told.wins) == (1, 1)
    before = play(steps[:-1], Game(tiny, rules, task.hero, task.seed))
    assert told.without.keys() == {"blade", "coat"}
    for slot, health in told.without.items():
        fight = duel(left_out(tiny, task, before, slot).fighter(), tiny.monsters["drake"].stats, rules.rounds)
        assert not fight.won
        assert health == fight.monster_hp > 0


def test_what_he_learns_from_the_target_comes_too_late_to_be_counted(tiny: World) -> None:
    """Two victories come before the one over the target: its experience gives a level only after that fight."""
    task = drake(tiny, {"coat": "fur_coat"}, worn={"blade": "bar_sword"}, inventory={"fur": 3}, stats={"hp": 130})
    game = play(oracle_plan(tiny, rules, task), Game(tiny, rules, task.hero))
    assert [event.action.name for event in game.events].count("fight") == 2
    assert health_gained(game.world, rules, task, game.events) == 0
    almost = replace(task, hero=replace(task.hero, combat=(10, 50, 150)))
    game = play(oracle_plan(tiny, rules, almost), Game(tiny, rules, almost.hero))
    assert (health_gained(game.world, rules, almost, game.events), game.hero.combat.level) == (0, 11)
    earlier = replace(task, hero=replace(task.hero, combat=(10, 100, 150)))
    game = play(oracle_plan(tiny, rules, earlier), Game(tiny, rules, earlier.hero))
    assert health_gained(game.world, rules, earlier, game.events) == 5


def test_a_craft_has_nothing_that_could_be_left_out(tiny: World) -> None:
    told = proof(certify(tiny, craft_task(tiny, "pearl_charm")))
    assert (told.without, told.seeds, told.wins, told.actions) == ({}, 1, 1, 4)


def test_where_drops_go_by_chance_the_plan_holds_under_a_hundred_seeds(tiny: World) -> None:
    chancy = replace(drake(tiny), mechanics=replace(drake(tiny).mechanics, drop_scale=2.0))
    task = certify(tiny, chancy)
    told = proof(task)
    own = task.rules(rules)
    won = 0
    for seed in range(task.seed, task.seed + 100):
        game = play(oracle_plan(tiny, own, task), Game(tiny, own, task.hero, seed))
        judged = score(task, tiny, own, Episode(tuple(game.events), FINISHED))
        won += judged.outcome == "win"
        if seed == task.seed:
            assert told.actions == len(game.events)
            assert judged.score == 100
    assert (told.seeds, told.wins) == (SEEDS, won)
    assert (SEEDS, list(seeds_of(task))) == (100, list(range(task.seed, task.seed + 100)))
    assert won >= 99


@pytest.mark.slow
def test_a_plan_that_takes_too_long_by_chance_is_no_proof(tiny: World) -> None:
    """With drops this rare, the plan wins within the limits under hardly any seed."""
    rare = replace(drake(tiny), mechanics=replace(drake(tiny).mechanics, drop_scale=0.01))
    with pytest.raises(Unplannable, match=r"the plan (ends with outcome lose|wins under \d+ of 100 seeds)"):
        certify(tiny, rare)
