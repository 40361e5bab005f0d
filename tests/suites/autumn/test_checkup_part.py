"""The part of a checkup: three tests in each of some environments."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from herobench.suite.checked import closing_suite, open_suite, read_tasks
from herobench.suite.contract import SuiteSetting
from tests.checkup.rows import chosen, only_part


@pytest.mark.slow
def test_a_step_takes_the_first_environments_with_one_test_of_each_family(tmp_path: Path) -> None:
    part = only_part("autumn")
    (row,) = part.rows
    assert all(size % 3 == 0 for _, size in row.steps)
    assert row.most == 3 * len(row.draws)
    two = replace(part, rows=(replace(row, draws=row.draws[:2], steps=((1, 6),)),))
    asked = chosen(two, 3, 7, tmp_path)
    assert asked["options"] == {"observation": "compact", "steps": "60", "total": "150"}
    with closing_suite(open_suite("autumn", SuiteSetting(tasks=asked["tasks"], options=asked["options"]))) as suite:
        tasks = read_tasks(suite)
    assert {task.row["environment"] for task in tasks} == {"dials"}
    assert {task.group for task in tasks} == {"detection", "planning", "prediction"}
