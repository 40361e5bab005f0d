"""Tables in chapters: what each form holds, and that names from outside are texts in the output of every command."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from herobench.analysis.samples.table_text import TextTable
from herobench.cli.formats import Chapter, chapters_text
from tests.analysis.report.browser import Page
from tests.analysis.report.made import HOSTILE
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import for_each

TABLE = TextTable("Success", ("model", "success %"), [("a|b", "50.0 (40.0 to 60.0)"), ("c & d", "7.0")])
CHAPTERS = [Chapter("Suite one", [TABLE], ["Mind this."], "one.html"), Chapter("Suite two", [])]


def test_markdown_and_latex_have_the_tables_under_their_titles() -> None:
    assert chapters_text("All", CHAPTERS, "md") == (
        "# Suite one\n\nSuccess\n\n| model | success % |\n| --- | ---: |\n"
        "| a\\|b | 50.0 (40.0 to 60.0) |\n| c \\& d | 7.0 |\n\n# Suite two\n"
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


# -- names that mean harm ---------------------------------------------------------------------------------------------

NAMES = (
    "[a](javascript:alert(1))",
    "![](x.png)",
    "[ref]: x",
    "<b>bold</b> <!--",
    "a|b",
    "_all_ __all__ *all* **all** ~~all~~ `all`",
    "a & b &lt; &#124;",
    "\\input{secret} \\|",
    "# head",
    "> quotation",
    "- item",
    "1. item",
    "---",
    "    code",
    "$x^2$ 50 % {}",
    "x<https:",
    "=1+1",
)
"""Names of runs that would be more than text. Files may have them."""
PLAIN = {"text", "paragraph_open", "paragraph_close", "inline", "heading_open", "heading_close"}
TABLE_PARTS = {f"{part}_{end}" for part in ("table", "thead", "tbody", "tr", "th", "td") for end in ("open", "close")}


def shown_cells(text: str) -> list[str]:
    """The texts that Markdown shows; nothing in it may be more than text in headings, paragraphs and tables."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    assert {token.type for token in tokens} <= PLAIN | TABLE_PARTS, text
    told = [token.children or [] for token in tokens if token.type == "inline"]
    assert {child.type for children in told for child in children} <= {"text", "text_special"}, text
    return ["".join(child.content for child in children) for children in told]


def write_run(folder: Path, name: str) -> Path:
    told = {"epoch": 0, "outcome": "win", "score": 100.0}
    return write_jsonl(folder / f"{name}.jsonl", [{"task_id": f"1/{number}_x_kill", **told} for number in range(3)])


@for_each("name", NAMES)
def test_a_name_is_a_text_in_markdown_and_latex_wherever_it_stands(name: str) -> None:
    table = TextTable(name, ("model", name), [(name, "1.0"), ("b", name)])
    chapters = [Chapter(name, [table]), Chapter("other", [])]
    assert shown_cells(chapters_text("All", chapters, "md")).count(" ".join(name.split())) == 5
    typeset = chapters_text("All", chapters, "latex")
    special = re.sub(r"\\(?:[%&_#${}]|text\w+\{\}|\\$)|\$(?:\\pm|[-<>])\$|\{[\[*]\}", "", typeset, flags=re.MULTILINE)
    body = "\n".join(line for line in special.splitlines() if not line.startswith(("%", "\\")))
    assert not re.search(r"[\\#$%^~{}\[*<>|_]", body.replace("\\caption", "")), body


@for_each("command", ["analyze", "compare", "leaderboard"])
def test_commands_write_a_name_as_text_in_each_format(command: str, tmp_path: Path) -> None:
    name = "[a](javascript:alert(1)) <b> _x_ & a|b"
    runs = [write_run(tmp_path, name), write_run(tmp_path, "plain")]
    typeset = {form: herobench(command, *runs, "--format", form) for form in ("md", "latex")}
    assert {done.returncode for done in typeset.values()} == {0}, typeset
    assert any(name in cell for cell in shown_cells(typeset["md"].stdout))
    assert "{[}a](javascript:alert(1)) $<$b$>$ \\_x\\_ \\& a\\textbar{}b" in typeset["latex"].stdout


@for_each(("command", "column"), [("analyze", "run"), ("leaderboard", "name")])
def test_no_name_is_a_formula_in_csv(command: str, column: str, tmp_path: Path) -> None:
    done = herobench(command, write_run(tmp_path, "=1+1"), "--format", "csv")
    assert {row[column] for row in csv.DictReader(done.stdout.splitlines())} == {"'=1+1"}


@for_each("command", ["analyze", "compare", "leaderboard", "report"])
def test_runs_are_called_by_their_models_where_that_is_asked(command: str, tmp_path: Path) -> None:
    runs = [write_run(tmp_path, name) for name in ("one", "other", "third")]
    for run, model in zip(runs, ("m-1", "m-2", "m-2"), strict=True):
        write_jsonl(run, [{**row, "model": model} for row in read_jsonl(run)])
    chosen = runs[1:] if command == "compare" else runs
    output = tmp_path / "page.html"
    done = herobench(command, *chosen, "--label", "model", *(["-o", output] if command == "report" else []))
    text = output.read_text("utf-8") if command == "report" else done.stdout
    assert ("m-1" in text or command == "compare", "m-2 (other)" in text, "m-2 (third)" in text) == (True, True, True)


def test_a_leaderboard_for_a_paper_is_slim_and_tells_in_its_caption_what_all_runs_share(tmp_path: Path) -> None:
    runs = [write_run(tmp_path, name) for name in ("one", "other")]
    typeset = herobench("leaderboard", *runs, "--format", "latex").stdout
    assert "rank & run & horizon, decisions & success \\% & score \\\\\n" in typeset
    assert "\\caption{help: code" in typeset
    assert "1 & one & not determined & 100.0 (43.9 to 100.0) & 100.0 \\\\\n" in typeset
