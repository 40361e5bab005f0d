from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterable, Iterator
from typing import Any

import pytest

import herobench
from herobench.data.documents import schema_problems
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import (
    FileAnswer,
    JudgedEpisode,
    as_verdict,
    blank_details,
    execute,
    judge,
    score_answer,
    scored_row,
)
from herobench.suites.rpg.sandbox import Limits, Sandbox
from herobench.suites.rpg.worlds.content import load_rules
from herobench.work.engine import threaded
from tests.builders import craft_task, hero_row, task_row, tiny_task
from tests.plays import ARMED, WINNING, as_plan, drake_task, played
from tests.sizes import for_each


@pytest.fixture(scope="module")
def sandbox(tiny: World) -> Iterator[Sandbox]:
    with Sandbox(tiny, load_rules(), Limits(actions=200, steps=2000, output=300)) as shared:
        yield shared


def run(sandbox: Sandbox, task: Task, plan: str | None) -> JudgedEpisode:
    return judge(sandbox.world, task, sandbox.rules, sandbox.execute(task, plan))


# -- execute: the whole way in one call -------------------------------------------------------------------------------


def test_a_plan_is_run_and_judged_in_three_lines() -> None:
    world = herobench.load_world()
    miner = hero_row(skills={"mining": {"level": 40, "xp": 0, "next_level_xp": 540}})
    task = Task.from_row(task_row(world, kind="craft", target="gold", missing={}, hero=miner))
    result = herobench.execute(world, task, "move('Hero', 10, -4)\ngather('Hero', 8)")
    assert result.episode.finished
    assert (result.score.outcome, result.score.reward, result.score.ideal_reward) == ("lose", 0, 1)
    assert result.failure.bucket == "execution"


def test_the_rules_and_limits_given_are_those_used(tiny: World) -> None:
    task = craft_task(tiny, "brick")
    plan = as_plan("craft brick 1; move 0 1; gather 3; move 2 1; craft brick 1")
    assert execute(tiny, task, plan).score.outcome == "win"
    assert execute(tiny, task, plan, load_rules("paper-late")).score.outcome == "lose"
    assert execute(tiny, task, plan, limits=Limits(actions=3)).episode.ending.how == "limit"


# -- what becomes of plans --------------------------------------------------------------------------------------------


def test_the_episode_of_a_plan_is_the_play_it_spells_out(tiny: World, sandbox: Sandbox) -> None:
    task = drake_task(tiny)
    assert run(sandbox, task, as_plan(WINNING)).episode.events == played(tiny, task, WINNING).events


def test_no_plan_is_no_code(tiny: World, sandbox: Sandbox) -> None:
    result = run(sandbox, tiny_task(tiny), None)
    assert (result.episode.ending.how, result.failure.bucket) == ("no_code", "invalid_code")


@for_each("plan", ["", " \n\t\n"])
def test_an_empty_plan_is_no_code_and_to_the_paper_one_that_makes_nothing(
    tiny: World, sandbox: Sandbox, plan: str
) -> None:
    result = run(sandbox, tiny_task(tiny), plan)
    assert (result.episode.ending.how, result.score.reward, result.failure.bucket) == ("no_code", 0, "gear")


# -- the scored row ---------------------------------------------------------------------------------------------------


def test_a_scored_row_tells_the_first_refused_action(tiny: World, sandbox: Sandbox) -> None:
    task = drake_task(tiny)
    row = scored_row(
        tiny, task, sandbox.rules, run(sandbox, task, "move('Hero', 1, 0)\n\ngather('Hero')\nmove('Hero', 9, 9)")
    )
    expected = {"line": 3, "action": "gather", "code": 598, "reason": "Resource not found on this map."}
    assert row["first_error"] == expected
    assert row["actions"] == 3


def test_the_reason_of_a_value_that_no_action_takes_is_a_plain_text(tiny: World, sandbox: Sandbox) -> None:
    task = drake_task(tiny)
    row = scored_row(tiny, task, sandbox.rules, run(sandbox, task, "gather('Hero', 'x')"))
    assert type(row["first_error"]["reason"]) is str


SLOW = "for _ in range(100_000):\n    pass\n"
PLANS = [
    SLOW,
    "",
    None,
    as_plan(WINNING),
    "import os",
    SLOW + as_plan(ARMED),
    "1 / 0",
    "while True: pass",
    "print('x')",
]


def answers_to(tasks: dict[str, Task]) -> list[FileAnswer]:
    """Quick and slow ones in turn, for each task and several times."""
    return [FileAnswer(task, epoch, plan, "a model", 7) for task in tasks for epoch, plan in enumerate(PLANS * 2)]


