"""Callables for Ray Data's `map_batches`: an actor that owns a sandbox, and one that owns a generator.

An exception in such a callable ends the whole dataset, or hangs it. So neither raises: what goes wrong with a row
becomes a row with the column `error`. And a pool of actors as large as the cluster hangs, because no CPU is left to
read the data: `map_options` gives a pool that leaves one, and refuses a larger one. It also checks the options before
any actor is started.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Mapping
from typing import Any

from herobench.cluster.making import MadeRows, Making
from herobench.cluster.scoring import SCHEMA, ScoredRows, Scoring
from herobench.cluster.store import local_copy
from herobench.cluster.tables import SCORED_TABLE, TASK_TABLE, Types, table_of
from herobench.documents import schema_problems
from herobench.errors import UsageError
from herobench.rows import RowLine
from herobench.rpg.answer_file import refusal_of
from herobench.rpg.content import DEFAULT_WORLD, load_rules, load_world
from herobench.rpg.task_file import load_tasks
from herobench.task_gen.datasets import tasks_at, world_of
from herobench.task_gen.generator import generator
from herobench.task_gen.spec import Spec

CPUS = 0.5
"""The CPUs of an actor, as Ray counts them."""
_SCORED: Types = {**SCORED_TABLE, "error": "text"}
_MADE: Types = {"index": "integer", **TASK_TABLE, "task": "json", "error": "text"}
_ROWS = 256
"""The rows of a batch: a few seconds of work, which is what a lost actor costs."""


class Score:
    """Scores batches of answers. Each actor has a sandbox of its own.

    A batch has the columns of an answers file: `task_id`, one of `code`, `answer` and `replies`, and if wanted
    `epoch`, `model` and `tokens`. The result has a row for each of them, in order: the columns of scored rows but for
    the events, and `error`, which says what is wrong with an answer that could not be scored.
    """

    def __init__(self, tasks: str, rules: str = "standard", world: str | None = None) -> None:
        self._scoring = scoring_of(tasks, rules, world)
        self._rows: ScoredRows | None = None

    def close(self) -> None:
        """End the sandbox. An actor that is killed ends it too, since its worker then reads the end of its input."""
        if self._rows is not None:
            self._rows.close()
            self._rows = None

    def __call__(self, batch: Any) -> Any:
        """Return a table with a scored row for each answer of a table."""
        return table_of((self._scored(number, row) for number, row in enumerate(batch.to_pylist())), _SCORED)

    def _scored(self, number: int, columns: Mapping[str, Any]) -> Mapping[str, Any]:
        row = {name: value for name, value in columns.items() if value is not None}
        try:
            if self._rows is None:
                self._rows = self._scoring.opened()
                atexit.register(self._rows.close)
            line = RowLine(f"row {number} of a batch", row, ())
            wrong = schema_problems(row, SCHEMA, line.place)
            problem = wrong[0] if wrong else refusal_of(line, self._rows.known)
            return {**_named(row), "error": str(problem)} if problem else self._rows.scored(row)
        except Exception as error:
            return {**_named(row), "error": _told(error)}


def _named(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what names an answer, as far as it can be a column."""
    kinds = {"task_id": str, "epoch": int, "model": str, "tokens": int}
    return {name: row[name] for name, kind in kinds.items() if isinstance(row.get(name), kind)}


class Generate:
    """Makes the tasks whose numbers are in the column `id` of a batch, as `ray.data.range` makes it.

    The options are those of a spec: `seed`, `brackets`, `kind`, `knowledge` and so on. The result has the columns
    `index`, `id`, `kind`, `target`, `difficulty`, `task` (the task as JSON), and `error`.
    """

    def __init__(self, world: str = DEFAULT_WORLD, rules: str = "standard", **spec: Any) -> None:
        self._making = making_of(world, rules, **spec)
        self._rows: MadeRows | None = None

    def __call__(self, batch: Any) -> Any:
        """Return a table with a task for each number of a table."""
        return table_of(map(self._made, batch.column("id").to_pylist()), _MADE)

    def _made(self, number: int) -> Mapping[str, Any]:
        try:
            if self._rows is None:
                self._rows = self._making.opened()
            row = self._rows.made(number)
            return {**row, "task": row, "index": number}
        except Exception as error:
            return {"index": number, "error": _told(error)}


def _told(error: Exception) -> str:
    return str(error) or type(error).__name__


def scoring_of(tasks: str, rules: str = "standard", world: str | None = None) -> Scoring:
    """Return the work of scoring answers to a tasks file or a shipped set. Raise UsageError or InputError."""
    place, edition = world_of(world, tasks), load_rules(rules)
    with local_copy(tasks) as local, tasks_at(local) as path:
        known = load_tasks(path, place)
    return Scoring.of(place, edition, known)


def making_of(world: str = DEFAULT_WORLD, rules: str = "standard", **spec: Any) -> Making:
    """Return the work of making the tasks of a spec. Raise UsageError for options that no task can have."""
    place, edition = load_world(world), load_rules(rules)
    try:
        wanted = Spec(**spec)
    except TypeError as error:
        raise UsageError(f"These are no options of tasks: {error}.") from error
    generator(place, edition, wanted)
    return Making(place.source, edition, wanted)


def map_options(kind: type[Score | Generate], workers: int | None = None, **options: Any) -> dict[str, Any]:
    """Return the keywords for `map_batches` with one of the classes: its options, and a pool that cannot hang.

    `workers` is the number of actors; by default one for each CPU but one. Raise UsageError for wrong options, and for
    a pool that leaves no CPU to read the data.
    """
    (scoring_of if kind is Score else making_of)(**options)
    import ray.data

    cpus = float(ray.cluster_resources().get("CPU", 0)) if ray.is_initialized() else float(os.cpu_count() or 1)
    wanted = workers or max(1, int(cpus) - 1)
    if wanted * CPUS >= cpus:
        raise UsageError(
            f"{wanted} workers of {CPUS} CPUs each take all of the {cpus:g} CPUs of the cluster, and none is left to "
            "read the data, so that the dataset would hang: ask for fewer workers."
        )
    return {
        "fn_constructor_kwargs": options,
        "batch_format": "pyarrow",
        "batch_size": _ROWS,
        "compute": ray.data.ActorPoolStrategy(size=wanted),
        "num_cpus": CPUS,
    }
