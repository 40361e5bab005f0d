"""Replies that were cut off, and attempts that ended early: what counts of them, and where their share is said."""

import json
from pathlib import Path

from tests.cli.running import KEY, ask, run, samples, some_win
from tests.loopback import Loopback
from tests.program import herobench

CUT = "copper"


def thinks(key: str) -> str:
    """Answers, to one task in a thought that never closes."""
    return f"<think>\n{some_win(key)}" if key == CUT else some_win(key)


def test_a_plan_in_a_thought_that_never_closes_is_no_answer_under_standard_rules(tmp_path: Path) -> None:
    with Loopback(answers=thinks, key=KEY) as server:
        standard = ask(server, "-o", tmp_path / "standard")
        paper = ask(server, "--rules", "paper-late", "-o", tmp_path / "paper")
    told = {name: {row["task_id"]: row for row in samples(tmp_path / name)} for name in ("standard", "paper")}
    (cut,) = [row for row in told["standard"].values() if row["won"] != told["paper"][row["task_id"]]["won"]]
    assert (cut["won"], cut["details"]["ended"], cut["replies"][0]["text"]) == (False, "no_code", thinks(CUT))
    shown = herobench("analyze", tmp_path / "paper")
    for done in (standard, paper, shown):
        assert "cut off 1 of 5 attempts (20.0 %)" in " ".join(done.stdout.split())
    analyzed = json.loads(herobench("analyze", tmp_path / "standard", "--format", "json").stdout)
    assert analyzed["runs"][0]["cut_off"] == {"attempts": 1, "of": 5}


def test_attempts_that_reach_a_limit_are_told(tmp_path: Path) -> None:
    done = run("--model", "oracle", "--mode", "feedback", "--attempt-calls", "1", "-o", tmp_path / "run")
    rows = samples(tmp_path / "run")
    short = [row for row in rows if row["unfinished"]]
    assert 0 < len(short) < len(rows)
    assert {row["unfinished"] for row in short} == {"the limit of 1 calls an attempt is reached"}
    assert [row["won"] for row in rows] == [row not in short for row in rows]
    assert f"ended early {len(short)}: the column unfinished of" in " ".join(done.stdout.split())
    analyzed = " ".join(herobench("analyze", tmp_path / "run").stdout.split())
    assert f" ended early {len(short)} " in analyzed
    assert "0 of 5 have another outcome" in herobench("score", tmp_path / "run").stderr
