"""The budget of a task: in the game, in the sandbox, in the score, and in what becomes of the episode."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.analysis.suites.rpg.panel import replay
from herobench.suites.rpg.game.episode import FINISHED, Ending, over_budget, write_trace
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.game import Game, GameOver, OverBudget
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Mechanics, PlanTrack, Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import judge, scored_row
from herobench.suites.rpg.sandbox import Limits, Sandbox
from herobench.suites.rpg.sandbox.wire import Played, enact
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import act, new_game, tiny_task, tiny_world
from tests.made_runs import cause_in
from tests.plays import ARMED, WINNING, as_plan, drake_task, played
from tests.sizes import for_each, many

STANDARD = load_rules()
ENOUGH = len(WINNING.split("; "))
"""The actions of the winning play."""
WITHIN = [Action("move", ("Hero", 1, 0), (), 1), Action("move", ("Hero", 2, 0), (), 2)]
BEYOND = Action("move", ("Hero", 1, 0), (), 3)


def of(budget: int) -> Rules:
    return replace(STANDARD, budget=budget)


def budgeted(world: World, budget: int, plan: PlanTrack = "program") -> Task:
    return replace(drake_task(world), mechanics=Mechanics(plan=plan, budget=budget))


def test_a_task_may_set_a_budget(tiny: World) -> None:
    row = {"leveling": False, "drop_scale": None, "exchange": "world", "budget": 12, "budget_factor": 1.5}
    task = tiny_task(tiny, mechanics=row)
    assert task.rules(STANDARD) == of(12)
    assert task.as_row()["mechanics"] == row
    assert Task.from_row(task.as_row()) == task


def test_a_task_without_a_budget_has_no_such_fields(tiny: World) -> None:
    assert not {"budget", "budget_factor"} & Mechanics().as_row().keys()
    assert tiny_task(tiny).rules(STANDARD).budget is None


def test_the_first_action_beyond_the_budget_ends_the_game_and_does_nothing(tiny: World) -> None:
    game = new_game(tiny, of(2))
    for action in WITHIN:
        assert game.act(action).ok
    assert not game.over, "a plan may stop here"
    with pytest.raises(OverBudget):
        game.act(BEYOND)
    assert (game.over, game.hero.place, len(game.events)) == (True, (2, 0), 2)
    with pytest.raises(GameOver):
        game.act(BEYOND)


def test_refused_actions_count(tiny: World) -> None:
    game = new_game(tiny, of(2))
    assert [act(game, "fight").ok, act(game, "gather").ok] == [False, False]
    with pytest.raises(OverBudget):
        act(game, "move", 1, 0)


@for_each("track", ["program", "straight"])
def test_a_plan_that_wins_with_its_last_action_has_won(sandbox: Sandbox, track: PlanTrack) -> None:
    task = budgeted(sandbox.world, ENOUGH, track)
    result = judge(sandbox.world, task, STANDARD, sandbox.execute(task, as_plan(WINNING)))
    assert (result.score.outcome, result.score.score, result.episode.ending) == ("win", 100, FINISHED)


@for_each("track", ["program", "straight"])
def test_one_wasted_action_loses_where_there_is_none_to_waste(sandbox: Sandbox, track: PlanTrack) -> None:
    task = budgeted(sandbox.world, ENOUGH, track)
    episode = sandbox.execute(task, as_plan(f"fight; {WINNING}"))
    assert (len(episode.events), episode.ending) == (ENOUGH, over_budget(ENOUGH, ENOUGH + 1))
    result = judge(sandbox.world, task, STANDARD, episode)
    assert result.score.outcome == "lose"
    row = scored_row(sandbox.world, task, STANDARD, result)
    assert (row["ended"], row["end_kind"], row["budget"], row["budget_factor"]) == (
        "over_budget", "budget", ENOUGH, None,
    )  # fmt: skip
    assert row["end_reason"] == f"the plan attempts more than the {ENOUGH} actions of its budget"
    found = cause_in(json.loads(json.dumps(row)))
    assert found is not None
    assert (str(found.cause), found.line, found.subject) == ("over_budget", ENOUGH + 1, None)


def test_what_was_reached_within_the_budget_counts(sandbox: Sandbox) -> None:
    done = len(ARMED.split("; "))
    task = budgeted(sandbox.world, done)
    lost = judge(sandbox.world, task, STANDARD, sandbox.execute(task, as_plan(WINNING)))
    assert (lost.score.outcome, lost.score.reward, lost.score.score) == ("lose", 5, 500 / 6)
    assert lost.failure.bucket == "other", "the bucket of what it lacked, like a plan that stops there"
    won = sandbox.execute(budgeted(sandbox.world, ENOUGH), as_plan(f"{WINNING}; move 0 0"))
    assert won.ending.how == "over_budget"
    assert judge(sandbox.world, task, STANDARD, won).score.outcome == "win"


CATCHES = {
    "on": "fight('Hero')\nfight('Hero')\nmove('Hero', 1, 0)",
    "loop": "fight('Hero')\nwhile True:\n    fight('Hero')",
    "try": "fight('Hero')\ntry:\n    fight('Hero'); fight('Hero')\nexcept:\n    move('Hero', 1, 0)\nmove('Hero', 1, 0)",
    "finally": "fight('Hero')\ntry:\n    fight('Hero'); fight('Hero')\nfinally:\n    move('Hero', 1, 0)",
    "map": "print(list(map(fight, ['Hero', 'Hero', 'Hero'])))\nmove('Hero', 1, 0)",
}


@for_each("plan", CATCHES.values())
def test_no_plan_goes_on_beyond_its_budget(sandbox: Sandbox, plan: str) -> None:
    episode = sandbox.execute(budgeted(sandbox.world, 2), plan)
    assert [event.action.name for event in episode.events] == ["fight", "fight"]
    assert episode.ending.how == "over_budget"


def test_a_call_that_does_not_fit_is_no_action(sandbox: Sandbox) -> None:
    plan = "try:\n    fight('Hero', 1)\nexcept TypeError:\n    pass\nmove('Hero', 1, 0)"
    episode = sandbox.execute(budgeted(sandbox.world, 1), plan)
    assert (len(episode.events), episode.ending.how) == (1, "finished")


OVER = Ending("over_budget", "", 3, "budget")


@for_each("told", [FINISHED, Ending("error", "NameError: x", 9, "runtime"), OVER])
def test_the_parents_game_ends_the_plan_whatever_the_worker_says(tiny: World, told: Ending) -> None:
    attempts = (*WITHIN, BEYOND, BEYOND, Action("win", (), (), 4))
    episode = enact(new_game(tiny, of(2)), Played(attempts, told, ""), Limits())
    assert ([event.action for event in episode.events], episode.ending) == (WITHIN, over_budget(2, 3))


def test_a_used_up_budget_that_a_worker_makes_up_is_no_end_that_counts(tiny: World) -> None:
    for rules in (STANDARD, of(2), of(3)):
        episode = enact(new_game(tiny, rules), Played(tuple(WITHIN), OVER, ""), Limits())
        assert (episode.ending.how, episode.ending.kind, episode.counts) == ("limit", "protocol", False)


def test_stored_events_are_played_again_to_the_same_end(tiny: World) -> None:
    task = budgeted(tiny, 2)
    trace = json.loads(json.dumps(write_trace(played(tiny, task, WINNING, of(2)).events)))
    assert (replay(tiny, task, STANDARD, trace).differs_at, len(replay(tiny, task, STANDARD, trace).changes)) == (
        None,
        2,
    )
    more = Game(tiny, STANDARD, task.hero, task.seed)
    for action in (*WITHIN, BEYOND):
        more.act(action)
    assert replay(tiny, task, STANDARD, write_trace(more.events)).differs_at == 2


STEPS = ("move 1 0", "fight", "move 2 0", "move 9 9", "equip blade club", "unequip blade", "gather 1", "craft bar 1")


@settings(max_examples=many(200), deadline=None)
@given(st.lists(st.sampled_from(STEPS), max_size=12), st.integers(1, 12))
def test_a_budget_cuts_a_play_and_changes_nothing_else(steps: list[str], budget: int) -> None:
    tiny = tiny_world()
    task = drake_task(tiny)
    whole = played(tiny, task, "; ".join(steps), STANDARD).events
    cut = played(tiny, task, "; ".join(steps), of(budget)).events
    assert cut == whole[:budget]
