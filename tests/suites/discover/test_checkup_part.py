"""The part of a checkup: tasks of the set, as many of each group, or some that the generator makes."""

from __future__ import annotations

from pathlib import Path

from herobench.suite.checked import closing_suite, open_suite, read_tasks
from herobench.suite.contract import SuiteSetting
from tests.checkup.rows import chosen, only_part


def test_public_tasks_are_of_each_group_as_many(tmp_path: Path) -> None:
    with closing_suite(open_suite("discover", SuiteSetting("discover-v4"))) as suite:
        groups = {task.id: task.group for task in read_tasks(suite)}
    part = only_part("discover")
    for _, size in part.rows[0].steps:
        asked = [groups[task] for task in chosen(part, size, None, tmp_path)["task_ids"]]
        assert len(asked) == size
        assert {asked.count(group) for group in groups.values()} == {size // len(set(groups.values()))}


def test_fresh_tasks_are_drawn_and_not_twins() -> None:
    assert [dict(options) for options in only_part("discover").rows[0].draws] == [{}]
