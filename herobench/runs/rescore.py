"""Scores a run's replies again, without a model: after the scoring changed, or under other options of the suite.

`herobench score RUN` calls it. Each sample's replies are played into a fresh attempt. The verdict is replaced; all that
belongs to the asking stays as it is. Each process opens the suite of the run for itself, and is handed lines: to parse
and check a sample takes about as long as to replay it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from herobench.data.errors import StoreError, UsageError
from herobench.data.files import is_standard_input, real_path
from herobench.data.rows import SeenAttempts, dump_row, write_lines
from herobench.runs.config import digest_of_tasks, now, session_row
from herobench.runs.folder import RunFolder, open_run, refuse_foreign_files
from herobench.runs.journal import refuse_wrong_sample, rescored_row, row_in, stored_replies
from herobench.runs.refusals import RunFault
from herobench.runs.spec import setting_of_run
from herobench.suite.checked import (
    closing_suite,
    open_suite,
    plugin_errors,
    read_blank,
    read_files,
    read_identity,
    read_tasks,
    suite_errors,
)
from herobench.suite.contract import Suite, SuiteSetting
from herobench.suite.recorded import replay, where
from herobench.suite.task_rows import digest_of_task, digests_of_files, is_twin, note_of_others
from herobench.work.engine import Local, Work
from herobench.work.rows import FactsOf, RowFacts

Sample = Mapping[str, Any]
_SCORER = "scorer"


def _ignore(_: object) -> None:
    """Take no notice."""


@dataclass(frozen=True, slots=True)
class Rescored:
    """The result of scoring a run again."""

    measured: int
    changed: int
    """The number of measured samples that have another verdict or score than before."""
    identity: Mapping[str, str]
    """The identity of the suite that scored."""
    note: str | None = None
    """Says that the tasks differ from the dataset that the run names; None if nothing says so."""


def rescore(
    path: Path,
    output: Path | None = None,
    options: Mapping[str, str] = MappingProxyType({}),
    tasks: Path | None = None,
    workers: int | None = None,
    facts: FactsOf = RowFacts,
    watch: Callable[[Mapping[str, Any]], None] = _ignore,
    argv: Sequence[str] = (),
) -> Rescored:
    """Score a run again: in its own folder, or into a file when `output` is given.

    `options` are settings of the suite, such as other rules; `tasks` is a file with newer versions of the run's tasks.
    `watch` gets the facts of each sample, which are gathered where it is scored.
    """
    if output is not None and real_path(output).parent == real_path(path):
        raise UsageError(f"{output} is in the run's own folder: name a file elsewhere.")
    workers = workers or os.cpu_count() or 1
    with opened_again(path, options, tasks, workers, in_place=output is None) as (folder, setting, suite):
        # no other process could read standard input once more
        apart = None if tasks is not None and is_standard_input(tasks) else setting
        scoring = Rescoring(folder, Rejudging(suite, apart, facts), workers, watch)
        if output is None:
            scoring.replace(argv)
        else:
            with closing(scoring.lines()) as lines:
                write_lines(output, lines)
        identity = read_identity(suite, [task.id for task in read_tasks(suite)])
        return Rescored(scoring.measured, scoring.changed, identity, note_of_run(folder, suite))


@contextmanager
def opened_again(
    path: Path, options: Mapping[str, str], tasks: Path | None, workers: int, *, in_place: bool
) -> Generator[tuple[RunFolder, SuiteSetting, Suite]]:
    """Lock a run and open its suite. Return the folder, the setting and the suite.

    Raise UsageError when a sample's task is missing, or when the scores may not replace the run's own.
    """
    with open_run(path) as folder:
        manifest = folder.read_manifest()
        refuse_foreign_files(path, manifest, options)
        setting = setting_of_run(folder, manifest, options, workers, tasks)
        with closing_suite(open_suite(manifest["config"]["suite"], setting)) as suite:
            if in_place:
                refuse_in_place(suite, manifest, folder, tasks)
            # checking every sample takes a while, and is not needed if the tasks are the run's own
            if digest_of_tasks(suite.name, read_tasks(suite)) != manifest["config"]["tasks"]:
                refuse_missing_tasks(suite, folder, tasks)
            yield folder, setting, suite


def note_of_run(folder: RunFolder, suite: Suite) -> str | None:
    """Return a sentence if the scored tasks are a changed shipped dataset."""
    tasks, files = read_tasks(suite), digests_of_files(read_files(suite))
    digests = {task.id: digest_of_task(task.row, files) for task in tasks}
    twins = {task.id for task in tasks if is_twin(task.row)}
    name, manifest = str(folder.path), folder.read_manifest()
    return note_of_others(name, manifest, digests, twins)


def refuse_in_place(suite: Suite, manifest: Mapping[str, Any], folder: RunFolder, fresh_tasks: Path | None) -> None:
    """Raise UsageError when the scores would not be of the run's own settings, so may not replace the old ones."""
    own = manifest["conduct"]["options"]
    others = any(own.get(name) != value for name, value in suite.options.items())
    # an option such as the world is not among the options of a run but among its files
    edited = digest_of_tasks(suite.name, read_tasks(suite)) != manifest["config"]["tasks"]
    if fresh_tasks is not None or others or edited or read_files(suite) != folder.read_files(manifest):
        settings = ", ".join(f"{name}={value}" for name, value in own.items()) or "none"
        told = f"A run's own folder is scored with its own settings ({settings}), on its own tasks"
        raise UsageError(RunFault.OTHER_SCORES, told=told)


