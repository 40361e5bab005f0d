"""A run's folder: what lies where, who may write there, and how it comes to be.

    run.json        the configuration, where it comes from, each time it was worked on, what it came to
    tasks.jsonl     the tasks that were chosen, so that the run stands by itself
    world.json      the documents of their world, for the same reason: folders are edited, and moved
    calls.jsonl     every reply of a model as it came, before anything is made of it; nothing of it is ever lost
    samples.jsonl   a scored row, with its answer, for each task and epoch; scored again whenever a rule changes
    lock            held by whoever works on the run

run.json is written last and whole: a folder without it is no run yet. The lock is the operating system's, so that it
falls with its holder, however he ends.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import NoneType, TracebackType
from typing import Any

from herobench.documents import read_document, schema_problems
from herobench.errors import InputError, StoreError, UsageError
from herobench.rows import dump_row
from herobench.runs.journal import read_journal

Key = tuple[str, int]
"""A task and an epoch."""

_COLUMNS = {"task_id": (str,), "epoch": (int,), "status": (str,), "outcome": (str, NoneType), "error": (dict, NoneType)}
_OWN = re.compile(r"lock|(tasks\.jsonl|world\.json|run\.json)(\.part\d+)?")
"""What a run that was ended before it began may have left."""


def open_run(path: Path) -> RunFolder:
    """The folder of a run that has begun. Raises UsageError where there is none."""
    folder = RunFolder(path)
    if not folder.begun:
        raise UsageError(f"{path} is no run: there is no run.json in it.")
    return folder


class RunFolder:
    """The folder of a run, held by us alone. Use it in a `with` statement."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None

    @property
    def manifest(self) -> Path:
        """Where run.json lies."""
        return self.path / "run.json"

    @property
    def tasks(self) -> Path:
        """Where the chosen tasks lie."""
        return self.path / "tasks.jsonl"

    @property
    def world(self) -> Path:
        """Where the documents of the tasks' world lie."""
        return self.path / "world.json"

    @property
    def calls(self) -> Path:
        """Where replies are kept as they came."""
        return self.path / "calls.jsonl"

    @property
    def samples(self) -> Path:
        """Where scored rows are kept."""
        return self.path / "samples.jsonl"

    @property
    def begun(self) -> bool:
        """Whether there is a run in it."""
        return self.manifest.is_file()

    def create(self, manifest: Mapping[str, Any], tasks: Iterable[Mapping[str, Any]], world: str) -> None:
        """Begin a run, in a world of which the source is given. Raises UsageError where the folder holds anything
        else."""
        self.refuse_strangers()
        self._put(self.tasks, map(dump_row, tasks))
        self._put(self.world, [world, "\n"])
        self.write_manifest(manifest)

    def read_manifest(self) -> dict[str, Any]:
        """The run's run.json. Raises InputError where it is none."""
        document, problems = read_document(self.manifest, str(self.manifest))
        problems = problems or schema_problems(document, "run", str(self.manifest))
        if problems:
            raise InputError(problems)
        return dict(document)

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        """Replace run.json."""
        self._put(self.manifest, [dump_row(manifest, indent=2)])

    def read_samples(self) -> Iterator[dict[str, Any]]:
        """The samples, one for each task and epoch that has one."""
        return read_journal(self.samples, _COLUMNS)

    def replace_samples(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Put other samples in the place of those there are."""
        self._put(self.samples, map(dump_row, rows))

    def measured(self) -> dict[Key, str]:
        """The tasks and epochs that are done, with their outcomes."""
        done: dict[Key, str] = {}
        for row in self.read_samples():
            if row["status"] == "ok":
                done[row["task_id"], row["epoch"]] = row["outcome"]
        return done

    def drop_unmeasured(self) -> None:
        """Take out samples that are not measured, to be tried again."""
        if any(row["status"] != "ok" for row in self.read_samples()):
            self.replace_samples(row for row in self.read_samples() if row["status"] == "ok")

    def _put(self, path: Path, lines: Iterable[str]) -> None:
        """Write a whole file, which takes the place of the one there is at once and for good."""
        part = path.with_name(f"{path.name}.part{os.getpid()}")
        try:
            with part.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(lines)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        folder = os.open(self.path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def refuse_strangers(self) -> None:
        """Raise UsageError where a folder that is no run holds anything else; nothing is changed by asking."""
        if self.begun or not self.path.is_dir():
            return
        strangers = sorted(entry.name for entry in self.path.iterdir() if not _OWN.fullmatch(entry.name))
        if strangers:
            raise UsageError(f"{self.path} is no run, and not empty: {', '.join(strangers[:3])} is in it.")

    def __enter__(self) -> RunFolder:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        except OSError as error:
            raise StoreError(self.path, error) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(lock)
            raise UsageError(f"Another process works on {self.path}: wait for it, or use another folder.") from error
        self._lock = lock
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
