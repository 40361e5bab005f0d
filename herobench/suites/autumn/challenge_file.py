"""Challenges files: JSON lines, one challenge each. Runs keep their challenges in such a file."""

from __future__ import annotations

from operator import attrgetter
from pathlib import Path

from herobench.rows import NamedRows
from herobench.suites.autumn.challenge import Challenge

CHALLENGES: NamedRows[Challenge] = NamedRows("autumn-challenge", Challenge.of, attrgetter("id"))


def read_challenges(path: Path) -> dict[str, Challenge]:
    """Return the challenges of a file, by id. Raise InputError with all of its problems."""
    return CHALLENGES.in_file(path)
