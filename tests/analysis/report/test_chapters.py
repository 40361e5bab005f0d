"""Tables in chapters: what each form holds, and that names from outside are texts in all of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from herobench.analysis.report.page_text import Chapter, TextTable, chapters_text
from tests.analysis.report.browser import Page
from tests.analysis.report.made import HOSTILE

TABLE = TextTable("Success", ("model", "success %"), [("a|b", "50.0 (40.0 to 60.0)"), ("c & d", "7.0")])
CHAPTERS = [Chapter("Suite one", [TABLE], ["Mind this."], "one.html"), Chapter("Suite two", [])]


def test_markdown_and_latex_have_the_tables_under_their_titles() -> None:
    assert chapters_text("All", CHAPTERS, "md") == (
        "# Suite one\n\nSuccess\n\n| model | success % |\n| --- | ---: |\n"
        "| a\\|b | 50.0 (40.0 to 60.0) |\n| c & d | 7.0 |\n\n# Suite two\n"
    )
    typeset = chapters_text("All", CHAPTERS, "latex")
    assert typeset.startswith("% Suite one\n")
    assert "c \\& d & 7.0 \\\\\n" in typeset
    assert "% Suite" not in chapters_text("All", CHAPTERS[:1], "latex"), "a chapter alone needs no title"


def test_a_page_holds_what_it_is_given_as_data() -> None:
    page = chapters_text(HOSTILE, CHAPTERS, "html")
    index = re.search(r'<script type="application/json" id="index">(.*?)</script>', page, re.DOTALL)
    assert index
    held = json.loads(index[1])
    assert held["title"] == HOSTILE
    assert held["chapters"][0]["tables"][0]["rows"][0] == ["a|b", "50.0 (40.0 to 60.0)"]


def test_a_browser_shows_chapters_tables_and_links(driver: Any, tmp_path: Path) -> None:
    (tmp_path / "all.html").write_text(chapters_text("All", CHAPTERS, "html"), "utf-8")
    page = Page(driver, tmp_path / "all.html").open()
    assert page.texts("h2") == ["Suite one", "Suite two"]
    assert page.texts("tbody td") == ["a|b", "50.0 (40.0 to 60.0)", "c & d", "7.0"]
    assert page.run("return document.querySelector('section a').getAttribute('href')") == "one.html"
    assert page.complaints() == []
