"""The processes of a program that a test started in a session of its own."""

from __future__ import annotations

from pathlib import Path


def members(group: int, parent: int | None = None, words: str = "") -> list[int]:
    """Return the living processes of a group; with `parent` or `words`, those of a parent or of a command line."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, its_parent, its_group, *_ = stat.read_text("utf-8", "replace").rpartition(")")[2].split()
            command = (stat.parent / "cmdline").read_text("utf-8", "replace")
        except OSError:
            continue
        if int(its_group) == group and state != "Z" and parent in (None, int(its_parent)) and words in command:
            found.append(int(stat.parent.name))
    return found
