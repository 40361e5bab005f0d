"""Writes tables as text: as Markdown, as LaTeX with the rules of booktabs, and as CSV in which no cell is a formula.

Names of models, runs and tasks come from other people, so every cell and caption is written as plain text: Markdown
makes no link, image, element or emphasis of it, and LaTeX runs no command.

A spreadsheet runs a cell that begins with = + - or @ as a formula. Such texts get an apostrophe in front, which makes
them plain text. So do texts that begin with an apostrophe: taking one away gives back what any text was. Numbers stay
numbers, negative ones included.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


Cells = Sequence[str]


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table whose cells are texts."""

    caption: str
    headers: Cells
    rows: Sequence[Cells]
    names: int = 1
    """The first columns, which hold names. The others hold figures or words."""


def markdown(headers: Cells, rows: Iterable[Cells], caption: str = "", names: int = 1) -> str:
    """Return a table in Markdown, under its caption. The first columns hold `names`."""
    rows = list(rows)
    rule = ["---:" if is_right else "---" for is_right in _figures(headers, rows, names)]
    lines = [map(in_markdown, headers), rule, *(map(in_markdown, row) for row in rows)]
    body = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    above = _BLOCK.sub(r"\1\\\2", in_markdown(caption))
    return f"{above}\n\n{body}" if above else body


def latex(headers: Cells, rows: Iterable[Cells], caption: str = "", names: int = 1) -> str:
    """Return a table in LaTeX; a table with a caption floats."""
    rows = list(rows)
    body = "".join(" & ".join(map(_in_latex, line)) + " \\\\\n" for line in rows)
    head = " & ".join(map(_in_latex, headers))
    columns = "".join("r" if is_right else "l" for is_right in _figures(headers, rows, names))
    table = (
        f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head} \\\\\n\\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n"
    )
    if not caption:
        return table
    return f"\\begin{{table}}\n\\centering\n\\caption{{{_in_latex(caption)}}}\n{table}\\end{{table}}\n"


def _figures(headers: Cells, rows: Sequence[Cells], names: int) -> list[bool]:
    """Return for each column whether it has figures, which stand at the right."""
    cells = [[row[place] for row in rows] for place in range(names, len(headers))]
    return [False] * names + [any(char.isdigit() for cell in column for char in cell) for column in cells]


def number(value: float | None, digits: int) -> str:
    """Return a figure with this many digits; an empty text for None."""
    return "" if value is None else f"{value:.{digits}f}"


def spread(mean: float | None, deviation: float | None, digits: int) -> str:
    """Return a mean with its deviation."""
    if mean is None:
        return ""
    return number(mean, digits) + ("" if deviation is None else f" ± {number(deviation, digits)}")


_MARKED = re.compile(r"[\\`*\[\]<|~&#$]|(?<![^\W_])_|_(?![^\W_])|(?<=:)/(?=/)|(?<=www)\.", re.IGNORECASE)
"""What Markdown takes for more than text, anywhere in a line; an underscore within a word is text."""
_BLOCK = re.compile(r"^(\d*)([-+.)>])")
"""The beginning of a list, of a quotation, or of a line across the page."""
_SPECIAL = {char: f"\\{char}" for char in "%&_#${}"} | {
    "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "±": "$\\pm$",
    "<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}",
    "[": "{[}", "*": "{*}",  # either would belong to the end of the row before
}  # fmt: skip


def in_markdown(text: str) -> str:
    """Return a text for one line of Markdown."""
    return _MARKED.sub(r"\\\g<0>", _on_one_line(text))


def _in_latex(text: str) -> str:
    return "".join(_SPECIAL.get(char, char) for char in _on_one_line(text))


def _on_one_line(text: str) -> str:
    """Return a text without line breaks, because a cell ends with its line, and without spaces around it."""
    return " ".join(text.splitlines()).strip()


_MARK = "'"
_BREAK = "\r\n"
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r", "\n")
"""Beginnings of formulas, in full width too, and characters that spreadsheets drop before they look."""


def csv_text(samples: pd.DataFrame) -> str:
    """Return the table as CSV."""
    safe = samples.convert_dtypes()
    for name in safe.select_dtypes(["string", "object"]):
        safe[name] = safe[name].map(_cell, na_action="ignore")
    lines = _Lines()
    safe.to_csv(lines, index=False, lineterminator=_BREAK)
    return lines.getvalue()


class _Lines(io.StringIO):
    """A file of rows that end with a line feed."""

    def write(self, row: str) -> int:
        """Add a row."""
        # pandas ends rows with the longer break, so that it quotes cells with either of its characters
        return super().write(row.removesuffix(_BREAK) + "\n")


def _cell(value: Any) -> Any:
    """Mark a text that a spreadsheet would take for a formula; leave anything else as it is."""
    if isinstance(value, str) and (value.startswith(_MARK) or value.lstrip(" \u00a0").startswith(_FORMULA)):
        return _MARK + value
    return value
