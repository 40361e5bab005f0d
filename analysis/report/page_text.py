"""The text of pages: one style, one script and one policy, built from the files in `page/` and the suite's panel.

The policy forbids every request, every other script or style, and, in browsers that know Trusted Types, every way to
make elements from text: what a model wrote can only be shown. A large page may load the files of its blocks, whose
names it makes from a number; they hold nothing but base64.

Tables of figures are in chapters, in the forms that people take elsewhere: Markdown, LaTeX, or a page for a browser.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any, Literal

from herobench.analysis.reading.contract import Reading
from herobench.analysis.report.blocks import as_json, source_hash
from herobench.analysis.samples.table_text import Cells, latex, markdown

SHARED_SCRIPTS = ("dom.js", "format.js", "axes.js", "theme.js")
"""The files that pages other than the report use too."""
SCRIPTS = (
    "dom.js",
    "format.js",
    "files.js",
    "data.js",
    "pieces.js",
    "axes.js",
    "chart_success.js",
    "chart_cost.js",
    "chart_horizon.js",
    "chart_radar.js",
    "chart_failures.js",
    "heat.js",
    "overview.js",
    "table.js",
    "panels.js",
    "controls.js",
    "replay.js",
    "conversation.js",
    "talk.js",
)
"""The files that come before the suite's panel, in the order in which they build on one another."""
LAST_SCRIPTS = ("sample.js", "pair.js", "theme.js", "main.js")
"""The files that come after it."""
_FROM_HERE = " 'self' file:"
_NONE = "'none'"
END = "</body>\n</html>\n"


_OVERVIEW_SCRIPTS = ("chart_success.js", "chart_horizon.js", "chart_radar.js", "chart_failures.js", "heat.js",
                     "overview.js", "table.js")  # fmt: skip
"""The files that draw the first page of the report."""
BOARD_SCRIPTS = tuple(name for name in SCRIPTS if name not in _OVERVIEW_SCRIPTS)
"""The files that a page with replays needs whose first page is not the report's."""


def page_before_blocks(index: Mapping[str, Any], reading: Reading) -> str:
    """Return the file up to where the blocks begin, with the panel of the suite that the reading is of."""
    return build_page(index, page_file("style.css") + reading.style, _script(SCRIPTS, reading, ""))


def board_before_blocks(index: Mapping[str, Any], reading: Reading, script: str, style: str) -> str:
    """Return a page up to where its blocks begin: its own script draws the first page, the report's the replays."""
    text = _script(BOARD_SCRIPTS, reading, script)
    return build_page(index, page_file("style.css") + reading.style + style, text, "leaderboard")


def page_on(index: Mapping[str, Any], script: str, style: str, charts: Sequence[str] = (), kind: str = "report") -> str:
    """Return a whole page of another kind, drawn by its own script and style with the shared parts of the report.

    It may take charts of the report too, which draw the runs of the index.
    """
    runs = "const RUNS = INDEX.runs;\n" if charts else ""
    shared = "\n".join([*map(page_file, SHARED_SCRIPTS), runs, *map(page_file, charts)])
    text = f'(() => {{\n"use strict";\n{shared}{script}}})();\n'
    return build_page(index, page_file("style.css") + style, text, kind) + END


def build_page(index: Mapping[str, Any], style: str, script: str, kind: str = "report") -> str:
    """Return a page up to its end, with the only script and style that its policy allows."""
    return Template(page_file("page.html")).substitute(
        kind=kind,
        policy=_policy(style, script, bool(index.get("files"))),
        style=style,
        script=script,
        index=as_json(index),
    )


def _policy(style: str, script: str, has_files: bool) -> str:
    """Return the policy. A page with files beside it may load scripts from where it is, by names that it makes."""
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {source_hash(script)}{_FROM_HERE if has_files else ''}",
            f"style-src {source_hash(style)}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            f"trusted-types {'herobench-files' if has_files else _NONE}",
        ]
    )


def _script(scripts: Sequence[str], reading: Reading, own: str) -> str:
    """Return all scripts as one, with nothing of it visible outside. The panel's names are visible in it only."""
    panel = f"{{\n{reading.script}}}\n" if reading.script else ""
    shared, last = ("\n".join(map(page_file, names)) for names in (scripts, LAST_SCRIPTS))
    return f'(() => {{\n"use strict";\n{shared}{panel}{own}{last}}})();\n'


@cache
def page_file(name: str) -> str:
    """Return a file of the report's page."""
    return files("herobench.analysis.report").joinpath("page", name).read_text("utf-8")


Form = Literal["md", "latex", "html"]


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table whose cells are texts. The cells of the first column are names, the others figures or words."""

    caption: str
    headers: Cells
    rows: Sequence[Cells]


@dataclass(frozen=True, slots=True)
class Chapter:
    """Some tables under a title, with notes for whoever compares their figures."""

    title: str
    tables: Sequence[TextTable]
    notes: Sequence[str] = ()
    page: str = ""
    """The name of a page beside this one that shows more; empty if there is none."""


def pages_by_suite(path: Path, suites: Iterable[str]) -> dict[str, Path]:
    """Return where the page of each suite is: beside the one that leads there, such as `report.acp.html`."""
    return {suite: path.with_name(f"{path.stem}.{suite}{path.suffix}") for suite in suites}


def chapters_text(title: str, chapters: Sequence[Chapter], form: Form) -> str:
    """Return chapters in a form; only a page shows notes, which a program that reads tables has no use for."""
    if form == "html":
        index = {"words": {}, "title": title, "chapters": [asdict(chapter) for chapter in chapters]}
        return page_on(index, page_file("chapters.js"), "", kind="tables")
    typeset = markdown if form == "md" else latex
    mark = "#" if form == "md" else "%"
    told = []
    for chapter in chapters:
        head = [f"{mark} {' '.join(chapter.title.splitlines())}\n"] if len(chapters) > 1 else []
        told += [*head, *(typeset(table.headers, table.rows, table.caption) for table in chapter.tables)]
    return "\n".join(told)
