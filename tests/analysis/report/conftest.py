"""A report with a plain run and a strange one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.report import ReportRun, write_report
from herobench.suites.rpg.game.episode import Ending
from tests.analysis.report.browser import Page, Shown
from tests.analysis.report.made import (
    ASTRAY,
    HOSTILE,
    LAZY,
    REFUSED,
    mixed_run,
    on_one_line,
    run,
    sample,
    task,
    unmeasured,
)  # fmt: skip
from tests.plays import WINNING


@pytest.fixture(scope="session")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("report") / "report.html"
    ended = Ending("error", f"NameError: {HOSTILE}", 3, "runtime", "NameError")
    answer = f"{HOSTILE}\n```python\nmove('Hero', 1, 0)\nfight('Hero')\n{HOSTILE}\n```"
    special = [
        sample(task(1, "9"), REFUSED),
        sample(task(2, "9"), "move 1 0; fight", ended, answer=answer),
        unmeasured(task(3, "9")),
        sample(task(4, "9"), ""),
        sample(task(5, "9"), WINNING, world="0" * 64),
        sample(task(6, "9"), ASTRAY),
        on_one_line(sample(task(7, "9"), ASTRAY)),
        sample(task(8, "9"), LAZY),
    ]
    strange = run(f"strange {HOSTILE}", special, [task(number, "9") for number in range(9)], HOSTILE)
    write_report(target, [mixed_run("plain", 3, 40), strange])
    return target


@pytest.fixture
def page(driver: Any, path: Path) -> Iterator[Page]:
    """In a tab of its own: a tab that has been to fifty places forgets some, and not the oldest first."""
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    yield (page := Page(driver, path).open())
    page.run("localStorage.clear()")
    driver.close()
    driver.switch_to.window(first)


@pytest.fixture
def shown(driver: Any, tmp_path: Path) -> Shown:
    def show(*runs: ReportRun) -> Page:
        write_report(tmp_path / "report.html", runs)
        return Page(driver, tmp_path / "report.html").open()

    return show
