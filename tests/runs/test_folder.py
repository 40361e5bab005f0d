"""A run's folder: whose it is, how it comes to be, and that nothing in it is ever half there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from herobench.data.columns import SAMPLE, blank
from herobench.data.errors import InputError, StoreError, SuiteError
from herobench.data.rows import dump_row
from herobench.runs.folder import RunFolder, open_run
from herobench.runs.refusals import RunFault
from tests.refusals import raises
from tests.runs.manifest import manifest_row
from tests.sizes import for_each

ROOT = Path(__file__).parents[2]
Json = dict[str, Any]
TASKS: list[Json] = [{"id": "a"}, {"id": "ü"}]
FILES = {"world.json": '{"ü": 1}\r\n', "notes.part7": ""}
"""A suite's own files; one is named like a file that was not written to its end."""
HOLDER = """
import sys
from pathlib import Path
from herobench.runs.folder import RunFolder

with RunFolder(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""
KILLED = """
import os, signal, sys
from collections.abc import Iterator
from pathlib import Path
from herobench.runs.folder import RunFolder

def tasks() -> Iterator[dict[str, str]]:
    yield {"id": "a"}
    if sys.argv[2] == "in the tasks":
        os.kill(os.getpid(), signal.SIGKILL)

class Killed(RunFolder):
    def write_manifest(self, manifest: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

with Killed(Path(sys.argv[1])) as folder:
    folder.create({}, tasks(), {"world.json": "{}", "notes.part7": ""})
"""


def new_run(path: Path) -> RunFolder:
    folder = RunFolder(path)
    with folder:
        folder.create(manifest_row() | {"files": sorted(FILES)}, TASKS, FILES)
    return folder


def names(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.iterdir())


# -- coming to be -----------------------------------------------------------------------------------------------------


def test_a_run_begins_with_its_tasks_and_its_manifest(tmp_path: Path) -> None:
    path = tmp_path / "new" / "run"
    with RunFolder(path) as folder:
        assert not folder.begun
        folder.create(manifest_row(), TASKS, FILES)
    assert open_run(path).begun
    assert names(path) == ["lock", "notes.part7", "run.json", "tasks.jsonl", "world.json"]
    assert folder.tasks.read_text("utf-8") == '{"id": "a"}\n{"id": "ü"}\n'
    assert folder.read_manifest() == manifest_row()
    assert '"model": "ü/m"' in folder.manifest.read_text("utf-8"), "for people to read"
    assert open_run(path).read_manifest() == manifest_row()
    assert folder.read_files({"files": list(FILES)}) == FILES
    assert (path / "world.json").read_bytes() == FILES["world.json"].encode()


@for_each("name", ["notes.txt", "samples.jsonl", "calls.jsonl", ".git", "run.json.bak", "lock2"])
def test_a_folder_with_anything_else_in_it_is_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with raises(RunFault.NOT_EMPTY, tmp_path, name), RunFolder(tmp_path) as folder:
        folder.create({}, [], FILES)
    assert (tmp_path / name).read_text() == "mine"
    assert set(names(tmp_path)) <= {"lock", name}


@for_each(("when", "left"), [("in the tasks", 2), ("before the manifest", 4)])
def test_what_was_killed_before_it_had_begun_can_be_begun_by_the_same_suite(
    tmp_path: Path, when: str, left: int
) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), when], cwd=ROOT, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(names(tmp_path)) == left, "it has left its lock, and tasks with the suite's files or a part of them"
    for path in (tmp_path, tmp_path / "none"):
        with raises(RunFault.NO_RUN):
            open_run(path)
    if when == "before the manifest":
        with raises(RunFault.NOT_EMPTY, "notes.part7, world.json"):
            RunFolder(tmp_path).refuse_strangers(["board.json"])
    assert new_run(tmp_path).tasks.read_text("utf-8") == "".join(map(dump_row, TASKS))


# -- the suite's own files --------------------------------------------------------------------------------------------


OURS = ["run.json", "tasks.jsonl", "calls.jsonl", "samples.jsonl", "lock"]
ELSEWHERE = ["a/b", "../up", "/etc", "", ".", "..", ".x", "a b", "ü", "a\n"]


@for_each("name", [*OURS, *ELSEWHERE])
def test_a_file_that_is_named_like_one_of_ours_or_lies_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    told = f"The suite has a file {name!r}, which is not a name for a file in a run's folder."
    with pytest.raises(SuiteError) as caught, RunFolder(tmp_path / "run") as folder:
        folder.create(manifest_row(), TASKS, {name: "theirs"})
    assert str(caught.value) == told
    assert names(tmp_path / "run") == ["lock"], "nothing was written"
    with pytest.raises(SuiteError):
        RunFolder(tmp_path / "run").refuse_strangers({name})
    with pytest.raises(SuiteError):
        RunFolder(tmp_path / "run").read_files({"files": [name]})


@for_each(("text", "expected"), [(None, "No such file"), (b"\xff", "byte 0: expected UTF-8 text")])
def test_a_file_of_the_suite_that_cannot_be_read_is_named(tmp_path: Path, text: bytes | None, expected: str) -> None:
    folder = new_run(tmp_path)
    if text is None:
        (tmp_path / "world.json").unlink()
    else:
        (tmp_path / "world.json").write_bytes(text)
    with pytest.raises(InputError, match=expected) as caught:
        folder.read_files(folder.read_manifest())
    assert str(tmp_path / "world.json") in str(caught.value)


# -- run.json ---------------------------------------------------------------------------------------------------------


@for_each("damage", ['{"schema": 2', '{"schema": 2}', '{"schema": 3}', "[]", "", dump_row({"schema": 1, "files": 7})])
def test_a_manifest_that_is_none_is_refused_with_its_file(tmp_path: Path, damage: str) -> None:
    folder = new_run(tmp_path)
    folder.manifest.write_text(damage)
    with pytest.raises(InputError) as caught:
        folder.read_manifest()
    assert {problem.file for problem in caught.value.problems} == {str(folder.manifest)}
    if "1" in damage:
        advice = "read it with the version of herobench that wrote it, or run it again"
        told = f"{folder.manifest}: $.schema: expected 2, the format of this version, found 1; {advice}"
        assert str(caught.value) == told


@for_each("folder", ["file", "file/run"])
def test_a_folder_that_cannot_be_made_says_which(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").write_text("precious")
    with pytest.raises(StoreError, match="file"), RunFolder(tmp_path / folder):
        pass
    assert (tmp_path / "file").read_text() == "precious"


# -- the lock ---------------------------------------------------------------------------------------------------------


@contextmanager
def holder(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds a folder."""
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


def test_a_folder_is_held_by_one_and_free_when_he_leaves_it_or_is_killed(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        with raises(RunFault.IN_USE), RunFolder(tmp_path):
            pass
        process.kill()
        process.wait()
        for _ in range(2):
            with RunFolder(tmp_path), raises(RunFault.IN_USE), RunFolder(tmp_path):
                pass


def test_a_process_that_the_holder_started_does_not_hold_on_to_it(tmp_path: Path) -> None:
    with RunFolder(tmp_path):
        child = subprocess.Popen(["sleep", "60"], close_fds=False)
    try:
        with RunFolder(tmp_path):
            pass
    finally:
        child.kill()
        child.wait()


# -- what is put in a file's place ------------------------------------------------------------------------------------


def sample(task_id: str, status: str = "ok", won: bool | None = True, **more: Any) -> Json:
    measured = status == "ok"
    return {
        **blank(SAMPLE),
        "suite": "s",
        "task_id": task_id,
        "epoch": 0,
        "status": status,
        "error": None if measured else {"kind": "context", "message": "too long", "status": None},
        "model": "m",
        "won": won,
        "score": 100.0 if measured else None,
        "calls": 1,
        "retries": 0,
        "seconds": 1.5,
        "replies": [] if measured else None,
        "details": {},
        **more,
    }


def test_what_is_not_measured_is_taken_out_and_the_rest_kept_to_the_byte(tmp_path: Path) -> None:
    """A file of which all is measured is not touched."""
    folder = new_run(tmp_path)
    assert folder.measured() == {}
    kept = [sample("a", failure="☃ \ud83d\n"), sample("b", won=False, score=0.1 + 0.2, details={"big": 10**30})]
    lost = [sample("c", "unmeasured", None, epoch=epoch) for epoch in range(3)]
    folder.samples.write_text("".join(map(dump_row, [lost[0], kept[0], lost[1], kept[1], lost[2]])), "utf-8")
    assert folder.measured() == {("a", 0): True, ("b", 0): False}
    folder.drop_unmeasured()
    assert folder.samples.read_text("utf-8") == "".join(map(dump_row, kept))
    with folder.samples.open("a", encoding="utf-8") as file:
        file.write('{"torn')
    before = folder.samples.read_bytes(), folder.samples.stat().st_ino
    folder.drop_unmeasured()
    assert (folder.samples.read_bytes(), folder.samples.stat().st_ino) == before


WRONG: dict[str, Json] = {
    "$.schema: expected 2, found 3": {"schema": 3, "new": 1},
    '$.suite: expected s, the suite of the run, found "other"': {"suite": "other"},
    "$.epoch: expected 0 or more, found -1": {"epoch": -1},
    "$.won: expected a value, because the attempt was measured, found null": {"won": None},
    "$.score: expected a value, because the attempt was measured, found null": {"score": None},
    "$.replies: expected a value, because the attempt was measured, found null": {"replies": None},
    "$.error: expected a value, because the attempt was not measured, found null": {"status": "unmeasured"},
    "$: expected an attempt that is not there before it, found": {"task_id": "a"},
}


@for_each("told", WRONG)
def test_a_line_that_is_no_sample_of_the_run_is_refused(tmp_path: Path, told: str) -> None:
    folder = new_run(tmp_path)
    folder.samples.write_text(dump_row(sample("a")) + dump_row({**sample("b"), **WRONG[told]}))
    with pytest.raises(InputError) as caught:
        folder.measured()
    assert str(caught.value).startswith(f"{folder.samples}:2: {told}")


def test_a_file_is_durable_before_it_takes_the_place_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = new_run(tmp_path)
    steps: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def noted_fsync(file: int) -> None:
        steps.append(f"fsync {Path(f'/proc/self/fd/{file}').readlink().name.partition('.part')[0]}")
        fsync(file)

    def noted_replace(self: Path, target: Path) -> Path:
        steps.append(f"replace {target.name}")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "replace", noted_replace)
    folder.write_manifest(manifest_row() | {"served": ["m"]})
    assert steps == ["fsync run.json", "replace run.json", f"fsync {tmp_path.name}"]
    assert folder.read_manifest()["served"] == ["m"]
