"""`--on` for suites other than the RPG, and for runs of all: the same rows and the same words as on one machine."""

import json
import pickle
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from herobench.runs.config import digest_of_tasks
from herobench.runs.rescore import SampleScoring
from herobench.suite.contract import SuiteSetting
from herobench.suite.generating import GenerateRequest, load_generator, numbered_tasks
from herobench.suites.autumn.episode.environment import Environment
from herobench.work.engine import Lost
from tests.cluster.here import Here, Use, here, on, same_rows, shard_tables, shards_text
from tests.program import herobench, read_jsonl, refuses, write_jsonl
from tests.sizes import one_in
from tests.tiny_suite import TinySuite

__all__ = ["here"]

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


@pytest.fixture(scope="module", params=RUNS)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(request.param) / "run"
    done = herobench("run", "--suite", request.param, *RUNS[request.param], "-o", folder)
    assert done.returncode in (0, 3), done.stderr
    return folder


def test_a_run_is_scored_again_as_on_one_machine_whatever_workers_are_lost(
    run: Path, tmp_path: Path, here: Use
) -> None:
    rows = read_jsonl(run / "samples.jsonl")
    here(Here(fate=lambda number: Lost("gone") if number in (2, 3) else None))
    alone, done = same_rows(tmp_path, "score", run)
    assert done.returncode == 0
    first, told = done.stderr.splitlines()
    assert first.startswith(f"{len(rows)} rows in {-(-len(rows) // 2)} shards in {tmp_path / 'out'}; ")
    assert told == alone.stderr.splitlines()[-1]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))
    assert manifest["options"]["suite"] == rows[0]["suite"]


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("questions") / "run"
    assert herobench("run", "--suite", "acp", *RUNS["acp"], "-o", folder).returncode in (0, 3)
    return folder


