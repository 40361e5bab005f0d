"""Files of jobs: whole or not there, on this machine and in a store with a URL."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from herobench.cluster.store import StoreFolder, Unreachable, list_files, local_copy, opened
from herobench.data.errors import HeroBenchError, UsageError


@pytest.fixture(params=["here", "memory", "renamed"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StoreFolder]:
    """A folder on this machine, in an object store, and in a store where files are renamed."""
    if request.param == "here":
        yield StoreFolder(str(tmp_path / "deep" / "out"))
        return
    pytest.importorskip("fsspec")
    if request.param == "renamed":
        monkeypatch.setattr("herobench.cluster.store._AT_ONCE", frozenset())
    yield StoreFolder(f"memory://{uuid4().hex}/out/")


def names(folder: StoreFolder) -> list[str]:
    return sorted(folder.sizes())


def test_what_is_written_can_be_read_and_written_again(folder: StoreFolder) -> None:
    assert names(folder) == []
    for text in (b"one\n", b"another one\n"):
        with folder.writing("a.jsonl") as file:
            file.write(text)
        assert folder.read("a.jsonl") == text
    assert folder.sizes() == {"a.jsonl": 12}
    with opened(folder.locate("a.jsonl")) as read:
        read.seek(8)
        assert read.readline() == b"one\n"


def test_a_file_that_is_not_written_to_its_end_is_not_there(folder: StoreFolder) -> None:
    def give_up() -> None:
        with folder.writing("a.jsonl") as file:
            file.write(b"half of")
            assert "a.jsonl" not in names(folder)
            raise KeyError

    with pytest.raises(KeyError):
        give_up()
    assert names(folder) == []


def test_the_files_of_a_folder_and_of_a_glob_come_in_order(folder: StoreFolder) -> None:
    for name in ("b.jsonl", "a.parquet", "manifest.json", ".hidden.jsonl", "c.txt"):
        with folder.writing(name) as file:
            file.write(b"{}")
    short = [[file.rpartition("/")[2] for file in list_files(f"{folder.name}{rest}")] for rest in ("", "/[bc].*")]
    assert short == [["a.parquet", "b.jsonl"], ["b.jsonl", "c.txt"]]
    assert list_files(f"{folder.name}/c.txt") == [f"{folder.name}/c.txt"]
    with local_copy(f"{folder.name}/c.txt") as path:
        assert path.read_bytes() == b"{}"


def test_what_names_no_file_is_refused_with_a_sentence(folder: StoreFolder) -> None:
    with folder.writing("c.txt") as file:
        file.write(b"")
    for name, words in (("", "names no file"), ("/*.parquet", "names no file")):
        with pytest.raises(UsageError, match=words):
            list_files(f"{folder.name}{name}")
    with pytest.raises(HeroBenchError, match="cannot be read"), opened(f"{folder.name}/nowhere.jsonl"):
        pass


def test_a_file_in_the_way_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with (
        pytest.raises(Unreachable, match=r"out/a\.jsonl cannot be written"),
        StoreFolder(str(tmp_path / "out")).writing("a.jsonl"),
    ):
        pass


def test_a_url_that_nothing_can_open_is_refused_with_a_sentence() -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(UsageError, match="nonsense://a cannot be opened"):
        list_files("nonsense://a")
