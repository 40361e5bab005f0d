"""Files that are read in chunks: the same facts and errors as line by line, wherever a chunk ends."""

from __future__ import annotations

import gzip
import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from herobench.analysis.samples.facts import SIZE, Facts, chunks_of, facts_of, merged
from herobench.analysis.samples.sources import Source, read_sources
from herobench.data import files
from herobench.data.errors import InputError
from tests.sizes import THOROUGH

ROWS = [
    {"task": f"{n}/{n}_Chicken_kill", "result": "win" if n % 2 else "lose", "reward": n, "score": 10.0 * n}
    for n in range(9)
]
"""Published results, whose lines are of different lengths."""


def texts() -> list[str]:
    return [json.dumps(row) + " " * (7 * n) for n, row in enumerate(ROWS)]


def source_of(path: Path, lines: list[str], end: str = "\n") -> Source:
    path.write_text("\n".join(lines) + end, "utf-8")
    return read_sources([path])[0]


def packed_source(path: Path, lines: list[str]) -> Source:
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode()))
    return read_sources([path])[0]


def read(source: Source, size: int) -> Facts:
    return merged(map(facts_of, chunks_of(source, size)))


def told(source: Source, size: int) -> str:
    with pytest.raises(InputError) as error:
        read(source, size)
    return str(error.value)


@pytest.mark.parametrize("end", ["\n", "", "\n\n"])
def test_each_line_is_in_one_chunk_wherever_chunks_end(tmp_path: Path, end: str) -> None:
    source = source_of(tmp_path / "x.jsonl", [*texts()[:4], "", *texts()[4:]], end)
    whole = list(source.lines())
    length = source.length()
    assert length == source.file.stat().st_size
    for size in (*range(1, 100), *range(100, length + 2, 1 if THOROUGH else 13)):
        chunks = list(chunks_of(source, size))
        assert len(chunks) == -(-length // size)
        counted = [(chunk.lines_before(), list(chunk.lines(chunk.lines_before()))) for chunk in chunks]
        assert [line for _, lines in counted for line in lines] == whole
        assert all(lines[0][0] == before + 1 for before, lines in counted if lines)


@pytest.mark.parametrize("size", [1, 50, 100, 333, SIZE])
def test_facts_do_not_depend_on_the_chunks(tmp_path: Path, size: int) -> None:
    plain = source_of(tmp_path / "x.jsonl", texts())
    whole = [tuple(row) for row in read(plain, SIZE).rows()]
    assert len(whole) == len(ROWS)
    assert list(read(plain, size).rows()) == whole
    packed = packed_source(tmp_path / "x.jsonl.gz", texts())
    assert len(list(chunks_of(packed, size))) > 1 or size > 300
    assert list(read(packed, size).rows()) == whole


@pytest.mark.parametrize("size", [1, 60, 200, SIZE])
@pytest.mark.parametrize("make", [source_of, packed_source])
def test_a_wrong_line_has_its_number_in_every_chunk(tmp_path: Path, size: int, make: Any) -> None:
    source = make(tmp_path / "x.jsonl", [*texts()[:6], "", '{"task": 5}', *texts()[6:], "also wrong"])
    assert told(source, size).startswith(f"{source.file}:8: $: expected a scored row")


@pytest.mark.parametrize("size", [1, 60, 200, SIZE])
@pytest.mark.parametrize("make", [source_of, packed_source])
def test_an_attempt_that_is_there_twice_is_named_by_its_second_line(tmp_path: Path, size: int, make: Any) -> None:
    lines = texts()
    source = make(tmp_path / "x.jsonl", [*lines, "", lines[3], lines[1], "wrong"])
    assert told(source, size) == (
        f"{source.file}:11: $: expected an attempt that is not there before it, "
        'found {"task_id": "3/3_Chicken_kill", "epoch": 0}'
    )


@pytest.mark.parametrize("size", [1, 60, SIZE])
def test_what_is_wrong_first_is_told(tmp_path: Path, size: int) -> None:
    lines = texts()
    source = source_of(tmp_path / "x.jsonl", [*lines, "wrong", lines[0]])
    assert told(source, size).startswith(f"{source.file}:10: column 1: expected JSON")


def test_two_sources_may_have_the_same_attempts(tmp_path: Path) -> None:
    one, other = (source_of(tmp_path / f"{name}.jsonl", texts()) for name in ("one", "other"))
    chunks = [chunk for source in (one, other) for chunk in chunks_of(source, 100)]
    assert len(merged(map(facts_of, chunks))) == 2 * len(ROWS)
    both = source_of(tmp_path / "both.jsonl", texts() * 2)
    assert f"{both.file}:10: " in told(both, 100)


@pytest.mark.parametrize("size", [1, 60, SIZE])
def test_a_wrong_row_is_told_before_the_damage_after_it(tmp_path: Path, size: int) -> None:
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(("\n".join([*texts(), "wrong", *texts()]) + "\n").encode())[:-8])
    source = read_sources([path])[0]
    assert told(source, size).startswith(f"{path}:10: column 1: expected JSON")
    path.write_bytes(gzip.compress("\n".join(texts()).encode())[:-8])
    assert "a whole gzip file" in told(source, size)


@pytest.mark.parametrize("size", [1, 30, 100, SIZE])
def test_a_line_that_is_too_long_is_named_and_not_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(files, "LONGEST_LINE", 500)
    source = source_of(tmp_path / "x.jsonl", [texts()[0], "", " " * 2000, texts()[1]])
    assert told(source, size).startswith(f"{source.file}:3: expected a line of at most")


def test_chunks_and_their_facts_can_be_sent_to_other_processes(tmp_path: Path) -> None:
    def sent(things: Iterator[Any]) -> Iterator[Any]:
        return (pickle.loads(pickle.dumps(thing)) for thing in things)

    source = source_of(tmp_path / "x.jsonl", texts())
    whole = merged(sent(map(facts_of, sent(chunks_of(source, 100)))))
    assert list(whole.rows()) == list(read(source, SIZE).rows())
    wrong = source_of(tmp_path / "wrong.jsonl", [*texts(), "wrong"])
    with pytest.raises(InputError, match=r"wrong\.jsonl:10: "):
        merged(sent(map(facts_of, sent(chunks_of(wrong, 100)))))
