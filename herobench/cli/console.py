"""A console for plain text, on which no word is broken and nothing cut off."""

from __future__ import annotations

from textwrap import TextWrapper
from typing import Any

from rich.console import Console


class PlainConsole(Console):
    """Standard output for text that means nothing but itself, wrapped between words at some width."""

    def __init__(self, width: int) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, width=width)

    def print(self, *objects: Any, indent: int = 0, **options: Any) -> None:
        """Print; what is longer than a line and has no space in it stays on one. With `soft_wrap`, so does all.

        Lines of a text after its first are indented.
        """
        if not options.get("soft_wrap"):
            objects = tuple(self._wrapped(thing, indent) if isinstance(thing, str) else thing for thing in objects)
        super().print(*objects, **{"overflow": "ignore", "crop": False, **options})

    def _wrapped(self, text: str, indent: int) -> str:
        """Break a text between words; rich would break words as well."""
        wrapper = TextWrapper(self.width, break_long_words=False, break_on_hyphens=False, replace_whitespace=False)
        wrapper.subsequent_indent = " " * indent
        lines = []
        for line in text.split("\n"):
            lines.append(wrapper.fill(line))
            wrapper.initial_indent = wrapper.subsequent_indent
        return "\n".join(lines)
