from dataclasses import replace
from typing import Any

import pytest

from herobench.suites.rpg.game.events import Ended, Ending
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import Score, has_won, score
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import craft_task, hero_row, tiny_task
from tests.plays import ARMED, STRONG, WINNING, drake_task, played

EXACT = load_rules("standard")
MENTION = load_rules("paper-early")
LOGGED = replace(load_rules("paper-late"), craft_credit="exact")
LOGGED_MENTION = load_rules("paper-late")
UNFINISHED: tuple[Ended, ...] = ("no_code", "rejected", "error", "limit")


def scored(world: World, task: Task, play: str, rules: Rules = EXACT, how: Ended = "finished") -> Score:
    return score(task, world, rules, played(world, task, play, rules, Ending(how)))


def wins(world: World, task: Task, play: str, rules: Rules) -> bool:
    return has_won(task, rules, played(world, task, play, rules).events)


# -- the win of a kill task -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [EXACT, MENTION, LOGGED, LOGGED_MENTION])
def test_a_kill_is_won_by_beating_the_target_whatever_comes_before_and_after(tiny: World, rules: Rules) -> None:
    task = drake_task(tiny)
    assert wins(tiny, task, WINNING, rules)
    assert wins(tiny, task, f"move 2 0; fight; {WINNING}; craft drake 1; move 3 0; fight", rules)


def test_a_kill_is_not_won_by_losing_to_the_target_or_beating_another(tiny: World) -> None:
    task = drake_task(tiny)
    assert not wins(tiny, task, "move 2 0; fight", EXACT)
    assert not wins(tiny, task, ARMED, EXACT)
    assert not wins(tiny, task, "", EXACT)


def test_no_monster_of_the_classic_world_is_named_within_another(classic: World) -> None:
    """The published check looks for the target's name in the log's text; here codes are compared, to the same end."""
    names = [monster.name.lower() for monster in classic.monsters.values()]
    assert not [(one, other) for one in names for other in names if one != other and one in other]
    assert not [name for name in names if "win" in name]


# -- the win of a craft task ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [EXACT, MENTION, LOGGED, LOGGED_MENTION])
def test_a_craft_is_won_by_crafting_the_target(tiny: World, rules: Rules) -> None:
    task = craft_task(tiny, "brick")
    assert wins(tiny, task, "move 0 1; gather 3; move 2 1; craft brick 1; craft brick x; craft bricks 1", rules)
    assert not wins(tiny, task, "move 0 1; gather 3", rules)


def test_a_craft_is_not_won_by_owning_the_target(tiny: World) -> None:
    task = craft_task(tiny, "broth", hero=hero_row(inventory={"broth": 2}))
    assert not wins(tiny, task, "equip consumable1 broth 1; unequip consumable1 1", MENTION)


@pytest.mark.parametrize(("rules", "won"), [(EXACT, False), (MENTION, True), (LOGGED, False), (LOGGED_MENTION, True)])
def test_a_craft_whose_code_contains_the_target_counts_only_by_mention(tiny: World, rules: Rules, won: bool) -> None:
    task = craft_task(tiny, "bar", hero=hero_row(inventory={"bar": 2, "fur": 1}))
    assert wins(tiny, task, "move 2 1; craft bar_sword 1", rules) is won


@pytest.mark.parametrize("rules", [EXACT, MENTION])
def test_a_failed_craft_costs_nothing_where_it_is_not_logged(tiny: World, rules: Rules) -> None:
    task = craft_task(tiny, "brick")
    assert wins(
        tiny, task, "craft brick 1; move 0 1; gather 3; move 2 1; craft club 1; craft brick 1; craft brick 1", rules
    )


@pytest.mark.parametrize("rules", [LOGGED, LOGGED_MENTION])
@pytest.mark.parametrize(
    "play",
    [
        "craft brick 1; move 0 1; gather 3; move 2 1; craft brick 1",
        "move 0 1; gather 3; move 2 1; craft brick 1; craft brick 1",
    ],
    ids=["before", "after"],
)
def test_one_logged_failure_forfeits_whenever_it_happens(tiny: World, rules: Rules, play: str) -> None:
    assert not wins(tiny, craft_task(tiny, "brick"), play, rules)


@pytest.mark.parametrize("rules", [LOGGED, LOGGED_MENTION])
def test_a_failure_of_another_item_forfeits_where_what_it_lacks_mentions_the_target(tiny: World, rules: Rules) -> None:
    task = craft_task(tiny, "brick")
    success = "move 0 1; gather 3; move 2 1; craft brick 1"
    assert not wins(tiny, task, f"{success}; craft club 1", rules)
    task = craft_task(tiny, "bar")
    success = "move 1 1; gather 4; move 2 1; craft bar 1"
    assert not wins(tiny, task, f"{success}; craft bar_sword 1", rules), "its own code contains the target's"


