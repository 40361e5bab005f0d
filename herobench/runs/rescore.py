"""Scores a run's replies again, without a model: after the scoring changed, or under other options of the suite.

`herobench score RUN` calls it. Each sample's replies are played into a fresh attempt. The verdict is replaced; all that
belongs to the asking stays as it is.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from herobench.data.errors import StoreError, UsageError
from herobench.data.files import is_standard_input, real_path
from herobench.data.rows import SeenAttempts, write_lines
from herobench.runs.config import digest_of_tasks, now, session_row
from herobench.runs.folder import RunFolder, open_run
from herobench.runs.judge import Rejudging, Remark, Sample, no_remark
from herobench.runs.own_runs import refuse_foreign_files
from herobench.runs.spec import setting_of_run
from herobench.suite.checked import CheckedSuite, open_suite
from herobench.suite.contract import Suite, SuiteSetting
from herobench.suite.task_rows import digest_of_task, digests_of_files, is_twin, note_of_changed, note_of_others
from herobench.work.engine import Local


@dataclass(frozen=True, slots=True)
class Rescored:
    """The result of scoring a run again."""

    measured: int
    changed: int
    """The number of measured samples that have another verdict or score than before."""
    identity: Mapping[str, str]
    """The identity of the suite that scored."""
    remarks: Mapping[str, int]
    """How often each remark was made."""
    note: str | None = None
    """Says that the tasks differ from the dataset that the run names; None if nothing says so."""


def rescore(
    path: Path,
    output: Path | None = None,
    options: Mapping[str, str] = MappingProxyType({}),
    tasks: Path | None = None,
    workers: int | None = None,
    watch: Callable[[Sample], None] = lambda row: None,
    argv: Sequence[str] = (),
    remark: Remark = no_remark,
) -> Rescored:
    """Score a run again: in its own folder, or into a file when `output` is given.

    `options` are settings of the suite, such as other rules; `tasks` is a file with newer versions of the run's tasks.
    `watch` sees each sample without its events, and `remark` is made with them, in other processes too.
    """
    if output is not None and real_path(output).parent == real_path(path):
        raise UsageError(f"{output} is in the run's own folder: name a file elsewhere.")
    workers = workers or os.cpu_count() or 1
    with opened_again(path, options, tasks, workers, in_place=output is None) as (folder, setting, suite):
        # no other process could read standard input once more
        apart = None if tasks is not None and is_standard_input(tasks) else setting
        scoring = Rescoring(folder, suite, workers, watch, apart, remark)
        if output is None:
            scoring.replace(argv)
        else:
            with closing(scoring.lines()) as lines:
                write_lines(output, lines)
        identity = suite.identity([task.id for task in suite.tasks()])
        return Rescored(scoring.measured, scoring.changed, identity, scoring.remarks, note_of_run(folder, suite))


@contextmanager
def opened_again(
    path: Path, options: Mapping[str, str], tasks: Path | None, workers: int, *, in_place: bool
) -> Generator[tuple[RunFolder, SuiteSetting, CheckedSuite]]:
    """Lock a run and open its suite, and return both with what the suite was made from.

    Raise UsageError when a sample's task is missing, or when the scores may not replace the run's own.
    """
    with open_run(path) as folder:
        manifest = folder.read_manifest()
        refuse_foreign_files(path, manifest, options)
        setting = setting_of_run(folder, manifest, options, workers, tasks)
        with closing(open_suite(manifest["config"]["suite"], setting)) as suite:
            if in_place:
                refuse_in_place(suite, manifest, folder, tasks)
            # checking every sample takes a while, and is not needed if the tasks are the run's own
            if digest_of_tasks(suite.tasks()) != manifest["config"]["tasks"]:
                refuse_missing_tasks(suite, folder, tasks)
            yield folder, setting, suite


def note_of_run(folder: RunFolder, suite: Suite) -> str | None:
    """Return a sentence if the scored tasks are a changed shipped dataset."""
    tasks, files = suite.tasks(), digests_of_files(suite.files())
    digests = {task.id: digest_of_task(task.row, files) for task in tasks}
    twins = {task.id for task in tasks if is_twin(task.row)}
    name, manifest = str(folder.path), folder.read_manifest()
    return note_of_others(name, manifest, digests, twins) or note_of_changed(name, manifest, digests)


def refuse_in_place(suite: Suite, manifest: Mapping[str, Any], folder: RunFolder, fresh_tasks: Path | None) -> None:
    """Raise UsageError when the scores would not be of the run's own settings, so may not replace the old ones."""
    own = manifest["conduct"]["options"]
    others = any(own.get(name) != value for name, value in suite.options.items())
    # an option such as the world is not among the options of a run but among its files
    edited = digest_of_tasks(suite.tasks()) != manifest["config"]["tasks"]
    if fresh_tasks is not None or others or edited or suite.files() != folder.read_files(manifest):
        settings = ", ".join(f"{name}={value}" for name, value in own.items()) or "none"
        told = f"A run's own folder is scored with its own settings ({settings}), on its own tasks"
        raise UsageError(f"{told}: write other scores to a file, -o FILE.")


def refuse_missing_tasks(suite: Suite, folder: RunFolder, tasks: Path | None = None) -> None:
    """Raise UsageError when a sample's task is not among the suite's tasks."""
    known = {task.id for task in suite.tasks()}
    asked = dict.fromkeys(row["task_id"] for row in folder.read_samples())
    if missing := [task_id for task_id in asked if task_id not in known]:
        raise UsageError(
            f"{len(missing)} of the run's tasks are not in {tasks or folder.tasks}: {', '.join(missing[:3])}."
        )


class Rescoring:
    """Scores the samples of a folder again, and counts how many verdicts change.

    `watch` sees each sample without its events. `setting` is what the suite was made from: with it, many samples are
    scored in other processes, each with a suite of its own; without it, in threads.
    """

    def __init__(
        self,
        folder: RunFolder,
        suite: Suite,
        jobs: int,
        watch: Callable[[Sample], None],
        setting: SuiteSetting | None = None,
        remark: Remark = no_remark,
    ) -> None:
        self.measured = 0
        self.changed = 0
        self.remarks: Counter[str] = Counter()
        self._won = 0
        self._folder = folder
        self._suite = suite
        self._jobs = jobs
        self._watch = watch
        self._setting = setting
        self._remark = remark

    def lines(self) -> Generator[str]:
        """Yield the samples with new scores as lines, in order. Close it when you do not use it up."""
        attempts = SeenAttempts()
        work = Rejudging(self._suite, self._setting, self._remark)
        with closing(Local(self._jobs).results(work, self._folder.sample_lines())) as samples:
            for place, line, columns, changed, remark in samples:
                attempts.add(columns, place)
                self.remarks.update([remark] if remark is not None else [])
                self.measured += columns["status"] == "ok"
                self.changed += changed
                self._won += columns["won"] is True
                self._watch(columns)
                yield line

    def replace(self, argv: Sequence[str]) -> None:
        """Replace the samples of the folder, and note in run.json that they were scored again."""
        manifest = self._folder.read_manifest()
        session = session_row(argv, manifest["conduct"]["key_name"])
        try:
            with closing(self.lines()) as lines:
                self._folder.replace_samples(lines)
            # null until a session has come to its end
            if manifest["totals"]:
                manifest["totals"]["wins"] = self._won
            manifest["sessions"].append(session | {"finished": now(), "ended": "scored"})
            self._folder.write_manifest(manifest)
        except OSError as error:
            raise StoreError(self._folder.path, error) from error
