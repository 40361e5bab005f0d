"""The milestones of tasks and campaigns: which an ideal plan has, and which events reach."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from herobench.suites.rpg.game.episode import Ending
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import TARGET_WIN, Milestone, goals_reached, has_won, ideal, reached, score
from herobench.suites.rpg.game.task import Goal, Knowledge, Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import judge, scored_row
from herobench.suites.rpg.worlds.content import edition_names, load_rules, load_world
from herobench.suites.rpg.worlds.task_file import task_problems
from tests.builders import TINY, craft_task, documents, hero_row, task_row, tiny_task, write_world
from tests.plays import STRONG, WINNING, drake_task, played

BAR, RAT = Goal("craft", "bar"), Goal("kill", "rat")
RULES = load_rules("standard")
TO_BAR = "move 1 1; gather 8; move 2 1; craft bar 1"


def campaign(world: World, *then: Goal) -> Task:
    """Beat the drake, then reach some more goals."""
    return replace(drake_task(world), then=then)


def crafts(world: World, *then: Goal) -> Task:
    """Craft a brick, then reach some more goals."""
    return replace(craft_task(world, "brick"), then=then)


def numbers(world: World, task: Task, play: str) -> tuple[int, ...]:
    return goals_reached(task, played(world, task, play).events)


def test_goals_are_reached_in_their_order_by_one_event_each(tiny: World) -> None:
    task = crafts(tiny, BAR, BAR)
    gathered = "move 0 1; gather 6; move 1 1; gather 12; move 2 1"
    assert numbers(tiny, task, f"{gathered}; craft brick 1; craft bar 1; craft bar 1") == (5, 6, 7)
    assert numbers(tiny, task, f"{gathered}; craft brick 2; craft bar 3") == (5, 6), "an event reaches one goal"


def test_what_is_done_before_its_turn_has_to_be_done_again(tiny: World) -> None:
    task = crafts(tiny, BAR)
    gathered = "move 0 1; gather 6; move 1 1; gather 12; move 2 1"
    assert numbers(tiny, task, f"{gathered}; craft bar 1; craft brick 1") == (6,)
    assert numbers(tiny, task, f"{gathered}; craft bar 1; craft brick 1; craft bar 1") == (6, 7)


def test_a_lost_fight_and_a_refused_craft_reach_nothing(tiny: World) -> None:
    assert numbers(tiny, campaign(tiny, BAR), "move 2 0; fight; move 2 1; craft bar 1") == ()


def test_a_campaign_is_won_when_all_goals_are_reached_and_the_plan_ends_well(tiny: World) -> None:
    for edition in edition_names():
        rules, task = load_rules(edition), campaign(tiny, BAR)
        whole = played(tiny, task, f"{WINNING}; {TO_BAR}", rules)
        assert score(task, tiny, rules, whole).outcome == "win"
        assert score(task, tiny, rules, replace(whole, ending=Ending("error"))).outcome == "lose"
        assert not has_won(task, rules, played(tiny, task, WINNING, rules).events)
        assert not has_won(task, rules, played(tiny, task, f"{TO_BAR}; {WINNING}", rules).events), "the order counts"


def test_the_milestones_are_the_goals_and_what_is_made_for_them(tiny: World) -> None:
    task = campaign(tiny, RAT, Goal("craft", "broth"), Goal("kill", "drake", {"blade": "club"}))
    assert [str(milestone) for milestone in ideal(task, tiny)] == [
        "goal:1", "goal:2", "goal:3", "goal:4",
        "craft_missing:bar_sword", "equip_missing:bar_sword", "craft_missing:club", "equip_missing:club",
        "craft_missing:fur_coat", "equip_missing:fur_coat", "craft_intermediate:bar", "craft_intermediate:brick",
    ]  # fmt: skip


def test_missing_gear_that_falls_is_obtained_by_a_fight(tiny: World) -> None:
    task = campaign(tiny, Goal("kill", "rat", {"charm1": "drake_charm"}))
    judged = score(task, tiny, RULES, played(tiny, task, f"{WINNING}; equip charm1 drake_charm; move 1 0; fight"))
    assert (judged.outcome, judged.score, judged.missed) == ("win", 100, ())


def test_only_what_an_ideal_plan_reaches_counts(tiny: World) -> None:
    task = campaign(tiny, BAR)
    judged = score(
        task, tiny, RULES, played(tiny, task, f"{WINNING}; {TO_BAR}; move 0 1; gather 3; move 2 1; craft brick 1")
    )
    assert judged.score == 100
    lost = score(task, tiny, RULES, played(tiny, task, WINNING))
    assert (lost.outcome, lost.reward, lost.ideal_reward) == ("lose", 6, 7)
    assert [str(milestone) for milestone in lost.missed] == ["goal:2"]


def test_a_task_of_one_goal_is_judged_as_ever(tiny: World) -> None:
    task = drake_task(tiny)
    assert task.goals == (Goal("kill", "drake", task.missing),)
    assert ideal(task, tiny)[0] == TARGET_WIN


def test_a_row_tells_how_many_goals_were_reached_and_which_was_next(tiny: World) -> None:
    task = campaign(tiny, BAR, Goal("kill", "rat", {"blade": "club"}))

    def row(play: str, task: Task = task) -> dict[str, object]:
        return scored_row(tiny, task, RULES, judge(tiny, task, RULES, played(tiny, task, play)))

    first = row("move 1 0; fight")
    assert (first["goals"], first["goals_reached"]) == (3, 0)
    assert first["next_goal"] == {
        "number": 1, "kind": "kill", "target": "drake", "missing": dict(task.missing), "since": 0, "early": False,
        "crafts": ["bar"],
    }  # fmt: skip
    last = row(f"{WINNING}; {TO_BAR}")
    since = len(WINNING.split(";")) + 4
    assert last["next_goal"] == {
        "number": 3, "kind": "kill", "target": "rat", "missing": {"blade": "club"}, "since": since, "early": True,
        "crafts": ["bar"],
    }  # fmt: skip
    won = row(f"{WINNING}; {TO_BAR}; move 1 0; fight")
    assert (won["goals_reached"], won["next_goal"]) == (3, None)
    single = row("move 1 0; fight", drake_task(tiny))
    assert (single["goals"], single["goals_reached"], single["next_goal"]) == (1, 0, None)


def test_the_gear_of_a_lost_campaign_is_missing_though_its_first_goal_is_a_craft(tiny: World) -> None:
    task = replace(crafts(tiny, Goal("kill", "drake", tiny_task(tiny).missing)))
    result = judge(tiny, task, RULES, played(tiny, task, "move 0 1; gather 3; move 2 1; craft brick 1"))
    assert result.failure.bucket == "gear"


WORN = load_rules("standard")
MENTION = load_rules("paper-hard")


def ideal_of(task: Task, world: World) -> list[str]:
    return [str(milestone) for milestone in ideal(task, world)]


def reached_by(play: str, task: Task, world: World, rules: Rules = WORN) -> list[str]:
    return [str(milestone) for milestone in reached(task, world, rules, played(world, task, play, rules).events)]


def strong_task(world: World, **changes: Any) -> Task:
    return tiny_task(world, hero=hero_row(stats=STRONG), **changes)


def told_for_sale(*codes: str) -> dict[str, list[str]]:
    row = Knowledge((), (), frozenset(codes), (), (), ()).as_row()
    return {**row, "materials": list(codes)}


# -- the ideal of a kill task -----------------------------------------------------------------------------------------


def test_an_ideal_kill_makes_and_wears_the_gear_and_comes_by_what_it_is_made_of(tiny: World) -> None:
    assert ideal_of(tiny_task(tiny), tiny) == [
        "target_win",
        "craft_missing:bar_sword",
        "equip_missing:bar_sword",
        "craft_missing:fur_coat",
        "equip_missing:fur_coat",
        "craft_intermediate:bar",
        "gather_resource:ore",
        "other_monster:rat",
    ]


def test_missing_gear_that_cannot_be_crafted_is_obtained(tiny: World) -> None:
    task = tiny_task(tiny, target="rat", missing={"charm1": "drake_charm"})
    expected = ["target_win", "obtain_missing:drake_charm", "equip_missing:drake_charm", "other_monster:drake"]
    assert ideal_of(task, tiny) == expected


def test_the_target_is_no_other_monster_though_it_drops_what_is_needed(tiny: World) -> None:
    task = tiny_task(tiny, missing={"charm1": "drake_charm"})
    assert ideal_of(task, tiny) == ["target_win", "obtain_missing:drake_charm", "equip_missing:drake_charm"]


def test_the_same_item_missing_in_two_slots_counts_once(tiny: World) -> None:
    once = tiny_task(tiny, missing={"charm1": "pearl_charm"})
    twice = tiny_task(tiny, missing={"charm1": "pearl_charm", "charm2": "pearl_charm"})
    assert ideal_of(twice, tiny) == ideal_of(once, tiny)


def test_missing_gear_that_goes_into_other_missing_gear_is_no_intermediate(tiny: World) -> None:
    task = tiny_task(tiny, missing={"blade": "bar_sword", "coat": "bar"})
    assert "craft_missing:bar" in ideal_of(task, tiny)
    assert "craft_intermediate:bar" not in ideal_of(task, tiny)


def test_every_monster_that_drops_a_needed_leaf_counts(tmp_path: Path) -> None:
    content = documents(TINY)
    rat, _, wall = content["monsters"]["monsters"]
    wall["drops"] = rat["drops"]
    world = load_world(write_world(tmp_path / "world", content))
    found = ideal_of(tiny_task(world), world)
    assert [name for name in found if name.startswith("other_monster")] == ["other_monster:rat", "other_monster:wall"]


def test_a_monster_counts_once_and_what_it_drops_is_not_to_be_gathered(tmp_path: Path) -> None:
    content = documents(TINY)
    content["monsters"]["monsters"][0]["drops"].append({"item": "ore", "one_in": 1, "min": 1, "max": 1})
    world = load_world(write_world(tmp_path / "world", content))
    assert ideal_of(tiny_task(world), world)[5:] == ["craft_intermediate:bar", "other_monster:rat"]


def test_a_starter_item_in_a_recipe_of_missing_gear_is_left_out(tiny: World) -> None:
    expected = ["target_win", "craft_missing:club", "equip_missing:club", "craft_intermediate:brick"]
    task = tiny_task(tiny, missing={"blade": "club"})
    assert ideal_of(task, tiny) == [*expected, "gather_resource:clay"]


def test_a_kill_with_nothing_missing_is_a_fight_only(tiny: World) -> None:
    assert ideal_of(tiny_task(tiny, missing={}), tiny) == ["target_win"]


# -- the ideal of a craft task ----------------------------------------------------------------------------------------


def test_an_ideal_craft_makes_the_intermediates_and_gathers_the_leaves(tiny: World) -> None:
    expected = ["target_win", "craft_intermediate:bar", "gather_resource:fur", "gather_resource:ore"]
    assert ideal_of(craft_task(tiny, "bar_sword"), tiny) == expected


def test_a_leaf_that_is_told_to_be_sold_is_to_be_bought(tiny: World) -> None:
    task = craft_task(tiny, "broth", knowledge=told_for_sale("salt"))
    assert ideal_of(task, tiny) == ["target_win", "gather_resource:fur", "buy_resource:salt"]


def test_a_starter_item_in_the_recipe_of_a_craft_target_counts(tiny: World) -> None:
    task = craft_task(tiny, "club", knowledge=told_for_sale("twig"))
    expected = ["target_win", "craft_intermediate:brick", "gather_resource:clay", "buy_resource:twig"]
    assert ideal_of(task, tiny) == expected


def test_a_starter_item_counts_for_a_craft_however_deep_it_lies(tmp_path: Path) -> None:
    content = documents(TINY)
    charm = next(row for row in content["items"]["items"] if row["code"] == "pearl_charm")
    charm["recipe"]["ingredients"] = {"club": 1}
    world = load_world(write_world(tmp_path / "world", content))
    assert "gather_resource:twig" in ideal_of(craft_task(world, "pearl_charm"), world)


# -- what is reached in a kill task -----------------------------------------------------------------------------------


def test_a_perfect_play_reaches_the_target_first_and_the_rest_in_the_order_of_its_doing(tiny: World) -> None:
    task = drake_task(tiny)
    assert reached_by(WINNING, task, tiny) == [
        "target_win",
        "other_monster:rat",
        "gather_resource:ore",
        "craft_intermediate:bar",
        "craft_missing:bar_sword",
        "craft_missing:fur_coat",
        "equip_missing:bar_sword",
        "equip_missing:fur_coat",
    ]


def test_the_target_counts_when_it_is_beaten_and_once(tiny: World) -> None:
    assert reached_by("move 2 0; fight; fight", strong_task(tiny), tiny) == ["target_win"]
    assert reached_by("move 2 0; fight", tiny_task(tiny), tiny) == [], "the fight is lost"
    assert reached_by("", strong_task(tiny), tiny) == []


def test_a_beaten_monster_counts_even_when_it_is_of_no_use_and_once(tiny: World) -> None:
    assert reached_by("move 3 0; fight; fight", strong_task(tiny), tiny) == ["other_monster:wall"]


def test_a_lost_fight_counts_for_nothing(tiny: World) -> None:
    assert reached_by("move 3 0; fight", tiny_task(tiny), tiny) == []


@pytest.mark.parametrize("target", ["drake", "rat"])
def test_missing_gear_is_obtained_by_beating_who_drops_it_target_or_not(tiny: World, target: str) -> None:
    task = strong_task(tiny, target=target, missing={"charm1": "drake_charm"})
    assert "obtain_missing:drake_charm" in reached_by("move 2 0; fight", task, tiny)


def test_missing_gear_is_not_obtained_where_it_does_not_fall(tiny: World) -> None:
    rare = {"leveling": False, "drop_scale": 1e-9}
    task = strong_task(tiny, missing={"charm1": "drake_charm"}, mechanics=rare)
    rules = task.rules(WORN)
    events = played(tiny, task, "move 2 0; fight", rules).events
    assert events[-1].ok
    assert reached(task, tiny, rules, events) == (TARGET_WIN,)


def test_missing_gear_that_is_bought_is_not_obtained(tmp_path: Path) -> None:
    content = documents(TINY)
    content["world"]["exchange_sells"] += ["drake_charm", "fur_coat"]
    world = load_world(write_world(tmp_path / "world", content))
    task = tiny_task(world, missing={"charm1": "drake_charm", "coat": "fur_coat"})
    play = "move 0 2; buy drake_charm 1; buy fur_coat 1; equip charm1 drake_charm"
    assert reached_by(play, task, world) == ["equip_missing:drake_charm"]


def test_gear_counts_in_whatever_slot_it_is_worn_and_once(tiny: World) -> None:
    hero = hero_row(inventory={"pearl_charm": 2})
    task = tiny_task(tiny, missing={"charm1": "pearl_charm"}, hero=hero)
    assert reached_by("equip charm2 pearl_charm; equip charm1 pearl_charm", task, tiny) == ["equip_missing:pearl_charm"]


def test_gear_that_is_taken_off_counts_only_by_mention(tiny: World) -> None:
    """The charm is missing in one slot and worn in the other from the start."""
    task = tiny_task(tiny, missing={"charm1": "drake_charm"}, hero=hero_row(worn={"charm2": "drake_charm"}))
    assert reached_by("unequip charm2", task, tiny, WORN) == []
    assert reached_by("unequip charm2", task, tiny, MENTION) == ["equip_missing:drake_charm"]
    both = "unequip charm2; equip charm1 drake_charm"
    assert reached_by(both, task, tiny, WORN) == reached_by(both, task, tiny, MENTION) == ["equip_missing:drake_charm"]


@pytest.mark.parametrize("play", ["unequip blade", "unequip coat", "unequip charm2"])
def test_what_is_taken_off_but_not_missing_or_not_worn_counts_for_nothing(tiny: World, play: str) -> None:
    task = tiny_task(tiny, missing={"charm1": "drake_charm"}, hero=hero_row(worn={"blade": "club"}))
    assert reached_by(play, task, tiny, MENTION) == []


def test_a_code_is_compared_whole_though_another_begins_with_it(tmp_path: Path) -> None:
    content = documents(TINY)
    charm = next(row for row in content["items"]["items"] if row["code"] == "drake_charm")
    content["items"]["items"].append({**charm, "code": "drake_charm_2", "name": "Second Drake Charm"})
    world = load_world(write_world(tmp_path / "world", content))
    hero = hero_row(worn={"charm2": "drake_charm_2"})
    task = tiny_task(world, missing={"charm1": "drake_charm"}, hero=hero)
    assert reached_by("unequip charm2; equip charm2 drake_charm_2", task, world, MENTION) == []


def test_a_gathering_counts_for_all_its_drops_that_are_leaves(tiny: World) -> None:
    task = tiny_task(tiny, missing={"charm1": "pearl_charm"})
    assert reached_by("move 0 1; gather 1", task, tiny) == ["gather_resource:clay", "gather_resource:pearl"]
    unneeded = tiny_task(tiny, missing={"blade": "club"})
    assert reached_by("move 0 1; gather 1; gather 1", unneeded, tiny) == ["gather_resource:clay"]


def test_a_gathered_leaf_counts_though_it_was_ideal_to_hunt_for_it(tmp_path: Path) -> None:
    content = documents(TINY)
    content["monsters"]["monsters"][0]["drops"].append({"item": "ore", "one_in": 1, "min": 1, "max": 1})
    world = load_world(write_world(tmp_path / "world", content))
    assert reached_by("move 1 1; gather 1", tiny_task(world), world) == ["gather_resource:ore"]


@pytest.mark.parametrize(
    "play", ["gather 1; fight", "craft bar 1", "equip blade bar_sword", "move 1 0; equip coat fur"]
)
def test_a_refused_action_counts_for_nothing(tiny: World, play: str) -> None:
    assert reached_by(play, tiny_task(tiny), tiny) == []


def test_crafts_of_what_the_task_does_not_need_count_for_nothing(tiny: World) -> None:
    assert reached_by("move 0 1; gather 3; move 2 1; craft brick 1", tiny_task(tiny), tiny) == []


# -- what is reached in a craft task ----------------------------------------------------------------------------------


def test_a_craft_counts_intermediates_and_leaves_but_no_fights(tiny: World) -> None:
    task = craft_task(tiny, "bar_sword", hero=hero_row(stats=STRONG))
    play = "move 1 0; fight; move 2 0; fight; move 1 1; gather 8; gather 1; move 2 1; craft bar 1; craft bar 1"
    assert reached_by(play, task, tiny) == ["gather_resource:ore", "craft_intermediate:bar"]


def test_the_target_of_a_craft_is_no_intermediate_and_nothing_is_worn(tiny: World) -> None:
    task = craft_task(tiny, "bar_sword", hero=hero_row(inventory={"bar": 2, "fur": 1}))
    play = "move 2 1; craft bar_sword 1; equip blade bar_sword"
    assert reached_by(play, task, tiny) == ["target_win"]


def test_a_leaf_counts_as_it_was_come_by_whichever_way_is_ideal(tiny: World) -> None:
    task = craft_task(tiny, "club", knowledge=told_for_sale("clay"))
    play = "move 0 1; gather 1; move 0 2; buy twig 1; buy twig 2; buy salt 1"
    assert reached_by(play, task, tiny) == ["gather_resource:clay", "buy_resource:twig"]
    assert "buy_resource:clay" in ideal_of(task, tiny)


def test_the_row_that_the_tests_start_from_is_a_task_of_the_tiny_world(tiny: World) -> None:
    assert list(task_problems(task_row(tiny), tiny, "here")) == []


@pytest.mark.parametrize("milestone", [TARGET_WIN, Milestone("craft_missing", "iron_sword"), Milestone("x", "a:b")])
def test_a_milestone_is_read_from_the_text_that_a_row_stores(milestone: Milestone) -> None:
    assert Milestone.parse(str(milestone)) == milestone
