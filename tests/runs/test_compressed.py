"""Large files of a complete run are compressed; each command reads them, and adds to them, as if they were not."""

from __future__ import annotations

import errno
import gzip
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import herobench as library
from herobench.data.files import open_lines
from herobench.runs import folder
from herobench.runs.merge import merge
from tests.program import herobench, read_jsonl
from tests.runs.made import contents, manifest

ASK: dict[str, Any] = {"dataset": "base", "limit": 5}
FILES = ("calls.jsonl", "samples.jsonl")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library.run("oracle", output=tmp_path_factory.mktemp("plain") / "run", **ASK).path


@pytest.fixture
def copy(plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run whose files are large."""
    monkeypatch.setattr(folder, "_LARGE", 1)
    return Path(shutil.copytree(plain, tmp_path / "run"))


@pytest.fixture
def packed(copy: Path) -> Path:
    library.run(resume=copy)
    return copy


def content(path: Path) -> bytes:
    with open_lines(path) as file:
        return file.read()


def is_packed(run: Path) -> bool:
    files = contents(run).keys()
    return files.isdisjoint(FILES) and files >= {f"{name}.gz" for name in FILES}


def test_commands_say_of_a_compressed_run_what_they_said_before(plain: Path, packed: Path, tmp_path: Path) -> None:
    assert is_packed(packed)
    for name in FILES:
        assert gzip.decompress((packed / f"{name}.gz").read_bytes()) == (plain / name).read_bytes()
    for words, of in ((("analyze", "--format", "json"), ""), (("fingerprint",), ""), (("analyze",), "samples.jsonl")):
        before, after = (herobench(*words, run / of) for run in (plain, packed))
        assert (after.returncode, after.stdout) == (0, before.stdout)
    written = []
    for run in (plain, packed):
        out = tmp_path / f"of-{run.parent.name}"
        assert herobench("analyze", run, "--format", "html", "-o", f"{out}.html").returncode == 0
        assert herobench("analyze", run, "--format", "csv", "-o", f"{out}.csv").returncode == 0
        written.append((Path(f"{out}.html").read_bytes(), Path(f"{out}.csv").read_bytes()))
    assert written[0] == written[1]


def test_a_compressed_run_that_is_scored_again_stays_compressed(plain: Path, packed: Path) -> None:
    assert library.rescore(packed).changed == 0
    assert is_packed(packed)
    assert content(packed / "samples.jsonl") == (plain / "samples.jsonl").read_bytes()


def test_a_compressed_run_is_unpacked_for_what_is_missing_and_compressed_again(plain: Path, packed: Path) -> None:
    """Here a sample and a call are missing, so one attempt is played again."""
    gone = read_jsonl(plain / "samples.jsonl")[-1]["task_id"]
    for name in FILES:
        kept = [line for line in content(packed / name).splitlines(keepends=True) if gone not in line.decode()]
        assert len(kept) == 4
        (packed / f"{name}.gz").write_bytes(gzip.compress(b"".join(kept)))
    before = manifest(packed)
    assert (library.run(resume=packed).complete, is_packed(packed)) == (True, True)
    assert len(manifest(packed)["sessions"]) == len(before["sessions"]) + 1
    for name in FILES:
        rows = [json.loads(line) for line in content(packed / name).splitlines()]
        assert sorted(row["task_id"] for row in rows) == sorted(row["task_id"] for row in read_jsonl(plain / name))


@pytest.mark.parametrize("left", [b"\x1f\x8b half", None])
def test_a_kill_while_it_is_compressed_or_unpacked_loses_nothing(plain: Path, packed: Path, left: bytes | None) -> None:
    """The plain file is there until the compressed one is whole, and again before that one is removed."""
    for name in FILES:
        shutil.copy(plain / name, packed / name)
        if left is not None:
            (packed / f"{name}.gz").write_bytes(left)
            (packed / f"{name}.gz.part7").write_bytes(left)
    assert library.analyze(packed).to_csv() == library.analyze(plain).to_csv()
    gone = read_jsonl(plain / "samples.jsonl")[-1]["task_id"]
    for name in FILES:
        kept = [line for line in (plain / name).read_bytes().splitlines(keepends=True) if gone not in line.decode()]
        (packed / name).write_bytes(b"".join(kept))
    before = len(manifest(packed)["sessions"])
    assert library.run(resume=packed).standing.before == 4
    assert (is_packed(packed), len(manifest(packed)["sessions"])) == (True, before + 1)
    assert not list(packed.glob("*.part*"))
    rows = [json.loads(line) for line in content(packed / "samples.jsonl").splitlines()]
    assert sorted(row["task_id"] for row in rows) == sorted(
        row["task_id"] for row in read_jsonl(plain / "samples.jsonl")
    )


@pytest.mark.parametrize("why", ["small", "full"])
def test_files_that_get_too_small_or_have_no_room_stay_as_they_are(
    why: str, plain: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that gets as small as hostile ones would be refused."""

    def full(file: object) -> Iterator[bytes]:
        yield b"begun"
        raise OSError(errno.ENOSPC, "No space left on device")

    if why == "small":
        monkeypatch.setattr("herobench.data.files._ALWAYS_UNPACKED", 0)
        monkeypatch.setattr("herobench.data.files._MOST_UNPACKED", 1)
    else:
        monkeypatch.setattr(folder, "compressed", full)
    assert library.run(resume=copy).complete
    assert contents(copy).keys() == contents(plain).keys()
    assert {name: contents(copy)[name] for name in FILES} == {name: contents(plain)[name] for name in FILES}


def test_what_is_merged_is_compressed_too(plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [library.run("oracle", output=tmp_path / f"{part}", shard=f"{part}/2", **ASK).path for part in (1, 2)]
    monkeypatch.setattr(folder, "_LARGE", 1)
    assert merge(parts, tmp_path / "whole").measured == 5
    assert is_packed(tmp_path / "whole")
    rows = [json.loads(line) for line in content(tmp_path / "whole" / "samples.jsonl").splitlines()]
    won = {row["task_id"]: row["won"] for row in rows}
    assert won == {row["task_id"]: row["won"] for row in read_jsonl(plain / "samples.jsonl")}
