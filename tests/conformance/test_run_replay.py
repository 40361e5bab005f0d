"""Published answers, run as a model is run: the paper's main table from a run's folder, through every part of it."""

from pathlib import Path

import pytest

from herobench.analysis.statistics.tally import SampleTally
from tests.builders import shared_rows
from tests.conformance.published import RUNS, runs_with, tasks
from tests.conformance.test_table1 import PRINTED_TO
from tests.program import herobench, read_jsonl, write_jsonl

SOME = runs_with("table1")[:2]


@pytest.mark.parametrize("name", SOME)
def test_a_published_run_has_its_row_of_table_1(name: str, tmp_path: Path) -> None:
    about = RUNS[name]
    rows = [row for row in shared_rows(about) if row["task"] not in about.get("unreproducible", [])]
    known = tasks(about["tasks"])
    answers = ({"task_id": row["task"], "code": row["code"], "tokens": row["tokens"]} for row in rows)
    recorded = write_jsonl(tmp_path / "answers.jsonl", answers)
    file = write_jsonl(tmp_path / "tasks.jsonl", (known[row["task"]].as_row() for row in rows))
    options = ("--tasks", file, "--rules", about["edition"], "-o", tmp_path / "run")
    done = herobench("run", "--model", f"replay:{recorded}", *options)
    assert done.returncode == 0, done.stderr
    ours = SampleTally(read_jsonl(tmp_path / "run" / "samples.jsonl")).table1()
    for column, figure in about["table1"].items():
        assert ours[column] == pytest.approx(figure, abs=PRINTED_TO[column] / 2 + 1e-6), column
    samples = read_jsonl(tmp_path / "run" / "samples.jsonl")
    scored = {row["task_id"]: (row["won"], row["details"]["reward"]) for row in samples}
    assert scored == {row["task"]: (row["result"] == "win", row["reward"]) for row in rows}


def test_two_runs_are_compared() -> None:
    assert len(SOME) == 2
