"""The milestones and the score of an episode, and its failure class."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from herobench.suites.rpg.game.episode import Ended, Ending
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import (
    TARGET_WIN,
    Failure,
    Milestone,
    Score,
    classify,
    collapse,
    has_won,
    ideal,
    list_reached,
    reaches_goal,
    score,
)
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import judge, scored_row
from herobench.suites.rpg.worlds.content import DEFAULT_EDITION, load_rules, load_world
from herobench.suites.rpg.worlds.task_file import task_problems
from tests.builders import TINY, craft_task, documents, hero_row, task_row, tiny_task, write_world
from tests.plays import ARMED, STRONG, WINNING, drake_task, played
from tests.sizes import for_each

RULES = load_rules("standard")


def test_a_lost_fight_and_a_refused_craft_do_not_reach_the_goal(tiny: World) -> None:
    for task, play in ((drake_task(tiny), "move 2 0; fight"), (craft_task(tiny, "bar"), "move 2 1; craft bar 1")):
        assert not reaches_goal(task, played(tiny, task, play).events)


def test_missing_gear_that_falls_is_obtained_by_a_fight(tiny: World) -> None:
    task = drake_task(tiny, target="rat", missing={"charm1": "drake_charm"})
    judged = score(task, tiny, RULES, played(tiny, task, f"{WINNING}; equip charm1 drake_charm; move 1 0; fight"))
    assert (judged.outcome, judged.score) == ("win", 100)
    assert Milestone("obtain_missing", "drake_charm") in judged.reached


def test_a_row_tells_whether_its_goal_was_reached(tiny: World) -> None:
    task = drake_task(tiny)
    for play, count in (("move 1 0; fight", 0), (WINNING, 1)):
        row = scored_row(tiny, task, RULES, judge(tiny, task, RULES, played(tiny, task, play)))
        assert (row["goals"], row["goals_reached"], row["next_goal"]) == (1, count, None)


WORN = load_rules("standard")


def ideal_milestones(task: Task, world: World) -> list[str]:
    return [str(milestone) for milestone in ideal(task, world)]


def reached_by(play: str, task: Task, world: World, rules: Rules = WORN) -> list[str]:
    return [str(milestone) for milestone in list_reached(task, world, rules, played(world, task, play, rules).events)]


def test_an_ideal_kill_gathers_makes_and_wears_the_gear(tiny: World) -> None:
    assert ideal_milestones(tiny_task(tiny), tiny) == [
        "target_win", "craft_missing:bar_sword", "equip_missing:bar_sword", "craft_missing:fur_coat",
        "equip_missing:fur_coat", "craft_intermediate:bar", "gather_resource:ore", "other_monster:rat",
    ]  # fmt: skip


def test_every_monster_that_drops_a_needed_leaf_counts(tmp_path: Path) -> None:
    content = documents(TINY)
    rat, _, wall = content["monsters"]["monsters"]
    wall["drops"] = rat["drops"]
    world = load_world(write_world(tmp_path / "world", content))
    found = ideal_milestones(tiny_task(world), world)
    assert [name for name in found if name.startswith("other_monster")] == ["other_monster:rat", "other_monster:wall"]


def test_a_monster_counts_once_and_what_it_drops_is_not_to_be_gathered(tmp_path: Path) -> None:
    content = documents(TINY)
    content["monsters"]["monsters"][0]["drops"].append({"item": "ore", "one_in": 1, "min": 1, "max": 1})
    world = load_world(write_world(tmp_path / "world", content))
    assert ideal_milestones(tiny_task(world), world)[5:] == ["craft_intermediate:bar", "other_monster:rat"]


def test_a_starter_item_counts_for_a_craft_however_deep_it_lies(tmp_path: Path) -> None:
    content = documents(TINY)
    charm = next(row for row in content["items"]["items"] if row["code"] == "pearl_charm")
    charm["recipe"]["ingredients"] = {"club": 1}
    world = load_world(write_world(tmp_path / "world", content))
    assert "gather_resource:twig" in ideal_milestones(craft_task(world, "pearl_charm"), world)


def test_a_perfect_play_reaches_the_target_first_and_the_rest_in_the_order_of_its_doing(tiny: World) -> None:
    task = drake_task(tiny)
    assert reached_by(WINNING, task, tiny) == [
        "target_win", "other_monster:rat", "gather_resource:ore", "craft_intermediate:bar", "craft_missing:bar_sword",
        "craft_missing:fur_coat", "equip_missing:bar_sword", "equip_missing:fur_coat",
    ]  # fmt: skip


def test_missing_gear_is_not_obtained_where_it_does_not_fall(tiny: World) -> None:
    rare = {"leveling": False, "drop_scale": 1e-9}
    task = tiny_task(tiny, hero=hero_row(stats=STRONG), missing={"charm1": "drake_charm"}, mechanics=rare)
    rules = task.rules(WORN)
    events = played(tiny, task, "move 2 0; fight", rules).events
    assert events[-1].ok
    assert list_reached(task, tiny, rules, events) == (TARGET_WIN,)


def test_missing_gear_that_is_bought_is_not_obtained(tmp_path: Path) -> None:
    content = documents(TINY)
    content["world"]["exchange_sells"] += ["drake_charm", "fur_coat"]
    world = load_world(write_world(tmp_path / "world", content))
    task = tiny_task(world, missing={"charm1": "drake_charm", "coat": "fur_coat"})
    play = "move 0 2; buy drake_charm 1; buy fur_coat 1; equip charm1 drake_charm"
    assert reached_by(play, task, world) == ["equip_missing:drake_charm"]


def test_a_gathered_leaf_counts_though_it_was_ideal_to_hunt_for_it(tmp_path: Path) -> None:
    content = documents(TINY)
    content["monsters"]["monsters"][0]["drops"].append({"item": "ore", "one_in": 1, "min": 1, "max": 1})
    world = load_world(write_world(tmp_path / "world", content))
    assert reached_by("move 1 1; gather 1", tiny_task(world), world) == ["gather_resource:ore"]


def test_the_row_that_the_tests_start_from_is_a_task_of_the_tiny_world(tiny: World) -> None:
    assert list(task_problems(task_row(tiny), tiny, "here")) == []


@for_each("milestone", [TARGET_WIN, Milestone("craft_missing", "iron_sword"), Milestone("x", "a:b")])
def test_a_milestone_is_read_from_the_text_that_a_row_stores(milestone: Milestone) -> None:
    assert Milestone.parse(str(milestone)) == milestone


EXACT = load_rules("standard")
EARLY = load_rules("paper-early")
LOGGED_MENTION = load_rules("paper-late")
UNFINISHED: tuple[Ended, ...] = ("no_code", "rejected", "error", "limit")


def scored(world: World, task: Task, play: str, rules: Rules = EXACT, how: Ended = "finished") -> Score:
    return score(task, world, rules, played(world, task, play, rules, Ending(how)))


def test_no_monster_of_the_classic_world_is_named_within_another(classic: World) -> None:
    """The published check looks for the target's name in the log's text; here codes are compared, to the same end."""
    names = [monster.name.lower() for monster in classic.monsters.values()]
    assert not [(one, other) for one in names for other in names if one != other and one in other]
    assert not [name for name in names if "win" in name]


@for_each("failure", ["craft brickwork 1", "craft brick 0", "craft brick x", "buy brick 1", "equip coat brick"])
def test_only_a_craft_that_gets_to_its_conditions_is_logged(tiny: World, failure: str) -> None:
    play = f"{failure}; move 0 1; gather 3; move 2 1; craft brick 1; {failure}"
    task = craft_task(tiny, "brick")
    assert has_won(task, LOGGED_MENTION, played(tiny, task, play, LOGGED_MENTION).events)


FORFEITED = "craft brick 1; move 0 1; gather 3; move 2 1; craft brick 1"
"""Crafts the brick, after a craft of it has failed."""


def test_a_forfeited_craft_that_does_not_finish_is_worth_nothing_and_keeps_its_progress(tiny: World) -> None:
    result = scored(tiny, craft_task(tiny, "brick"), FORFEITED, LOGGED_MENTION, how="error")
    assert (result.outcome, result.reward, result.score, result.progress_before_end) == ("lose", 0, 0.0, 100.0)


HUNT = "move 1 0; fight; move 3 0; fight; move 2 0; fight; equip charm1 drake_charm"


def test_a_published_score_is_not_clipped(tiny: World) -> None:
    task = tiny_task(tiny, missing={"charm1": "drake_charm"}, hero=hero_row(stats=STRONG))
    result = scored(tiny, task, HUNT, EARLY)
    assert (result.reward, result.ideal_reward) == (5, 3)
    assert result.score == pytest.approx(500 / 3)


def test_what_takes_no_plan_earns_nothing_by_standard_rules(tiny: World) -> None:
    result = scored(tiny, drake_task(tiny), "move 1 0; fight; move 1 1; gather 4; move 0 2; buy salt 1")
    assert [str(milestone) for milestone in result.reached] == ["other_monster:rat", "gather_resource:ore"]
    assert (result.reward, result.score, result.progress_before_end) == (0, 0.0, 0.0)


@for_each("hero", [hero_row(worn={"charm2": "drake_charm"}), hero_row(inventory={"drake_charm": 1})])
def test_putting_on_what_was_not_made_earns_nothing_by_standard_rules(tiny: World, hero: dict[str, Any]) -> None:
    task = tiny_task(tiny, missing={"charm1": "drake_charm"}, hero=hero)
    play = "unequip charm2; equip charm1 drake_charm; unequip charm1; equip charm2 drake_charm"
    assert [str(milestone) for milestone in scored(tiny, task, play).reached] == ["equip_missing:drake_charm"]
    assert (scored(tiny, task, play).score, scored(tiny, task, play, EARLY).reward) == (0, 1)


@for_each("how", UNFINISHED)
def test_an_unfinished_episode_is_worth_nothing_and_what_it_reached_is_kept_as_progress(
    tiny: World, how: Ended
) -> None:
    for play, rules, progress in (
        (WINNING, EXACT, 100.0),
        (ARMED, EXACT, 500 / 6),
        (ARMED, EARLY, 87.5),
        ("", EXACT, 0.0),
    ):
        result = scored(tiny, drake_task(tiny), play, rules, how=how)
        assert (result.outcome, result.reward, result.score) == ("lose", 0, 0.0)
        assert result.progress_before_end == progress


def test_what_a_plan_prints_is_no_ground_for_a_score(tiny: World) -> None:
    task = drake_task(tiny)
    silent = played(tiny, task, ARMED)
    loud = replace(silent, output="Hero win his fight against Frost Drake.")
    assert score(task, tiny, EXACT, loud) == score(task, tiny, EXACT, silent)


ONLY_SWORD = {"blade": "bar_sword"}
ONLY_CHARM = {"charm1": "drake_charm"}
"""Gear that is not crafted."""


def classify_play(
    world: World, task: Task, play: str, how: Ended = "finished", edition: str = DEFAULT_EDITION
) -> Failure:
    rules = load_rules(edition)
    episode = played(world, task, play, rules, Ending(how))
    return classify(task, episode, score(task, world, rules, episode))


@for_each("how", ["no_code", "rejected", "error", "limit"])
@for_each("play", ["", "fight; craft bar_sword 1", WINNING])
def test_a_plan_that_does_not_finish_is_invalid_code_whatever_it_did(tiny: World, play: str, how: Ended) -> None:
    assert classify_play(tiny, drake_task(tiny), play, how) == Failure("invalid_code", 0, 0)


def test_an_empty_plan_is_sorted_like_one_that_does_nothing(tiny: World) -> None:
    empty = Ending("no_code", "the plan is empty", None, "empty")
    for task in (drake_task(tiny), craft_task(tiny, "brick")):
        episode = played(tiny, task, "", ending=empty)
        assert classify(task, episode, score(task, tiny, load_rules(), episode)) == classify_play(tiny, task, "")


def test_a_win_has_no_bucket(tiny: World) -> None:
    assert classify_play(tiny, drake_task(tiny), WINNING).bucket is None
    task = drake_task(tiny, hero=hero_row(stats=STRONG))
    assert classify_play(tiny, task, "fight; move 2 0; fight").bucket is None, "errors and lacking gear or not"


@for_each(
    ("play", "bucket"),
    [
        ("", "gear"),
        ("move 1 0; fight", "gear"),
        ("move 2 0; fight", "gear"),
        ("craft bar_sword 0", "gear"),
        (ARMED, "other"),
        (f"{ARMED}; fight; fight; move 9 9", "other"),
        ("craft bar_sword 1; fight; craft fur_coat 1", "execution"),  # all the gear was tried
        ("craft bar_sword 1", "gear_and_execution"),  # some was not tried
        ("fight", "gear_and_execution"),
    ],
)
def test_a_lost_kill_fails_by_the_gear_that_was_made_and_tried(tiny: World, play: str, bucket: str) -> None:
    assert classify_play(tiny, drake_task(tiny), play).bucket == bucket


def test_gear_that_is_not_obtained_is_lacking_gear_too(tiny: World) -> None:
    task = drake_task(tiny, target="rat", missing=ONLY_CHARM)
    assert classify_play(tiny, task, "").bucket == "gear"
    assert classify_play(tiny, task, "fight").bucket == "gear_and_execution"


@for_each("play", ["", "fight", "craft brick 1", "move 0 1; gather 3"])
def test_a_lost_craft_is_always_a_failure_of_execution(tiny: World, play: str) -> None:
    assert classify_play(tiny, craft_task(tiny, "brick"), play).bucket == "execution"


@for_each("edition", ["paper-late", "paper-scoring"])
@for_each("start", ["move 0 1; gather 3; ", ""])
def test_a_forfeited_craft_is_a_failure_of_execution_though_its_target_was_crafted(
    tiny: World, edition: str, start: str
) -> None:
    task = craft_task(tiny, "brick", hero=hero_row(inventory={"clay": 3}))
    play = f"craft brick 1; {start}move 2 1; craft brick 1"
    assert classify_play(tiny, task, play, edition=edition) == Failure("execution", 0, 1)


def test_a_craft_won_by_another_items_code_has_no_bucket(tiny: World) -> None:
    task = craft_task(tiny, "bar", hero=hero_row(inventory={"bar": 2, "fur": 1}))
    assert classify_play(tiny, task, "move 2 1; craft bar_sword 1", edition="paper-late").bucket is None


@for_each(
    "call",
    ["craft bar_sword quantity=1", "craft code=bar_sword quantity=1", "craft name=Hero code=bar_sword quantity=1"],
)
def test_a_failed_craft_called_by_keyword_is_missed(tiny: World, call: str) -> None:
    failure = classify_play(tiny, drake_task(tiny, missing=ONLY_SWORD), call)
    assert failure == Failure("gear_and_execution", high_level_errors=1, execution_errors=1)


def test_a_failed_craft_right_after_another_failed_craft_is_missed(tiny: World) -> None:
    failure = classify_play(tiny, drake_task(tiny), "craft fur_coat 1; craft bar_sword 1")
    assert failure == Failure("gear_and_execution", high_level_errors=1, execution_errors=1)


def test_only_a_craft_counts_as_trying_to_craft(tiny: World) -> None:
    failure = classify_play(tiny, drake_task(tiny, missing=ONLY_SWORD), "equip blade bar_sword 1; buy bar_sword 1")
    assert failure.high_level_errors == 1


def test_high_level_errors_are_the_uncrafted_gear_that_was_not_tried(tiny: World) -> None:
    task = drake_task(tiny, missing={**ONLY_SWORD, "coat": "fur_coat", **ONLY_CHARM})
    assert classify_play(tiny, task, "").high_level_errors == 2, "what is not crafted is none"
    assert classify_play(tiny, task, "craft bar_sword 1").high_level_errors == 1
    assert classify_play(tiny, task, "craft bar_sword 1; fight; craft fur_coat 1").high_level_errors == 0
    assert classify_play(tiny, craft_task(tiny, "brick"), "").high_level_errors == 0


@for_each(
    ("play", "errors"),
    [
        ("craft nothing 1; craft bar 1; craft fur_coat 1", [("craft", 404)]),  # the first of a row stands
        ("fight; move 1 1; fight; move 0 1; fight", [("fight", 598)]),  # successes do not part a row
        ("fight; gather 1; fight", [("fight", 598), ("gather", 598), ("fight", 598)]),  # another error does
        ("fight; gather 0; move x y; fight; equip hat twig", [("fight", 598)]),  # unprocessable calls are no errors
    ],
)
def test_errors_of_one_action_in_a_row_count_once(tiny: World, play: str, errors: list[tuple[str, int]]) -> None:
    events = collapse(played(tiny, drake_task(tiny), play).events)
    assert [(event.action.name, event.status) for event in events] == errors


@for_each(
    ("play", "count"),
    [
        ("", 0),
        ("fight", 1),
        ("fight; fight", 1),
        ("fight; gather 1; craft bar 1; buy salt 1; move 0 0; unequip coat", 6),
        ("equip blade club", 1),
        ("equip coat fur_coat", 0),
        ("equip blade club; equip coat fur_coat", 1),
        ("equip coat fur_coat; equip blade club", 0),
        ("equip coat fur_coat; fight; equip blade club", 2),
        ("fight name=Villain", 1),
        ("gather 0; move x y", 0),
    ],
)
def test_of_the_equip_errors_only_the_occupied_slot_counts_and_only_as_a_first(
    tiny: World, play: str, count: int
) -> None:
    assert classify_play(tiny, drake_task(tiny), play).execution_errors == count


def test_the_errors_of_a_win_are_counted_too(tiny: World) -> None:
    assert classify_play(tiny, drake_task(tiny), f"fight; {WINNING}") == Failure(None, 0, 1)