@pytest.mark.parametrize("rules", [LOGGED, LOGGED_MENTION])
def test_a_failure_that_does_not_mention_the_target_costs_nothing(tiny: World, rules: Rules) -> None:
    task = craft_task(tiny, "brick", hero=hero_row(inventory={"brick": 2}))
    success = "move 0 1; gather 3; move 2 1; craft brick 1"
    assert wins(tiny, task, f"{success}; craft fur_coat 1", rules)
    assert wins(tiny, task, f"{success}; craft club 1", rules), "it lacks a twig, and bricks are there"


@pytest.mark.parametrize(
    "failure", ["craft brickwork 1", "craft brick 0", "craft brick x", "buy brick 1", "equip coat brick"]
)
def test_only_a_craft_that_gets_to_its_conditions_is_logged(tiny: World, failure: str) -> None:
    play = f"{failure}; move 0 1; gather 3; move 2 1; craft brick 1; {failure}"
    assert wins(tiny, craft_task(tiny, "brick"), play, LOGGED_MENTION)


# -- the win of a craft task and its reward ---------------------------------------------------------------------------

FORFEITED = "craft brick 1; move 0 1; gather 3; move 2 1; craft brick 1"
"""Crafts the brick, after a craft of it has failed."""


@pytest.mark.parametrize("edition", ["paper-late", "paper-scoring"])
def test_a_forfeited_craft_is_lost_and_its_target_counts_in_the_reward(tiny: World, edition: str) -> None:
    result = scored(tiny, craft_task(tiny, "brick"), FORFEITED, load_rules(edition))
    assert (result.outcome, result.reward, result.ideal_reward) == ("lose", 2, 2)
    assert [str(milestone) for milestone in result.reached] == ["target_win", "gather_resource:clay"]
    assert (result.missed, result.score, result.progress_before_end) == ((), 100.0, 100.0)


@pytest.mark.parametrize("edition", ["paper-late", "paper-scoring"])
def test_a_forfeited_craft_whose_target_was_not_crafted_misses_it(tiny: World, edition: str) -> None:
    result = scored(tiny, craft_task(tiny, "brick"), "move 0 1; gather 3; craft brick 1", load_rules(edition))
    assert (result.outcome, result.reward) == ("lose", 1)
    assert [str(milestone) for milestone in result.missed] == ["target_win"]


@pytest.mark.parametrize("edition", ["paper-early", "paper-hard", "paper-late", "paper-scoring"])
def test_a_craft_that_only_mentions_the_target_wins_and_misses_it_in_the_reward(tiny: World, edition: str) -> None:
    task = craft_task(tiny, "bar", hero=hero_row(inventory={"bar": 2, "fur": 1}))
    result = scored(tiny, task, "move 1 1; gather 1; move 2 1; craft bar_sword 1", load_rules(edition))
    assert (result.outcome, result.reward, result.ideal_reward, result.score) == ("win", 1, 2, 50.0)
    assert [str(milestone) for milestone in result.reached] == ["gather_resource:ore"]
    assert [str(milestone) for milestone in result.missed] == ["target_win"]


def test_a_forfeited_craft_that_does_not_finish_is_worth_nothing_and_keeps_its_progress(tiny: World) -> None:
    result = scored(tiny, craft_task(tiny, "brick"), FORFEITED, LOGGED_MENTION, how="error")
    assert (result.outcome, result.reward, result.score, result.progress_before_end) == ("lose", 0, 0.0, 100.0)


def test_by_standard_rules_neither_happens(tiny: World) -> None:
    result = scored(tiny, craft_task(tiny, "brick"), FORFEITED, load_rules("standard"))
    assert (result.outcome, result.reward, result.missed) == ("win", 1, ())
    task = craft_task(tiny, "bar", hero=hero_row(inventory={"bar": 2, "fur": 1}))
    result = scored(tiny, task, "move 2 1; craft bar_sword 1", load_rules("standard"))
    assert (result.outcome, result.reward) == ("lose", 0)


# -- reward and score -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "ideal"), [(EXACT, 6), (MENTION, 8)])
def test_a_perfect_play_scores_a_hundred(tiny: World, rules: Rules, ideal: int) -> None:
    result = scored(tiny, drake_task(tiny), WINNING, rules)
    assert (result.outcome, result.reward, result.ideal_reward, result.score) == ("win", ideal, ideal, 100.0)
    assert result.missed == ()


@pytest.mark.parametrize(("rules", "worth"), [(EXACT, 100 / 6), (MENTION, 12.5)])
def test_a_win_without_the_gear_is_a_win_with_less(tiny: World, rules: Rules, worth: float) -> None:
    result = scored(tiny, tiny_task(tiny, hero=hero_row(stats=STRONG)), "move 2 0; fight", rules)
    assert (result.outcome, result.reward, result.score) == ("win", 1, worth)


@pytest.mark.parametrize(("rules", "reward", "worth"), [(EXACT, 5, 500 / 6), (MENTION, 7, 87.5)])
def test_a_lost_play_keeps_what_it_reached_on_the_way(tiny: World, rules: Rules, reward: int, worth: float) -> None:
    result = scored(tiny, drake_task(tiny), ARMED, rules)
    assert (result.outcome, result.reward, result.score) == ("lose", reward, worth)
    assert [str(milestone) for milestone in result.missed] == ["target_win"]


