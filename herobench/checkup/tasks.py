"""Which tasks a row of a checkup asks: the task choice of an ordinary run, with a file of made tasks where needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from herobench.data.options import read_options
from herobench.data.rows import write_rows
from herobench.suite.checked import closing_suite, open_suite, read_tasks, suite_errors
from herobench.suite.checkup_parts import Part, Row
from herobench.suite.contract import SuiteSetting
from herobench.suite.generating import GenerateRequest, needed_generator
from herobench.work.engine import Each, Local

PUBLIC_SEED = 0
"""The seed of drawn tasks in a public checkup, of a row without a shipped set."""
_Item = TypeVar("_Item")


def choose_tasks(part: Part, row: Row, size: int, seed: int | None, folder: Path, jobs: int) -> dict[str, Any]:
    """Return the entries of a run's request that choose `size` tasks of a row, private ones if there is a seed.

    Tasks that a generator makes are written into a folder once.
    """
    choice: dict[str, Any] = {"suite": part.suite, "options": row.settings}
    if row.draws and (seed is not None or row.dataset is None):
        file = folder / f"{part.name}{'-' * bool(row.lane)}{row.lane}.jsonl"
        if not file.is_file():
            rows = _make_rows(part.suite, row, size, PUBLIC_SEED if seed is None else seed, jobs)
            folder.mkdir(parents=True, exist_ok=True)
            write_rows(file, rows)
        return {**choice, "tasks": file}
    if seed is not None:
        choice["fresh"] = seed
    assert row.dataset is not None, "a row without draws has a shipped set"
    return {**choice, "dataset": row.dataset, "task_ids": _shipped_ids(part.suite, row, row.dataset, size)}


def evenly(items: Sequence[_Item], count: int) -> list[_Item]:
    """Return `count` of some items, spread evenly over their order; all if there are fewer."""
    count = min(count, len(items))
    return [items[number * len(items) // count] for number in range(count)]


def _shipped_ids(suite: str, row: Row, dataset: str, size: int) -> tuple[str, ...]:
    """Return the ids of tasks of a set, as many of each group."""
    with closing_suite(open_suite(suite, SuiteSetting(dataset, options=row.settings))) as suite_of_ids:
        tasks = read_tasks(suite_of_ids)
    groups: dict[str | None, list[str]] = {}
    for task in tasks:
        groups.setdefault(task.group, []).append(task.id)
    return tuple(task for ids in groups.values() for task in evenly(ids, size // len(groups)))


def _make_rows(suite: str, row: Row, size: int, seed: int, jobs: int) -> list[Mapping[str, Any]]:
    """Make tasks by the suite's generator. A smaller step has the first ones of a larger one."""
    most = row.most // len(row.draws)
    draws = row.draws[: size // most] if row.fewer_draws else row.draws
    count = most if row.fewer_draws else size // len(draws)
    generator = needed_generator(suite)
    rows: list[Mapping[str, Any]] = []
    calls: list[partial[Mapping[str, Any]]] = []
    for place, texts in enumerate(draws):
        request = GenerateRequest(read_options(generator.options, texts), seed, count, jobs, tuple(texts))
        with suite_errors(suite, "numbered"):
            tasks = generator.numbered(request)
        if tasks is None:
            rows += generator.make(request).rows
        else:
            # the numbers differ over the draws, and with them the ids
            calls += [partial(tasks.make, place * most + number) for number in range(count)]
    with closing(Local(jobs).results(Each(_call, worth=generator.worth), calls)) as results:
        return [*rows, *results]


def _call(call: partial[Mapping[str, Any]]) -> Mapping[str, Any]:
    return call()
