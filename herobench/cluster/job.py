"""A job: rows in shards, which the workers of an engine work on, each to a file of its own.

A file appears when it is whole, so a job that is started again in the same folder makes only the missing ones. The
files, joined in order, equal the output of the command on one machine. Lines are a pure function of the work and the
shard, since another worker repeats a shard if its worker is lost.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from herobench.cluster.refusals import ClusterFault
from herobench.data.documents import read_document
from herobench.data.errors import InputError, Problem, StoreError, UsageError
from herobench.data.files import replacing, write_text
from herobench.data.rows import dump_row, unread_lines
from herobench.work.engine import Engine, Local, Work
from herobench.work.rows import CheckOnly, FactsOf, LineWork, MadeLine, Row, RowCheck, RowFacts, with_problems

Line = tuple[str, bytes]
"""The place of a row, and the row as JSON."""
Shard = tuple[int, Sequence[Line]]
"""A number, and the lines that its file is made of."""


def read_lines(name: str) -> Iterator[Line]:
    """Yield the rows of a file, of the files of a glob, or of the files in a folder, in the order of their names."""
    path = Path(name)
    files = [path] if path.exists() else sorted(Path(path.anchor).glob(name.removeprefix(path.anchor))) or [path]
    if path.is_dir():
        files = sorted(path.glob("[!.]*.jsonl"))
        if not files:
            raise UsageError(ClusterFault.NO_FILES, name=name)
    for file in files:
        yield from unread_lines(file)


class Inputs:
    """Rows of files, checked on this machine. Wrong rows, and rows that repeat the key of another, are left out."""

    def __init__(self, read: Callable[[], Iterator[Line]], check: RowCheck) -> None:
        self._read = read
        self._wrong: dict[int, Sequence[Problem]] = {}
        self.rows = 0
        digest = hashlib.sha256()

        def hash_lines() -> Iterator[Line]:
            for line in read():
                digest.update(line[1])
                yield line

        checks = Local(os.cpu_count() or 1).results(LineWork(CheckOnly(check), RowFacts), hash_lines())
        with closing(checks):
            for number, (_, problems) in enumerate(with_problems(checks, check)):
                self.rows += not problems
                if problems:
                    self._wrong[number] = problems
        self.digest, self.wrong = digest.hexdigest(), len(self._wrong)
        self.problems = [problem for number in sorted(self._wrong) for problem in self._wrong[number]]

    def lines(self) -> Iterator[Line]:
        """Yield the good rows."""
        return (line for number, line in enumerate(self._read()) if number not in self._wrong)


class Written(NamedTuple):
    """The facts of the rows in a file, or the reason why it is not written."""

    file: Path
    facts: Mapping[str, Any] = {}
    reason: str = ""


@dataclass(frozen=True)
class Writing(Work[Shard, Written]):
    """Writes what is made of shards to files in a folder."""

    folder: Path
    work: Work[Line, Any]
    """Makes a line with its facts, such as a MadeLine."""
    facts: FactsOf = RowFacts

    @contextmanager
    def open(self, threads: int) -> Iterator[Callable[[Shard], Written]]:
        """Open the work on lines. Raise UsageError on a machine that cannot do it."""
        try:
            there, here = json.loads((self.folder / "job.json").read_text("utf-8"))["herobench"], version("herobench")
        except OSError as error:
            raise UsageError(ClusterFault.UNSEEN_FOLDER, folder=self.folder) from error
        if there != here:
            raise UsageError(ClusterFault.OTHER_VERSION, here=here, there=there)
        with self.work.open(threads) as make:
            yield lambda shard: self._write(*shard, make)

    def _write(self, number: int, lines: Sequence[Line], make: Callable[[Line], Any]) -> Written:
        """Write the file of a shard, unless an earlier session has, and beside it the facts of its rows."""
        file, note = (self.folder / f"part-{number:07}.{ending}" for ending in ("jsonl", "facts.json"))
        facts = self.facts()

        def made_lines() -> Iterator[str]:
            for output in map(make, lines):
                facts.merge(output.facts)
                yield output.line

        try:
            if file.exists() and note.exists():
                return Written(file, json.loads(note.read_text("utf-8")))
            with replacing(file) as content:
                content.writelines(made_lines())
            write_text(note, dump_row(facts.as_row()))
        except (InputError, UsageError):
            raise
        except Exception as error:  # other shards may escape it, such as a full disk
            return Written(file, reason=str(error) or type(error).__name__)
        return Written(file, facts.as_row())


def made_of_number(make: Callable[[int], Row], line: Line) -> MadeLine:
    """Return the line of a task by the line of its number."""
    return MadeLine(line[0], dump_row(make(int(line[1]))), {}, "")


def run_job(
    engine: Engine, work: Writing, job: Mapping[str, Any], lines: Iterable[Line], size: int
) -> Iterator[Written]:
    """Write the missing files of a folder, each made of `size` lines, and yield what is in each file, in order.

    `job` is everything that the rows depend on. Raise UsageError if the folder is of another job.
    """
    _claim(work.folder, json.loads(dump_row({"herobench": version("herobench"), **job, "shard_rows": size})))
    stream = iter(lines)
    shards = iter(lambda: list(islice(stream, size)), [])
    with closing(engine.results(work, enumerate(shards))) as shards_done:
        yield from shards_done


def _claim(folder: Path, job: Mapping[str, Any]) -> None:
    """Note a job in its folder, or raise UsageError if another one is noted there. Remove what killed writers left."""
    path = folder / "job.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            if any(folder.glob("part-*")):
                raise UsageError(ClusterFault.NO_JOB, folder=folder)
            write_text(path, dump_row(job, indent=1))
        for partial in folder.glob("part-*.part*"):
            partial.unlink()
    except OSError as error:
        raise StoreError(folder, error) from error
    job_there, problems = read_document(path, str(path))
    if problems or not isinstance(job_there, dict):
        raise InputError(problems or [Problem(str(path), "", "a JSON object")])
    for key in {**job, **job_there}:
        there, here = (dump_row({key: row.get(key)}).strip() for row in (job_there, job))
        if there != here:
            raise UsageError(ClusterFault.OTHER_JOB, folder=folder, there=there, here=here)