def test_reached_and_missed_share_nothing_and_cover_the_ideal(tiny: World) -> None:
    result = scored(tiny, drake_task(tiny), "move 1 0; fight; move 1 1; gather 4", MENTION)
    assert [str(milestone) for milestone in result.reached] == ["other_monster:rat", "gather_resource:ore"]
    assert not set(result.reached) & set(result.missed)
    assert len(result.reached) + len(result.missed) == result.ideal_reward


HUNT = "move 1 0; fight; move 3 0; fight; move 2 0; fight; equip charm1 drake_charm"


def test_a_published_score_is_not_clipped(tiny: World) -> None:
    task = tiny_task(tiny, missing={"charm1": "drake_charm"}, hero=hero_row(stats=STRONG))
    result = scored(tiny, task, HUNT, MENTION)
    assert (result.reward, result.ideal_reward) == (5, 3)
    assert result.score == pytest.approx(500 / 3)


# -- what earns a point -----------------------------------------------------------------------------------------------


def test_what_takes_no_plan_earns_nothing_by_standard_rules(tiny: World) -> None:
    result = scored(tiny, drake_task(tiny), "move 1 0; fight; move 1 1; gather 4; move 0 2; buy salt 1")
    assert [str(milestone) for milestone in result.reached] == ["other_monster:rat", "gather_resource:ore"]
    assert (result.reward, result.score, result.progress_before_end) == (0, 0.0, 0.0)


def test_beating_more_monsters_than_needed_adds_nothing_by_standard_rules(tiny: World) -> None:
    task = tiny_task(tiny, missing={"charm1": "drake_charm"}, hero=hero_row(stats=STRONG))
    result = scored(tiny, task, HUNT)
    assert (result.reward, result.ideal_reward, result.score) == (3, 3, 100.0)


def test_making_what_the_task_does_not_need_earns_nothing(tiny: World) -> None:
    decoy = "move 0 1; gather 9; move 0 2; buy twig 3; move 2 1; craft brick 2; craft club 1; equip blade club"
    task = tiny_task(tiny)
    assert all(event.ok for event in played(tiny, task, decoy).events)
    assert scored(tiny, task, decoy).score == 0


@pytest.mark.parametrize(
    "hero", [hero_row(worn={"charm2": "drake_charm"}), hero_row(inventory={"drake_charm": 1})], ids=["worn", "owned"]
)
def test_putting_on_what_was_not_made_earns_nothing_by_standard_rules(tiny: World, hero: dict[str, Any]) -> None:
    task = tiny_task(tiny, missing={"charm1": "drake_charm"}, hero=hero)
    play = "unequip charm2; equip charm1 drake_charm; unequip charm1; equip charm2 drake_charm"
    assert [str(milestone) for milestone in scored(tiny, task, play).reached] == ["equip_missing:drake_charm"]
    assert (scored(tiny, task, play).score, scored(tiny, task, play, MENTION).reward) == (0, 1)


def test_a_craft_task_credits_what_is_crafted(tiny: World) -> None:
    task = craft_task(tiny, "bar_sword", hero=hero_row(inventory={"fur": 1}))
    half = scored(tiny, task, "move 1 1; gather 8; move 2 1; craft bar 1")
    assert (half.reward, half.ideal_reward) == (1, 2)
    whole = scored(tiny, task, "move 1 1; gather 8; move 2 1; craft bar 2; craft bar_sword 1")
    assert (whole.outcome, whole.score) == ("win", 100.0)


@pytest.mark.parametrize("how", UNFINISHED)
def test_an_unfinished_episode_is_lost_and_worth_nothing(tiny: World, how: Ended) -> None:
    result = scored(tiny, drake_task(tiny), WINNING, how=how)
    assert (result.outcome, result.reward, result.score) == ("lose", 0, 0.0)


@pytest.mark.parametrize("how", UNFINISHED)
def test_what_an_unfinished_episode_reached_is_kept_as_progress(tiny: World, how: Ended) -> None:
    assert scored(tiny, drake_task(tiny), WINNING, how=how).progress_before_end == 100.0
    assert scored(tiny, drake_task(tiny), ARMED, how=how).progress_before_end == 500 / 6
    assert scored(tiny, drake_task(tiny), ARMED, MENTION, how=how).progress_before_end == 87.5
    assert scored(tiny, drake_task(tiny), "", how=how).progress_before_end == 0.0


def test_progress_is_the_score_where_the_episode_finished(tiny: World) -> None:
    result = scored(tiny, drake_task(tiny), ARMED)
    assert result.progress_before_end == result.score


def test_what_a_plan_prints_is_no_ground_for_a_score(tiny: World) -> None:
    task = drake_task(tiny)
    silent = played(tiny, task, ARMED)
    loud = replace(silent, output="Hero win his fight against Frost Drake.")
    assert score(task, tiny, EXACT, loud) == score(task, tiny, EXACT, silent)