def refuse_missing_tasks(suite: Suite, folder: RunFolder, tasks: Path | None = None) -> None:
    """Raise UsageError when a sample's task is not among the suite's tasks."""
    known = {task.id for task in read_tasks(suite)}
    asked = dict.fromkeys(row["task_id"] for row in folder.read_samples())
    if missing := [task_id for task_id in asked if task_id not in known]:
        raise UsageError(
            RunFault.TASKS_MISSING, count=len(missing), tasks=tasks or folder.tasks, names=", ".join(missing[:3])
        )


def judging(suite: Suite) -> Callable[[Sample, str], Sample]:
    """Return what gives a sample, found at a place, a new verdict by a suite."""
    known = {task.id for task in read_tasks(suite)}

    def judged(sample: Sample, place: str) -> Sample:
        task_id = sample["task_id"]
        if task_id not in known:
            raise UsageError(RunFault.FOREIGN_TASK, place=place, task_id=task_id)
        if sample["status"] != "ok":
            # the facts of its task are those under the settings of now
            return {**sample, "details": read_blank(suite, task_id)}
        return rescored_row(sample, replay(suite, task_id, sample["epoch"], stored_replies(sample)).grade())

    return judged


class Rejudged(NamedTuple):
    """A sample that was scored again."""

    place: str
    line: str
    """The sample as a line of the output."""
    head: Sample
    """The columns of it that its run needs."""
    changed: bool
    """True when the sample has another verdict or score than before."""
    facts: Mapping[str, Any]


class Rejudging(Work[tuple[str, bytes], Rejudged]):
    """Scores lines of a run again: with a suite that is open in this process, or with one that each worker opens."""

    worth: int | None = 150
    batch = 4  # a sample may have a megabyte
    has_threads = True

    def __init__(self, suite: Suite, setting: SuiteSetting | None = None, facts: FactsOf = RowFacts) -> None:
        """Take a suite and its setting. Without that, no other process can work."""
        self._suite: Suite | None = suite
        if setting is None:
            self.worth = None
        if setting is not None and setting.tasks is not None:  # a worker may work in another folder
            setting = replace(setting, tasks=setting.tasks.absolute())
        self._name, self._setting, self._facts = suite.name, setting, facts

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
                opened = open_suite(self._name, replace(self._setting, workers=threads))
                suite = held.enter_context(closing_suite(opened))
            else:
                with suite_errors(suite.name, "prepare"):
                    suite.prepare()
            judged = judging(suite)

            def again(given: tuple[str, bytes]) -> Rejudged:
                """Score the sample of a line, given with its place. Raise InputError when it is not a sample."""
                place, line = given
                before, facts = row_in(line, place), self._facts()
                refuse_wrong_sample(before, place, self._name)
                after = judged(before, place)
                facts.add(after)
                changed = (before["won"], before["score"]) != (after["won"], after["score"])
                head = {name: after[name] for name in ("suite", "task_id", "epoch", "status", "won")}
                with plugin_errors(where(self._name, head["task_id"], head["epoch"])):
                    return Rejudged(place, dump_row(after), head, changed, facts.as_row())

            yield again


@dataclass
class Rescoring:
    """Scores the samples of a folder again, and counts how many verdicts change."""

    folder: RunFolder
    work: Rejudging
    jobs: int
    watch: Callable[[Mapping[str, Any]], None] = _ignore
    measured: int = 0
    changed: int = 0
    won: int = 0

    def lines(self) -> Generator[str]:
        """Yield the samples with new scores as lines, in order. Close it when you do not use it up."""
        attempts = SeenAttempts()
        with closing(Local(self.jobs).results(self.work, self.folder.sample_lines())) as samples:
            for place, line, head, changed, facts in samples:
                attempts.add(head, place)
                self.measured += head["status"] == "ok"
                self.changed += changed
                self.won += head["won"] is True
                self.watch(facts)
                yield line

    def replace(self, argv: Sequence[str]) -> None:
        """Replace the samples of the folder, and note in run.json that they were scored again."""
        manifest = self.folder.read_manifest()
        session = session_row(argv, manifest["conduct"]["key_name"])
        try:
            with closing(self.lines()) as lines:
                self.folder.replace_samples(lines)
            # null until a session has come to its end
            if manifest["totals"]:
                manifest["totals"]["wins"] = self.won
            manifest["sessions"].append(session | {"finished": now(), "ended": "scored"})
            self.folder.write_manifest(manifest)
        except OSError as error:
            raise StoreError(self.folder.path, error) from error
