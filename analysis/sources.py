"""What there is to analyze: runs, scored files and published results, each as a stream of rows under a name.

All three end up as the same rows: a published result lacks what was not published, which is None and never a guess.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from herobench.documents import load_schema, read_document, schema_problems
from herobench.errors import InputError, Problem

Row = Mapping[str, Any]
Line = tuple[int, bytes]
_NEEDED = {"task_id", "epoch", "outcome", "score"}
_PUBLISHED = {"task", "result", "reward", "score"}
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Source:
    """One run, or one file of rows. Its rows can be read as often as one likes."""

    name: str
    path: Path
    manifest: Mapping[str, Any] | None
    """The run.json of a run; None for a file."""

    @property
    def file(self) -> Path:
        """Where the rows are."""
        return self.path / "samples.jsonl" if self.manifest else self.path

    def rows(self) -> Iterator[Row]:
        """The rows in their order. Raises InputError at the first that is none."""
        for number, line in self.lines():
            yield from self.read(number, line)

    def lines(self) -> Iterator[Line]:
        """The lines with their numbers, still to be read."""
        if self.manifest and not self.file.exists():
            return
        with _opened(self.file) as lines:
            yield from enumerate(lines, 1)

    def read(self, number: int, line: bytes) -> Iterator[Row]:
        """The row of a line, if it is not empty."""
        if not line.strip():
            return
        place = f"{self.file}:{number}"
        try:
            row = json.loads(line)
        except ValueError as error:
            if self.manifest and not line.endswith(b"\n"):
                return  # a run that goes on, or was killed, has a last line that is torn
            raise InputError([Problem(place, "", f"a JSON object ({error})")]) from error
        if isinstance(row, dict) and row.keys() >= _NEEDED:
            yield row
        elif isinstance(row, dict) and row.keys() >= _PUBLISHED:
            yield _published(row, self.name)
        else:
            raise InputError([Problem(place, "$", "a scored row, a sample of a run, or a published result", row)])


def read_sources(paths: list[Path]) -> list[Source]:
    """The sources at some paths, each under a name of its own. Raises InputError where there is none."""
    sources = [_source(path) for path in paths]
    names = [source.name for source in sources]
    return [
        source if names.count(source.name) == 1 else Source(str(source.path), source.path, source.manifest)
        for source in sources
    ]


def _source(path: Path) -> Source:
    if not path.is_dir():
        return Source(path.name.removesuffix(".gz").removesuffix(".jsonl"), path, None)
    place = str(path / "run.json")
    manifest, problems = read_document(path / "run.json", place)
    problems = problems or schema_problems(manifest, "run", place)
    if problems:
        raise InputError(problems)
    return Source(path.resolve().name, path, manifest)


def _opened(path: Path) -> IO[bytes]:
    try:
        file = path.open("rb")
        packed = file.read(2) == _GZIP
        file.seek(0)
    except OSError as error:
        raise InputError([Problem(str(path), "", f"a readable file, or a run ({error.strerror})")]) from error
    return gzip.GzipFile(fileobj=file) if packed else file  # type: ignore[return-value]


def _published(row: Row, model: str) -> Row:
    """A published result with our names."""
    won = row["result"] == "win"
    return {
        **dict.fromkeys(load_schema("sample")["required"]),
        "task_id": row["task"],
        "epoch": 0,
        "status": "ok",
        "model": model,
        "outcome": "win" if won else "lose",
        "reward": row["reward"],
        "ideal_reward": row.get("ideal"),
        "score": row["score"],
        "tokens": row.get("tokens"),
        "kind": row["task"].rpartition("_")[2],
    }
