"""Tells which knobs name files: a client may name none of the server's, and a package has none of its maker's."""

from __future__ import annotations

from herobench import plugins
from herobench.scorer import Wanted


def knobs_of_files(wanted: Wanted) -> dict[str, str]:
    """Return the knobs whose texts name files or folders. A suite tells by `names_files` which of its settings do."""
    names_files = getattr(plugins.load(plugins.SUITES, wanted.suite), "names_files", None)
    found = {} if wanted.tasks is None else {"tasks": str(wanted.tasks)}
    named = {name: text for name in ("dataset", "difficulty", "length", "limit") if (text := getattr(wanted, name))}
    for name, text in (named | dict(wanted.others)).items():
        if not {"/", "\\"}.isdisjoint(text) or (names_files is not None and names_files(name, text)):
            found[name] = text
    return found
