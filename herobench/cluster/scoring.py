"""The work of `herobench score` on a cluster: answers become scored rows, and samples become samples scored again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from herobench.cluster.each_line import EachLine, each_line_of
from herobench.cluster.sample_facts import SampleFacts
from herobench.cluster.tables import Types, types_of
from herobench.data.columns import SAMPLE
from herobench.data.errors import Problem
from herobench.data.rows import RowLine, dump_row
from herobench.runs.journal import contradictions
from herobench.runs.judge import Judge
from herobench.runs.spec import digest_of_tasks
from herobench.suite.checked import CheckedSuite, open_suite
from herobench.suite.contract import SuiteSetting
from herobench.work.rows import RowWork


@dataclass(frozen=True, slots=True)
class AnswerScoring:
    """Scores answers by the work of a suite."""

    suite: str
    each: RowWork

    @property
    def table(self) -> Types:
        """The columns of scored rows."""
        return types_of(self.each.columns)

    def opened(self) -> EachLine:
        """Open what scores in this process."""
        return each_line_of(self.each, SampleFacts.add)

    def facts(self) -> SampleFacts:
        """Return the facts of no row yet."""
        return SampleFacts(self.suite)


# -- a run ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RunSamples:
    """Says which rows are samples of a run of a suite, and which samples are of the same attempt."""

    suite: str
    tasks: frozenset[str]

    @classmethod
    def of(cls, suite: CheckedSuite) -> RunSamples:
        """Return the check for runs of an open suite."""
        return cls(suite.name, frozenset(task.id for task in suite.tasks()))

    @property
    def schema(self) -> str:
        """The schema of samples."""
        return "sample"

    def check(self, line: RowLine) -> str | Sequence[Problem]:
        """Return the task and the epoch of a sample, or what is wrong with it."""
        task_id = line.row["task_id"]
        found = list(contradictions(line.row, line.place, self.suite))
        if task_id not in self.tasks:
            found.append(Problem(line.place, "$.task_id", "the id of one of the tasks of the run", task_id))
        return found or dump_row({task_id: int(line.row["epoch"])})

    def twice(self, place: str, first: str) -> Problem:
        """Return the problem of a sample of an attempt that has one before."""
        return Problem(place, "$", f"an attempt that is not there before it, and that of {first} is the same")


@dataclass(frozen=True, slots=True)
class ShardRescoring:
    """Scores the samples of a run again, with a suite that each worker opens."""

    suite: str
    setting: SuiteSetting
    """The setting of one process. Its tasks file has to be there on all machines."""

    @classmethod
    def of(cls, suite: str, setting: SuiteSetting) -> ShardRescoring:
        """Return the work of scoring samples by a suite that is made from a setting."""
        # a worker may work in another folder
        tasks = None if setting.tasks is None else setting.tasks.absolute()
        return cls(suite, replace(setting, tasks=tasks, workers=1))

    @property
    def table(self) -> Types:
        """The columns of samples."""
        return types_of(SAMPLE)

    def opened(self) -> EachLine:
        """Open the suite in this process."""
        suite = open_suite(self.suite, self.setting)
        judge = Judge(suite)

        def made(line: RowLine, facts: SampleFacts) -> Mapping[str, Any]:
            row, changed = judge.judged(line.row, line.place)
            facts.add(row, changed=changed)
            return row

        return EachLine(RunSamples.of(suite), made, suite.close)

    def facts(self) -> SampleFacts:
        """Return the facts of no row yet."""
        return SampleFacts(self.suite)


def options_of(suite: CheckedSuite) -> dict[str, Any]:
    """Return all that scores of an open suite depend on beside the replies, as plain data."""
    tasks = suite.tasks()
    scorer = suite.blank(tasks[0].id).get("scorer") if tasks else None
    given = {**suite.identity([task.id for task in tasks]), **suite.options}
    known = {"suite": suite.name, "tasks": digest_of_tasks(tasks), "scorer": scorer}
    return {**given, **{name: value for name, value in known.items() if value is not None}}
