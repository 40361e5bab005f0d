"""Levels files: JSON lines, one level each. Runs keep their levels in such a file."""

from __future__ import annotations

from operator import attrgetter
from pathlib import Path

from herobench.rows import NamedRows
from herobench.suites.epoch.level import Level

LEVELS: NamedRows[Level] = NamedRows("epoch-level", Level.of, attrgetter("id"))


def read_levels(path: Path) -> dict[str, Level]:
    """Return the levels of a file, by id. Raise InputError with all of its problems."""
    return LEVELS.in_file(path)
