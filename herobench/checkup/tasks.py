"""What the runs of a checkup ask: turns a part and a number of tasks into the task choice of an ordinary run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

from herobench.checkup.parts import AskedAbout, Chosen, Drawn, Part, Shipped, part_named
from herobench.data.rows import write_rows
from herobench.suite.checked import open_suite, suite_errors
from herobench.suite.contract import SuiteSetting, TaskInfo
from herobench.suite.generating import GenerateRequest, needed_generator, read_values
from herobench.work.engine import Each, Local

_Thing = TypeVar("_Thing")
PUBLIC_SEED = 0
"""The seed of tasks that are drawn for a public checkup, because their suite ships too few."""
_WORTH_A_WORKER = 2
_NEVER = Event()


def chosen_tasks(
    run: str, size: int, parts: Sequence[Part], seed: int | None, folder: Path, jobs: int, stop: Event = _NEVER
) -> dict[str, Any]:
    """Return the entries of a run's request that choose its tasks: `size` of them, private ones by the seed.

    Tasks that a generator makes are written into a folder. Without a seed they are those that everyone can have. Raise
    CancelledError if they are no longer wanted before all are made.
    """
    part = part_named(run, parts)
    fresh = {} if seed is None else {"fresh": seed}
    match part.source:
        case Chosen(goal=goal):
            lane = run.rpartition("/")[2]
            options = {**part.options, "lane": lane}
            return {"suite": part.suite, "options": options, **fresh, "until": f"{goal},tasks={size}"}
        case Drawn() as source:
            file = _written(part, source, size, PUBLIC_SEED if seed is None else seed, folder, jobs, stop)
            return {"suite": part.suite, "options": dict(part.options), "tasks": file}
        case Shipped(fresh=Drawn() as source) if seed is not None:
            file = _written(part, source, size, seed, folder, jobs, stop)
            return {"suite": part.suite, "options": dict(part.options), "tasks": file}
        case Shipped(dataset=dataset) as source:
            ids = [task.id for task in _shipped(part, source, size)]
            return {
                "suite": part.suite, "options": dict(part.options), "dataset": dataset, "task_ids": tuple(ids), **fresh
            }  # fmt: skip
        case AskedAbout(dataset=dataset, part=about):
            other = part_named(about, parts)
            assert isinstance(other.source, Shipped), "a part that names the tasks of another asks shipped ones"
            asked = _shipped(other, other.source, size * other.unit)
            ids = list(dict.fromkeys(task.row[str(other.source.field)] for task in asked))
            return {
                "suite": part.suite, "options": dict(part.options), "dataset": dataset, "task_ids": tuple(ids), **fresh
            }  # fmt: skip


def evenly(things: Sequence[_Thing], count: int) -> list[_Thing]:
    """Return so many of some things, evenly over their order; all if there are fewer."""
    count = min(count, len(things))
    return [things[number * len(things) // count] for number in range(count)]


def _shipped(part: Part, source: Shipped, size: int) -> list[TaskInfo]:
    """Return tasks of a set: as many of each group, or all that share one of the chosen values of a field."""
    with closing(open_suite(part.suite, SuiteSetting(source.dataset, options=part.options))) as suite:
        tasks = list(suite.tasks())
    groups: dict[str | None, list[TaskInfo]] = {}
    for task in tasks:
        groups.setdefault(task.group, []).append(task)
    if source.field is None:
        return [task for own in groups.values() for task in evenly(own, size // len(groups))]
    sharing: dict[str, set[str | None]] = {}
    for task in tasks:
        sharing.setdefault(task.row[source.field], set()).add(task.group)
    whole = [value for value, own in sharing.items() if len(own) == len(groups)]
    # those in the middle of the set, so that several are about as difficult: a diagnosis compares such tasks
    count = size // len(groups)
    first = max(0, (len(whole) - count) // 2)
    wanted = set(whole[first : first + count])
    return [task for task in tasks if task.row[source.field] in wanted]


class MadeAhead:
    """Makes the tasks of later runs while the earlier ones are asked, in their order. Close it at the end."""

    def __init__(self, choose: Callable[[str, Event], dict[str, Any]], runs: Iterable[str]) -> None:
        """`choose` is `chosen_tasks` for a run."""
        self._choose, self._stop = choose, Event()
        self._thread = ThreadPoolExecutor(1, "making")
        self._made = {run: self._thread.submit(choose, run, self._stop) for run in runs}

    def choose(self, run: str) -> dict[str, Any]:
        """Return the choice of a run's tasks, when they are made."""
        return self._made[run].result() if run in self._made else self._choose(run, self._stop)

    def close(self) -> None:
        """End when the task is made that is being made."""
        self._stop.set()
        self._thread.shutdown(cancel_futures=True)


def is_made(part: Part, seed: int | None) -> bool:
    """Return whether a generator makes the tasks of a part before its run begins."""
    return isinstance(part.source, Drawn) or (
        isinstance(part.source, Shipped) and part.source.fresh is not None and seed is not None
    )


def _written(part: Part, source: Drawn, size: int, seed: int, folder: Path, jobs: int, stop: Event) -> Path:
    """Make tasks by the suite's generator if that was not done yet, and return their file."""
    file = folder / f"{part.name}.jsonl"
    if not file.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        write_rows(file, _drawn(part, source, size, seed, jobs, stop))
    return file


def _drawn(part: Part, source: Drawn, size: int, seed: int, jobs: int, stop: Event) -> list[Mapping[str, Any]]:
    """Make tasks by the suite's generator. A smaller part has the first ones of a larger part."""
    draws = source.draws if source.thins else source.draws[: size // source.each]
    each = size // len(source.draws) if source.thins else source.each
    generator = needed_generator(part.suite)
    orders: list[partial[Mapping[str, Any]]] = []
    rows: list[Mapping[str, Any]] = []
    for place, texts in enumerate(draws):
        request = GenerateRequest(read_values(generator.options, texts), seed, each, jobs, tuple(texts))
        with suite_errors(f"The suite {part.suite} failed in numbered"):
            made = generator.numbered(request)
        if made is None:
            rows += generator.make(request).rows
        else:
            # the numbers differ over the draws, and with them the ids
            orders += [partial(made.make, place * source.each + number) for number in range(each)]
    with closing(Local(jobs).results(Each(_called, _WORTH_A_WORKER), orders)) as made_rows:
        for row in made_rows:
            if stop.is_set():
                raise CancelledError
            rows.append(row)
    return rows


def _called(order: partial[Mapping[str, Any]]) -> Mapping[str, Any]:
    return order()
