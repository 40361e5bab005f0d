"""Levels files: JSON lines, one level each. Runs keep their levels in such a file."""

from __future__ import annotations

from pathlib import Path

from herobench.rows import read_named
from herobench.suites.epoch.level import Level


def read_levels(path: Path) -> dict[str, Level]:
    """Return the levels of a file, by id. Raise InputError with all of its problems."""
    return read_named(path, "epoch-level", Level.of, lambda level: level.id)
