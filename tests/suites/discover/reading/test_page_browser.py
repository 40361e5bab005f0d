"""Explorations in the report, in a real browser."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.analysis.report.browser import Page, address
from tests.program import herobench, read_jsonl

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def test_an_exploration_is_told_call_by_call_and_its_plan_below(driver: Any, tmp_path: Path) -> None:
    run = tmp_path / "found"
    done = herobench("run", "--suite", "discover", "-m", "experimenter", "--limit", "2-2", "-o", run)
    assert done.returncode == 0, done.stderr
    (sample,) = read_jsonl(run / "samples.jsonl")
    report = tmp_path / "report.html"
    assert herobench("analyze", run, "--format", "html", "-o", report).returncode == 0
    page = Page(driver, report).open_sample(address("found", sample["task_id"], 1))
    worlds = round(2 ** sample["details"]["bits_hidden"])
    left = [worlds, *(call["left"] for call in sample["events"]["exploration"])]
    assert len(page.texts("#calls li")) == len(left) - 1
    assert len(page.texts("#calls .told")) == sum(one > other for one, other in pairwise(left))
    assert len(page.texts("#plan li")) == len(sample["events"]["plan"])
    assert len(page.texts("#hidden li")) == 3
    assert page.complaints() == []
