"""`--on` for suites other than the RPG, and for runs of all: the same rows and the same words as on one machine."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.here import here, on, same_rows, shards_text
from tests.golden import Golden
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import one_in

__all__ = ["here"]
pytestmark = pytest.mark.usefixtures("here")
RUNS = {
    "acp": ("--model", "random", "--limit", "7"),
    "epoch": ("--model", "greedy", "--limit", "3"),
    "autumn": ("--model", "oracle", "--limit", "3"),
    "rpg": ("--model", "greedy", "--limit", "6"),
}
MADE: dict[str, tuple[str, ...]] = {
    "epoch": ("--count", "5", "--length", "4-8", "--people", "2"),
    "autumn": ("--count", "3", "--environment", "bees", "--family", "prediction"),
}


# -- a run ------------------------------------------------------------------------------------------------------------


def make_run(folder: Path, suite: str) -> Path:
    done = herobench("run", "--suite", suite, *RUNS[suite], "-o", folder)
    assert done.returncode in (0, 3), done.stderr
    return folder


@pytest.mark.parametrize("suite", ["epoch", "autumn", "rpg"])
def test_a_run_is_scored_again_as_on_one_machine(suite: str, tmp_path: Path) -> None:
    alone, done = same_rows(tmp_path, "score", make_run(tmp_path / "run", suite))
    assert done.returncode == 0
    assert done.stderr.splitlines()[-1] == alone.stderr.splitlines()[-1]
    assert json.loads((tmp_path / "out" / "job.json").read_text("utf-8"))["suite"] == suite


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("questions") / "run", "acp")


def copy_run(run: Path, folder: Path, rows: list[dict[str, Any]]) -> Path:
    folder.mkdir()
    for path in run.iterdir():
        if path.name != "lock":
            (folder / path.name).write_bytes(path.read_bytes())
    write_jsonl(folder / "samples.jsonl", rows)
    return folder


def test_changed_and_unmeasured_samples_of_a_compressed_run_are_told_as_on_one_machine(
    questions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = read_jsonl(questions / "samples.jsonl")
    rows[1] |= {"won": not rows[1]["won"]}
    error = {"kind": "refused", "message": "no", "status": 400}
    unmeasured = {"status": "unmeasured", "error": error, "won": None, "score": None, "progress": None, "failure": None}
    rows[4] |= {**unmeasured, "replies": None}
    copy = copy_run(questions, tmp_path / "run", rows)
    alone, done = same_rows(tmp_path, "score", copy)
    assert done.returncode == 0
    assert done.stderr.splitlines()[-1] == alone.stderr.splitlines()[-1]
    assert "1 of 6 have another outcome" in done.stderr
    monkeypatch.setattr("herobench.runs.folder._LARGE", 1)
    assert herobench("run", "--resume", questions).returncode in (0, 3)
    assert not (questions / "samples.jsonl").exists()
    (tmp_path / "packed").mkdir()
    assert on(tmp_path / "packed", "score", questions).returncode == 0
    assert len(shards_text(tmp_path / "packed").splitlines()) == len(rows)


def test_a_torn_sample_is_left_out_and_a_wrong_or_repeated_one_ends_the_job(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", "acp")
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


def test_other_settings_and_newer_tasks_are_another_job(tmp_path: Path, golden: Golden) -> None:
    run = make_run(tmp_path / "run", "acp")
    tasks = read_jsonl(run / "tasks.jsonl")
    tasks[0]["answer"] = [*tasks[0]["answer"][1:], "no"] if isinstance(tasks[0]["answer"], list) else tasks[0]["answer"]
    tasks[0].pop("proof", None)
    fresh = ("--fresh-tasks", write_jsonl(tmp_path / "fresh.jsonl", tasks))
    assert same_rows(tmp_path, "score", run, *fresh)[1].returncode == 0
    golden(
        on(tmp_path, "score", run),
        on(tmp_path, "score", run, *fresh, "--set", "thought=cot"),
        herobench("score", run, "--on", "ray", "-o", run / "again"),
        herobench("score", run, "--fresh-tasks", "-", "--on", "ray", "-o", tmp_path / "other"),
    )


# -- generate and validate --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suite", ["epoch", pytest.param("autumn", marks=pytest.mark.slow)])
def test_made_tasks_are_those_of_one_machine_and_are_proven(suite: str, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    words = ("generate", "--suite", suite, *MADE[suite])
    assert same_rows(tmp_path, *words)[1].returncode == 0
    rows = read_jsonl(tmp_path / "alone.jsonl")
    assert herobench(*words, "--on", "ray", "-o", tmp_path / "tables", "--format", "parquet").returncode == 0
    for made in ("out", "tables"):
        proven = herobench(
            "validate", "--suite", suite, tmp_path / made, "--on", "ray", "-o", tmp_path / f"{made}-proofs"
        )
        assert (proven.returncode, proven.stdout) == (0, f"{len(rows)} of {len(rows)} tasks hold\n")
        proofs = read_jsonl(tmp_path / f"{made}-proofs" / "part-0000000.jsonl")
        assert proofs == [{"task_id": row["id"], "faults": []} for row in rows]


@pytest.mark.parametrize("words", one_in(2, [(("--json",),), ((),)]), ids=["json", "text"])
def test_proofs_of_questions_are_told_as_on_one_machine(tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "questions.jsonl"
    made = herobench("generate", "--suite", "acp", "--count", "6", "--domain", "ferry", "-o", file, "--jobs", "1")
    assert made.returncode == 0
    rows = read_jsonl(file)
    del rows[2]["proof"]
    write_jsonl(file, rows)
    alone = herobench("validate", "--suite", "acp", file, "--jobs", "1", *words)
    done = on(tmp_path, "validate", "--suite", "acp", file, *words)
    assert (done.returncode, done.stdout) == (alone.returncode, alone.stdout) == (2, alone.stdout)
    assert done.stderr.splitlines()[1:] == alone.stderr.splitlines()


def test_rows_that_are_no_tasks_end_the_job_with_all_of_them(tmp_path: Path) -> None:
    file = tmp_path / "levels.jsonl"
    herobench("generate", "--suite", "epoch", *MADE["epoch"], "-o", file, "--jobs", "1")
    rows: list[Any] = read_jsonl(file)
    write_jsonl(file, [rows[0], "nonsense", {**rows[1], "hidden": ["zork"]}, {"id": 3}, rows[0]])
    alone = herobench("validate", "--suite", "epoch", file, "--jobs", "1")
    done = on(tmp_path, "validate", "--suite", "epoch", file)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", alone.stderr)
    assert not (tmp_path / "out").exists()
