"""A file that is only appended to: what it says is on the disk, whole, once, and in order."""

from __future__ import annotations

import asyncio
import errno
import io
import os
import resource
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.data.errors import InputError
from herobench.data.rows import dump_row
from herobench.runs import journal
from herobench.runs.journal import Journal, read_journal
from tests.sizes import for_each, many

Json = dict[str, Any]
Body = Callable[[Journal], Coroutine[Any, Any, None]]

texts = st.text(st.characters(codec="utf-8") | st.sampled_from("\n\r\u2028\0\ud83d🗡"), max_size=20)
rows = st.dictionaries(texts, texts | st.integers() | st.none() | st.lists(texts, max_size=2), max_size=3)
ROWS: list[Json] = [{"a": 1}, {"ü": "☃\n"}, {}, {"b": [None, "x"]}]
LONG = {"text": "☃" * 70_000}
"""Longer than what is looked at at once when a file is opened."""


def write(path: Path, *given: Json) -> None:
    async def body(journal: Journal) -> None:
        for row in given:
            await journal.append(row)

    use(path, body)


def use(path: Path, body: Body) -> None:
    async def run() -> None:
        with closing(Journal(path)) as journal:
            await body(journal)

    asyncio.run(run())


class SlowDisk:
    """The disk, but that each wait for it takes until it is let go."""

    def __init__(self) -> None:
        self.waits = 0
        self._gate = threading.Semaphore(0)
        self._fsync = os.fsync

    def __call__(self, file: int) -> None:
        self.waits += 1
        assert self._gate.acquire(timeout=10)
        self._fsync(file)

    def let_go(self, times: int = 1) -> None:
        self._gate.release(times)

    async def reached(self, waits: int) -> None:
        """Wait until it has been waited for so many times."""
        for _ in range(10_000):
            if self.waits >= waits:
                return
            await asyncio.sleep(0.001)
        self.let_go(100)
        pytest.fail("nobody waits for the disk")


@contextmanager
def slow_disk() -> Iterator[SlowDisk]:
    with pytest.MonkeyPatch.context() as patch:
        disk = SlowDisk()
        patch.setattr(os, "fsync", disk)
        yield disk


# -- appending --------------------------------------------------------------------------------------------------------


def test_rows_come_back_as_they_were_in_the_order_they_came(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    assert list(read_journal(path)) == []
    write(path, *ROWS)
    write(path, LONG, {"again": True})
    assert list(read_journal(path)) == [*ROWS, LONG, {"again": True}]
    assert path.read_text("utf-8") == "".join(map(dump_row, [*ROWS, LONG, {"again": True}]))


def test_an_append_returns_when_the_disk_has_the_row_and_rows_that_come_meanwhile_share_one_wait(
    tmp_path: Path,
) -> None:
    path = tmp_path / "rows.jsonl"

    async def body(journal: Journal) -> None:
        first = asyncio.create_task(journal.append({"row": 0}))
        await disk.reached(1)
        await asyncio.sleep(0.02)
        assert not first.done()
        assert path.read_text() == '{"row": 0}\n', "written, but not yet durable"
        others = [asyncio.create_task(journal.append({"row": number})) for number in range(1, 500)]
        await asyncio.sleep(0)
        disk.let_go(2)
        await asyncio.gather(first, *others)

    with slow_disk() as disk:
        use(path, body)
    assert disk.waits == 2
    assert list(read_journal(path)) == [{"row": number} for number in range(500)]


@given(st.lists(st.lists(rows, min_size=1, max_size=4), max_size=6))
@settings(deadline=None, max_examples=many(40))
def test_rows_of_many_writers_are_each_there_once_and_whole(
    tmp_path_factory: pytest.TempPathFactory, writers: list[list[Json]]
) -> None:
    path = tmp_path_factory.mktemp("journal") / "rows.jsonl"
    marked: list[list[Json]] = [
        [{"": [who, number, row]} for number, row in enumerate(own)] for who, own in enumerate(writers)
    ]

    async def body(journal: Journal) -> None:
        async def writer(own: list[Json]) -> None:
            for row in own:
                await journal.append(row)
                assert row in read_journal(path)

        await asyncio.gather(*map(writer, marked))

    use(path, body)
    found = list(read_journal(path))
    assert sorted(map(dump_row, found)) == sorted(dump_row(row) for own in marked for row in own)
    for who, own in enumerate(marked):
        assert [row for row in found if row[""][0] == who] == own, "each writer's rows are in order"


def test_who_is_cancelled_in_mid_write_takes_nobody_with_him(tmp_path: Path) -> None:
    """An agent may put a time limit on its asking; the others' rows must be as durable as ever."""
    path = tmp_path / "rows.jsonl"

    async def body(journal: Journal) -> None:
        first = asyncio.create_task(journal.append({"row": 0}))
        await disk.reached(1)
        second = asyncio.create_task(journal.append({"row": 1}))
        third = asyncio.create_task(journal.append({"row": 2}))
        await asyncio.sleep(0)
        disk.let_go()
        await disk.reached(2)
        second.cancel()
        await asyncio.sleep(0.02)
        try:
            assert not third.done(), "its row is in the write that still goes on"
        finally:
            disk.let_go(3)
        await asyncio.gather(first, third)
        await journal.append({"row": 3})

    with slow_disk() as disk:
        use(path, body)
    assert list(read_journal(path)) == [{"row": number} for number in range(4)]


def test_a_row_that_is_no_json_is_refused_and_nothing_of_it_written(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"

    async def body(journal: Journal) -> None:
        await journal.append({"a": 1})
        for wrong in ({"a": float("nan")}, {"a": object()}):
            with pytest.raises((ValueError, TypeError)):
                await journal.append(wrong)
        await journal.append({"b": 2})

    use(path, body)
    assert list(read_journal(path)) == [{"a": 1}, {"b": 2}]


# -- torn lines -------------------------------------------------------------------------------------------------------


@for_each("before", [[], ROWS])
def test_a_last_line_torn_anywhere_is_dropped_and_the_file_goes_on_well(tmp_path: Path, before: list[Json]) -> None:
    path = tmp_path / "rows.jsonl"
    whole = "".join(map(dump_row, before)).encode()
    last = dump_row({"text": '☃ \\ " é', "list": [{}]}).encode()
    for cut in range(len(last)):
        path.write_bytes(whole + last[:cut])
        assert list(read_journal(path)) == before
        with closing(Journal(path)):
            assert path.read_bytes() == whole
        path.write_bytes(whole + last[:cut])
        write(path, {"next": cut})
        assert list(read_journal(path)) == [*before, {"next": cut}]


@for_each("cut", [1, 65_535, 65_536, 65_537, 131_072, 200_000])
@for_each("before", [[], [LONG, {"a": 1}]])
def test_a_long_line_is_dropped_as_well_as_a_short_one(tmp_path: Path, before: list[Json], cut: int) -> None:
    path = tmp_path / "rows.jsonl"
    torn = dump_row(LONG).encode()[:cut]
    path.write_bytes("".join(map(dump_row, before)).encode() + torn)
    write(path, {"next": 1})
    assert list(read_journal(path)) == [*before, {"next": 1}]


# -- a disk that takes no more ----------------------------------------------------------------------------------------


@for_each("most", [2_000, 20_000, 65_536, 65_537])
def test_a_file_that_may_not_grow_stays_whole_and_goes_on_well_once_it_may(tmp_path: Path, most: int) -> None:
    path = tmp_path / "rows.jsonl"
    every = [{"row": number, "text": "☃" * (1 + number % 5 * 900)} for number in range(60)]
    ends: list[Any] = []

    async def body(journal: Journal) -> None:
        for begin in range(0, 60, 7):
            together = (journal.append(row) for row in every[begin : begin + 7])
            ends.extend(await asyncio.gather(*together, return_exceptions=True))

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))  # Python ignores the signal
    try:
        use(path, body)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    kept = ends.index(next(filter(None, ends)))
    assert 0 < kept < 60
    assert path.read_text("utf-8") == "".join(map(dump_row, every[:kept]))
    told = {(end.errno, end.filename) for end in ends[kept:]}
    assert told == {(errno.EFBIG, str(path))}, "after the first failure nothing more is written, though it would fit"
    write(path, {"row": "next"})
    assert list(read_journal(path)) == [*every[:kept], {"row": "next"}]


