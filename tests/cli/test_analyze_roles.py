"""Tokens and cost by role, as `analyze` shows them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from herobench.data.documents import schema_problems
from tests.analysis.calls import call
from tests.golden import Golden
from tests.made_runs import make_run
from tests.program import Done, herobench, read_jsonl, write_jsonl


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 40 attempts with two calls each."""
    path = make_run(tmp_path_factory.mktemp("runs") / "talk", "noop", [8, 9])
    rows = read_jsonl(path / "samples.jsonl")
    write_jsonl(path / "samples.jsonl", ({**row, "calls": 2} for row in rows))
    told = ((row["task_id"], number, role) for row in rows for number, role in enumerate(("planner", "critic")))
    write_jsonl(path / "calls.jsonl", (call(*one) for one in told))
    return path


def analyzed(*args: str | Path) -> Done:
    done = herobench("analyze", *args, columns=120)
    assert done.returncode == 0, done.stderr
    return done


def test_the_table_has_each_role(run: Path, golden: Golden) -> None:
    golden(analyzed(run))


def test_the_json_has_each_role(run: Path) -> None:
    found = json.loads(analyzed(run, "--format", "json").stdout)
    assert schema_problems(found, "analysis", "stdout") == []
    totals = {"calls": 40, "input_tokens": 4000, "output_tokens": 400, "reasoning_tokens": 160, "cost": 10.0}
    assert found["runs"][0]["roles"] == [{"role": "critic", **totals}, {"role": "planner", **totals}]


def test_the_typeset_tables_end_with_the_roles(run: Path, golden: Golden) -> None:
    golden(analyzed(run, "--format", "md"))
    assert "\\caption{Calls, tokens and cost by role" in analyzed(run, "--format", "latex").stdout


def test_a_run_without_roles_has_no_such_table(run: Path, tmp_path: Path) -> None:
    plain = make_run(tmp_path / "plain", "noop", [9], limit=4)
    assert "role" not in analyzed(plain).stdout + analyzed(plain, "--format", "md").stdout
    assert json.loads(analyzed(plain, "--format", "json").stdout)["runs"][0]["roles"] == []
    assert "by role" not in analyzed(run / "samples.jsonl").stdout, "a file of rows has no calls"


def test_wrong_calls_are_named(run: Path, tmp_path: Path, golden: Golden) -> None:
    broken = make_run(tmp_path / "broken", "noop", [9], limit=4)
    write_jsonl(broken / "samples.jsonl", ({**row, "calls": 2} for row in read_jsonl(broken / "samples.jsonl")))
    (broken / "calls.jsonl").write_text('{"task_id": "9/1", "epoch": 0, "call": "first"}\n')
    golden(herobench("analyze", broken))
