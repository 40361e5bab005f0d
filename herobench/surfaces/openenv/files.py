"""Tells which knobs name files: a client may name none of the server's, and a package has none of its maker's."""

from __future__ import annotations

from herobench.checked_suite import settings_of_files
from herobench.scorer import Wanted


def knobs_of_files(wanted: Wanted) -> dict[str, str]:
    """Return the knobs whose texts name files or folders."""
    tasks = {} if wanted.tasks is None else {"tasks": str(wanted.tasks)}
    named = {name: text for name in ("dataset", "difficulty", "length", "limit") if (text := getattr(wanted, name))}
    return {**tasks, **settings_of_files(wanted.suite, named | dict(wanted.others))}
