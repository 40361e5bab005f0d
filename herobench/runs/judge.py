"""Scores one sample again from its line. `rescore.py` calls it, in this process or in others.

Each process opens the suite of the run for itself, and is handed lines: to parse and check a sample takes about as long
as to replay it.
"""

from __future__ import annotations

import atexit
import shlex
from collections.abc import Callable, Container, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from herobench.data.errors import UsageError
from herobench.data.rows import dump_row
from herobench.runs.journal import refuse_wrong_sample, row_in
from herobench.runs.sample import replies_of, rescored_row
from herobench.suite.checked import open_suite
from herobench.suite.contract import Suite, SuiteSetting
from herobench.suite.recorded import replayed

Sample = Mapping[str, Any]
Remark = Callable[[Sample], str | None]
"""Says something of a sample. It is a module-level function, so that other processes can call it."""


def no_remark(sample: Sample) -> None:
    """Say nothing."""


class Rejudged(NamedTuple):
    """A sample that was scored again."""

    place: str
    line: str
    """The sample as a line of the output."""
    columns: Sample
    """The sample without its events."""
    changed: bool
    """True when the sample has another verdict or score than before."""
    remark: str | None


class Judge:
    """Scores samples of a suite again, and makes a remark on each with its events at hand."""

    def __init__(self, suite: Suite, remark: Remark = no_remark) -> None:
        self._suite = suite
        self._remark = remark
        self._known = {task.id for task in suite.tasks()}

    def again(self, given: tuple[str, bytes]) -> Rejudged:
        """Score the sample of a line, given with its place. Raise InputError when it is no sample."""
        place, line = given
        before = row_in(line, place)
        refuse_wrong_sample(before, place, self._suite.name)
        after, changed = self.judged(before, place)
        return Rejudged(place, dump_row(after), {**after, "events": None}, changed, self._remark(after))

    def judged(self, before: Sample, place: str) -> tuple[Sample, bool]:
        """Return a sample with its new verdict, and whether it has another verdict or score than before."""
        if before["task_id"] not in self._known:
            raise UsageError(f"{place}: {before['task_id']} is not among the tasks of the run.")
        after = self._rescored(before)
        return after, (before["won"], before["score"]) != (after["won"], after["score"])

    def _rescored(self, sample: Sample) -> Sample:
        task_id = sample["task_id"]
        if sample["status"] != "ok":
            # the facts of its task are those under the settings of now
            return {**sample, "details": dict(self._suite.blank(task_id))}
        return rescored_row(sample, replayed(self._suite, task_id, sample["epoch"], replies_of(sample)).grade())


# -- in a process of its own ------------------------------------------------------------------------------------------

_judge: Judge | None = None


def start(suite: str, setting: SuiteSetting, remark: Remark) -> None:
    """Give this process its judge."""
    global _judge
    opened = open_suite(suite, replace(setting, workers=1))
    atexit.register(opened.close)
    _judge = Judge(opened, remark)


def rejudged(given: tuple[str, bytes]) -> Rejudged:
    """Score the sample of a line again."""
    assert _judge is not None, "the process was started by start"
    return _judge.again(given)


_SCORER = "scorer"


class SameScorer:
    """Raises UsageError at a measured sample with a verdict of another scorer."""

    def __init__(self, run: Path, suite: Suite, tasks: Container[str]) -> None:
        self._run = run
        self._suite = suite
        self._tasks = tasks
        self._own: object = None

    def __call__(self, sample: Mapping[str, Any]) -> None:
        """Look at the next measured sample."""
        its = sample["details"].get(_SCORER)
        # a sample of a foreign task is refused for that reason
        if its is None or its == self._own or sample["task_id"] not in self._tasks:
            return
        # the facts of a task are the same for each attempt, so one that was not measured tells the number of now
        self._own = self._suite.blank(sample["task_id"]).get(_SCORER)
        if its != self._own:
            raise UsageError(
                f"{self._run} has samples of scorer {its}, such as {sample['task_id']}, epoch {sample['epoch']}, and "
                f"this version has scorer {self._own}: the figures of a resumed run would mix both.",
                [f"  Score it again first, which asks no model: herobench score {shlex.quote(str(self._run))}"],
            )
