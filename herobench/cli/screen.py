"""The console that everything is drawn on. It is imported when something is drawn, since rich is slow to load."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from rich.console import Console
from rich.text import Text

from herobench.cli.say import visible


class Screen(Console):
    """Shows texts without markup, and without anything that a terminal obeys. It breaks lines between words only, and
    cuts nothing off."""

    def __init__(self, *, width: int | None = None, stderr: bool = False) -> None:
        super().__init__(width=width, stderr=stderr, markup=False, emoji=False, highlight=False)

    def render_str(self, text: str, **options: Any) -> Text:
        """Return the text of a cell, a title or a line as it is drawn: rich takes all of them through here."""
        return super().render_str(visible(text), **options)

    def print(self, *objects: Any, indent: int = 0, **options: Any) -> None:
        """Print things, each on a line of its own. A longer text continues on the next line, indented this far; a word
        is never broken. With `soft_wrap` a text stays on one line."""
        for thing in objects or ("",):
            whole = options.get("soft_wrap") or not isinstance(thing, str)
            for line in [thing] if whole else self._wrap(thing, indent) or [""]:
                super().print(line, **{"overflow": "ignore", "crop": False, **options})

    def _wrap(self, text: str, indent: int) -> list[str]:
        """Break a text between words; rich would break words as well."""
        fit = visible(text)
        return wrap(fit, self.width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)
