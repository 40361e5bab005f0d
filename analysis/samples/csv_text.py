"""Write a table of samples as CSV in which no cell is a formula.

A spreadsheet runs a cell that begins with = + - or @ as a formula, and the names of models and tasks come from other
people. Such texts get an apostrophe in front, which makes them plain text. So do texts that begin with an apostrophe:
taking one away gives back what any text was. Numbers stay numbers, negative ones included.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

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
