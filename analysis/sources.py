"""What there is to analyze: runs, scored files and published results, each as a stream of rows under a name.

All three end up as the same rows: a published result lacks what was not published, which is None and never a guess.
"""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any, cast

from herobench.analysis.rows import Row, parsed, row_of
from herobench.documents import read_document, schema_problems
from herobench.errors import InputError, Problem, UsageError
from herobench.input_file import NotRegular, bounded_lines, open_regular, unreadable

Line = tuple[int, bytes]
_GZIP = b"\x1f\x8b"
_RUN_FILES = ("run.json", "tasks.jsonl", "samples.jsonl", "calls.jsonl")


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

    @property
    def files(self) -> tuple[Path, ...]:
        """All that must not be written over."""
        return tuple(self.path / name for name in _RUN_FILES) if self.manifest else (self.path,)

    def place(self, number: int) -> str:
        """How problems call a line."""
        return f"{self.file}:{number}"

    def rows(self) -> Iterator[Row]:
        """The rows in their order. Raises InputError at the first that is none, or that was there before."""
        for _, row in self.numbered():
            yield row

    def numbered(self) -> Iterator[tuple[int, Row]]:
        """The rows with the numbers of their lines."""
        attempts = Attempts(self)
        for number, line in self.lines():
            for row in self.read(number, line):
                attempts.add(number, row["task_id"], row["epoch"])
                yield number, row

    def lines(self) -> Iterator[Line]:
        """The lines with their numbers, still to be read."""
        if self.manifest and not self.file.exists():
            return
        number = 0
        with _opened(self.file) as lines:
            try:
                for number, line in enumerate(lines, 1):
                    yield number, line
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                raise InputError([Problem(self.place(number + 1), "", f"a whole gzip file ({error})")]) from error
            except OSError as error:
                problem = Problem(self.place(number + 1), "", f"a readable file ({error.strerror or error})")
                raise InputError([problem]) from error

    def read(self, number: int, line: bytes) -> Iterator[Row]:
        """The row of a line, if it is not empty."""
        if not line.strip():
            return
        found, problems = parsed(line, self.place(number))
        if not problems:
            yield row_of(found, self.name, self.place(number))
        elif not self.manifest or line.endswith(b"\n"):  # the last line of a run that goes on, or was killed, is torn
            raise InputError(problems)


@dataclass(frozen=True, slots=True)
class Attempts:
    """The attempts of a source that were met, as hashes: names would take far more memory."""

    source: Source
    _met: set[int] = field(default_factory=set)

    def add(self, number: int, task_id: str, epoch: int) -> None:
        """Note an attempt. Raises InputError where it was met before, which would count it twice."""
        attempt = hash((task_id, epoch))
        if attempt in self._met:
            told = {"task_id": task_id, "epoch": epoch}
            expected = "an attempt that is not there before it"
            raise InputError([Problem(self.source.place(number), "$", expected, told)])
        self._met.add(attempt)


def read_sources(paths: list[Path], twice: bool = False) -> list[Source]:
    """The sources at some paths, each under a name of its own. Raises InputError where there is none, and UsageError
    where one is named twice, unless it may be."""
    sources = [_source(path) for path in paths]
    files = Counter(source.file.resolve() for source in sources)
    for source in sources:
        if files[source.file.resolve()] > 1 and not twice:
            raise UsageError(f"{source.path} is named twice.")
    names = Counter(source.name for source in sources)
    return [
        source if names[source.name] == 1 else replace(source, name=printable(str(source.path))) for source in sources
    ]


def refuse_inputs(sources: list[Source], output: Path) -> None:
    """Raises UsageError where a file to be written is one of those that are read."""
    for file in (file for source in sources for file in source.files):
        same = file.exists() and output.exists() and file.samefile(output)
        if same or file.resolve() == output.resolve():
            raise UsageError(f"{output} is read: choose another file to write.")


def printable(text: str) -> str:
    """A text that can be written: half a surrogate pair, which JSON and file names can have, as an escape."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _source(path: Path) -> Source:
    if not path.is_dir():
        return Source(printable(path.name.removesuffix(".gz").removesuffix(".jsonl")), path, None)
    place = str(path / "run.json")
    manifest, problems = read_document(path / "run.json", place)
    problems = problems or schema_problems(manifest, "run", place)
    if problems:
        raise InputError(problems)
    return Source(printable(path.resolve().name), path, manifest)


@contextmanager
def _opened(path: Path) -> Iterator[Iterable[bytes]]:
    """The lines of a file, packed or not, which is closed afterwards."""
    try:
        file = open_regular(path)
        packed = file.read(2) == _GZIP
        file.seek(0)
    except NotRegular as error:
        raise InputError([unreadable(path, error)]) from error
    except OSError as error:
        raise InputError([Problem(str(path), "", f"a readable file, or a run ({error.strerror})")]) from error
    with file:
        yield bounded_lines(cast("IO[bytes]", gzip.GzipFile(fileobj=file) if packed else file), str(path))
