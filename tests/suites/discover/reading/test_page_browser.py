"""Explorations in the report, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.analysis.report.browser import Page, address
from tests.program import herobench, read_jsonl

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def test_an_exploration_is_told_call_by_call_and_its_plan_replayed(driver: Any, tmp_path: Path) -> None:
    run = tmp_path / "found"
    done = herobench("run", "--suite", "discover", "-m", "experimenter", "--limit", "2-2", "-o", run)
    assert done.returncode == 0, done.stderr
    (sample,) = read_jsonl(run / "samples.jsonl")
    report = tmp_path / "report.html"
    assert herobench("analyze", run, "--format", "html", "-o", report).returncode == 0
    page = Page(driver, report).open_sample(address("found", sample["task_id"], 1))
    assert len(page.texts("#calls li")) == len(sample["events"]["exploration"])
    assert len(page.texts("#calls .surprise")) == sample["details"]["surprises"]
    assert len(page.texts("#differ li")) == len(page.texts("#stated li")) == sample["details"]["changes"]
    assert page.text("#counter") == f"1 of {len(sample['events']['plan']['actions'])}"
    page.focus("#replay")
    page.keys("\ue014")  # the arrow to the right
    assert page.text("#counter").startswith("2 of")
    assert page.text("#goal").startswith("0 of 3 goals reached; next: ")
    assert page.complaints() == []
