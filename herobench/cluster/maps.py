"""Callables for Ray Data's `map_batches`: an actor that owns a suite's sandbox, and one that owns a generator.

An exception in such a callable ends the whole dataset, or hangs it. So neither raises: an error of a row becomes a row
with the column `error`.

In tables, texts, numbers, flags and lists of texts are columns of that type; other nested values are JSON. Scored rows
leave out their events, which are nine tenths of a row: scoring the answer again gives them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from typing import Any

from herobench.cluster.refusals import ClusterFault
from herobench.data.columns import Column, Schema
from herobench.data.errors import UsageError
from herobench.data.rows import dump_row
from herobench.scorer.answers import scoring_work
from herobench.suite.choice import Clues, implied_suite
from herobench.suite.generating import tasks_by_options
from herobench.work.rows import LineWork, MadeLine, RowFacts

_CPUS = 0.5
"""The CPUs of an actor, as Ray counts them."""
_ROWS = 256
"""The rows of a batch: a few seconds of work, which are repeated if an actor is lost."""


class Score:
    """Scores batches of answers to the tasks of a suite. Each actor has a suite of its own, or a sandbox.

    A batch has the columns of an answers file: `task_id`, one of `code`, `answer` and `replies`, and perhaps `epoch`,
    `model` and `tokens`. The result has a row for each answer, in order. Its columns are those of the suite's scored
    rows without the events (or of a sample), and `error`, the reason why an answer could not be scored.
    """

    def __init__(self, tasks: str | None = None, suite: str | None = None, **settings: str | None) -> None:
        texts = {name: value for name, value in settings.items() if value is not None}
        work = scoring_work(suite or implied_suite(Clues(tasks, texts, mode=texts.get("mode"))), tasks, texts)
        self._types: Types = {**column_types(work.columns), "error": "text"}
        self._work, self._held = LineWork(work, RowFacts), ExitStack()
        self._make: Callable[[tuple[str, bytes]], MadeLine] | None = None

    def __call__(self, batch: Any) -> Any:
        """Return a table with a scored row for each answer of a table."""
        return arrow_table(map(self._score, batch.to_pylist()), self._types)

    def _score(self, columns: Mapping[str, Any]) -> Mapping[str, Any]:
        row = {name: value for name, value in columns.items() if value is not None}
        try:
            self._make = self._make or self._held.enter_context(self._work.open(1))
            output = self._make(("the answer", dump_row(row).encode()))
            if not output.problems:
                return dict(json.loads(output.line))
            error = str(output.problems[0])
        except Exception as raised:
            error = _reason(raised)
        kinds = {"task_id": str, "epoch": int, "model": str, "tokens": int}
        return {**{name: row[name] for name, kind in kinds.items() if isinstance(row.get(name), kind)}, "error": error}


class Generate:
    """Makes the tasks of a suite whose numbers are in the column `id` of a batch, as `ray.data.range` makes it.

    The options are `seed` and those of the suite's generator, by their names on the command line. The result has the
    columns `index`, `id`, those that the suite tells of its tasks, `task` (the task as JSON), and `error`.
    """

    def __init__(self, suite: str | None = None, **options: Any) -> None:
        names = [name.replace("_", "-") for name in options if name != "seed"]
        self._tasks = tasks_by_options(suite or implied_suite(Clues(options=names, generates=True)), options)
        self._types = {"index": "integer", **column_types(self._tasks.columns), "task": "json", "error": "text"}

    def __call__(self, batch: Any) -> Any:
        """Return a table with a task for each number of a table."""
        return arrow_table(map(self._make_row, batch.column("id").to_pylist()), self._types)

    def _make_row(self, number: int) -> Mapping[str, Any]:
        try:
            row = self._tasks.make(number)
        except Exception as error:
            return {"index": number, "error": _reason(error)}
        return {**row, "task": row, "index": number}


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__


def map_options(kind: type[Score | Generate], workers: int | None = None, **options: Any) -> dict[str, Any]:
    """Return the keywords for `map_batches` with one of the classes: its options, and a pool that cannot hang.

    `workers` is the number of actors; by default one less than the CPUs. Raise UsageError for wrong options, and for a
    pool that leaves no CPU to read the data.
    """
    kind(**options)
    import ray.data

    cpus = float(ray.cluster_resources().get("CPU", 0)) if ray.is_initialized() else float(os.cpu_count() or 1)
    size = workers or max(1, int(cpus) - 1)
    if size * _CPUS >= cpus:
        raise UsageError(ClusterFault.TOO_MANY_WORKERS, wanted=size, each=_CPUS, cpus=cpus)
    pool = {"compute": ray.data.ActorPoolStrategy(size=size), "num_cpus": _CPUS}
    return {"fn_constructor_kwargs": options, "batch_format": "pyarrow", "batch_size": _ROWS, **pool}


# -- tables -----------------------------------------------------------------------------------------------------------

Types = Mapping[str, str]
"""The columns of a table, each with its type: text, integer, number, flag, texts or json."""
_OF_JSON = {"string": "text", "integer": "integer", "number": "number", "boolean": "flag"}


def column_types(columns: Iterable[Column]) -> Types:
    """Return the types of declared columns. Events are left out."""
    return {column.name: _column_type(column.schema) for column in columns if column.name != "events"}


def _column_type(schema: Schema) -> str:
    kinds = schema.get("type", "string" if "enum" in schema else "integer")
    (first, *_) = [kind for kind in ([kinds] if isinstance(kinds, str) else kinds) if kind != "null"]
    if first == "array" and (schema["items"].get("type") == "string" or "enum" in schema["items"]):
        return "texts"
    return _OF_JSON.get(first, "json")


def arrow_table(rows: Iterable[Mapping[str, Any]], types: Types) -> Any:
    """Return rows as a table for pyarrow. Columns that a row lacks are null."""
    import pyarrow as pa

    arrow = {"integer": pa.int64(), "number": pa.float64(), "flag": pa.bool_(), "texts": pa.list_(pa.string())}
    schema = pa.schema([(name, arrow.get(type, pa.string())) for name, type in types.items()])
    cells = [{name: _cell(row, name, type) for name, type in types.items()} for row in rows]
    return pa.Table.from_pylist(cells, schema=schema)


def _cell(row: Mapping[str, Any], name: str, type: str) -> Any:
    """Return a value in the form for a column of a type. Half a surrogate pair is escaped, as in JSONL."""
    value = row.get(name)
    if type == "texts" and value is not None:
        return list(map(_text, value))
    if value is not None and type == "json":
        return dump_row(value).rstrip("\n")
    return _text(value) if isinstance(value, str) else value


def _text(value: str) -> str:
    return value.encode("utf-8", "backslashreplace").decode("utf-8")
