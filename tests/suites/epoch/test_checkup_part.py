"""The part of a checkup: roads by their gates."""

from __future__ import annotations

from pathlib import Path

import pytest

from herobench.suites.epoch.checkup import GATES
from tests.checkup.rows import chosen, drawn, only_part


@pytest.mark.slow
def test_levels_are_made_once_by_their_lengths_and_a_smaller_step_has_the_first(tmp_path: Path) -> None:
    part = only_part("epoch")
    rows = {size: drawn(part, size, 7, tmp_path / str(size)) for size in (4, 8)}
    assert [len(row["milestones"]) for row in rows[4]] == [int(gates) for gates in GATES]
    assert {row["id"] for row in rows[4]} < {row["id"] for row in rows[8]}
    assert len({row["id"] for row in rows[8]}) == 8
    file = tmp_path / "8" / "epochs.jsonl"
    before = file.stat().st_mtime_ns
    assert chosen(part, 8, 7, tmp_path / "8") == {"suite": "epoch", "options": {"mode": "plan"}, "tasks": file}
    assert file.stat().st_mtime_ns == before


@pytest.mark.slow
def test_public_levels_are_those_of_the_seed_0(tmp_path: Path) -> None:
    public, of_seed = (drawn(only_part("epoch"), 4, seed, tmp_path / str(seed)) for seed in (None, 0))
    assert public == of_seed


def test_each_step_has_as_many_levels_of_each_length() -> None:
    (row,) = only_part("epoch").rows
    assert all(size % len(GATES) == 0 for _, size in row.steps)
