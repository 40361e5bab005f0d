"""Jobs: what is left out of the input, what they write, how an interrupted one is resumed, and what is refused."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from herobench.cluster.job import Inputs, Writing, read_lines, run_job
from herobench.cluster.refusals import ClusterFault
from herobench.data.columns import COUNT, Column
from herobench.data.errors import InputError, Problem, StoreError
from herobench.data.rows import RowLine
from herobench.work.rows import LineWork, Row, RowFacts, RowWork
from tests.cluster.here import Here
from tests.golden import Golden
from tests.program import herobench
from tests.refusals import misread, raises
from tests.sizes import for_each


class Squares(RowWork):
    """Makes the squares of numbers, each of which may be there once."""

    columns = (Column("number", COUNT, "A number."), Column("square", COUNT, "Its square."))
    schema = '{"type": "object", "required": ["number"]}'

    @property
    def row_check(self) -> "Squares":
        return self

    def check(self, line: RowLine) -> str | Sequence[Problem]:
        number = line.row["number"]
        return str(number) if number >= 0 else [Problem(line.place, "$.number", "0 or more", number)]

    def twice(self, place: str, first: str, key: str) -> Problem:
        return Problem(place, "$.number", f"a number that is not at {first}", key)

    @contextmanager
    def open(self, threads: int) -> Iterator[Callable[[RowLine], Row]]:
        yield lambda line: {"number": line.row["number"], "square": line.row["number"] ** 2}


class Sum(RowFacts):
    """Adds up squares."""

    def __init__(self) -> None:
        self.sum = 0

    def add(self, output: Row) -> None:
        self.sum += output["square"]

    def as_row(self) -> dict[str, int]:
        return {"sum": self.sum}

    def merge(self, facts: Any) -> None:
        self.sum += facts["sum"]


WHOLE = "".join(f'{{"number": {number}, "square": {number**2}}}\n' for number in range(23))
JOB = {"command": "score", "rules": "standard"}


def lines(path: Path, numbers: Sequence[object]) -> Path:
    path.write_text("".join(f'{{"number": {number}}}\n' for number in numbers), "utf-8")
    return path


def inputs(path: Path) -> Inputs:
    return Inputs(partial(read_lines, str(path)), Squares())


def run(folder: Path, engine: Here | None = None, **changes: Any) -> int:
    """Make 23 squares in shards of 5. Return the sum of all."""
    given = inputs(lines(folder.parent / "given.jsonl", range(23)))
    work = Writing(folder, LineWork(Squares(), Sum), Sum)
    total = Sum()
    for written in run_job(engine or Here(), work, JOB | changes, given.lines(), 5):
        assert written.reason == ""
        total.merge(written.facts)
    return total.sum


def shards_text(folder: Path) -> str:
    return "".join(path.read_text("utf-8") for path in sorted(folder.glob("part-*.jsonl")))


# -- input ------------------------------------------------------------------------------------------------------------


def test_wrong_and_repeated_rows_of_all_files_are_told_in_order_and_left_out(tmp_path: Path) -> None:
    first = lines(tmp_path / "a.jsonl", [3, -1, 4])
    second = lines(tmp_path / "b.jsonl", [5, 3, "}", 5])
    with second.open("a") as file:
        file.write('\n  \n{"number": 6}')
    found = inputs(tmp_path)
    assert [raw for _, raw in found.lines()] == [b'{"number": %d}' % n + b"\n" * (n < 6) for n in (3, 4, 5, 6)]
    assert (found.rows, found.wrong) == (4, 4)
    assert [problem.file for problem in found.problems] == [f"{first}:2", f"{second}:2", f"{second}:3", f"{second}:4"]
    assert f"a number that is not at {first}:1" in found.problems[1].expected
    assert f"a number that is not at {second}:1" in found.problems[3].expected
    assert [place for place, _ in inputs(tmp_path / "b*").lines()] == [f"{second}:{n}" for n in (1, 2, 7)]


def test_what_holds_no_rows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("data", "work"):
        monkeypatch.setattr(f"herobench.{module}.rows.MOST_BAD", 1_000)
    (tmp_path / "a.txt").write_text("")
    with raises(ClusterFault.NO_FILES, tmp_path):
        inputs(tmp_path)
    (tmp_path / "a.jsonl").write_text("nonsense\n" * 1_001)
    with misread("", "a.jsonl:1001", "1,000"):
        inputs(tmp_path)


# -- output -----------------------------------------------------------------------------------------------------------


@for_each("stop", range(6))
def test_an_interrupted_job_goes_on_where_it_stopped(tmp_path: Path, stop: int) -> None:
    folder = tmp_path / "out"
    if stop:
        with pytest.raises(KeyboardInterrupt):
            run(folder, Here(stop))
    written = {path: path.stat().st_mtime_ns for path in folder.glob("part-*")}
    assert len(written) == 2 * max(0, stop - 1)
    assert run(folder) == run(folder) == sum(number**2 for number in range(23))
    assert shards_text(folder) == WHOLE
    assert {path: path.stat().st_mtime_ns for path in written} == written, "complete files are not made again"


@for_each("left", ["part-0000003.jsonl", "part-0000003.facts.json"])
def test_a_file_that_is_gone_is_made_again_and_what_killed_writers_left_is_removed(tmp_path: Path, left: str) -> None:
    run(tmp_path / "out")
    (tmp_path / "out" / left).rename(tmp_path / "out" / f"{left}.part123")
    run(tmp_path / "out")
    assert shards_text(tmp_path / "out") == WHOLE
    assert not list((tmp_path / "out").glob("*.part123"))


@for_each(
    ("changes", "there"),
    [({"command": "validate"}, {"command": "score"}), ({"seed": 1}, {"seed": None})],
)
def test_the_folder_of_another_job_is_refused_with_the_reason(tmp_path: Path, changes: Any, there: Any) -> None:
    run(tmp_path / "out")
    with raises(ClusterFault.OTHER_JOB, tmp_path / "out", f"{json.dumps(there)} there", f"{json.dumps(changes)} here"):
        run(tmp_path / "out", **changes)


def test_a_folder_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    run(tmp_path / "out")
    job = tmp_path / "out" / "job.json"
    job.write_text("{", "utf-8")
    with pytest.raises(InputError, match=r"job\.json: "):
        run(tmp_path / "out")
    job.unlink()
    with raises(ClusterFault.NO_JOB, tmp_path / "out"):
        run(tmp_path / "out")
    with pytest.raises(StoreError, match="/file: "):
        run(lines(tmp_path / "file", []))


class Elsewhere(Here):
    """A machine that has another folder, or another version."""

    def __init__(self, change: Callable[[], None]) -> None:
        super().__init__()
        self._change = change

    def results(self, work: Any, things: Any) -> Any:
        self._change()
        return super().results(work, things)


def test_a_worker_without_the_folder_or_with_another_version_ends_the_job_with_a_sentence(tmp_path: Path) -> None:
    job = tmp_path / "out" / "job.json"
    with raises(ClusterFault.UNSEEN_FOLDER, tmp_path / "out"):
        run(tmp_path / "out", Elsewhere(job.unlink))
    newer = Elsewhere(lambda: job.write_text('{"herobench": "9"}', "utf-8") and None)
    with raises(ClusterFault.OTHER_VERSION, version("herobench"), "9"):
        run(tmp_path / "out", newer)


@pytest.mark.parametrize(
    ("engine", "ray"),
    [("ray", None), ("rey", object())],
)
def test_without_ray_and_with_another_engine_a_sentence_says_so(
    engine: str, ray: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.setitem(sys.modules, "ray", ray)
    golden(herobench("generate", "--count", "1", "--on", engine, "-o", tmp_path / "out"))
