"""The shards of a job, and its manifest: `manifest.json` in their folder names the job and the state of each shard.

A shard is a piece of work that one worker does at a time, and the file of rows that it writes.

The manifest is written when the job begins, now and then while it runs, and when it ends. If a job is killed, the next
session makes again the shards that were finished after the last write, with the same bytes. The schema `job` describes
the manifest.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

from herobench.cluster.row_files import FileRange, Format, rows_in
from herobench.cluster.store import StoreFolder, opened
from herobench.data.documents import parse, schema_problems
from herobench.data.errors import InputError, UsageError

MANIFEST = "manifest.json"
_BETWEEN = 5.0
"""The least seconds between two writes of the manifest."""
_SHARE = 20
"""Writing the manifest takes at most one part in this many of a job's time."""
_LONGEST = 12
"""The characters of a digest that a message shows."""


ShardInput = FileRange | Sequence[int]
"""The input of a shard: rows of a file, or the numbers of the tasks to make."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One piece of work. Its rows depend only on the job and on these fields."""

    index: int
    given: ShardInput
    without: frozenset[int] = frozenset()
    """The numbers of the rows of the part that repeat an earlier row."""

    def file(self, format: Format) -> str:
        """Return the name of its file. The names sort in the order of the shards."""
        return f"part-{self.index:07}.{format}"


@dataclass(frozen=True, slots=True)
class Written:
    """The file of rows of a shard."""

    rows: int
    size: int
    sha256: str
    facts: Mapping[str, Any]
    """The facts of the rows that the command's summary adds up, as plain data."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Tells one job from another: two jobs with the same identity write the same bytes."""

    command: str
    options: Mapping[str, Any]
    format: Format
    inputs: Sequence[Mapping[str, Any]] = ()
    """The input files, each with name, size and SHA-256. Their names may change."""
    version: str = field(default_factory=lambda: version("herobench"))


class Manifest:
    """The state of a job."""

    def __init__(self, folder: StoreFolder, identity: Identity, shards: Sequence[Shard]) -> None:
        self._folder = folder
        self._identity = identity
        self._shards = shards
        self._format = identity.format
        self._written: dict[int, Written] = {}
        self._next_save = 0.0

    @property
    def waiting(self) -> list[Shard]:
        """The shards that are not finished, in order."""
        return [shard for shard in self._shards if shard.index not in self._written]

    @property
    def written(self) -> list[Written]:
        """The finished shards, in order."""
        return [self._written[index] for index in sorted(self._written)]

    @property
    def shards(self) -> int:
        """The number of shards."""
        return len(self._shards)

    def finished(self, shard: Shard, written: Written) -> None:
        """Record that a shard is written."""
        self._written[shard.index] = written

    def forget_missing(self) -> list[str]:
        """Mark finished shards as waiting if their files are missing or differ in size. Return these files."""
        sizes = self._folder.sizes()
        wrong = [
            shard
            for shard in self._shards
            if (written := self._written.get(shard.index)) and sizes.get(shard.file(self._format)) != written.size
        ]
        for shard in wrong:
            del self._written[shard.index]
        if wrong:
            self.save()
        return [shard.file(self._format) for shard in wrong]

    def rows(self, wanted: Callable[[Written], bool]) -> Iterator[Mapping[str, Any]]:
        """Yield the rows of the finished shards that `wanted` accepts, in order."""
        for shard in self._shards:
            written = self._written.get(shard.index)
            if written is not None and wanted(written):
                with opened(self._folder.locate(shard.file(self._format))) as file:
                    yield from rows_in(file, self._format)

    def save(self) -> None:
        """Write the manifest."""
        row = self.as_row()
        # one line for each shard, since a job may have very many
        shards = ",\n  ".join(json.dumps(entry) for entry in row.pop("shards"))
        head = json.dumps(row, indent=1).removesuffix("\n}")
        with self._folder.writing(MANIFEST) as file:
            file.write(f'{head},\n "shards": [\n  {shards}\n ]\n}}\n'.encode())

    def save_now_and_then(self) -> None:
        """Write the manifest, unless it was written a short time ago: with many shards it is large."""
        began = time.monotonic()
        if began >= self._next_save:
            self.save()
            took = time.monotonic() - began
            self._next_save = began + max(_BETWEEN, took * _SHARE)

    def as_row(self) -> dict[str, Any]:
        """Return the manifest as plain data."""
        identity = self._identity
        return {
            "schema": 1,
            "herobench": identity.version,
            "command": identity.command,
            "options": dict(identity.options),
            "format": identity.format,
            "inputs": list(identity.inputs),
            "shards": [self._entry(shard) for shard in self._shards],
        }

    def _entry(self, shard: Shard) -> dict[str, Any]:
        written = self._written.get(shard.index)
        names = ("rows", "size", "sha256", "facts")
        known = {name: getattr(written, name) if written else None for name in names}
        return {"file": shard.file(self._format), "state": "done" if written else "waiting", **known}

    def resume(self) -> None:
        """Take over the finished shards of an earlier session, if there was one. Raise UsageError for another job.

        A shard whose file is missing or has another size waits again.
        """
        sizes = self._folder.sizes()
        if MANIFEST not in sizes:
            _refuse_other_files(self._folder, sizes)
            return
        before = self._read()
        self._refuse_other_job(before)
        for shard, entry in zip(self._shards, before["shards"], strict=True):
            if entry["state"] == "done" and sizes.get(entry["file"]) == entry["size"]:
                self._written[shard.index] = Written(entry["rows"], entry["size"], entry["sha256"], entry["facts"])

    def _read(self) -> Mapping[str, Any]:
        name = self._folder.locate(MANIFEST)
        document, problems = parse(self._folder.read(MANIFEST).decode("utf-8", "replace"), name)
        problems = problems or schema_problems(document, "job", name)
        if problems:
            raise InputError(problems)
        found: Mapping[str, Any] = document
        return found

    def _refuse_other_job(self, before: Mapping[str, Any]) -> None:
        """Raise UsageError with the first thing in which an earlier job differs."""
        now = self.as_row()
        inputs = zip(before["inputs"], now["inputs"], strict=False)
        things: list[tuple[str, Any, Any]] = [
            ("the command", before["command"], now["command"]),
            ("the version of herobench", before["herobench"], now["herobench"]),
            ("the format", before["format"], now["format"]),
            *(
                (f"the option {name}", before["options"].get(name), now["options"].get(name))
                for name in sorted({*now["options"], *before["options"]})
            ),
            ("the number of input files", len(before["inputs"]), len(now["inputs"])),
            *((f"the SHA-256 of the input {own['file']}", other["sha256"], own["sha256"]) for other, own in inputs),
            ("the number of shards", len(before["shards"]), len(now["shards"])),
        ]
        for what, there, here in things:
            if there != here:
                raise UsageError(
                    f"{self._folder.name} holds another job: {what} is {_shown(there)} there and {_shown(here)} here. "
                    "Name another folder, or remove that one."
                )


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=True)
    digest = isinstance(value, str) and len(value) == 64
    return f"{value[:_LONGEST]}..." if digest else text if len(text) <= 80 else f"{text[:77]}..."


def _refuse_other_files(folder: StoreFolder, sizes: Mapping[str, int]) -> None:
    """Raise UsageError for a folder with shards but no manifest, since their job is unknown."""
    if any(name.startswith("part-") for name in sizes):
        raise UsageError(f"{folder.name} has shards but no {MANIFEST}: name another folder, or remove that one.")
