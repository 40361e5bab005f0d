"""`--on` for runs: the same rows and the same words as on one machine."""

from pathlib import Path
from typing import Any

import pytest

from tests.cluster.here import assert_scored_again, here, make_run, on, same_rows, shards_text
from tests.program import herobench, read_jsonl, refuses, write_jsonl

__all__ = ["here"]
pytestmark = pytest.mark.usefixtures("here")
PLAYED = ("--dataset", "base", "--model", "greedy", "--limit", "7")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "run", *PLAYED)


def test_a_run_is_scored_again_as_on_one_machine(run: Path, tmp_path: Path) -> None:
    assert_scored_again(run, tmp_path)


def copy_run(run: Path, folder: Path, rows: list[dict[str, Any]]) -> Path:
    folder.mkdir()
    for path in run.iterdir():
        if path.name != "lock":
            (folder / path.name).write_bytes(path.read_bytes())
    write_jsonl(folder / "samples.jsonl", rows)
    return folder


def test_changed_and_unmeasured_samples_of_a_compressed_run_are_told_as_on_one_machine(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = read_jsonl(run / "samples.jsonl")
    rows[1] |= {"won": not rows[1]["won"]}
    error = {"kind": "refused", "message": "no", "status": 400}
    unmeasured = {"status": "unmeasured", "error": error, "won": None, "score": None, "progress": None, "failure": None}
    rows[4] |= {**unmeasured, "replies": None}
    copy = copy_run(run, tmp_path / "run", rows)
    alone, done = same_rows(tmp_path, "score", copy)
    assert done.returncode == 0
    assert done.stderr.splitlines()[-1] == alone.stderr.splitlines()[-1]
    assert "1 of 6 have another outcome" in done.stderr
    monkeypatch.setattr("herobench.runs.folder._LARGE", 1)
    assert herobench("run", "--resume", run).returncode in (0, 3)
    assert not (run / "samples.jsonl").exists()
    (tmp_path / "packed").mkdir()
    assert on(tmp_path / "packed", "score", run).returncode == 0
    assert len(shards_text(tmp_path / "packed").splitlines()) == len(rows)


def test_a_torn_sample_is_left_out_and_a_wrong_or_repeated_one_ends_the_job(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", *PLAYED)
    rows = read_jsonl(run / "samples.jsonl")
    with (run / "samples.jsonl").open("a") as file:
        file.write('{"schema": 2, "sui')
    assert on(tmp_path, "score", run).returncode == 0
    assert len(shards_text(tmp_path).splitlines()) == len(rows)
    write_jsonl(run / "samples.jsonl", [*rows, {**rows[0], "score": None}, rows[1]])
    done = herobench("score", run, "--on", "ray", "-o", tmp_path / "other")
    assert (done.returncode, done.stdout) == (2, "")
    first, second = done.stderr.splitlines()
    assert f"samples.jsonl:{len(rows) + 1}: $.score: expected a value" in first
    assert f"samples.jsonl:{len(rows) + 2}: $: expected an attempt that is not there before it" in second
    assert not (tmp_path / "other").exists()


def test_other_settings_and_newer_tasks_are_another_job(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", *PLAYED)
    tasks = read_jsonl(run / "tasks.jsonl")
    tasks[0]["certificate"]["actions"] += 1
    fresh = ("--fresh-tasks", write_jsonl(tmp_path / "fresh.jsonl", tasks))
    assert same_rows(tmp_path, "score", run, *fresh)[1].returncode == 0
    assert 'holds another job: {"tasks": ' in refuses(on(tmp_path, "score", run))
    assert 'holds another job: {"rules": ' in refuses(on(tmp_path, "score", run, *fresh, "--rules", "paper-early"))
    assert "is in the run's own folder" in refuses(herobench("score", run, "--on", "ray", "-o", run / "again"))
    sentence = refuses(herobench("score", run, "--fresh-tasks", "-", "--on", "ray", "-o", tmp_path / "other"))
    assert "write them to a file first" in sentence
