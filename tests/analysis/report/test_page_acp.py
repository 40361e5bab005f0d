"""A question of the suite acp in the report, in a real browser."""

from pathlib import Path
from typing import Any

from tests.analysis.report.browser import Page
from tests.program import herobench

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
    assert page.complaints() == []
