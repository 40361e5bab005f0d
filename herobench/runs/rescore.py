"""Scores a run's replies again, without a model: after the scoring changed, or under other options of the suite.

`herobench score RUN` calls it. Each sample's replies are played into a fresh attempt. The verdict is replaced; all that
belongs to the asking stays as it is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from herobench.ahead import in_order
from herobench.errors import StoreError, UsageError
from herobench.recorded import replayed
from herobench.rows import write_rows
from herobench.runs.folder import RunFolder, open_run
from herobench.runs.order import digest_of_tasks, suite_of_run
from herobench.runs.provenance import now, session_row
from herobench.runs.sample import replies_of, rescored_row
from herobench.suite import Suite

Sample = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rescored:
    """The result of scoring a run again."""

    measured: int
    changed: int
    """The number of measured samples that have another verdict or score than before."""
    identity: Mapping[str, str]
    """The identity of the suite that scored."""


def rescore(
    path: Path,
    output: Path | None = None,
    options: Mapping[str, str] = MappingProxyType({}),
    tasks: Path | None = None,
    workers: int | None = None,
    watch: Callable[[Sample], None] = lambda row: None,
    argv: Sequence[str] = (),
) -> Rescored:
    """Score a run again: in its own folder, or into a file when `output` is given.

    `options` are settings of the suite, such as other rules; `tasks` is a file with newer versions of the run's tasks.
    """
    if output is not None and output.resolve().parent == path.resolve():
        raise UsageError(f"{output} is in the run's own folder: name a file elsewhere.")
    workers = workers or os.cpu_count() or 1
    with open_run(path) as folder:
        manifest = folder.read_manifest()
        with closing(suite_of_run(folder, manifest, options, workers, tasks)) as suite:
            if output is None:
                refuse_in_place(suite, manifest, folder, tasks)
            refuse_missing_tasks(suite, folder, tasks)
            suite.prepare()
            scoring = Rescoring(folder, suite, workers, watch)
            if output is None:
                scoring.replace(argv)
            else:
                with closing(scoring.rows()) as rows:
                    write_rows(output, rows)
            return Rescored(scoring.measured, scoring.changed, suite.identity([task.id for task in suite.tasks()]))


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
    """Scores the samples of a folder again, and counts how many verdicts change. `watch` sees each sample."""

    def __init__(self, folder: RunFolder, suite: Suite, jobs: int, watch: Callable[[Sample], None]) -> None:
        self.measured = 0
        self.changed = 0
        self._folder = folder
        self._suite = suite
        self._jobs = jobs
        self._watch = watch

    def rows(self) -> Generator[Sample]:
        """Yield the samples with new scores, in their order. Close it when you do not use it up."""
        with ThreadPoolExecutor(self._jobs) as pool:
            for before, after in in_order(pool, self._jobs, self._again, self._folder.read_samples()):
                self.measured += after["status"] == "ok"
                self.changed += _verdict(before) != _verdict(after)
                self._watch(after)
                yield after

    def replace(self, argv: Sequence[str]) -> None:
        """Replace the samples of the folder, and note in run.json that they were scored again."""
        manifest = self._folder.read_manifest()
        session = session_row(argv, manifest["conduct"]["key_name"])
        try:
            with closing(self.rows()) as rows:
                self._folder.replace_samples(rows)
            # null until a session has come to its end
            if manifest["totals"]:
                manifest["totals"]["wins"] = sum(row["won"] is True for row in self._folder.read_samples())
            manifest["sessions"].append(session | {"finished": now(), "ended": "scored"})
            self._folder.write_manifest(manifest)
        except OSError as error:
            raise StoreError(self._folder.path, error) from error

    def _again(self, sample: Sample) -> tuple[Sample, Sample]:
        task_id, epoch = sample["task_id"], sample["epoch"]
        if sample["status"] != "ok":
            # the facts of its task are those under the settings of now
            return sample, {**sample, "details": dict(self._suite.blank(task_id))}
        attempt = replayed(self._suite, task_id, epoch, replies_of(sample))
        return sample, rescored_row(sample, attempt.grade())


def _verdict(sample: Sample) -> tuple[object, object]:
    return sample["won"], sample["score"]
