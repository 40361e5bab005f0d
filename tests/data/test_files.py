"""Files that are read and written: regular ones, pipes, links, and what is too large."""

from __future__ import annotations

import os
import resource
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from herobench.data import files
from herobench.data.documents import read_document
from herobench.data.errors import InputError
from herobench.data.files import (
    LONGEST_LINE,
    NotRegular,
    bounded_lines,
    file_sha256,
    open_input,
    open_regular,
    read_bytes,
    replacing,
    unreadable,
    write_text,
)
from herobench.data.rows import count_lines, read_lines
from tests.sizes import for_each

GIB = 1 << 30
TEN_GB = 10 * GIB


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


def make_sparse(path: Path) -> Path:
    """A file of ten gigabytes of zeros that takes no room on the disk."""
    with path.open("wb") as file:
        file.truncate(TEN_GB)
    return path


ODD: dict[str, tuple[Callable[[Path], object], str]] = {
    "FIFO": (os.mkfifo, "a pipe"),
    "socket": (make_socket, "a socket or a device"),
    "link to an endless device": (lambda path: path.symlink_to("/dev/zero"), "a device"),
    "link to a FIFO": (lambda path: (os.mkfifo(f"{path}.fifo"), path.symlink_to(f"{path}.fifo")), "a pipe"),
}


@pytest.fixture(params=ODD)
def odd(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, str]:
    """Paths that are no regular files, and their names in problems."""
    monkeypatch.chdir(tmp_path)  # the address of a socket is short
    make, kind = ODD[request.param]
    make(Path("odd"))
    return Path("odd"), kind


# -- what is opened ---------------------------------------------------------------------------------------------------


def test_what_is_no_regular_file_is_refused_and_never_waited_for(odd: tuple[Path, str]) -> None:
    path, kind = odd
    with pytest.raises(NotRegular) as caught:
        open_regular(path)
    assert caught.value.kind == kind
    assert str(unreadable(path, caught.value)) == (
        f"odd: expected a regular file, not {kind}; write the data to a file first"
    )


def test_rows_and_documents_refuse_it_by_its_name_and_advise_standard_input(odd: tuple[Path, str]) -> None:
    path, kind = odd
    with pytest.raises(InputError) as caught:
        list(read_lines(path, "answer"))
    told = f"odd: expected a regular file, not {kind}; "
    assert str(caught.value) == told + "pipe the data in and name it -"
    assert count_lines(path) == 0
    assert list(map(str, read_document(path, "odd")[1])) == [told + "write the data to a file first"]
    assert list(map(str, read_document(path, "odd", piped=True)[1])) == [told + "pipe the data in and name it -"]


def test_nothing_stays_open_of_what_is_refused(odd: tuple[Path, str]) -> None:
    before = os.dup(0)
    os.close(before)
    with pytest.raises(NotRegular):
        open_regular(odd[0])
    after = os.dup(0)
    os.close(after)
    assert after == before  # the lowest number that is free


