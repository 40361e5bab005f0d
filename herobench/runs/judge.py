"""Scores one sample again from its line. `rescore.py` calls it, in this process or in others.

Each process opens the suite of the run for itself, and is handed lines: to parse and check a sample takes about as long
as to replay it.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from herobench.data.columns import SAMPLE, Column
from herobench.data.errors import Problem, UsageError
from herobench.data.rows import RowLine, dump_row
from herobench.runs.config import digest_of_tasks
from herobench.runs.journal import contradictions, refuse_wrong_sample, row_in
from herobench.runs.sample import rescored_row, stored_replies
from herobench.suite.checked import CheckedSuite, open_suite
from herobench.suite.contract import Suite, SuiteSetting
from herobench.suite.recorded import replayed
from herobench.work.engine import Work
from herobench.work.rows import Row, RowWork

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
        """Score the sample of a line, given with its place. Raise InputError when it is not a sample."""
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
        return rescored_row(sample, replayed(self._suite, task_id, sample["epoch"], stored_replies(sample)).grade())


class Rejudging(Work[tuple[str, bytes], Rejudged]):
    """Scores lines of a run again: with a suite that is open in this process, or with one that each worker opens."""

    worth: int | None = 150
    batch = 4  # a sample may have a megabyte
    has_threads = True

    def __init__(self, suite: Suite, setting: SuiteSetting | None, remark: Remark) -> None:
        """Take a suite and what it was made from. Without that, no other process can work."""
        self._suite: Suite | None = suite
        if setting is None:
            self.worth = None
        self._name, self._setting, self._remark = suite.name, setting, remark

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the open suite."""
        return {**self.__dict__, "_suite": None}

    @contextmanager
    def open(self, threads: int) -> Iterator[Callable[[tuple[str, bytes]], Rejudged]]:
        """Open the suite, unless it is open."""
        with ExitStack() as held:
            suite = self._suite
            if suite is None:
                assert self._setting is not None, "it has one if it has no open suite"
                suite = held.enter_context(closing(open_suite(self._name, replace(self._setting, workers=threads))))
            else:
                suite.prepare()
            yield Judge(suite, self._remark).again


# -- on a cluster -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RunSamples:
    """Says which rows are samples of a run of a suite, and which samples are of the same attempt."""

    suite: str
    tasks: frozenset[str]
    schema = "sample"

    def check(self, line: RowLine) -> str | Sequence[Problem]:
        """Return the task and the epoch of a sample, or what is wrong with it."""
        task_id = line.row["task_id"]
        found = list(contradictions(line.row, line.place, self.suite))
        if task_id not in self.tasks:
            found.append(Problem(line.place, "$.task_id", "the id of one of the tasks of the run", task_id))
        return found or dump_row({task_id: int(line.row["epoch"])})

    def twice(self, place: str, first: str, key: str | None = None) -> Problem:
        """Return the problem of a sample of an attempt that has one before."""
        return Problem(place, "$", f"an attempt that is not there before it, and that of {first} is the same")


@dataclass(frozen=True)
class SampleScoring(RowWork):
    """Scores the samples of a run again, with a suite that each worker opens."""

    samples: RunSamples
    setting: SuiteSetting
    """The setting of one process. Its tasks file has to be there on all machines."""
    identity: Mapping[str, Any]
    """Everything but the replies that scores depend on."""

    @classmethod
    def by(cls, suite: CheckedSuite, setting: SuiteSetting) -> SampleScoring:
        """Return the work of scoring samples by an open suite that was made from a setting."""
        tasks = suite.tasks()
        scorer = suite.blank(tasks[0].id).get(_SCORER) if tasks else None
        depends = {**suite.identity([task.id for task in tasks]), **suite.options}
        known = {"suite": suite.name, "tasks": digest_of_tasks(tasks), _SCORER: scorer}
        depends |= {name: value for name, value in known.items() if value is not None}
        # a worker may work in another folder
        file = None if setting.tasks is None else setting.tasks.absolute()
        samples = RunSamples(suite.name, frozenset(task.id for task in tasks))
        return cls(samples, replace(setting, tasks=file, workers=1), depends)

    @property
    def given(self) -> RunSamples:
        """Say which rows are samples of the run."""
        return self.samples

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of samples."""
        return SAMPLE

    def options(self) -> dict[str, Any]:
        """Return everything but the replies that scores depend on, as plain data."""
        return dict(self.identity)

    @contextmanager
    def open(self, threads: int) -> Iterator[Callable[[RowLine], Row]]:
        """Open the suite in this process."""
        with closing(open_suite(self.samples.suite, self.setting)) as suite:
            judge = Judge(suite)
            yield lambda line: judge.judged(line.row, line.place)[0]


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
