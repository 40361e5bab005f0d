"""Statements `(= NAME NUMBER)` in the text of a program: what variants of an environment replace."""

from __future__ import annotations

import re


def statement_of(program: str, name: str) -> re.Match[str] | None:
    """Return the statement that gives a name its number; None if there is not exactly one. Group 1 is the number."""
    found = list(re.finditer(rf"\(=\s+{re.escape(name)}\s+(-?\d+)\s*\)", program))
    return found[0] if len(found) == 1 else None


def with_constant(program: str, name: str, number: int) -> str:
    """Return a program in which a name has another number."""
    found = statement_of(program, name)
    if found is None:
        return program
    return f"{program[: found.start(1)]}{number}{program[found.end(1) :]}"
