"""The scorer opens suites by the names of the command line, plays attempts, and gives what `herobench score` gives."""

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from herobench.conversation import Reply
from herobench.data.errors import UsageError
from herobench.data.rows import write_rows
from herobench.scorer import Answer, Scorer, TaskQuery, shared_scorer
from herobench.scorer.refusals import ScorerFault
from herobench.scorer.scorer import close_shared
from tests.program import herobench as program
from tests.reader import ROOT
from tests.refusals import raises
from tests.sizes import for_each

FENCED = "```python\nmove('Hero', 1, 1)\n```"


@pytest.fixture(scope="module")
def rpg() -> Iterator[Scorer]:
    with Scorer(TaskQuery(difficulty="1-2", limit=4, jobs=1)) as scorer:
        yield scorer


def test_a_difficulty_chooses_from_the_set_that_has_brackets(rpg: Scorer) -> None:
    assert (rpg.suite, rpg.dataset) == ("rpg", "base-v2")
    assert [task.group for task in rpg.tasks.values()] == ["1", "1", "1", "1"]


def test_the_oracle_wins_and_a_wrong_plan_has_the_cause_of_its_failure(rpg: Scorer) -> None:
    task_id = next(iter(rpg.tasks))
    assert rpg.score(task_id, rpg.solution(task_id)).figures() == {"win": 1.0, "score": 1.0, "progress": 1.0}
    assert rpg.score(task_id, rpg.solution(task_id)).cause is None
    lost = rpg.score(task_id, FENCED)
    assert (lost.won, lost.reward, lost.as_row()["failure"]) == (False, 0.0, lost.failure)
    assert lost.failure
    lost = rpg.score(task_id, "```python\nmove('Hero', 1, 1)\nfly()\n```")
    assert lost.line == 2
    assert "fly" in str(lost.cause)
    play = rpg.play(task_id)
    play.say("no plan")
    assert (play.result().cause, play.result().line) == ("the answer has no plan in it", None)


def test_rewards_are_the_scores_of_herobench_score(rpg: Scorer, tmp_path: Path) -> None:
    tasks = list(rpg.tasks)
    said = [rpg.solution(tasks[0])[0].text, FENCED, "no plan", rpg.solution(tasks[3])[0].text]
    write_rows(tmp_path / "tasks.jsonl", [task.row for task in rpg.tasks.values()])
    rows = [{"task_id": task, "answer": text} for task, text in zip(tasks, said, strict=True)]
    write_rows(tmp_path / "answers.jsonl", rows)
    scored = tmp_path / "scored.jsonl"
    done = program("score", tmp_path / "tasks.jsonl", tmp_path / "answers.jsonl", "-o", scored, "--jobs", 1)
    assert done.returncode == 0, done.stderr
    rewards = [result.reward for result in rpg.score_all(map(Answer, tasks, said))]
    assert rewards == [json.loads(line)["score"] / 100 for line in scored.read_text("utf-8").splitlines()]
    assert rewards[0] == rewards[3] == 1.0


@pytest.mark.slow
@pytest.mark.parametrize(
    "knobs",
    [
        {"seed": 3, "count": 2, "difficulty": "2"},
        {"seed": 3, "count": "1", "defeat": "final", "names": "random"},
    ],
    ids=["by difficulty", "under opaque names"],
)
def test_a_seed_makes_tasks_anew_that_the_oracle_wins(knobs: dict[str, Any]) -> None:
    with Scorer(TaskQuery(**knobs, jobs=1)) as scorer:
        assert len(scorer.tasks) == int(knobs["count"])
        for task_id in scorer.tasks:
            assert scorer.score(task_id, scorer.solution(task_id)).reward == 1.0


def test_the_same_seed_makes_the_same_tasks_and_another_makes_others() -> None:
    def rows(seed: int) -> list[Any]:
        with Scorer(TaskQuery(seed=seed, count=2, difficulty=1, jobs=1)) as scorer:
            return [task.row for task in scorer.tasks.values()]

    assert rows(1) == rows(1)
    assert rows(1) != rows(2)


def test_a_game_of_many_turns_is_played_and_its_transcript_is_scored_alike() -> None:
    with Scorer(TaskQuery(dataset="base", difficulty="1", limit=1, mode="tools", jobs=1)) as scorer:
        (task_id,) = scorer.tasks
        solution = scorer.way(task_id)
        play, transcript = scorer.play(task_id), []
        for reply in solution:
            call = {"function": {"name": reply.tool_calls[0].name, "arguments": reply.tool_calls[0].arguments}}
            transcript += [{"role": "assistant", "content": None, "tool_calls": [call]}]
            transcript += [{"role": "tool", "content": message.text} for message in play.say(transcript[-1])]
        assert play.over
        assert play.turns == len(solution) > 1
        assert scorer.score(task_id, transcript).as_row() == play.result().as_row()
        # what comes after the end of the attempt counts for nothing
        assert scorer.score(task_id, [*solution, Reply("more")]).won
        # half of a game is judged as far as it went
        assert not scorer.score(task_id, solution[:1]).won
        assert not scorer.score(task_id, []).won


