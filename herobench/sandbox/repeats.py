"""The statements of a plan that is written out: many of them, and most are the same. `language` reads each but once.

A statement that stands at the margin means the same on every line, so a plan can be read as the text of its different
statements and the list of which stands where. Nothing is refused here: a plan in any doubt is read as a whole.
"""

from __future__ import annotations

from typing import NamedTuple

_MARGIN = (" ", "#")
"""The beginnings of lines that begin no statement. Empty lines begin none either."""
_TIMES = 2
"""A plan is read by its different statements if it has each this often on average. For fewer it would save nothing."""


class Place(NamedTuple):
    """A statement of the plan."""

    statement: int
    """Its number among the different ones."""
    line: int


class WrittenOut(NamedTuple):
    """A plan by its different statements."""

    text: str
    """The different statements."""
    lines: list[int]
    """The line of each in that text."""
    places: list[Place]
    """All statements of the plan, in their order."""


def written_out(source: str) -> WrittenOut | None:
    """Return a plan by its different statements; None if it repeats few, or may have others than it seems to have.

    Whoever parses the text has to see that each statement begins on its line: then none goes on in the next one."""
    # A backslash joins lines. What cannot be printed may be forbidden, or end a line; tabs are among it.
    if "\\" in source or not source.replace("\n", "").isprintable():
        return None
    lines = source.split("\n")
    starts = [number for number, line in enumerate(lines) if line and not line.startswith(_MARGIN)]
    if not starts or not all(map(_is_bare, lines[: starts[0]])):
        return None
    numbers: dict[str, int] = {}
    places = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        while _is_bare(lines[end - 1]):
            end -= 1
        statement = lines[start] if end - start == 1 else "\n".join(lines[start:end])
        places.append(Place(numbers.setdefault(statement, len(numbers)), start + 1))
    if len(numbers) * _TIMES > len(places):
        return None
    text, at = "\n".join(numbers), [1]
    for statement in numbers:
        at.append(at[-1] + statement.count("\n") + 1)
    return WrittenOut(text, at[:-1], places)


def _is_bare(line: str) -> bool:
    """Say whether a line has nothing but a comment, if it stands between two statements."""
    bare = line.lstrip()
    return not bare or bare[0] == "#"
