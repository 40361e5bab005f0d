"""The part of a checkup: tasks of the set, as many of each group, or some that the generator makes."""

from __future__ import annotations

from pathlib import Path

from tests.checkup.rows import chosen, only_part


def test_public_tasks_are_spread_over_the_groups(tmp_path: Path) -> None:
    part = only_part("discover")
    for _, size in part.rows[0].steps:
        assert len(chosen(part, size, None, tmp_path)["task_ids"]) == size


def test_fresh_tasks_are_drawn_and_not_twins() -> None:
    assert [dict(options) for options in only_part("discover").rows[0].draws] == [{}]
