"""Campaigns with decoys, as in the set `horizon`: nothing but the fights tells which of the told gear is needed."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from herobench.sandbox import Sandbox
from herobench.suites.rpg.game.decisions import plan_decisions
from herobench.suites.rpg.game.episode import FINISHED, Episode
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.scoring import ideal, score
from herobench.suites.rpg.game.task import Goal, Task
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.audit.classifier import can_learn, learn
from herobench.task_gen.rpg.campaigns.campaigns import TOLERANCE
from herobench.task_gen.rpg.campaigns.draw import CampaignTurn, Draw, campaign_turn
from herobench.task_gen.rpg.campaigns.hidden_kills import hard_monsters, is_hidden, misleads_greedy
from herobench.task_gen.rpg.datasets import dataset, dataset_path, world_of
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.oracle.campaign_plan import campaign_plan
from herobench.task_gen.rpg.oracle.loadouts import LoadoutFights
from herobench.task_gen.rpg.oracle.steps import play
from herobench.task_gen.rpg.tasks.decoys import without_decoys
from herobench.task_gen.rpg.tasks.drafts import bare_search
from herobench.task_gen.rpg.twins import profile
from herobench.task_gen.rpg.validation import faults
from tests.sizes import THOROUGH
from tests.task_gen.rpg.made import proof, rules

ASKED = dataset("horizon")
LINES = dataset_path("horizon").read_text("utf-8").splitlines()
SOME = range(5, 360, 20 if THOROUGH else 90)
"""The places of the tasks that are looked at with fights."""


@pytest.fixture(scope="module")
def world() -> World:
    return world_of(None, "horizon")


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    return [Task.from_row(json.loads(line)) for line in LINES]


def needed(task: Task) -> set[str]:
    return {code for goal in task.goals for code in goal.missing.values()}


def told_gear(world: World, task: Task) -> set[str]:
    kinds = {slot.rstrip("123") for slot in gear_slots(world)}
    return {code for code in task.knowledge.recipes if world.items[code].type in kinds}


# -- the ladder -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_lengths_are_those_of_the_ladder(tasks: list[Task]) -> None:
    assert len(tasks) == ASKED.count == 360
    step = 1 if THOROUGH else 9
    for task, index in zip(tasks[::step], ASKED.numbers()[::step], strict=True):
        wanted = ASKED.spec.length(index)
        assert wanted
        assert abs((plan_decisions(proof(task)) or 0) - wanted) <= max(1, TOLERANCE * wanted)


def test_every_task_is_straight_ends_at_a_defeat_and_has_a_kill(tasks: list[Task]) -> None:
    for task in tasks:
        asked = task.mechanics
        assert (asked.plan, asked.defeat, task.knowledge.level) == ("straight", "final", "decoys")
        assert any(goal.kind == "kill" for goal in task.goals)
        assert task.campaign


def test_each_rung_has_all_turns_equally_often() -> None:
    turns: defaultdict[int, Counter[float]] = defaultdict(Counter)
    for index in range(360):
        turn = campaign_turn(ASKED.spec, index, Random(0))
        if turn.decisions and turn.decisions >= 24:
            turns[index % 10][turn.craft_share] += 1
    assert sum(list(shares.values()) == [12, 12, 12] for shares in turns.values()) == 7


def test_long_tasks_with_much_gear_and_with_little_are_as_long(tasks: list[Task]) -> None:
    """In the upper half of the ladder, the number of pieces says little of the length."""
    # The number of actions is near that of decisions there, and is not to be counted first.
    upper = [(proof(task).actions, len(needed(task))) for task in tasks[216:]]
    longer = [one[1] > other[1] for one in upper for other in upper if one[0] > 1.5 * other[0] and one[1] != other[1]]
    assert sum(longer) < 0.6 * len(longer)


def test_the_prompt_of_a_long_task_is_no_longer_in_proportion(tasks: list[Task]) -> None:
    short, long = tasks[100], tasks[-1]
    told = [len(task.knowledge.recipes) + len(task.knowledge.materials) for task in (short, long)]
    assert told[1] / told[0] < 0.2 * (plan_decisions(proof(long)) or 0) / (plan_decisions(proof(short)) or 1)


# -- what is hidden ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", SOME)
def test_no_rule_of_thumb_and_no_luck_gets_through(place: int, world: World, tasks: list[Task]) -> None:
    task = tasks[place]
    assert is_hidden(world, rules, task, told_gear(world, task), Random(1))
    assert without_decoys(world, rules, task) == []


def test_told_gear_that_is_needed_alone_hides_nothing(world: World, tasks: list[Task]) -> None:
    task = tasks[20]
    assert not is_hidden(world, rules, task, needed(task), Random(1))
    assert without_decoys(world, rules, replace(task, knowledge=replace(task.knowledge, recipes=tuple(needed(task)))))


def test_three_of_five_mislead_a_greedy_player(world: World, tasks: list[Task]) -> None:
    turns = [campaign_turn(ASKED.spec, index, Random(0)) for index in ASKED.numbers()]
    misleading = [task for task, turn in zip(tasks, turns, strict=True) if turn.misleading]
    assert 0.55 < len(misleading) / sum((turn.decisions or 0) >= 24 for turn in turns) < 0.65
    assert all(misleads_greedy(world, rules, task, told_gear(world, task)) for task in misleading[10:200:30])


def test_the_bag_holds_what_is_needed_as_often_as_decoys(world: World, tasks: list[Task]) -> None:
    counts: Counter[tuple[bool, bool]] = Counter()
    for task in tasks:
        if 0 < len(told_gear(world, task) & task.hero.inventory.keys()) < len(told_gear(world, task)):
            counts.update((code in needed(task), code in task.hero.inventory) for code in told_gear(world, task))
            kinds = {world.items[code].type: count for code, count in task.hero.inventory.items()}
            assert all(kinds[world.items[code].type] == count for code, count in task.hero.inventory.items())
    shares = [counts[kind, True] / (counts[kind, True] + counts[kind, False]) for kind in (True, False)]
    assert abs(shares[0] - shares[1]) < 0.1


@pytest.mark.slow
@pytest.mark.skipif(not can_learn(), reason="needs scikit-learn")
def test_a_classifier_learns_next_to_nothing(world: World, tasks: list[Task]) -> None:
    (leak,) = learn(world, tasks).leaks
    assert leak.auc is not None
    assert leak.auc <= 0.6
    assert max(leak.alone.values()) <= 0.6


# -- the plan and the score -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", SOME)
def test_the_oracle_wins_with_the_full_score(place: int, world: World, tasks: list[Task]) -> None:
    task = tasks[place]
    own = task.rules(rules)
    game = play(campaign_plan(world, own, task), Game(world, own, task.hero, task.seed))
    judged = score(task, world, own, Episode(tuple(game.events), FINISHED))
    assert (judged.outcome, judged.score) == ("win", 100)


def test_every_certificate_holds(world: World, tasks: list[Task]) -> None:
    with Sandbox(world, rules, workers=1) as sandbox:
        for task in tasks[:: 1 if THOROUGH else 60]:
            assert faults(world, rules, task, sandbox.execute) == [], task.id


def test_gear_in_the_bag_earns_nothing(world: World, tasks: list[Task]) -> None:
    task = tasks[0]
    assert needed(task) <= task.hero.inventory.keys()
    assert [milestone.kind for milestone in ideal(task, world)] == ["goal"] * len(task.goals)
    empty = replace(task, hero=replace(task.hero, inventory={}))
    assert {milestone.code for milestone in ideal(empty, world)} >= needed(task) or not empty.campaign


def test_a_task_with_its_gear_in_the_bag_is_a_campaign_of_one_goal(tasks: list[Task]) -> None:
    task = next(task for task in tasks if not task.then)
    assert task.campaign
    assert task.id.startswith("campaign 1/")
    assert task.as_row()["then"] == []
    assert not replace(task, is_short=False).campaign


# -- how it is drawn --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_contenders_are_not_beaten_by_luck(world: World) -> None:
    hard = hard_monsters(world, rules)
    assert len(hard) >= 8
    assert len(set(hard)) == len(hard)
    assert all(world.monsters[who].intended_level >= 0.75 * rules.level_cap for who in hard)


@pytest.mark.slow
def test_a_search_without_some_items_finds_sets_of_others(world: World) -> None:
    search = bare_search(world, rules, hard_monsters(world, rules)[-1], rules.level_cap)
    gear = search.drawn_set(Random(1))
    assert gear
    for seed in range(3):
        other = search.without(set(gear.values())).drawn_set(Random(seed))
        assert other is None or (set(other.values()).isdisjoint(gear.values()) and search.wins(other))


def test_goals_that_repeat_those_right_before_them_are_found(world: World) -> None:
    rng = Random(3)
    for _ in range(300):
        order = [rng.choice("ab") for _ in range(rng.randint(1, 9))]
        draw = Draw(world, LoadoutFights(world, rules, task_hero(world)), CampaignTurn(None, 0))
        draw.goals = [Goal("craft", code) for code in order[:-1]]
        repeated = any(order[-2 * size : -size] == order[-size:] for size in range(1, len(order) // 2 + 1))
        assert draw.repeats(order[-1]) is repeated, order


def task_hero(world: World) -> Any:
    return Task.from_row(json.loads(LINES[0])).hero


def test_a_twin_of_a_hidden_campaign_is_as_long_and_has_as_much_in_the_bag(tasks: list[Task]) -> None:
    for task in tasks[::40]:
        spec, length = profile(task, 5), plan_decisions(proof(task))
        assert spec.decisions == (length, length)
        assert (spec.plan, spec.defeat, spec.knowledge) == ("straight", "final", "decoys")
        assert spec.stock == round(len(needed(task) & task.hero.inventory.keys()) / len(needed(task)), 1)
