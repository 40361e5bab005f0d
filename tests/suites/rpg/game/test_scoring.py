"""The score of an episode, and its failure class."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from herobench.suites.rpg.game.episode import Ended, Ending
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import Failure, Score, classify, collapsed, has_won, score
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import DEFAULT_EDITION, load_rules
from tests.builders import craft_task, hero_row, tiny_task
from tests.plays import ARMED, STRONG, WINNING, drake_task, played
from tests.sizes import for_each

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


ONLY_SWORD = {"blade": "bar_sword"}
ONLY_CHARM = {"charm1": "drake_charm"}
"""Gear that is not crafted."""


def failure_of(world: World, task: Task, play: str, how: Ended = "finished", edition: str = DEFAULT_EDITION) -> Failure:
    rules = load_rules(edition)
    episode = played(world, task, play, rules, Ending(how))
    return classify(task, episode, score(task, world, rules, episode))


def errors_of(world: World, play: str) -> list[tuple[str, int]]:
    return [(event.action.name, event.status) for event in collapsed(played(world, drake_task(world), play).events)]


# -- the buckets, in their order --------------------------------------------------------------------------------------


@for_each("how", ["no_code", "rejected", "error", "limit"])
@for_each("play", ["", "fight; craft bar_sword 1", WINNING])
def test_a_plan_that_does_not_finish_is_invalid_code_whatever_it_did(tiny: World, play: str, how: Ended) -> None:
    assert failure_of(tiny, drake_task(tiny), play, how) == Failure("invalid_code", 0, 0)


def test_an_empty_plan_is_sorted_like_one_that_does_nothing(tiny: World) -> None:
    empty = Ending("no_code", "the plan is empty", None, "empty")
    for task in (drake_task(tiny), craft_task(tiny, "brick")):
        episode = played(tiny, task, "", ending=empty)
        assert classify(task, episode, score(task, tiny, load_rules(), episode)) == failure_of(tiny, task, "")


def test_a_win_has_no_bucket(tiny: World) -> None:
    assert failure_of(tiny, drake_task(tiny), WINNING).bucket is None
    task = drake_task(tiny, hero=hero_row(stats=STRONG))
    assert failure_of(tiny, task, "fight; move 2 0; fight").bucket is None, "errors and lacking gear or not"


@pytest.mark.parametrize("play", ["", "move 1 0; fight", "move 2 0; fight", "craft bar_sword 0"])
def test_lacking_gear_without_any_error_is_a_failure_of_gear(tiny: World, play: str) -> None:
    assert failure_of(tiny, drake_task(tiny), play).bucket == "gear"


def test_gear_that_is_not_obtained_is_lacking_gear_too(tiny: World) -> None:
    task = drake_task(tiny, target="rat", missing=ONLY_CHARM)
    assert failure_of(tiny, task, "").bucket == "gear"
    assert failure_of(tiny, task, "fight").bucket == "gear_and_execution"


@pytest.mark.parametrize("errors", ["", "; fight; fight; move 9 9"])
def test_a_kill_lost_with_all_the_gear_made_is_a_failure_of_another_kind(tiny: World, errors: str) -> None:
    assert failure_of(tiny, drake_task(tiny), ARMED + errors).bucket == "other"


def test_gear_that_was_all_tried_is_a_failure_of_execution(tiny: World) -> None:
    task = drake_task(tiny)
    assert failure_of(tiny, task, "craft bar_sword 1; fight; craft fur_coat 1").bucket == "execution"


def test_gear_of_which_some_was_not_tried_is_a_failure_of_both(tiny: World) -> None:
    task = drake_task(tiny)
    assert failure_of(tiny, task, "craft bar_sword 1").bucket == "gear_and_execution"
    assert failure_of(tiny, task, "fight").bucket == "gear_and_execution"


@pytest.mark.parametrize("play", ["", "fight", "craft brick 1", "move 0 1; gather 3"])
def test_a_lost_craft_is_always_a_failure_of_execution(tiny: World, play: str) -> None:
    assert failure_of(tiny, craft_task(tiny, "brick"), play).bucket == "execution"


@pytest.mark.parametrize("edition", ["paper-late", "paper-scoring"])
@pytest.mark.parametrize("start", ["move 0 1; gather 3; ", ""], ids=["all reached", "a leaf missed"])
def test_a_forfeited_craft_is_a_failure_of_execution_though_its_target_was_crafted(
    tiny: World, edition: str, start: str
) -> None:
    task = craft_task(tiny, "brick", hero=hero_row(inventory={"clay": 3}))
    play = f"craft brick 1; {start}move 2 1; craft brick 1"
    assert failure_of(tiny, task, play, edition=edition) == Failure("execution", 0, 1)


def test_a_craft_won_by_another_items_code_has_no_bucket(tiny: World) -> None:
    task = craft_task(tiny, "bar", hero=hero_row(inventory={"bar": 2, "fur": 1}))
    assert failure_of(tiny, task, "move 2 1; craft bar_sword 1", edition="paper-late").bucket is None


# -- what counts as tried ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    ["craft bar_sword quantity=1", "craft code=bar_sword quantity=1", "craft name=Hero code=bar_sword quantity=1"],
)
def test_a_failed_craft_called_by_keyword_is_missed(tiny: World, call: str) -> None:
    failure = failure_of(tiny, drake_task(tiny, missing=ONLY_SWORD), call)
    assert failure == Failure("gear_and_execution", high_level_errors=1, execution_errors=1)


def test_a_failed_craft_right_after_another_failed_craft_is_missed(tiny: World) -> None:
    failure = failure_of(tiny, drake_task(tiny), "craft fur_coat 1; craft bar_sword 1")
    assert failure == Failure("gear_and_execution", high_level_errors=1, execution_errors=1)


def test_only_a_craft_counts_as_trying_to_craft(tiny: World) -> None:
    failure = failure_of(tiny, drake_task(tiny, missing=ONLY_SWORD), "equip blade bar_sword 1; buy bar_sword 1")
    assert failure.high_level_errors == 1


def test_high_level_errors_are_the_uncrafted_gear_that_was_not_tried(tiny: World) -> None:
    task = drake_task(tiny, missing={**ONLY_SWORD, "coat": "fur_coat", **ONLY_CHARM})
    assert failure_of(tiny, task, "").high_level_errors == 2, "what is not crafted is none"
    assert failure_of(tiny, task, "craft bar_sword 1").high_level_errors == 1
    assert failure_of(tiny, task, "craft bar_sword 1; fight; craft fur_coat 1").high_level_errors == 0
    assert failure_of(tiny, craft_task(tiny, "brick"), "").high_level_errors == 0


# -- the errors that count --------------------------------------------------------------------------------------------


def test_errors_of_one_action_in_a_row_count_once_and_the_first_stands(tiny: World) -> None:
    assert errors_of(tiny, "craft nothing 1; craft bar 1; craft fur_coat 1") == [("craft", 404)]


def test_successes_between_errors_do_not_part_them(tiny: World) -> None:
    assert errors_of(tiny, "fight; move 1 1; fight; move 0 1; fight") == [("fight", 598)]


def test_another_action_s_error_parts_them(tiny: World) -> None:
    assert errors_of(tiny, "fight; gather 1; fight") == [("fight", 598), ("gather", 598), ("fight", 598)]


def test_unprocessable_calls_are_no_errors_and_part_none(tiny: World) -> None:
    assert errors_of(tiny, "fight; gather 0; move x y; fight; equip hat twig") == [("fight", 598)]


@pytest.mark.parametrize(
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
    assert failure_of(tiny, drake_task(tiny), play).execution_errors == count


def test_the_errors_of_a_win_are_counted_too(tiny: World) -> None:
    assert failure_of(tiny, drake_task(tiny), f"fight; {WINNING}") == Failure(None, 0, 1)
