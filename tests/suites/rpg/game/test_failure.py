import pytest

from herobench.suites.rpg.game.events import Ended, Ending
from herobench.suites.rpg.game.scoring import Failure, classify, collapsed, score
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import DEFAULT_EDITION, load_rules
from tests.builders import craft_task, hero_row
from tests.plays import ARMED, STRONG, WINNING, drake_task, played

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


@pytest.mark.parametrize("how", ["no_code", "rejected", "error", "limit"])
@pytest.mark.parametrize("play", ["", "fight; craft bar_sword 1", WINNING])
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
