"""Levels files: JSON lines, one level each. Runs keep their levels in such a file."""

from __future__ import annotations

from pathlib import Path

from herobench.errors import InputError, Problem
from herobench.rows import read_lines
from herobench.suites.epoch.level import Level


def read_levels(path: Path) -> dict[str, Level]:
    """Return the levels of a file, by id. Raise InputError with all of its problems."""
    levels: dict[str, Level] = {}
    problems: list[Problem] = []
    for line in read_lines(path, "epoch-level"):
        try:
            level = Level.of(line.row, line.place) if not line.problems else None
        except InputError as error:
            problems += error.problems
            continue
        problems += line.problems
        if level and level.id in levels:
            problems.append(Problem(line.place, "$.id", "an id that no level has before it", level.id))
        elif level:
            levels[level.id] = level
    if problems:
        raise InputError(problems)
    return levels
