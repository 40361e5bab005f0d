"""The first page of a report on journeys in a real browser: the main figure, and a table of sentences that fits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from herobench.analysis.report.write import report_runs, write_report
from herobench.analysis.samples.sources import read_sources
from herobench.data.rows import write_rows
from tests.analysis.report.browser import Page
from tests.suites.rpg.journey.roads import journey
from tests.suites.rpg.journey.samples import sample


def test_the_main_figure_is_that_which_ranks_and_nothing_is_wider_than_the_page(driver: Any, tmp_path: Path) -> None:
    camp = ("camp",)
    for name in "abcd":
        roads = [journey(regions, "hand", 1, 2, f"figures/{regions}") for regions in (2, 3, 4, 5, 6, 7)]
        plans = [(*[camp] * (number % 3), *road.plan) for number, road in enumerate(roads)]
        write_rows(tmp_path / f"{name}.jsonl", list(map(sample, roads, plans)))
    write_report(tmp_path / "page.html", report_runs(read_sources([tmp_path / f"{name}.jsonl" for name in "abcd"])))
    page = Page(driver, tmp_path / "page.html").open()
    page.size(1300, 900)
    assert "decisions between mistakes" in page.text("#headed .main")
    assert page.texts("#remarks thead th") == ["Figure", *"abcd"]
    assert page.texts("#remarks tbody th")[:3] == ["Decisions between mistakes", "Between large mistakes", "Sight"]
    assert page.run("return document.documentElement.scrollWidth <= innerWidth")
    assert "✕ not the best" in page.texts(".rows .outcome")
    assert page.complaints() == []
