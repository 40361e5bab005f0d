"""Names on a map: break them into two short lines, so that none covers the next tile. `svg` and `terminal` use it."""

from __future__ import annotations

from unicodedata import combining, east_asian_width

_LETTERS = 10
"""The most letters of common width in a line. A cut name gets one less, since long names are often wide."""


def lines_of(name: str) -> list[str]:
    """Return a name as one or two lines, cut if it is too long."""
    words = name.split()
    first = words[:1]
    while len(first) < len(words) and width_of(" ".join(words[: len(first) + 1])) <= _LETTERS:
        first = words[: len(first) + 1]
    second = words[len(first) :]
    return [_cut(" ".join(part)) for part in (first, second) if part]


def width_of(text: str) -> int:
    """Return the width of a text, in letters of common width."""
    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _cut(text: str) -> str:
    if width_of(text) <= _LETTERS:
        return text
    while width_of(text) > _LETTERS - 2:  # room for the sign of the cut
        text = text[:-1]
    return f"{text.rstrip()}…"
