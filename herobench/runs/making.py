"""Makes the tasks of a run as they are needed: `herobench run --until factor=2 --fresh SEED`.

A run that chooses its tasks knows the lengths of many that can be made, and makes those that it chooses. Each is made
from the seed and its number alone, which its id has, so the same verdicts lead to the same tasks. The run's folder has
the tasks that are made so far, with the suite's files, as a run of all tasks has them from the start.

A new round changes several files of the folder. run.json comes first, with the rounds: a kill in between leaves files
that are not those of run.json, and then the tasks of its rounds are made again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from herobench.adaptive.goal import Goal
from herobench.data.errors import InputError, UsageError
from herobench.runs.config import RunConfig, digest_of_tasks
from herobench.runs.folder import RunFolder
from herobench.suite.checked import CheckedSuite, open_suite, suite_class, task_lengths
from herobench.suite.contract import Suite, SuiteSetting, TaskInfo
from herobench.suite.task_rows import MADE

_SETS = 10
"""The tasks that can be made, without longer ones than the set has, are as many as so many sets have."""


def tasks_of_set(suite: Suite) -> int:
    """Return the number of tasks of a suite's set, by the number of tasks that can be made."""
    return (len(suite.ladder()) - suite_class(suite.name).longer) // _SETS


def makes_tasks(seed: int | None, task_ids: Iterable[str]) -> bool:
    """Return whether a run with this seed of private twins makes tasks as they are needed, and has made these.

    A run of a file with such tasks has no seed.
    """
    return seed is not None and any(task_id.startswith(MADE) for task_id in task_ids)


def lengths_to_choose(suite: Suite, tasks: Mapping[str, TaskInfo], goal: Goal, *, makes: bool) -> dict[str, float]:
    """Return the lengths that a run chooses from: those of its tasks and, if it makes some, of all that it can make.

    Of them it has those that the goal allows."""
    known = task_lengths(suite, tasks)
    return goal.among({**_wanted(suite), **known} if makes else known)


def first_made(suite: Suite, seed: int, goal: Goal) -> Suite | None:
    """Return a suite with the first round of tasks that are made from a seed; None for a suite that makes none."""
    from herobench.adaptive.choice import next_round, round_size  # numpy is slow to import

    lengths = goal.among(_wanted(suite))
    size = round_size(goal, lengths, {})
    return more_made(suite, seed, next_round(lengths, {}, (), size)) if lengths else None


def more_made(suite: Suite, seed: int, task_ids: Sequence[str]) -> Suite:
    """Return a suite with these tasks; those that the suite has already stay."""
    numbers = {task_id: number for number, task_id in enumerate(_wanted(suite))}
    if unknown := [task_id for task_id in task_ids if task_id not in numbers]:
        raise UsageError(f"run.json has {unknown[0][:80]!r} in $.rounds, and no such task can be made.")
    return suite.make(seed, {task_id: numbers[task_id] for task_id in task_ids}).suite


def with_tasks(config: RunConfig, suite: Suite, tasks: Mapping[str, TaskInfo]) -> RunConfig:
    """Return the configuration of a run with the tasks that it has now."""
    identity = {**config.identity, **suite.identity(tuple(tasks))}
    digest = digest_of_tasks(tasks.values())
    return replace(config, tasks=digest, task_count=len(tasks), identity=identity)


def open_kept(manifest: Mapping[str, Any], setting: SuiteSetting) -> CheckedSuite:
    """Open the suite of a resumed run, as the run keeps it.

    The tasks of a run that makes them are those of its rounds. They are made again if a kill left other ones there.
    """
    config = manifest["config"]
    if not makes_tasks(config.get("fresh"), chain(*manifest.get("rounds", ()))):
        return open_suite(config["suite"], setting)
    try:
        suite = open_suite(config["suite"], setting)
    except InputError:
        return _made_again(manifest, setting)
    if digest_of_tasks(suite.tasks()) == config["tasks"]:
        return suite
    suite.close()
    return _made_again(manifest, setting)


def _made_again(manifest: Mapping[str, Any], setting: SuiteSetting) -> CheckedSuite:
    config, asked = manifest["config"], list[str]()
    suite: Suite = open_suite(config["suite"], replace(setting, tasks=None, dataset=config["dataset"], files={}))
    for chosen in manifest["rounds"]:
        asked += chosen
        before, suite = suite, more_made(suite, config["fresh"], asked)
        before.close()
    assert isinstance(suite, CheckedSuite), "what a checked suite makes is checked"
    return suite


def keep_made(folder: RunFolder, manifest: Mapping[str, Any], suite: Suite, tasks: Mapping[str, TaskInfo]) -> None:
    """Write the tasks that are made so far to the folder of a run, after run.json."""
    folder.write_manifest(manifest)
    folder.replace_tasks((task.row for task in tasks.values()), suite.files())


def _wanted(suite: Suite) -> dict[str, float]:
    """Return the lengths of the tasks that a suite can make, by their ids."""
    return {f"{MADE}{number}": length for number, length in enumerate(suite.ladder(), 1)}
