"""Challenges files: JSON lines, one challenge each. Runs keep their challenges in such a file."""

from __future__ import annotations

from pathlib import Path

from herobench.rows import read_named
from herobench.suites.autumn.challenge import Challenge


def read_challenges(path: Path) -> dict[str, Challenge]:
    """Return the challenges of a file, by id. Raise InputError with all of its problems."""
    return read_named(path, "autumn-challenge", Challenge.of, lambda challenge: challenge.id)
