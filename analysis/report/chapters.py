"""Tables of figures in chapters, in the forms that people take elsewhere: Markdown, LaTeX, or a page for a browser."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from herobench.analysis.report.page_text import page_file, page_on
from herobench.analysis.samples.table_text import Cells, latex, markdown

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
