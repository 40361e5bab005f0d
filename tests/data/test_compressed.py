"""Compressed files of lines: every tool reads them, ours anywhere in them, and damage is told."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from herobench.data.errors import InputError
from herobench.data.files import compressed, is_compressed, open_lines, packed_name, stored_path
from herobench.data.rows import read_lines
from herobench.runs.journal import journal_lines
from tests.sizes import for_each

LINES = [json.dumps({"row": number, "text": "ä" * (number * 37 % 5_000)}).encode() + b"\n" for number in range(200)]
CONTENT = b"".join(LINES)
NOISE = Random(7).randbytes(300_000)
"""A content that does not get smaller."""


def written(path: Path, content: bytes = CONTENT) -> Path:
    path.write_bytes(b"".join(compressed(io.BytesIO(content))))
    return path


@for_each("content", [CONTENT, NOISE, b"", b"\n", b"no end"])
def test_any_tool_reads_what_was_written(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path / "x.jsonl.gz", content)
    with gzip.open(path) as file:
        assert file.read() == content
    with open_lines(path) as lines:
        assert list(lines) == content.splitlines(keepends=True) or content == NOISE
        assert lines.seek(0) == 0
        assert lines.read() == content
        assert is_compressed(lines)


def test_another_gzip_file_is_read_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(CONTENT))
    with open_lines(path) as file:
        assert list(file) == LINES
        assert file.seek(len(LINES[0])) == len(LINES[0])
        assert file.readline() == LINES[1]


@for_each(
    "make", [lambda path: path.write_bytes(CONTENT), written, lambda path: path.write_bytes(gzip.compress(CONTENT))]
)
def test_rows_and_journals_are_read_in_every_form(tmp_path: Path, make: Callable[[Path], object]) -> None:
    path = tmp_path / "x.jsonl"
    make(path)
    assert [line for _, line in journal_lines(path)] == LINES
    assert [line.place for line in read_lines(path, "call")] == [f"{path}:{number + 1}" for number in range(200)]


@for_each(
    "damaged",
    [
        lambda whole: whole[:-1],
        lambda whole: whole[:-9],
        lambda whole: whole[: len(whole) // 2],
        lambda whole: whole[:400] + bytes([whole[400] ^ 1]) + whole[401:],
        lambda whole: whole + b"tail",
        lambda whole: whole + whole[:-8],
    ],
)
def test_damage_is_told(tmp_path: Path, damaged: Callable[[bytes], bytes]) -> None:
    path = written(tmp_path / "x.jsonl.gz")
    path.write_bytes(damaged(path.read_bytes()))
    with pytest.raises(OSError, match="not a whole gzip file"), open_lines(path) as file:
        file.read()


def test_a_file_that_was_written_again_is_read_anew(tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl.gz")
    with open_lines(path) as before:
        assert before.read(10) == CONTENT[:10]
    written(path, CONTENT[5:])
    with open_lines(path) as after:
        assert after.read() == CONTENT[5:]


def test_the_plain_file_counts_where_both_are(tmp_path: Path) -> None:
    plain = tmp_path / "x.jsonl"
    assert stored_path(plain) == plain
    packed = written(packed_name(plain))
    assert (packed.name, stored_path(plain)) == ("x.jsonl.gz", packed)
    with open_lines(plain) as file:
        assert file.read() == CONTENT
    plain.touch()
    assert stored_path(plain) == plain
    with open_lines(plain) as file:
        assert file.read() == b""


def test_a_file_that_unpacks_to_far_more_than_rows_do_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("herobench.data.files._ALWAYS_UNPACKED", 1 << 20)
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(b"a" * (1 << 20)))
    with open_lines(path) as file:
        assert len(file.read()) == 1 << 20
    path.write_bytes(gzip.compress(b"a" * (4 << 20)))
    with pytest.raises(InputError, match="at most 200 times its size; unpack it first"), open_lines(path) as file:
        file.read()


def test_the_blocks_of_earlier_versions_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(b"".join(map(gzip.compress, [*LINES, b""])))
    with open_lines(path) as file:
        assert list(file) == LINES
