"""Compares the tasks of a run with the shipped dataset that it names.

A name says nothing about tasks: whoever sends the folder of a run may have made its rows or its world easier, and every
digest in it anew. A run of some tasks of a set has fewer rows and no other ones, so each row is compared by itself,
together with the suite's files.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from herobench.data.errors import HeroBenchError, short_line
from herobench.data.rows import exact_count
from herobench.suite.checked import (
    closing_suite,
    open_suite,
    read_files,
    read_tasks,
    settings_of_files,
    suite_errors,
)
from herobench.suite.contract import SuiteSetting

MADE = "made/"
"""The beginning of the ids of tasks that a run makes as it needs them; then comes the number, from 1 on."""
Digests = Mapping[str, str]
"""The digests of tasks by their ids, or of files by their names."""
_Settings = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Shipped:
    """A shipped dataset."""

    tasks: Digests
    files: Collection[str]
    """The names of the suite's files, such as world.json."""


def digests_of_files(files: Mapping[str, str]) -> Digests:
    """Return the SHA-256 of each of a suite's files; `files` has their texts by name."""
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in files.items()}


def digest_of_task(row: Mapping[str, Any], files: Digests) -> str:
    """Return the SHA-256 of a task's row and of the suite's files. It does not depend on the order of names."""
    content = [row, dict(files)] if files else row
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def digest_of_made(row: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the row of a task that a run made: its seed and number say what it is.

    The run's world grows with each round, so two runs that made the same task have it in different worlds.
    """
    return digest_of_task({name: value for name, value in row.items() if name != "world"}, {})


def is_twin(row: Mapping[str, Any]) -> bool:
    """Return whether the row of a task names the task whose private twin it is."""
    return row.get("twin_of") is not None


def note_of_others(name: str, manifest: Mapping[str, Any], tasks: Digests, twins: Collection[str]) -> str | None:
    """Return a sentence if tasks of a run differ from the shipped dataset that its run.json names.

    None if they are, or if no shipped dataset has the name. `twins` are the ids of the tasks that are private twins; in
    a run that asked twins, only tasks with ids of the dataset can be wrong.
    """
    digests = _shipped_dataset(manifest)
    if digests is None:
        return None
    dataset, share = manifest["config"]["dataset"], f"of its {len(tasks)} tasks"
    if exact_count(manifest["config"].get("fresh")) is not None:
        others = [id for id in tasks if id in digests.tasks and id not in twins]
        problem = f"names private twins of the dataset {dataset}, but {len(others)} {share} are no twins"
    else:
        rows = {*digests.tasks.values()}
        others = [id for id, digest in tasks.items() if digest not in rows or digests.tasks.get(id, digest) != digest]
        problem = f"names the dataset {dataset}, but has {_other_things(digests)} for {len(others)} {share}"
    return f"{name} {problem}, such as {short_line(min(others), 80)}: it is another dataset." if others else None


def _other_things(digests: _Shipped) -> str:
    """Say what of a run can be other than in a dataset: its rows, and the suite's files."""
    return " or ".join(["other rows", *(f"another {file}" for file in digests.files)])


def is_of_shipped(manifest: Mapping[str, Any]) -> bool:
    """Return whether a run.json names a shipped dataset, and no private twins of its tasks."""
    return exact_count(manifest["config"].get("fresh")) is None and _shipped_dataset(manifest) is not None


def _shipped_dataset(manifest: Mapping[str, Any]) -> _Shipped | None:
    """Return the shipped dataset that a run.json names; None if it names none."""
    config = manifest["config"]
    dataset = config.get("dataset")
    return _read_dataset(config["suite"], dataset, _options(manifest)) if isinstance(dataset, str) else None


def _options(manifest: Mapping[str, Any]) -> _Settings:
    """Return the options of a run. The analysis reads any run.json, also one whose options are none."""
    conduct = manifest.get("conduct")
    options = conduct.get("options") if isinstance(conduct, dict) else None
    pairs = options.items() if isinstance(options, dict) else ()
    return tuple(sorted((name, text) for name, text in pairs if isinstance(text, str)))


@cache
def _read_dataset(suite: str, dataset: str, options: _Settings) -> _Shipped | None:
    """Return a shipped dataset; None if there is none of this name.

    The options of a run choose among the tasks of some sets. A run may have any options, also wrong ones.
    """
    for settings in dict.fromkeys((options, ())):
        try:
            if settings_of_files(suite, {"dataset": dataset, **dict(settings)}):
                continue
            with closing_suite(open_suite(suite, SuiteSetting(dataset, options=dict(settings)))) as open_one:
                if open_one.dataset == dataset:  # a name such as `base` means the newest version
                    files, tasks = digests_of_files(read_files(open_one)), read_tasks(open_one)
                    with suite_errors(suite, "tasks"):
                        return _Shipped({task.id: digest_of_task(task.row, files) for task in tasks}, files.keys())
        except (HeroBenchError, OSError):
            continue
    return None