@pytest.fixture(scope="module")
def tasks(tiny: World) -> dict[str, Task]:
    return {task.id: task for task in (drake_task(tiny), craft_task(tiny, "brick"))}


def score_answers(
    sandbox: Sandbox, tasks: dict[str, Task], answers: Iterable[FileAnswer], jobs: int
) -> Generator[dict[str, Any]]:
    return threaded(lambda answer: score_answer(sandbox, tasks[answer.task_id], answer), answers, jobs)


def test_rows_come_in_the_order_of_the_answers_and_fit_their_schema(tiny: World, tasks: dict[str, Task]) -> None:
    answers = answers_to(tasks)
    with Sandbox(tiny, load_rules(), workers=2) as sandbox:
        rows = list(score_answers(sandbox, tasks, answers, 2))
    assert [(row["task_id"], row["epoch"]) for row in rows] == [(answer.task_id, answer.epoch) for answer in answers]
    assert {(row["model"], row["tokens"]) for row in rows} == {("a model", 7)}
    assert [problem for row in rows for problem in schema_problems(row, "scored", "row")] == []
    assert {row["ended"] for row in rows} == {"finished", "no_code", "rejected", "error", "limit"}


def test_answers_are_read_only_as_they_are_needed(tiny: World, tasks: dict[str, Task]) -> None:
    taken: list[FileAnswer] = []

    def endless() -> Iterator[FileAnswer]:
        while True:
            taken.append(FileAnswer(next(iter(tasks)), len(taken), "", None, None))
            yield taken[-1]

    with Sandbox(tiny, load_rules()) as sandbox:
        rows = score_answers(sandbox, tasks, endless(), 1)
        for _ in range(3):
            next(rows)
        rows.close()
    assert len(taken) < 20


@pytest.mark.slow
def test_who_closes_the_rows_early_waits_only_for_what_has_begun(tiny: World, tasks: dict[str, Task]) -> None:
    before = threading.active_count()
    slow = [FileAnswer(next(iter(tasks)), epoch, "while True: pass", None, None) for epoch in range(500)]
    with Sandbox(tiny, load_rules(), Limits(steps=10_000_000), workers=2) as sandbox:
        rows = score_answers(sandbox, tasks, slow, 2)
        next(rows)
        began = time.perf_counter()
        next(rows)
        next(rows)
        each = (time.perf_counter() - began) / 2
        began = time.perf_counter()
        rows.close()
        assert time.perf_counter() - began < 5 * each, "there were eight in waiting"
    assert threading.active_count() == before


@pytest.mark.parametrize("plan", PLANS)
def test_a_verdict_says_what_the_scored_row_says(tiny: World, tasks: dict[str, Task], plan: str | None) -> None:
    task = next(iter(tasks.values()))
    with Sandbox(tiny, load_rules()) as sandbox:
        row = score_answer(sandbox, task, FileAnswer(task.id, 0, plan, "m", 7))
    verdict = as_verdict(row, "plan")
    assert (verdict.won, verdict.score, verdict.failure) == (row["outcome"] == "win", row["score"], row["failure"])
    assert (verdict.progress, verdict.events) == (row["progress_before_end"], row["events"])
    assert schema_problems(dict(verdict.details), "rpg-details", "details") == []
    assert schema_problems(verdict.events, "rpg-events", "events") == []
    elsewhere = {"schema", "task_id", "epoch", "model", "tokens", "outcome", "score", "failure", "progress_before_end"}
    told = {**verdict.details, "events": verdict.events}
    assert {name: row[name] for name in row.keys() - elsewhere} == {
        name: value for name, value in told.items() if name not in ("schema", "mode")
    }
    assert verdict.details["mode"] == "plan"


def test_blank_details_have_facts_of_the_task_and_nothing_of_a_score(tiny: World, tasks: dict[str, Task]) -> None:
    with Sandbox(tiny, load_rules()) as sandbox:
        for task in tasks.values():
            blank = blank_details(sandbox, task, "plan")
            assert schema_problems(blank, "rpg-details", "details") == []
            scored = as_verdict(
                score_answer(sandbox, task, FileAnswer(task.id, 0, "1 / 0", None, None)), "plan"
            ).details
            judged = ["reward", "ideal_reward", "ended", "gave_up", "stated", "end_kind", "end_error", "end_reason"]
            judged += ["end_line", "defeats", "high_level_errors", "execution_errors", "actions", "first_error"]
            judged += ["milestones", "goals_reached"]
            assert list(blank) == list(scored)
            assert blank == {**scored, **dict.fromkeys(judged), "twin_of": None}
