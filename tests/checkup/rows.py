"""Looks at the parts of a checkup that a suite declares, for the tests of suites."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from herobench.checkup.work import choose_tasks
from herobench.suite.checked import suite_class
from herobench.suite.checkup_parts import Part, load_parts
from tests.program import read_jsonl


def only_part(suite: str) -> Part:
    """The part of a suite, whose players can win it and mark chance."""
    (part,) = (part for part in load_parts() if part.suite == suite)
    assert {"oracle", part.chance or "oracle"} <= set(suite_class(suite).players)
    return part


def chosen(part: Part, size: int, seed: int | None, folder: Path) -> dict[str, Any]:
    """The task choice of the part's first run."""
    return choose_tasks(part, part.rows[0], size, seed, folder, 1)


def drawn(part: Part, size: int, seed: int | None, folder: Path) -> list[Mapping[str, Any]]:
    """The tasks that are made for the part's first run."""
    return read_jsonl(chosen(part, size, seed, folder)["tasks"])