def test_a_compressed_run_is_scored_again_as_it_was(
    questions: Path, tmp_path: Path, here: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    here(Here())
    before = on(tmp_path, "score", questions)
    text = shards_text(tmp_path)
    folder = copy_run(questions, tmp_path / "run", read_jsonl(questions / "samples.jsonl"))
    monkeypatch.setattr("herobench.runs.folder._LARGE", 1)
    assert herobench("run", "--resume", folder).returncode in (0, 3)
    assert not (folder / "samples.jsonl").exists()
    (tmp_path / "other").mkdir()
    after = on(tmp_path / "other", "score", folder)
    assert after.returncode == before.returncode == 0
    assert shards_text(tmp_path / "other") == text


def test_changed_and_unmeasured_samples_are_told_as_on_one_machine(questions: Path, tmp_path: Path, here: Use) -> None:
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


def copy_run(run: Path, folder: Path, rows: list[dict[str, Any]]) -> Path:
    folder.mkdir()
    for path in run.iterdir():
        if path.name != "lock":
            (folder / path.name).write_bytes(path.read_bytes())
    write_jsonl(folder / "samples.jsonl", rows)
    return folder


def test_a_torn_sample_is_left_out_and_a_wrong_or_repeated_one_ends_the_job(
    questions: Path, tmp_path: Path, here: Use
) -> None:
    rows = read_jsonl(questions / "samples.jsonl")
    copy = copy_run(questions, tmp_path / "run", rows)
    with (copy / "samples.jsonl").open("a") as file:
        file.write('{"schema": 2, "sui')
    assert on(tmp_path, "score", copy).returncode == 0
    assert len(shards_text(tmp_path).splitlines()) == len(rows)
    write_jsonl(copy / "samples.jsonl", [*rows, {**rows[0], "score": None}, rows[1]])
    done = herobench("score", copy, "--on", "ray", "-o", tmp_path / "other")
    assert (done.returncode, done.stdout) == (2, "")
    first, second = done.stderr.splitlines()
    assert f"samples.jsonl:{len(rows) + 1}: $.score: expected a value" in first
    assert f"samples.jsonl:{len(rows) + 2}: $: expected an attempt that is not there before it" in second
    assert not (tmp_path / "other").exists()


def test_a_run_with_other_settings_is_another_job(questions: Path, tmp_path: Path, here: Use) -> None:
    assert on(tmp_path, "score", questions).returncode == 0
    assert on(tmp_path, "score", questions).returncode == 0
    sentence = refuses(on(tmp_path, "score", questions, "--set", "thought=cot"))
    assert "holds another job: the option thought is" in sentence
    sentence = refuses(herobench("score", questions, "--on", "ray", "-o", questions / "again"))
    assert "is in the run's own folder" in sentence


def test_newer_tasks_are_read_by_each_worker(questions: Path, tmp_path: Path, here: Use) -> None:
    tasks = read_jsonl(questions / "tasks.jsonl")
    tasks[0]["answer"] = spoilt(tasks[0]["answer"])
    tasks[0].pop("proof", None)
    fresh = ("--fresh-tasks", write_jsonl(tmp_path / "fresh.jsonl", tasks))
    assert same_rows(tmp_path, "score", questions, *fresh)[1].returncode == 0
    assert "the option tasks is" in refuses(on(tmp_path, "score", questions))
    sentence = refuses(herobench("score", questions, "--fresh-tasks", "-", "--on", "ray", "-o", tmp_path / "other"))
    assert "write them to a file first" in sentence
    write_jsonl(tmp_path / "fresh.jsonl", tasks[1:])
    assert "1 of the run's tasks are not in" in refuses(on(tmp_path, "score", questions, *fresh))


def spoilt(answer: Any) -> Any:
    """Another answer of the same form."""
    return [*answer[1:], "(no such action)"] if isinstance(answer, list) else answer


class Settled(TinySuite):
    """A suite with settings, of which its identity says nothing."""

    options: Mapping[str, str] = {"depth": "3"}

    def identity(self, task_ids: Sequence[str]) -> Mapping[str, str]:
        return {"edition": f"{len(task_ids)} tasks"}

    def blank(self, task_id: str) -> Mapping[str, Any]:
        return {"schema": 1, "scorer": 7}


def test_scores_depend_on_tasks_identity_settings_and_scorer() -> None:
    suite = Settled(None)
    told = SampleScoring.by(suite, SuiteSetting()).options()
    assert told.pop("tasks") == digest_of_tasks(suite.name, suite.tasks())
    assert told == {"suite": "settled", "edition": "3 tasks", "depth": "3", "scorer": 7}


def test_samples_become_a_table(questions: Path, tmp_path: Path, here: Use) -> None:
    pytest.importorskip("pyarrow")
    assert on(tmp_path, "score", questions, "--format", "parquet").returncode == 0
    rows = shard_tables(tmp_path)
    found = [(row["task_id"], row["won"], json.loads(row["details"]), json.loads(row["replies"])) for row in rows]
    samples = read_jsonl(questions / "samples.jsonl")
    assert found == [(row["task_id"], row["won"], row["details"], row["replies"]) for row in samples]
    assert "events" not in rows[0]


# -- generate and validate --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suite", ["epoch", pytest.param("autumn", marks=pytest.mark.slow)])
def test_made_tasks_are_those_of_one_machine_and_are_proven(suite: str, tmp_path: Path, here: Use) -> None:
    words = ("generate", "--suite", suite, *MADE[suite], "--seed", "4")
    here(Here(fate=lambda number: Lost("gone") if number == 2 else None))
    assert same_rows(tmp_path, *words)[1].returncode == 0
    assert "the option seed is 4 there and 5 here" in refuses(on(tmp_path, *words[:-1], "5"))
    rows = read_jsonl(tmp_path / "alone.jsonl")
    proven = herobench("validate", "--suite", suite, tmp_path / "out", "--on", "ray", "-o", tmp_path / "proofs")
    assert (proven.returncode, proven.stdout) == (0, f"{len(rows)} of {len(rows)} tasks hold\n")
    proofs = [row for path in sorted((tmp_path / "proofs").glob("part-*")) for row in read_jsonl(path)]
    assert proofs == [{"task_id": row["id"], "faults": []} for row in rows]


def test_made_tables_hold_whole_tasks_and_can_be_proven(tmp_path: Path, here: Use) -> None:
    pytest.importorskip("pyarrow")
    words = ("generate", "--suite", "epoch", *MADE["epoch"])
    assert herobench(*words, "-o", tmp_path / "alone.jsonl", "--jobs", "1").returncode == 0
    assert on(tmp_path, *words, "--format", "parquet").returncode == 0
    found = [(row["id"], json.loads(row["task"])) for row in shard_tables(tmp_path)]
    assert found == [(row["id"], row) for row in read_jsonl(tmp_path / "alone.jsonl")]
    proven = herobench("validate", "--suite", "epoch", tmp_path / "out", "--on", "ray", "-o", tmp_path / "proofs")
    assert proven.stdout == "5 of 5 tasks hold\n"


def test_challenges_by_number_are_those_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    def noted(environment: Environment, *order: object) -> SimpleNamespace:
        return SimpleNamespace(as_row=lambda: (environment.id, *order))

    monkeypatch.setattr("herobench.task_gen.autumn.generator.make_challenge", noted)
    monkeypatch.setattr("herobench.task_gen.autumn.generator.make_variant", lambda environment, random: environment)
    monkeypatch.setattr("herobench.task_gen.autumn.generator.shipped_names", lambda: ["bees", "angler"])
    values: dict[str, Any] = {"environment": None, "family": ("prediction", "planning"), "variants": True}
    request = GenerateRequest(values, seed=3, count=100, jobs=1)
    generator = load_generator("autumn")
    assert generator is not None
    numbered = pickle.loads(pickle.dumps(numbered_tasks("autumn", request)))
    assert list(numbered.numbers) == list(range(100))
    orders = list(map(numbered.make, numbered.numbers))
    assert orders == list(generator.make(request).rows)
    kinds = ("prediction", "planning")
    first = [
        (name, kind, f"{name}-{kind}-3-1-variant", 3, number)
        for number, name in enumerate(("bees", "angler"))
        for kind in kinds
    ]
    assert orders[:5] == [*first, ("bees", "prediction", "bees-prediction-3-2-variant", 3, 2)]
    others: list[dict[str, Any]] = [{**values, "environment": "bees"}, {**values, "variants": False}]
    identities = [numbered_tasks("autumn", GenerateRequest(each, 3, 100, 1)).identity for each in (values, *others)]
    assert all(identities.count(identity) == 1 for identity in identities)


@pytest.mark.parametrize("words", one_in(2, [(("--json",),), ((),)]), ids=["json", "text"])
def test_proofs_of_questions_are_told_as_on_one_machine(tmp_path: Path, here: Use, words: tuple[str, ...]) -> None:
    file = tmp_path / "questions.jsonl"
    made = herobench("generate", "--suite", "acp", "--count", "6", "--domain", "ferry", "-o", file, "--jobs", "1")
    assert made.returncode == 0
    rows = read_jsonl(file)
    del rows[2]["proof"]
    write_jsonl(file, rows)
    alone = herobench("validate", "--suite", "acp", file, "--jobs", "1", *words)
    done = on(tmp_path, "validate", "--suite", "acp", file, *words)
    assert (done.returncode, done.stdout) == (alone.returncode, alone.stdout)
    assert done.returncode == 2
    assert done.stderr.splitlines()[1:] == alone.stderr.splitlines()
    proofs = [json.loads(line) for line in shards_text(tmp_path).splitlines()]
    assert sum(bool(row["faults"]) for row in proofs) == 1


def test_rows_that_are_no_tasks_end_the_job_with_all_of_them(tmp_path: Path, here: Use) -> None:
    file = tmp_path / "levels.jsonl"
    herobench("generate", "--suite", "epoch", *MADE["epoch"], "-o", file, "--jobs", "1")
    rows: list[Any] = read_jsonl(file)
    write_jsonl(file, [rows[0], "nonsense", {**rows[1], "hidden": ["zork"]}, {"id": 3}, rows[0]])
    alone = herobench("validate", "--suite", "epoch", file, "--jobs", "1")
    done = on(tmp_path, "validate", "--suite", "epoch", file)
    assert (done.returncode, done.stdout) == (alone.returncode, alone.stdout) == (2, "")
    assert "$.hidden[0]: expected a predicate of the domain" in done.stderr
    places = [line.partition(": ")[0] for line in alone.stderr.splitlines()]
    assert [line.partition(": ")[0] for line in done.stderr.splitlines()] == places
    assert not (tmp_path / "out").exists()
