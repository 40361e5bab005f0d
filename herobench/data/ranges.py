"""Reads numbers and ranges of them as people write them: 9, 1-9 or 3,5-7."""

from __future__ import annotations

import re

from herobench.data.errors import UsageError, quoted

_FIRST, _LAST = 1, 10
"""The difficulty brackets. They repeat difficulty.BRACKETS, because importing that would slow down every command."""
_RANGE = re.compile(r"\s*([0-9]{1,9})\s*(?:-\s*([0-9]{1,9})\s*)?")


def parse_brackets(text: str) -> tuple[int, ...]:
    """Return the brackets in a list such as 9, 1-9 or 3,5-7, each once and in order."""
    found: set[int] = set()
    for part in text.split(","):
        ends = least_and_most(part)
        if ends is None:
            raise UsageError(
                f"{quoted(text)} is no list of difficulties: give numbers or ranges, such as 9, 1-9 or 3,5-7."
            )
        first, last = ends
        for bracket in (first, last):
            if not _FIRST <= bracket <= _LAST:
                raise UsageError(f"There is no difficulty {bracket}: give numbers from {_FIRST} to {_LAST}.")
        if first > last:
            raise UsageError(f"The range {part.strip()} runs backwards: give the lower number first.")
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def least_and_most(text: str) -> tuple[int, int] | None:
    """Return both ends of a range such as 4-400; twice the number of a text such as 100; None for any other text."""
    match = _RANGE.fullmatch(text)
    return (int(match[1]), int(match[2] or match[1])) if match else None


def parse_span(limit: str) -> slice:
    """Return the part of a list that a limit names: 10 is the first ten, 5-15 the fifth to the fifteenth."""
    first, last = least_and_most(limit) or (0, 0)
    if "-" not in limit:
        first = min(1, last)
    if not 1 <= first <= last:
        raise UsageError(
            f"A limit is a number of tasks, or a part of their list such as 5-15, but not {quoted(limit)}."
        )
    return slice(first - 1, last)
