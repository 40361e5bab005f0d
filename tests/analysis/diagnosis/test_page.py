"""The page of diagnoses in a real browser."""

from pathlib import Path
from typing import Any

import pytest

from tests.analysis.diagnosis.planted import rows_of
from tests.analysis.report.browser import Page
from tests.analysis.report.conftest import driver
from tests.analysis.report.made import HOSTILE
from tests.program import herobench, write_jsonl

__all__ = ["driver"]


@pytest.mark.slow
def test_the_page_has_a_figure_and_a_table_and_hostile_names_stay_text(driver: Any, tmp_path: Path) -> None:
    models = {"good": rows_of(3, 60, model="good"), "few": rows_of(1, 9, model=HOSTILE.replace("\ud800", "?"))}
    paths = [
        write_jsonl(tmp_path / f"{name}-{side}.jsonl", rows)
        for name, own in models.items()
        for side, rows in enumerate(own)
    ]
    done = herobench("diagnose", *paths, "--format", "html", "-o", tmp_path / "page.html")
    assert done.returncode == 0, done.stderr
    page = Page(driver, tmp_path / "page.html").open()
    found = page.texts(".findings li")
    assert found[0].startswith("good: Wrong answers on prog predict lost plans")
    assert found[1].endswith(": Too few tasks to say which skill predicts lost plans.")
    page.wait("return document.querySelector('.chart svg')")
    assert len(page.texts(".chart .marker")) == 8
    assert page.texts(".chart text.name") == ["app", "prog", "val", "just", "reach", "areach", "land", "nexta"]
    assert page.texts(".skills tbody tr:first-child td")[1] == "prog"
    assert page.run("return document.title") == "HeroBench diagnosis"
    assert page.complaints() == []
    assert page.requests() == [page.url]
