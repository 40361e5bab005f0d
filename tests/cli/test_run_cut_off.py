"""Replies that were cut off: what counts of them, and where their share is said."""

import json
from pathlib import Path

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.report.figures import Figures
from tests.cli.running import KEY, ask, samples, some_win
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
    for done in (standard, paper):
        assert "cut off 1 of 5 attempts (20.0 %)" in " ".join(done.stdout.split())
    analyzed = json.loads(herobench("analyze", tmp_path / "standard", "--format", "json").stdout)
    assert analyzed["runs"][0]["cut_off"] == {"attempts": 1, "of": 5}
    assert "cut off 1 of 5 attempts (20.0 %)" in " ".join(herobench("analyze", tmp_path / "paper").stdout.split())
    figures, reading = Figures(), load_reading("rpg")
    for row in told["standard"].values():
        figures.add(row, reading.cause(row), reading.facts(row))
    assert figures.as_row()["cut_off"] == {"attempts": 1, "of": 5}