@for_each(
    ("knobs", "fault"),
    [
        ({"length": "5"}, ScorerFault.KNOB_WITHOUT_SEED),
        ({"seed": 1, "dataset": "base"}, ScorerFault.SEED_AND_TASKS),
        ({"seed": "one"}, ScorerFault.BAD_FIELD),
        ({"dataset": "base", "tasks": "t.jsonl"}, ScorerFault.TASKS_AND_DATASET),
    ],
)
def test_knobs_that_contradict_each_other_are_refused(knobs: dict[str, Any], fault: ScorerFault) -> None:
    with raises(fault):
        TaskQuery(**knobs)


@for_each(
    ("knobs", "told"),
    [
        ({"suite": "rpg", "seed": 1, "length": 2}, "The suite rpg makes no tasks by length: leave it out."),
        ({"seed": 1, "noise": "many"}, "--noise is 'many': give a whole number"),
        (
            {"suite": "rpg", "colour": "red"},
            "There is no knob 'colour': there are suite, tasks, dataset, difficulty, task_id, shuffle, limit, seed, "
            "length, count, jobs; of the suite rpg world, names, rules, mode, lane; with a seed kind, monster, item, "
            "level, knowledge, noise, leveling, stochastic, plan, defeat, budget, unsolvable, from.",
        ),
        ({"dificulty": "1-3"}, "There is no knob 'dificulty': is difficulty meant? There are suite, tasks, dataset,"),
        ({"task-ids": "9/*"}, "There is no knob 'task_ids': is task_id meant? There are"),
        ({"suite": "rpg", "seed": 1, "knowlege": "exact"}, "There is no knob 'knowlege': is knowledge meant?"),
        ({"suite": "rpg", "mod": "plan"}, "There is no knob 'mod': is mode meant?"),
        ({"suite": "rpg", "knowledge": "exact"}, "knowledge is a knob of tasks that are made anew: give a seed too."),
        ({"dataset": "base", "task_id": "nowhere/*"}, "No task fits 'nowhere/*': the nearest are"),
    ],
)
def test_knobs_that_a_suite_does_not_have_are_refused(knobs: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as refused:
        Scorer(TaskQuery(**knobs))
    assert str(refused.value).startswith(told)


@for_each(
    ("knobs", "suite"),
    [
        ({}, "journey"),
        ({"dataset": "horizon-v4"}, "journey"),
        ({"seed": 7, "regions": "4"}, "journey"),
        *(({"dataset": name}, "rpg") for name in ("base", "noise", "leveling-v1", "decoys")),
        ({"tasks": f"{ROOT}/world_data/examples/tasks.jsonl"}, "rpg"),
        ({"difficulty": "1-3"}, "rpg"),
        ({"rules": "paper-late"}, "rpg"),
        ({"mode": "tools"}, "rpg"),
        ({"seed": 7, "difficulty": "9", "noise": 2}, "rpg"),
        ({"dataset": "acpbench-hard-v1"}, "acp"),
    ],
)
def test_journeys_are_meant_unless_knobs_say_something_else(knobs: dict[str, Any], suite: str) -> None:
    assert TaskQuery(**knobs).suite == suite


def test_tools_of_one_turn_get_the_mode_of_one_turn_or_a_refusal(with_toy: None) -> None:
    assert dict(TaskQuery(suite="rpg").one_turn().others) == {"mode": "plan"}
    with pytest.raises(UsageError, match=r"leave out mode=tools of rpg"):
        TaskQuery(mode="tools").one_turn()
    with pytest.raises(UsageError, match=r"The suite treasure is played in many turns"):
        TaskQuery(suite="treasure").one_turn()


def test_equal_wishes_share_a_scorer_in_a_process() -> None:
    wanted = TaskQuery(dataset="base", limit=1)
    assert shared_scorer(wanted) is shared_scorer(TaskQuery(dataset="base", limit="1"))
    assert shared_scorer(wanted) is not shared_scorer(TaskQuery(dataset="base", limit=2))
    closed = shared_scorer(wanted)
    close_shared()
    assert shared_scorer(wanted) is not closed


HEAVY = ("openai", "httpx", "httpx2", "jiter", "numpy", "pandas", "typer", "rich", "scipy")


@pytest.mark.slow
def test_scoring_loads_nothing_that_a_trainer_may_pin_otherwise() -> None:
    code = f"""
import sys
from herobench.scorer import Scorer, TaskQuery
for suite in {[point.name for point in entry_points(group="herobench.suites")]}:
    with Scorer(TaskQuery(suite=suite, limit=1, jobs=1)) as scorer:
        for task_id in scorer.tasks:
            scorer.score(task_id, {FENCED!r})
print([name for name in {HEAVY} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