# -- reading ----------------------------------------------------------------------------------------------------------


def test_a_row_that_is_being_written_is_not_there_until_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    write(path, {"a": 1})
    with path.open("ab", buffering=0) as file:
        for byte in b'{"b": 2}':
            file.write(bytes([byte]))
            assert list(read_journal(path)) == [{"a": 1}]
        file.write(b"\n")
    assert list(read_journal(path)) == [{"a": 1}, {"b": 2}]


def test_the_end_of_a_row_that_was_half_there_when_it_was_read_is_no_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that grows goes on after its end: what comes there is the rest of a line that was left out."""

    pieces = [b'{"a": 1}\n{"b"', b"", b': 2}\n{"c": 3}\n', b""]

    class Growing(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            piece = pieces.pop(0)
            buffer[: len(piece)] = piece
            return len(piece)

    monkeypatch.setattr(journal, "open_lines", lambda path: io.BufferedReader(Growing()))
    assert list(read_journal(tmp_path / "rows.jsonl")) == [{"a": 1}]


DAMAGED = [
    *(b'{"a": 1', b"[1]", b"7", b"", b'{"a": "\xff"}', b"\0\0\0", b'{"a": 1} {"b": 2}'),
    *(b'{"a": NaN}', b'{"a": -Infinity}', b'{"a": 1e999}', b"[" * 100_000),
]


@for_each("damaged", DAMAGED)
def test_a_damaged_line_in_the_middle_is_named_with_file_and_line(tmp_path: Path, damaged: bytes) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"a": 1}\n' + damaged + b'\n{"c": 3}\n')
    found = read_journal(path)
    assert next(found) == {"a": 1}
    with pytest.raises(InputError) as caught:
        next(found)
    assert caught.value.problems[0].file == f"{path}:2"
    assert "JSON" in caught.value.problems[0].expected or "UTF-8" in caught.value.problems[0].expected


def test_rows_that_were_given_up_while_they_waited_are_written_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, may_sync, sync = tmp_path / "rows.jsonl", threading.Event(), os.fsync

    def slow_sync(file: int) -> None:
        may_sync.wait()
        sync(file)

    monkeypatch.setattr(os, "fsync", slow_sync)

    async def body() -> None:
        with closing(Journal(path)) as journal:
            tasks = [asyncio.create_task(journal.append({"number": number})) for number in range(3)]
            await asyncio.sleep(0.01)
            for task in tasks:
                task.cancel()
            may_sync.set()
            await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(body())
    assert [row["number"] for row in read_journal(path)] == [0, 1, 2]


def test_rows_that_are_not_synced_are_in_the_file_at_once_and_a_flush_syncs_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rows.jsonl"
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)

    async def body() -> None:
        with closing(Journal(path, synced=False)) as journal:
            for number in range(3):
                await journal.append({"number": number})
                assert [row["number"] for row in read_journal(path)] == list(range(number + 1))
            assert synced == []
            await journal.flush()
            assert len(synced) == 1

    asyncio.run(body())
