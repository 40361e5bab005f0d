"""Grid worlds in the report, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from herobench.suites.autumn.episode.challenge import FAMILIES
from tests.analysis.report.browser import Page, address
from tests.program import herobench, write_jsonl
from tests.suites.autumn.challenges import row

pytestmark = [pytest.mark.slow, pytest.mark.browser]

RED = "return [...document.querySelectorAll('#world rect')].map(cell => cell.getAttribute('fill')).indexOf('#ff0000')"


def test_an_episode_is_replayed_frame_by_frame(driver: Any, tmp_path: Path) -> None:
    tasks = write_jsonl(tmp_path / "beads.jsonl", map(row, FAMILIES))
    done = herobench("run", "--suite", "autumn", "--tasks", tasks, "-m", "oracle", "-o", tmp_path / "oracle")
    assert done.returncode == 0, done.stderr
    report = tmp_path / "report.html"
    assert herobench("analyze", tmp_path / "oracle", "--format", "html", "-o", report).returncode == 0
    page = Page(driver, report).open()

    page.open_sample(address("oracle", "bead-planning", 4))
    assert page.text("#caption") == "Test, turn 2: right"
    assert page.run(RED) == 2
    page.focus("#replay")
    page.keys("\ue014")  # the arrow to the right
    assert page.text("#caption") == "Test, turn 3: down"
    assert page.run(RED) == 6
    page.click("#to-test")
    assert (page.text("#caption"), page.run(RED)) == ("Test, turn 0: the first frame.", 0)
    assert page.texts("#asked figcaption") == ["Goal"]

    page.open_sample(address("oracle", "bead-prediction", 5))
    assert page.run("return document.querySelectorAll('#world .hidden-cell').length") == 3
    assert page.texts("#asked .right-choice figcaption") == ["Choice 2: right, chosen"]

    page.open_sample(address("oracle", "bead-detection", 4))
    assert page.text("#caption") == "Test, turn 2: right Frame 2."
    page.focus("#replay")
    page.keys("\ue014")
    assert page.text("#caption") == "Test, turn 3: right Frame 3, the first changed one, chosen at last."
    page.keys("\ue014")
    assert page.text("#caption") == "Test, turn 4: I found the change! Frame 0."
    assert page.complaints() == []
