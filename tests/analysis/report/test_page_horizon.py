"""The panel of the horizon in a real browser: the curve, its tasks, and what is said of them."""

import numpy as np

from herobench.analysis.report import ReportRun
from tests.analysis.report.browser import Shown
from tests.analysis.report.made import LAZY, run, sample, task
from tests.analysis.statistics.simulated import ladder, wins
from tests.builders import Json
from tests.plays import WINNING

LENGTHS = ladder(60)


def simulated(name: str, horizon: float) -> ReportRun:
    won = wins(np.random.default_rng(1), LENGTHS, horizon, 1.5)[0]
    rows = [played(number, bool(won)) for number, won in enumerate(won)]
    return run(name, rows, [task(number) for number in range(len(rows))])


def played(number: int, won: bool) -> Json:
    return sample(task(number), WINNING if won else LAZY, decisions=round(LENGTHS[number]))


def test_the_curve_the_tasks_and_the_horizon_are_drawn(shown: Shown) -> None:
    page = shown(simulated("near", 60), simulated("far", 600), simulated("all", 1e12))
    assert "Horizon" in page.texts(".card h2")
    page.wait("return document.querySelectorAll('.horizon .curve').length === 2")
    count = "return document.querySelectorAll(arguments[0]).length"
    assert page.run(count, "circle.task") == 180
    assert page.run(count, ".horizon .band") == 2, "a run that wins all has no curve and no band"
    assert page.run(count, ".horizon .half") == 2
    near, far = (float(text) for text in page.texts(".horizon .name"))
    assert 30 < near < 120 < far < 1200
    assert page.text("#horizons").endswith("all: beyond the range of lengths")
    assert f"near: {near:.0f} (" in page.text("#horizons")
    marks = "return [...document.querySelectorAll('.horizon .marker')].map(e => e.getBoundingClientRect().x)"
    left, right = page.run(marks)
    assert left < right
    assert page.complaints() == []


def test_the_figures_are_a_table_too(shown: Shown) -> None:
    page = shown(simulated("near", 60))
    rows = "return [...document.querySelectorAll('#horizons ~ .figures td')].map(e => e.textContent)"
    name, horizon, _, verdict, auc, _, tasks = page.run(rows)
    assert (name, verdict, tasks) == ("near", "determined", "60")
    assert "to" in horizon
    assert 0.5 < float(auc) <= 1


def test_where_no_task_has_a_length_there_is_no_panel(shown: Shown) -> None:
    assert "Horizon" not in shown(run("a", [sample(task(1), WINNING)], [task(1)])).texts(".card h2")
