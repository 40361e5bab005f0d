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
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack

from herobench.data.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from herobench.data.errors import Problem
    from herobench.runs.options import RunRequest
    from herobench.runs.rescore import Rescored
    from herobench.runs.session import RunCallbacks, RunResult

_NOTHING: Mapping[str, Any] = MappingProxyType({})
StrPath = str | os.PathLike[str]


def run(
    model: str | None = None,
    /,
    *,
    output: StrPath | None = None,
    resume: StrPath | None = None,
    callbacks: RunCallbacks | None = None,
    **request: Unpack[RunRequest],
) -> RunResult:
    """Ask a model the tasks of a suite and score its replies, as `herobench run` does.

    `request` has entries of `herobench.runs.options.RunRequest`, such as `suite="rpg"`, `limit=20` or `epochs=4`; there
    each is explained. `options` are the suite's own settings, such as `{"rules": "paper"}`; `sampling`, `conduct` and
    `limits` have fields of the classes `Sampling`, `ExecutionOptions` and `AttemptLimits`, such as
    `{"temperature": 0.0}` and `{"calls": 40}`. With `resume`, the run in that folder is continued and all that is not
    said stays as it was. Raise UsageError for wrong arguments before anything is written. Beside an event loop, the
    session and `callbacks` run in a thread.
    """
    from herobench.runs import session

    if resume is not None and output is not None:
        raise UsageError("resume names the run's folder: leave output out.")
    own_request: RunRequest = request if model is None else {"model": model, **request}
    own_callbacks = callbacks or session.RunCallbacks()
    if resume is None:
        return session.begin(own_request, _path(output), own_callbacks)
    return session.resume(own_request, Path(resume), own_callbacks)


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

    is_count = isinstance(workers, int) and not isinstance(workers, bool) and workers >= 1
    if workers is not None and not is_count:
        raise UsageError(f"workers is a number of processes, 1 or more, and not {workers!r}.")
    return scoring.rescore(Path(path), _path(output), options, _path(tasks), workers)


def check_suite(name: str, options: Mapping[str, str] = _NOTHING, tasks: int = 2) -> list[Problem]:
    """Try a suite and its reading out, and return where they depart from the contract: for tests of authors of suites.

    The suite is opened in each mode with these options, and its first tasks are played. See `herobench.suite.check`.
    """
    from herobench.analysis.report.reading_check import look_at_reading
    from herobench.suite.check import SuiteCheck

    check = SuiteCheck(name, options, tasks)
    check.look()
    look_at_reading(check.findings, name, check.samples)
    return check.findings.problems


def analyze(*paths: StrPath) -> pd.DataFrame:
    """Return the samples of runs, scored files or published results as a table: one row a sample, one column a fact."""
    from herobench.analysis.samples.frame import frame_of

    return frame_of([Path(path) for path in paths])


def _path(path: StrPath | None) -> Path | None:
    return None if path is None else Path(path)
