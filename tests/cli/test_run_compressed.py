"""Large files of a complete run are compressed; each command reads them, and adds to them, as if they were not."""

from __future__ import annotations

import errno
import gzip
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from herobench.data.compressed import open_lines
from tests.cli.running import contents
from tests.program import herobench, read_jsonl

ASK = ("run", "--suite", "acp", "--model", "oracle", "--limit", "5")
FILES = ("calls.jsonl", "samples.jsonl")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plain") / "run"
    assert herobench(*ASK, "-o", folder).returncode == 0
    return folder


@pytest.fixture
def packed(plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("herobench.runs.folder._LARGE", 1)
    folder = Path(shutil.copytree(plain, tmp_path / "run"))
    assert herobench("run", "--resume", folder).returncode == 0
    return folder


def content(path: Path) -> bytes:
    with open_lines(path) as file:
        return file.read()


def is_packed(folder: Path) -> bool:
    return [(folder / name).exists() for name in FILES] + [(folder / f"{name}.gz").exists() for name in FILES] == [
        False,
        False,
        True,
        True,
    ]


def test_what_is_compressed_holds_the_same_bytes(plain: Path, packed: Path) -> None:
    assert is_packed(packed)
    for name in FILES:
        assert gzip.decompress((packed / f"{name}.gz").read_bytes()) == (plain / name).read_bytes()


def test_commands_say_of_a_compressed_run_what_they_said_before(plain: Path, packed: Path, tmp_path: Path) -> None:
    for words in (("analyze", "--format", "json"), ("analyze", "--format", "csv"), ("fingerprint",)):
        before, after = (herobench(*words, folder) for folder in (plain, packed))
        assert (after.returncode, after.stdout) == (0, before.stdout)
    before, after = (herobench("analyze", folder / "samples.jsonl", "--format", "csv") for folder in (plain, packed))
    assert (after.returncode, after.stdout) == (0, before.stdout)
    written = []
    for folder in (plain, packed):
        out = tmp_path / f"of-{folder.parent.name}"
        assert herobench("analyze", folder, "--format", "html", "-o", f"{out}.html").returncode == 0
        assert herobench("export", "atif", folder, "-o", out).returncode == 0
        trajectories = {path.name: path.read_bytes() for path in out.iterdir()}
        assert len(trajectories) == 5
        written.append((Path(f"{out}.html").read_bytes(), trajectories))
    assert written[0] == written[1]


def test_a_compressed_run_that_is_scored_again_stays_compressed(plain: Path, packed: Path) -> None:
    assert herobench("score", packed).returncode == 0
    assert is_packed(packed)
    rows = [json.loads(line) for line in content(packed / "samples.jsonl").splitlines()]
    assert [row["won"] for row in rows] == [row["won"] for row in read_jsonl(plain / "samples.jsonl")]


def test_a_compressed_run_is_unpacked_for_what_is_missing_and_compressed_again(plain: Path, packed: Path) -> None:
    """Here a sample and a call are missing, so one attempt is played again."""
    gone = read_jsonl(plain / "samples.jsonl")[-1]["task_id"]
    for name in FILES:
        lines = content(packed / name).splitlines(keepends=True)
        kept = [line for line in lines if json.loads(line)["task_id"] != gone]
        assert len(kept) == len(lines) - 1
        (packed / f"{name}.gz").write_bytes(gzip.compress(b"".join(kept)))
    manifest = json.loads((packed / "run.json").read_text("utf-8"))
    done = herobench("run", "--resume", packed)
    assert (done.returncode, is_packed(packed)) == (0, True)
    assert len(json.loads((packed / "run.json").read_text("utf-8"))["sessions"]) == len(manifest["sessions"]) + 1
    for name in FILES:
        rows = [json.loads(line) for line in content(packed / name).splitlines()]
        assert sorted(row["task_id"] for row in rows) == sorted(row["task_id"] for row in read_jsonl(plain / name))


@pytest.mark.parametrize("left", [b"", b"\x1f\x8b half", None])
def test_a_kill_while_it_is_compressed_or_unpacked_loses_nothing(plain: Path, packed: Path, left: bytes | None) -> None:
    """The plain file is there until the compressed one is whole, and again before that one is removed."""
    for name in FILES:
        shutil.copy(plain / name, packed / name)
        if left is not None:
            (packed / f"{name}.gz").write_bytes(left)
            (packed / f"{name}.gz.part7").write_bytes(left)
    assert (
        herobench("analyze", packed, "--format", "csv").stdout == herobench("analyze", plain, "--format", "csv").stdout
    )
    assert herobench("run", "--resume", packed).returncode == 0
    assert is_packed(packed)
    assert not list(packed.glob("*.part*"))
    assert content(packed / "samples.jsonl") == (plain / "samples.jsonl").read_bytes()


def test_a_file_that_gets_as_small_as_hostile_ones_stays_as_it_is(
    plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("herobench.runs.folder._LARGE", 1)
    monkeypatch.setattr("herobench.data.compressed._ALWAYS_UNPACKED", 0)
    monkeypatch.setattr("herobench.data.compressed._MOST_UNPACKED", 1)
    folder = Path(shutil.copytree(plain, tmp_path / "run"))
    assert herobench("run", "--resume", folder).returncode == 0
    assert {name: contents(folder)[name] for name in FILES} == {name: contents(plain)[name] for name in FILES}
    assert not list(folder.glob("*.gz"))


def test_a_disk_without_room_leaves_the_files_as_they_are(
    plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: object) -> Iterator[bytes]:
        yield b"begun"
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("herobench.runs.folder._LARGE", 1)
    monkeypatch.setattr("herobench.runs.folder.read_blocks", full)
    folder = Path(shutil.copytree(plain, tmp_path / "run"))
    assert herobench("run", "--resume", folder).returncode == 0
    assert sorted(contents(folder)) == sorted(contents(plain))
    assert {name: contents(folder)[name] for name in FILES} == {name: contents(plain)[name] for name in FILES}


def test_what_is_merged_is_compressed_too(plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("herobench.runs.folder._LARGE", 1)
    for part in (1, 2):
        assert herobench(*ASK, "--shard", f"{part}/2", "-o", tmp_path / f"{part}").returncode == 0
    assert herobench("merge", tmp_path / "1", tmp_path / "2", "-o", tmp_path / "whole").returncode == 0
    assert is_packed(tmp_path / "whole")
    rows = [json.loads(line) for line in content(tmp_path / "whole" / "samples.jsonl").splitlines()]
    won = {row["task_id"]: row["won"] for row in rows}
    assert won == {row["task_id"]: row["won"] for row in read_jsonl(plain / "samples.jsonl")}
