from __future__ import annotations

import multiprocessing
import os
from contextlib import closing

import pytest

from herobench.data.errors import UsageError
from herobench.data.rows import dump_row
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.generator import processes, rows_of, task_rows
from herobench.task_gen.rpg.tasks.spec import Spec
from tests.sizes import THOROUGH

SPEC = Spec(seed=11, brackets=(1, 2, 5), noise=1)


def lines(world: World, indices: range, jobs: int, spec: Spec = SPEC) -> list[str]:
    return [dump_row(row) for row in task_rows(world, load_rules(), spec, indices, jobs)]


def test_any_number_of_processes_makes_the_same_bytes(classic: World) -> None:
    alone = lines(classic, range(15), 1)
    assert len(set(alone)) == 15
    for jobs in (2, 3) if THOROUGH else (3,):
        assert lines(classic, range(15), jobs) == alone


def test_tasks_can_be_made_without_those_before_them(classic: World) -> None:
    assert lines(classic, range(9, 12), 1) == lines(classic, range(12), 1)[9:]


def test_rows_come_before_all_are_made(classic: World) -> None:
    with closing(task_rows(classic, load_rules(), SPEC, range(10**9), 2)) as rows:
        first = next(rows)
    assert first["id"].startswith("1/1_")
    assert multiprocessing.active_children() == [], "who stops early leaves no process behind"


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_cannot_be_made_is_said_by_whichever_process_finds_out(jobs: int, classic: World) -> None:
    with pytest.raises(UsageError, match="No task of difficulty 83 to 92 against Chicken"):
        lines(classic, range(12), jobs, Spec(brackets=(9,), monster="chicken"))


def die(world: World, rules: Rules, number: int) -> Task:
    os._exit(1)


def test_a_process_that_ends_early_is_told_in_a_sentence(tiny: World) -> None:
    with pytest.raises(UsageError, match=r'ended early.* under `if __name__ == "__main__":`'):
        list(rows_of(tiny, load_rules(), die, [1], 2))


@pytest.mark.parametrize(("count", "jobs", "found"), [(9, 4, 1), (20, 4, 2), (1000, 4, 4), (0, 4, 1), (1000, 1, 1)])
def test_a_process_is_started_where_it_is_worth_it(count: int, jobs: int, found: int) -> None:
    assert processes(count, jobs) == found


def test_without_a_number_all_cores_may_be_used() -> None:
    assert processes(10**6, None) == os.cpu_count()
