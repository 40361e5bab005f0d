"""Parts of files, and what is found in files: all rows, each once, in whatever parts."""

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.cluster.inputs import Indexed, Indexing, repeated
from herobench.cluster.row_files import read_part
from herobench.data.errors import InputError, Problem
from herobench.data.rows import RowLine
from tests.sizes import for_each

ROWS = [{"task_id": f"1/{number}_é", "code": "x" * number, "epoch": number % 3} for number in range(23)]


class ByTask:
    """Answers, none of them to the same task."""

    schema = "answer"

    def check(self, line: RowLine) -> str:
        return str(line.row["task_id"])

    def twice(self, place: str, first: str, key: str | None = None) -> Problem:
        return Problem(place, "$", f"another task than that of {first}")


def indexed(path: Path, rows: int, *, journal: bool = False) -> Indexed:
    return Indexing(ByTask(), rows, journal).indexed(str(path))


def jsonl(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def parquet(path: Path, rows: list[dict[str, Any]], group: int = 10) -> Path:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=group)
    return path


@for_each("rows", [1, 2, 7, 22, 23, 24, 1000])
@for_each("kind", ["lines", "no last newline", "blank lines", "parquet"])
def test_the_parts_of_a_file_hold_each_row_once_and_in_order(tmp_path: Path, rows: int, kind: str) -> None:
    lines = [json.dumps(row, ensure_ascii=False) for row in ROWS]
    if kind == "parquet":
        path = parquet(tmp_path / "a.parquet", ROWS)
    else:
        text = ("\n\n  \n" if kind == "blank lines" else "\n").join(lines)
        path = jsonl(tmp_path / "a.jsonl", text if kind == "no last newline" else f"{text}\n")
    found = indexed(path, rows)
    assert all(0 < part.rows <= rows for part in found.parts)
    read = [(number, line) for part in found.parts for number, line in read_part(part, "answer")]
    assert [line.row for _, line in read] == ROWS
    assert [line.problems for _, line in read] == [()] * len(ROWS)
    assert [number for number, _ in read] == list(found.numbers)
    assert (len(found.keys), found.size) == (16 * len(ROWS), path.stat().st_size)


def test_bad_rows_are_named_by_their_place_in_the_file_whatever_the_parts(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "a.jsonl", '{"task_id": "a", "code": ""}\n\nnonsense\n{"code": 1}\n')
    for rows in (1, 2, 100):
        found = indexed(path, rows)
        assert [number for number, _ in found.problems] == [3, 4, 4]
        assert all(problem.file == f"{path}:{number}" for number, problem in found.problems)
        assert list(found.numbers) == [1]


def test_a_last_line_that_was_torn_is_no_row_of_a_journal(tmp_path: Path) -> None:
    whole = '{"task_id": "a", "code": ""}\n{"task_id": "b", "code": ""}\n'
    path = jsonl(tmp_path / "a.jsonl", whole + '{"task_id": "c", "co')
    assert [number for number, _ in indexed(path, 2).problems] == [3]
    for rows in (1, 2, 3):
        found = indexed(path, rows, journal=True)
        assert (found.problems, found.size) == ([], len(whole))
        read = [line.row["task_id"] for part in found.parts for _, line in read_part(part, "answer")]
        assert read == ["a", "b"]


def test_a_file_that_is_no_parquet_is_refused_by_name(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = jsonl(tmp_path / "a.parquet", "nonsense")
    with pytest.raises(InputError, match=r"a\.parquet: expected a Parquet file"):
        indexed(path, 3)


def test_a_file_of_anything_else_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "a.jsonl", "nonsense\n" * 20_000)
    with pytest.raises(InputError, match="10,000 problems stand before this line"):
        indexed(path, 1000)


def test_rows_that_say_the_same_are_found_across_files_and_the_first_one_counts(tmp_path: Path) -> None:
    texts = ["abca", "xb", "", "ycaa"]
    files = [
        indexed(jsonl(tmp_path / f"{n}.jsonl", "".join(f'{{"task_id": "{id}", "code": ""}}\n' for id in ids)), 2)
        for n, ids in enumerate(texts)
    ]
    first = {id: f"{tmp_path / '0.jsonl'}:{number}" for number, id in enumerate("abc", 1)}
    assert repeated(files) == {0: {4: first["a"]}, 1: {2: first["b"]}, 3: {2: first["c"], 3: first["a"], 4: first["a"]}}


def test_no_file_and_no_row_repeat_nothing(tmp_path: Path) -> None:
    assert repeated([]) == repeated([indexed(jsonl(tmp_path / "a.jsonl", ""), 2)]) == {}
