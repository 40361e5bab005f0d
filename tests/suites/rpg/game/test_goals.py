"""Campaigns: several goals in order, in events, scores and columns."""

from dataclasses import replace

from herobench.suites.rpg.game.events import Ending
from herobench.suites.rpg.game.milestones import TARGET_WIN, goals_reached, ideal
from herobench.suites.rpg.game.scoring import has_won, score
from herobench.suites.rpg.game.task import Goal, Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import judge, scored_row
from herobench.suites.rpg.worlds.content import edition_names, load_rules
from tests.builders import craft_task, tiny_task
from tests.plays import WINNING, drake_task, played

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