def test_a_folder_is_named_as_one(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        open_regular(tmp_path)


@for_each("name", ["a\0b", "a\ud800b"])
def test_a_name_that_no_file_can_have_is_an_error_of_the_file(name: str) -> None:
    with pytest.raises(OSError, match="no file can have this name"):
        open_regular(name)


def test_a_link_to_a_regular_file_is_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert read_bytes(tmp_path / "link") == b"x"


def test_what_is_asked_is_the_open_file_so_that_nobody_can_swap_it_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("{}\n")
    really = os.open

    def swapped(name: str, flags: int) -> int:
        path.unlink()
        os.mkfifo(path)
        return really(name, flags)

    monkeypatch.setattr(files.os, "open", swapped)
    with pytest.raises(NotRegular):
        open_regular(path)


def test_a_regular_file_is_read_with_waiting_as_usual(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with open_regular(tmp_path / "file") as file:
        assert stat.S_ISREG(os.fstat(file.fileno()).st_mode)
        assert not os.get_inheritable(file.fileno())


def test_the_digest_of_a_file_is_that_of_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    assert file_sha256(tmp_path / "file") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_without_standard_input_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(OSError, match="standard input is closed"), open_input("-"):
        pass


# -- bounds -----------------------------------------------------------------------------------------------------------


def test_a_line_may_be_as_long_as_the_bound_and_no_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LONGEST_LINE", 5)
    path = tmp_path / "lines"
    path.write_bytes(b"1234\n12345")
    with open_regular(path) as file:
        assert list(bounded_lines(file, "lines")) == [b"1234\n", b"12345"]
    path.write_bytes(b"1234\n12345\n1")
    with open_regular(path) as file, pytest.raises(InputError, match="lines:2: expected a line of at most"):
        list(bounded_lines(file, "lines"))


def test_a_document_may_be_as_large_as_the_bound_and_no_larger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST_DOCUMENT", 4)
    path = tmp_path / "file.json"
    path.write_text("1234")
    assert read_document(path, "file.json") == (1234, [])
    path.write_text("12345")
    assert list(map(str, read_document(path, "file.json")[1])) == ["file.json: expected at most 0 MiB"]


def test_a_file_of_which_nothing_is_a_row_is_given_up_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("herobench.data.rows.MOST_BAD", 3)
    path = tmp_path / "rows.jsonl"
    path.write_text('{"task_id": "a", "code": null}\nx\nx\nx\n')
    assert len(list(read_lines(path, "answer"))) == 4
    path.write_text("x\n" * 4)
    with pytest.raises(InputError, match=r"rows.jsonl:4: expected a JSONL file, but 3 lines before this one are"):
        list(read_lines(path, "answer"))


def within(memory: int, code: str, stdin: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run Python code in a process that can have no more memory than this."""
    return subprocess.run(
        [sys.executable, "-c", code],
        stdin=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)),
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )


READ_ROWS = """
from herobench.data.errors import InputError
from herobench.data.rows import count_lines, read_lines
try:
    count_lines({path!r})
    print(sum(1 for _ in read_lines({path!r}, "answer")))
except InputError as error:
    print(error)
"""


@pytest.mark.slow
def test_ten_gigabytes_of_zeros_are_refused_in_little_memory(tmp_path: Path) -> None:
    path = str(make_sparse(tmp_path / "zeros.jsonl"))
    done = within(GIB // 2, READ_ROWS.format(path=path))
    expected = f"a line of at most {LONGEST_LINE >> 20} MiB"
    assert done.stdout == f"{path}:1: expected {expected}; is this a file of lines?\n", done.stderr


def test_a_document_of_ten_gigabytes_is_refused_in_little_memory(tmp_path: Path) -> None:
    path = str(make_sparse(tmp_path / "zeros.json"))
    code = f"""
from pathlib import Path
from herobench.data.documents import read_document
print(read_document(Path({path!r}), "zeros.json")[1][0])
"""
    assert within(GIB // 2, code).stdout == "zeros.json: expected at most 256 MiB\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("endless", "told"),
    [(bytes(1 << 20), "-:1: expected a line of at most"), (b"x\n" * 1000, "-:10001: expected a JSONL file")],
    ids=["without lines", "of bad lines"],
)
def test_a_pipe_without_end_is_refused_in_little_memory(endless: bytes, told: str) -> None:
    reading, writing = os.pipe()

    def write() -> None:
        try:
            while True:
                os.write(writing, endless)
        except BrokenPipeError:
            os.close(writing)

    writer = threading.Thread(target=write)
    writer.start()
    done = within(GIB // 2, READ_ROWS.format(path="-"), stdin=reading)
    os.close(reading)
    writer.join()
    assert done.stdout.startswith(told), done.stderr


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    path = tmp_path / "outside"
    path.write_text("mine", "utf-8")
    return path


def test_a_link_is_replaced_and_what_it_leads_to_stays(tmp_path: Path, outside: Path) -> None:
    (tmp_path / "file").symlink_to(outside)
    write_text(tmp_path / "file", "new \ud800\r\n")
    assert (tmp_path / "file").read_bytes() == b"new \\ud800\r\n"
    assert not (tmp_path / "file").is_symlink()
    assert outside.read_text("utf-8") == "mine"


def test_a_link_at_the_name_of_the_part_is_not_written_through(
    tmp_path: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda most: 7)
    (tmp_path / "file.part7").symlink_to(outside)
    with pytest.raises(FileExistsError):
        write_text(tmp_path / "file", "new")
    assert outside.read_text("utf-8") == "mine"


@pytest.mark.parametrize("durable", [True, False])
def test_what_fails_leaves_what_was_there_and_nothing_else(tmp_path: Path, outside: Path, durable: bool) -> None:
    with pytest.raises(TypeError), replacing(outside, durable=durable) as file:
        file.writelines(["half", 7])  # type: ignore[list-item]
    assert [path.name for path in tmp_path.iterdir()] == ["outside"]
    assert outside.read_text("utf-8") == "mine"
