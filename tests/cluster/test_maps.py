"""The callables for Ray Data: a row for each row, whatever is in it."""

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.cluster import Generate, Score, map_options
from herobench.data.errors import Fault
from herobench.data.options import OptionFault
from herobench.scorer import Scorer, TaskQuery
from herobench.suite.recorded import reply_row
from herobench.suites.rpg.play.columns import SCORED
from herobench.suites.rpg.refusals import RpgFault
from herobench.task_gen.rpg.datasets import dataset_path
from herobench.task_gen.rpg.refusals import TaskFault
from tests.cluster.here import cells
from tests.packages import install
from tests.program import herobench, read_jsonl, write_jsonl
from tests.refusals import raises
from tests.sizes import for_each

pa = pytest.importorskip("pyarrow")
PLANS = [
    {"task_id": row["id"], "code": row["certificate"]["plan"]}
    for row in read_jsonl(Path(str(dataset_path("base"))))[:4]
]


@pytest.fixture(scope="module")
def score() -> Score:
    return Score("base")


def rows_of(made: Score | Generate, *rows: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = made(pa.Table.from_pylist(list(rows))).to_pylist()
    return found


def test_scored_rows_are_those_of_the_command_and_have_no_error(score: Score, tmp_path: Path) -> None:
    answers = write_jsonl(tmp_path / "answers.jsonl", PLANS)
    herobench("score", "base", answers, "-o", tmp_path / "scored.jsonl", "--jobs", "1")
    alone, found = read_jsonl(tmp_path / "scored.jsonl"), rows_of(score, *PLANS)
    assert cells(found, SCORED, of_table=True) == cells(alone, SCORED, of_table=False)
    assert [row["error"] for row in found] == [None] * 4


@for_each(
    ("answer", "error"),
    [
        ({"task_id": "9/9_Nobody_kill", "code": ""}, "$.task_id: expected the id of one of the tasks"),
        ({"code": ""}, "expected the property 'task_id'"),
        ({"task_id": 3, "code": ""}, "$.task_id: expected string"),
        ({"task_id": PLANS[0]["task_id"]}, "exactly one of these forms"),
        ({**PLANS[0], "epoch": -1}, "$.epoch: expected 0 or more"),
        ({**PLANS[0], "status": "unmeasured"}, "$.status"),
    ],
)
def test_what_cannot_be_scored_is_a_row_with_an_error(score: Score, answer: dict[str, Any], error: str) -> None:
    (row,) = rows_of(score, answer)
    assert error in row["error"]
    assert row["outcome"] is None
    assert row["task_id"] == (answer.get("task_id") if answer.get("task_id") != 3 else None)


@pytest.mark.parametrize("code", ["while True: pass", "a = 'x' * 10**9", "def f(): f()\nf()", "\ufffd", ""])
def test_a_poisoned_plan_is_a_lost_row_and_the_next_plan_wins(score: Score, code: str) -> None:
    lost, won = rows_of(score, {**PLANS[0], "code": code}, PLANS[1])
    assert (lost["outcome"], lost["error"], won["outcome"]) == ("lose", None, "win")


def test_an_exception_of_ours_is_a_row_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("no memory")

    monkeypatch.setattr("herobench.suites.rpg.play.answer_work.score_answer", broken)
    found = rows_of(Score("base"), *PLANS)
    assert [(row["task_id"], row["error"]) for row in found] == [(plan["task_id"], "no memory") for plan in PLANS]
    monkeypatch.setattr("herobench.task_gen.rpg.task_maker.Generator.attempt", lambda self, index, part=1: None)
    (row,) = rows_of(Generate(seed=9, plan="straight"), {"id": 7})
    assert (row["index"], row["task"]) == (7, None)
    assert row["error"].startswith("No task of difficulty")


def test_made_rows_are_those_of_the_command(tmp_path: Path) -> None:
    words, options = ("--difficulty", "1-2"), {"difficulty": "1-2"}
    herobench("generate", *words, "--count", "4", "--seed", "9", "-o", tmp_path / "tasks.jsonl", "--jobs", "1")
    found = rows_of(Generate(seed=9, **options), {"id": 2}, {"id": 0})
    alone = read_jsonl(tmp_path / "tasks.jsonl")
    assert [json.loads(row["task"]) for row in found] == [alone[2], alone[0]]
    assert [(row["index"], row["id"], row["error"]) for row in found] == [(n, alone[n]["id"], None) for n in (2, 0)]


def test_answers_to_other_suites_are_scored_as_by_a_scorer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
    from tests.tiny_suite import TinySuite

    class Plain(TinySuite):
        players = ("oracle",)
    """
    install(tmp_path, "plain_suite", code, {"herobench.suites": {"plain": "plain_suite:Plain"}}, "plain_suite")
    monkeypatch.syspath_prepend(tmp_path)
    with Scorer(TaskQuery(suite="plain")) as scorer:
        said = scorer.solution("t1")
        alone = scorer.score("t1", said).verdict
    (won,) = rows_of(Score(suite="plain"), {"task_id": "t1", "replies": list(map(reply_row, said)), "model": "m"})
    assert (won["won"], won["score"], json.loads(won["details"])) == (alone.won, alone.score, alone.details)
    assert (won["suite"], won["model"], won["error"]) == ("plain", "m", None)


@for_each(
    ("kind", "options", "fault", "fact"),
    [
        (Score, {"tasks": "base", "mode": "tools"}, RpgFault.NOT_SCORED_BY, "'mode'"),
        (Score, {"suite": "rpg", "tasks": "nowhere"}, TaskFault.NOT_SHIPPED, "nowhere"),
        (Generate, {"noise": "x"}, OptionFault.BAD_VALUE, "suite rpg is 'x'"),
        (Generate, {"suite": "rpg", "sead": 1}, OptionFault.NO_OPTION, "'sead' of the generator of the suite rpg"),
    ],
)
def test_wrong_options_are_refused_before_an_actor_starts(kind: Any, options: Any, fault: Fault, fact: str) -> None:
    with raises(fault, fact):
        map_options(kind, **options)
