"""Questions in the report, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.analysis.report.browser import Page, address
from tests.program import herobench, write_jsonl
from tests.suites.acp.asked import lamps

pytestmark = [pytest.mark.slow, pytest.mark.browser]

KEY = "reach/test/floor-tile/5190380624848000947"
"""A question with a wrong label: None."""


def test_the_report_shows_answer_and_grades(driver: Any, tmp_path: Path) -> None:
    run = tmp_path / "none"
    assert herobench("run", "--suite", "acp", "-m", "format-only", "--task-id", KEY, "-o", run).returncode == 0
    assert herobench("analyze", run, "--format", "html", "-o", tmp_path / "report.html").returncode == 0
    page = Page(driver, tmp_path / "report.html").open(f"#sample/none/{KEY.replace('/', '%2F')}/0")
    shown = dict(zip(page.texts(".question dt"), page.texts(".question dd"), strict=True))
    assert shown["Answer as read"] == "None"
    assert (shown["Sound grading"], shown["Reference grading"]) == ("wrong", "right")
    assert shown["Published label"] == "proven wrong"
    assert shown["Question"].startswith("What proposition can never hold")
    assert "clear" in page.texts("#state > .fact-groups h4")
    assert page.texts(".fact.goal")
    assert page.complaints() == []


def test_the_state_is_grouped_and_hostile_names_stay_text(driver: Any, tmp_path: Path) -> None:
    evil = "</script><img/src=x/onerror=document.title='x'>"
    row = lamps("val", answer=1, question=f'Which: "(light r1 l1) (go {evil} r2)"?', context=evil).as_row()
    questions, run = write_jsonl(tmp_path / "questions.jsonl", [row]), tmp_path / "oracle"
    done = herobench("run", "--suite", "acp", "--tasks", questions, "--set", "split=all", "-m", "oracle", "-o", run)
    assert done.returncode == 0, done.stderr
    assert herobench("analyze", run, "--format", "html", "-o", tmp_path / "report.html").returncode == 0
    page = Page(driver, tmp_path / "report.html").open_sample(address("oracle", "val/dev/lamps/1"))
    assert page.texts("#state > .fact-groups:not(.wide-groups) h4") == ["in"]
    page.choose("#facts-by", "object")
    assert page.texts("#state > .fact-groups:not(.wide-groups) h4") == ["r1 room"]
    assert page.texts("#goal .fact") == ["lit l1 ✕ not yet", "lit l2 ✕ not yet"]
    assert page.texts("#state details .fact") == ["has r1 l1", "has r2 l2"]
    assert page.texts("#plan li") == ["light r1 l1", f"go {evil} r2 ◂ answer"]
    assert page.run("return document.title") != "x"
    assert page.complaints() == []
