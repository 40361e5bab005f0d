"""The callables for Ray Data: a row for each row, whatever is in it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from herobench.cluster import Generate, Score, map_options
from herobench.data.errors import HeroBenchError
from herobench.runs.sample import reply_row
from herobench.scorer import Scorer, TaskQuery
from herobench.suites.rpg.play.columns import SCORED
from herobench.task_gen.rpg.datasets import dataset_path
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import for_each

pa = pytest.importorskip("pyarrow")
BASE = Path(str(dataset_path("base")))


@pytest.fixture(scope="module")
def score() -> Iterator[Score]:
    opened = Score("base")
    yield opened
    opened.close()


def plans() -> list[dict[str, Any]]:
    return [{"task_id": row["id"], "code": row["certificate"]["plan"]} for row in read_jsonl(BASE)[:4]]


def table_rows(table: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = table.to_pylist()
    return found


def test_scored_rows_are_those_of_the_command_and_have_no_error(score: Score, tmp_path: Path) -> None:
    answers = write_jsonl(tmp_path / "answers.jsonl", plans())
    herobench("score", "base", answers, "-o", tmp_path / "scored.jsonl", "--jobs", "1")
    found = table_rows(score(pa.Table.from_pylist(plans())))
    flat = [column.name for column in SCORED if column.name not in ("events", "first_error", "next_goal", "milestones")]
    for row, alone in zip(found, read_jsonl(tmp_path / "scored.jsonl"), strict=True):
        assert row["error"] is None
        assert json.loads(row["milestones"]) == alone["milestones"]
        assert json.loads(row["missing"]) == alone["missing"]
        assert {name: row[name] for name in flat if name != "missing"} == {
            name: alone.get(name) for name in flat if name != "missing"
        }


@for_each(
    ("answer", "error"),
    [
        ({"task_id": "9/9_Nobody_kill", "code": ""}, "$.task_id: expected the id of one of the tasks"),
        ({"task_id": "", "code": ""}, "$.task_id"),
        ({"code": ""}, "expected the property 'task_id'"),
        ({"task_id": 3, "code": ""}, "$.task_id: expected string"),
        ({"task_id": plans()[0]["task_id"]}, "exactly one of these forms"),
        ({**plans()[0], "epoch": -1}, "$.epoch: expected 0 or more"),
        ({**plans()[0], "status": "unmeasured"}, "$.status"),
    ],
)
def test_what_cannot_be_scored_is_a_row_with_an_error_between_the_others(
    score: Score, answer: dict[str, Any], error: str
) -> None:
    good = plans()[0]
    first, second, third = (table_rows(score(pa.Table.from_pylist([row])))[0] for row in (good, answer, good))
    assert first == third
    assert error in second["error"]
    assert second["outcome"] is None
    assert second["task_id"] == (answer.get("task_id") if answer.get("task_id") != 3 else None)


@pytest.mark.parametrize(
    "code", ["while True: pass", "import os", "a = 'x' * 10**9", "1/0", "def f(): f()\nf()", "\udc00", ""]
)
def test_a_poisoned_plan_is_a_lost_row_and_the_next_plan_wins(score: Score, code: str) -> None:
    bad = {"task_id": plans()[0]["task_id"], "code": code.encode("utf-8", "replace").decode()}
    lost, won = table_rows(score(pa.Table.from_pylist([bad, plans()[1]])))
    assert (lost["outcome"], lost["error"], won["outcome"]) == ("lose", None, "win")


def test_an_exception_of_ours_is_a_row_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("no memory")

    monkeypatch.setattr("herobench.suites.rpg.play.answer_work.score_answer", broken)
    score = Score("base")
    found = table_rows(score(pa.Table.from_pylist(plans())))
    score.close()
    assert [row["error"] for row in found] == ["no memory"] * 4
    assert [row["task_id"] for row in found] == [row["task_id"] for row in plans()]


def test_made_rows_are_those_of_the_command(tmp_path: Path) -> None:
    herobench("generate", "--count", "4", "--seed", "9", "-o", tmp_path / "tasks.jsonl", "--jobs", "1")
    found = table_rows(Generate(seed=9)(pa.table({"id": [2, 0, 3]})))
    alone = read_jsonl(tmp_path / "tasks.jsonl")
    assert [json.loads(row["task"]) for row in found] == [alone[2], alone[0], alone[3]]
    assert [(row["index"], row["id"], row["error"]) for row in found] == [(n, alone[n]["id"], None) for n in (2, 0, 3)]


def test_a_task_that_cannot_be_made_is_a_row_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("herobench.task_gen.rpg.generator.Generator.attempt", lambda self, index: None)
    (row,) = table_rows(Generate(seed=9)(pa.table({"id": [7]})))
    assert (row["index"], row["task"]) == (7, None)
    assert row["error"].startswith("No task of difficulty")


# -- other suites -----------------------------------------------------------------------------------------------------


def test_answers_to_questions_are_scored_as_by_a_scorer_and_wrong_ones_have_an_error() -> None:
    with Scorer(TaskQuery(suite="acp", split="dev")) as scorer:
        some = list(scorer.tasks)[:3]
        solved = [scorer.solution(task_id)[0].text for task_id in some]
        alone = [scorer.score(task_id, text).as_row() for task_id, text in zip(some, [solved[0], "?", ""], strict=True)]
    score = Score(suite="acp", split="dev")
    batch = [
        {"task_id": some[0], "answer": solved[0], "model": "m", "tokens": 7},
        {"task_id": "nowhere", "answer": "?"},
        {"task_id": some[1], "answer": "?"},
        {"task_id": some[2], "answer": None, "code": ""},
        {"task_id": some[2], "replies": [{"text": solved[2]}]},
    ]
    first, unknown, second, empty, third = (table_rows(score(pa.Table.from_pylist([row])))[0] for row in batch)
    score.close()
    assert [plain(row) for row in (first, second, empty)] == alone
    assert (first["model"], first["tokens"], first["won"], first["error"]) == ("m", 7, True, None)
    assert (unknown["task_id"], unknown["won"]) == ("nowhere", None)
    assert "$.task_id: expected the id of one of the tasks" in unknown["error"]
    assert (third["won"], third["error"]) == (True, None)


def plain(row: dict[str, Any]) -> dict[str, Any]:
    left_out = ("model", "tokens", "error")
    return {name: value for name, value in row.items() if name not in left_out} | {
        "details": json.loads(row["details"])
    }


def test_all_turns_of_an_attempt_are_one_answer() -> None:
    with Scorer(TaskQuery(suite="epoch")) as scorer:
        task_id = next(iter(scorer.tasks))
        said = scorer.solution(task_id)
    replies = [reply_row(reply) for reply in said]
    score = Score(suite="epoch")
    won, lost = table_rows(
        score(pa.Table.from_pylist([{"task_id": task_id, "replies": some} for some in (replies, replies[:-1])]))
    )
    score.close()
    assert (won["won"], won["reward"], lost["won"], lost["error"]) == (True, 1.0, False, None)


def test_made_levels_are_those_of_the_command(tmp_path: Path) -> None:
    words = ("--suite", "epoch", "--length", "4-8", "--people", "2", "--count", "3", "--seed", "9", "--jobs", "1")
    herobench("generate", *words, "-o", tmp_path / "levels.jsonl")
    found = table_rows(Generate(suite="epoch", length="4-8", people=2, seed=9)(pa.table({"id": [2, 0]})))
    alone = read_jsonl(tmp_path / "levels.jsonl")
    assert [json.loads(row["task"]) for row in found] == [alone[2], alone[0]]
    assert [(row["index"], row["id"], row["error"]) for row in found] == [(n, alone[n]["id"], None) for n in (2, 0)]


@for_each(
    ("kind", "options", "words"),
    [
        (Score, {"suite": "acp", "tasks": "nowhere.jsonl"}, "no dataset 'nowhere.jsonl'"),
        (Score, {"suite": "acp", "rules": "paper"}, "There is no knob 'rules'"),
        (Score, {"suite": "zork"}, "There is no 'zork'"),
        (Score, {"tasks": "base", "mode": "tools"}, "scored by world, names and rules, and not by 'mode'"),
        (Generate, {"suite": "acp"}, "The suite acp makes its tasks one after the other"),
        (Generate, {"suite": "epoch", "brackets": "9"}, "The generator of the suite epoch has no option 'brackets'"),
        (Generate, {"suite": "epoch", "length": "x"}, "--length is 'x': give a length"),
        (Score, {"tasks": "nowhere.jsonl"}, "nowhere.jsonl"),
        (Score, {"tasks": "base", "rules": "nonsense"}, "There are no rules 'nonsense'"),
        (Generate, {"sead": 1}, "These are no options of tasks"),
        (Generate, {"noise": 100_000}, "noise"),
        (Generate, {"world": "nowhere"}, "There is no world"),
    ],
)
def test_wrong_options_are_refused_before_an_actor_starts(kind: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(HeroBenchError, match=words):
        map_options(kind, **options)
