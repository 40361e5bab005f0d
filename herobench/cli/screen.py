"""What tables and bars are drawn on: a console of rich to which text means nothing but itself."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from herobench.cli.visible import visible


class Screen(Console):
    """Shows each text that it is given on one line, without markup, and with nothing in it that a terminal obeys."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, markup=False, emoji=False, highlight=False)

    def render_str(self, text: str, **options: Any) -> Text:
        """A text of a cell, a title or a line, as it is drawn: rich takes all of them through here."""
        return super().render_str(visible(text), **options)
