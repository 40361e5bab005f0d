"""What a lost fight costs: in the game, in the score, in the sandbox, and in what becomes of the episode."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.analysis.suites.rpg.panel import replay
from herobench.suites.rpg.game.episode import FINISHED, Ending, write_trace
from herobench.suites.rpg.game.events import Action, Fought
from herobench.suites.rpg.game.game import Game, GameOver
from herobench.suites.rpg.game.rules import Defeat, Rules
from herobench.suites.rpg.game.task import Mechanics, Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import JudgedEpisode, judge, scored_row
from herobench.suites.rpg.sandbox import Limits, Sandbox
from herobench.suites.rpg.sandbox.wire import Played, enact
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import act, new_game, tiny_task, tiny_world
from tests.made_runs import cause_in
from tests.plays import ARMED, STRONG, WINNING, as_plan, drake_task, played
from tests.sizes import for_each, many

STANDARD = load_rules()
LOST = "move 2 0; fight"
"""Loses to the drake."""


def under(defeat: Defeat) -> Rules:
    return replace(STANDARD, defeat=defeat)


def judged(world: World, play: str, defeat: Defeat, ending: Ending = FINISHED) -> JudgedEpisode:
    rules, task = under(defeat), drake_task(world)
    return judge(world, task, rules, played(world, task, play, rules, ending))


@for_each("rule", ["counted", "final"])
def test_a_task_may_set_what_a_defeat_costs(tiny: World, rule: str) -> None:
    task = tiny_task(tiny, mechanics={"leveling": False, "drop_scale": None, "exchange": "told", "defeat": rule})
    assert task.rules(STANDARD) == replace(STANDARD, defeat=rule, for_sale=())  # type: ignore[arg-type]
    assert task.as_row()["mechanics"]["defeat"] == rule
    assert Task.from_row(task.as_row()) == task


def test_a_task_that_sets_nothing_has_no_such_field_and_leaves_it_to_the_edition(tiny: World) -> None:
    assert "defeat" not in Mechanics().as_row()
    assert tiny_task(tiny).rules(under("counted")).defeat == "counted"


@for_each(("defeats", "left"), [(0, 100), (1, 90), (3, 70), (9, 10), (10, 0), (25, 0)])
def test_each_counted_defeat_takes_a_tenth_of_the_score_and_never_more_than_all(
    tiny: World, defeats: int, left: int
) -> None:
    score = judged(tiny, f"{'; '.join([LOST] * defeats)}; {WINNING}", "counted").score
    assert (score.outcome, score.defeats, score.reward, score.score) == ("win", defeats, 6, left)
    assert score.progress_before_end == left


def test_a_fight_that_runs_out_of_rounds_is_a_defeat(tiny: World) -> None:
    wall = f"{ARMED}; move 3 0; fight; move 2 0; fight"
    score = judged(tiny, wall, "counted").score
    assert (score.outcome, score.defeats, score.score) == ("win", 1, 90)


def test_free_defeats_are_told_and_cost_nothing(tiny: World) -> None:
    score = judged(tiny, f"{LOST}; {LOST}; {WINNING}", "free").score
    assert (score.outcome, score.defeats, score.score) == ("win", 2, 100)


@for_each("place", [(2, 0), (3, 0)])
def test_a_final_defeat_ends_the_game(tiny: World, place: tuple[int, int]) -> None:
    game = new_game(tiny, under("final"), worn={"blade": "club"})
    assert not game.over
    act(game, "move", *place)
    assert not act(game, "fight").detail.won  # type: ignore[union-attr]
    assert game.over
    with pytest.raises(GameOver):
        act(game, "move", 0, 0)
    assert len(game.events) == 2


@for_each("defeat", ["free", "counted"])
def test_no_other_defeat_ends_the_game(tiny: World, defeat: Defeat) -> None:
    game = new_game(tiny, under(defeat))
    act(game, "move", 2, 0)
    act(game, "fight")
    assert not game.over
    assert act(game, "move", 1, 0).ok


def test_a_won_fight_and_a_refused_one_end_nothing(tiny: World) -> None:
    game = new_game(tiny, under("final"), stats=STRONG)
    assert not act(game, "fight").ok
    act(game, "move", 2, 0)
    assert act(game, "fight").ok
    assert not game.over


DEFEATED = Ending("defeated", "", 1, "fight")


def test_what_was_reached_before_a_final_defeat_counts(tiny: World) -> None:
    half = ARMED.rpartition("; equip coat")[0]
    lost = judged(tiny, f"{half}; {LOST}; equip coat fur_coat", "final", DEFEATED)
    assert (lost.score.outcome, lost.score.reward, lost.score.score) == ("lose", 4, 400 / 6)
    assert lost.score.progress_before_end == lost.score.score
    won = judged(tiny, f"{WINNING}; move 3 0; fight", "final", DEFEATED)
    assert (won.score.outcome, won.score.score, won.score.defeats) == ("win", 100, 1)
    assert won.failure.bucket is None


def test_a_defeated_plan_is_valid_code_and_has_the_bucket_of_what_it_lacked(tiny: World) -> None:
    assert judged(tiny, LOST, "final", DEFEATED).failure.bucket == "gear"
    weak = f"{ARMED}; unequip blade; {LOST}"
    assert judged(tiny, weak, "final", DEFEATED).failure.bucket == "other"


CATCHES = {
    "on": "move('Hero', 2, 0)\nfight('Hero')\nmove('Hero', 1, 0)",
    "try": "move('Hero', 2, 0)\ntry:\n    fight('Hero')\nexcept:\n    move('Hero', 1, 0)\nmove('Hero', 1, 0)",
    "finally": "move('Hero', 2, 0)\ntry:\n    fight('Hero')\nfinally:\n    move('Hero', 1, 0)",
    "map": "move('Hero', 2, 0)\nprint(list(map(fight, ['Hero', 'Hero'])))\nmove('Hero', 1, 0)",
    "function": "def go():\n    return fight('Hero')\nmove('Hero', 2, 0)\nwhile go()[0] == 200:\n    pass",
    "generator": "move('Hero', 2, 0)\nany(fight('Hero')[0] == 1 for _ in range(3))\nmove('Hero', 1, 0)",
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(tiny_world(), under("final")) as made:
        yield made


@for_each("plan", CATCHES.values())
def test_no_plan_goes_on_after_a_final_defeat(sandbox: Sandbox, plan: str) -> None:
    episode = sandbox.execute(drake_task(sandbox.world), plan)
    assert [event.action.name for event in episode.events] == ["move", "fight"]
    line = plan[: plan.index("fight")].count("\n") + 1
    reason = "the hero lost his fight against Frost Drake, and a defeat is final here"
    assert episode.ending == Ending("defeated", reason, line, "fight")


def test_what_a_plan_printed_before_is_kept_and_the_sandbox_plays_on(sandbox: Sandbox) -> None:
    task = drake_task(sandbox.world)
    assert sandbox.execute(task, f"print('off')\n{as_plan(LOST)}print('never')").output == "off\n"
    assert sandbox.execute(task, as_plan(WINNING)).finished


def test_a_defeat_in_a_plan_that_errs_before_it_is_none(sandbox: Sandbox) -> None:
    assert (
        sandbox.execute(drake_task(sandbox.world), f"move('Hero', 2, 0)\n1 / 0\n{as_plan(LOST)}").ending.how == "error"
    )


FIGHT = Action("fight", ("Hero",), (), 2)
TO_DRAKE = Action("move", ("Hero", 2, 0), (), 1)


@for_each("told", [FINISHED, Ending("error", "NameError: x", 9, "runtime"), DEFEATED])
def test_the_parents_game_ends_the_plan_whatever_the_worker_says(tiny: World, told: Ending) -> None:
    attempts = (TO_DRAKE, FIGHT, Action("move", ("Hero", 1, 0), (), 3), Action("win", (), (), 4))
    episode = enact(new_game(tiny, under("final")), Played(attempts, told, ""), Limits())
    assert ([event.action for event in episode.events], episode.ending.how) == ([TO_DRAKE, FIGHT], "defeated")
    assert episode.ending.line == 2


@for_each("defeat", ["free", "final"])
def test_a_defeat_that_a_worker_makes_up_is_no_end_that_counts(tiny: World, defeat: Defeat) -> None:
    episode = enact(new_game(tiny, under(defeat)), Played((TO_DRAKE,), DEFEATED, ""), Limits())
    assert (episode.ending.how, episode.ending.kind, episode.counts) == ("limit", "protocol", False)


def test_the_row_tells_the_cost_the_number_and_the_cause(sandbox: Sandbox) -> None:
    world, task = sandbox.world, drake_task(sandbox.world)
    episode = sandbox.execute(task, as_plan(f"move 1 0; fight; {LOST}"))
    row = scored_row(world, task, sandbox.rules, judge(world, task, sandbox.rules, episode))
    assert (row["defeat"], row["defeats"], row["ended"], row["end_line"]) == ("final", 1, "defeated", 4)
    found = cause_in(row)
    assert found is not None
    assert (str(found.cause), found.line, found.subject) == ("defeated", 4, "drake")


def test_stored_events_of_a_defeated_plan_are_played_again_to_the_same_end(tiny: World) -> None:
    rules, task = under("final"), drake_task(tiny)
    events = played(tiny, task, f"move 1 0; fight; {LOST}", rules).events
    trace = json.loads(json.dumps(write_trace(events)))
    assert (replay(tiny, task, rules, trace).differs_at, len(replay(tiny, task, rules, trace).changes)) == (None, 4)
    on = Game(tiny, under("free"), task.hero, task.seed)
    for event in (*events, *events[:1]):
        on.act(event.action)
    assert replay(tiny, task, rules, write_trace(on.events)).differs_at == 4


STEPS = (
    "move 1 0; fight", "move 3 0; fight", LOST, "move 1 1; gather 8", "move 0 1; gather 9", "move 0 2; buy salt 1",
    "move 2 1; craft bar 2", "move 2 1; craft bar_sword 1", "move 2 1; craft brick 1", "move 2 1; craft fur_coat 1",
    "equip coat fur_coat", "unequip coat", "unequip blade", "equip blade bar_sword", "equip blade twig", ARMED, WINNING,
)  # fmt: skip
plays = st.lists(st.sampled_from(STEPS), max_size=12)


@settings(max_examples=many(300), deadline=None)
@given(plays, st.sampled_from(STEPS), st.sampled_from(["free", "counted", "final"]))
def test_a_standard_score_cannot_be_gamed(steps: list[str], more: str, defeat: Defeat) -> None:
    tiny = tiny_world()
    before, after = (judged(tiny, "; ".join(some), defeat).score for some in (steps, [*steps, more]))
    for score in (before, after):
        assert 0 <= score.score <= 100
        assert score.outcome == "win" or score.score < 100
        if not score.missed and not score.defeats:
            assert (score.outcome, score.score) == ("win", 100)
    # Nothing new, no more points; something new, never fewer, unless a counted defeat takes them.
    assert set(before.reached) <= set(after.reached)
    if set(before.reached) == set(after.reached):
        assert after.score <= before.score
    if before.defeats == after.defeats:
        assert after.score >= before.score


def test_the_steps_of_the_property_lose_fights_and_win(tiny: World) -> None:
    events = played(tiny, drake_task(tiny), "; ".join([LOST, "move 3 0; fight", WINNING])).events
    assert {event.detail.won for event in events if isinstance(event.detail, Fought)} == {True, False}
