"""The public Python way to run, score again and analyze; the commands call the same functions.

import herobench

ending = herobench.run("oracle", limit=20, output="runs/oracle")
print(ending.standing.wins, "of", ending.standing.total)
herobench.rescore(ending.path)
samples = herobench.analyze(ending.path)        # a pandas table, one row a sample
samples.groupby("group").win.mean()
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from herobench.data.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from herobench.runs.config import Share
    from herobench.runs.launch import RunCallbacks
    from herobench.runs.rescore import Rescored
    from herobench.runs.session import RunResult

_NOTHING: Mapping[str, Any] = MappingProxyType({})
StrPath = str | os.PathLike[str]


def run(
    model: str | None = None,
    *,
    output: StrPath | None = None,
    resume: StrPath | None = None,
    suite: str | None = None,
    dataset: str | None = None,
    tasks: StrPath | None = None,
    groups: Sequence[str] | None = None,
    task_ids: Sequence[str] = (),
    shuffle: int | None = None,
    limit: int | None = None,
    fresh: bool | int = False,
    shard: str | None = None,
    epochs: int | None = None,
    options: Mapping[str, str] = _NOTHING,
    agent: str | None = None,
    feedback: bool | None = None,
    base_url: str | None = None,
    api: str | None = None,
    prices: StrPath | None = None,
    sampling: Mapping[str, Any] = _NOTHING,
    conduct: Mapping[str, Any] = _NOTHING,
    limits: Mapping[str, Any] = _NOTHING,
    audience: RunCallbacks | None = None,
) -> RunResult:
    """Ask a model the tasks of a suite and score its replies, as `herobench run` does.

    With `fresh` it asks private twins of the tasks, made from that seed, or with True from a random one; with `shard`,
    such as "2/3", that part of them. `options` are the suite's own settings, such as `{"rules": "paper"}`. With
    `feedback` the model is told part by part what comes of its plan. `sampling`, `conduct` and `limits` have fields of
    the classes `Sampling`, `ExecutionOptions` and `AttemptLimits`, such as `{"temperature": 0.0}` and `{"calls": 40}`.
    With `resume`, the run in that folder is continued and all that is not said stays as it was. Raise UsageError for
    wrong arguments before anything is written. Beside an event loop, the session and `audience` run in a thread.
    """
    from herobench.runs import launch
    from herobench.runs.order import RunRequest, TaskChoice

    _refuse_one_text(groups=groups, task_ids=task_ids)
    wishes = RunRequest(
        model=model,
        agent=agent,
        feedback=feedback,
        suite=suite,
        choice=TaskChoice(dataset, _path(tasks), groups, task_ids, shuffle, _span(limit), _seed(fresh), _share(shard)),
        options=options,
        epochs=epochs,
        base_url=base_url,
        api=api,
        prices=_path(prices),
        sampling=sampling,
        conduct=conduct,
        limits=limits,
    )
    _refuse_two_folders(resume, output)
    heard = audience or launch.RunCallbacks()
    if resume is None:
        return launch.begin(wishes, _path(output), heard)
    return launch.resume(wishes, Path(resume), heard)


def rescore(
    path: StrPath,
    *,
    output: StrPath | None = None,
    options: Mapping[str, str] = _NOTHING,
    tasks: StrPath | None = None,
    workers: int | None = None,
) -> Rescored:
    """Score a run's replies again without a model, as `herobench score RUN` does.

    Without `output` the run's own samples are replaced. `options` are other settings of the suite, such as other rules.
    """
    from herobench.runs import rescore as scoring

    _refuse_no_count(workers, "workers", "processes")
    return scoring.rescore(Path(path), _path(output), options, _path(tasks), workers)


def analyze(*paths: StrPath) -> pd.DataFrame:
    """Return the samples of runs, scored files or published results as a table: one row a sample, one column a fact."""
    from herobench.analysis.samples.frame import frame_of

    return frame_of([Path(path) for path in paths])


def _seed(fresh: bool | int) -> Literal[True] | int | None:
    return None if fresh is False else fresh


def _share(shard: str | None) -> Share | None:
    from herobench.runs.config import Share

    return None if shard is None else Share.of(shard)


def _span(limit: int | None) -> slice | None:
    _refuse_no_count(limit, "limit", "tasks")
    return None if limit is None else slice(0, limit)


def _path(path: StrPath | None) -> Path | None:
    return None if path is None else Path(path)


def _refuse_two_folders(resume: StrPath | None, output: StrPath | None) -> None:
    if resume is not None and output is not None:
        raise UsageError("resume names the run's folder: leave output out.")


def _refuse_one_text(**given: object) -> None:
    for name, texts in given.items():
        if isinstance(texts, str):  # its letters would be taken for entries
            raise UsageError(f"{name} takes a list of texts, such as [{texts!r}], and not one text.")


def _refuse_no_count(number: Any, name: str, things: str) -> None:
    whole = isinstance(number, int) and not isinstance(number, bool)
    if number is not None and not (whole and number >= 1):
        raise UsageError(f"{name} is a number of {things}, 1 or more, and not {number!r}.")
