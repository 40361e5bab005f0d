"""`herobench diagnose`: plans and answers of models, joined by task."""

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from herobench.task_gen.rpg.twins import content_digest
from tests.analysis.diagnosis.planted import answer_row, make_samples, plan_row
from tests.program import herobench, refuses, write_jsonl
from tests.sizes import for_each


def written(folder: Path, **rows: list[dict[str, Any]]) -> list[Path]:
    return [write_jsonl(folder / f"{name}.jsonl", own) for name, own in rows.items()]


def diagnosed(*paths: Path) -> dict[str, Any]:
    done = herobench("diagnose", *paths, "--format", "json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert schema_problems(found, "diagnosis", "stdout") == []
    return found


@pytest.mark.slow
def test_it_names_the_skill_that_decides_the_plans(tmp_path: Path) -> None:
    plans, answers = make_samples(3, tasks=60)
    paths = written(tmp_path, plans=plans, answers=answers)
    (model,) = diagnosed(*paths)["models"]
    assert (model["name"], model["strongest"], model["tasks"]) == ("made-up", "prog", 60)
    shown = herobench("diagnose", *paths)
    assert shown.returncode == 0
    for words in ("Wrong answers on prog predict lost plans", "by bracket", "app > prog > val > just", "next actions"):
        assert words in shown.stdout


def test_models_are_matched_by_name_and_tracks_stay_apart(tmp_path: Path) -> None:
    rows = {
        "plans": [plan_row("1/1", "1", True, "one"), plan_row("1/2", "1", True, "one", track="straight")],
        "others": [plan_row("1/1", "1", False, "three")],
        **{model: [answer_row(task, "1", "app", True, model) for task in ("1/1", "1/2")] for model in ("one", "two")},
    }
    found = diagnosed(*written(tmp_path, **rows))
    names = ["one (track: program, mode: plan)", "one (track: straight, mode: plan)"]
    assert [model["name"] for model in found["models"]] == names
    assert [(model["tasks"], model["answers_alone"]) for model in found["models"]] == [(1, 1), (1, 1)]
    assert found["models"][0]["finding"] == "No plan was lost."


@pytest.mark.slow
def test_a_task_is_known_by_its_content_where_runs_keep_it(tmp_path: Path) -> None:
    """Questions about another task of the same id are not joined, and those about an equal task of another id are."""
    run = tmp_path / "plans"
    assert herobench("run", "-m", "noop", "--difficulty", "1", "--limit", "2", "-o", run).returncode == 0
    first, second = (json.loads(line) for line in (run / "tasks.jsonl").read_text("utf-8").splitlines())
    answers = [
        answer_row("elsewhere", "1", "app", True, "noop", rpg_digest=content_digest(first).hex()),
        answer_row(second["id"], "1", "app", True, "noop", rpg_digest="0" * 64),
    ]
    (model,) = diagnosed(run, *written(tmp_path, answers=answers))["models"]
    assert (model["tasks"], model["plans_alone"], model["answers_alone"]) == (1, 1, 1)


@for_each(
    ("plans", "answers", "words"),
    [
        (1, 0, "A diagnosis takes runs of two suites: one with questions on single skills"),
        (0, 1, "There are answers to questions, and no plans: name a run of the suite rpg too."),
        (1, 1, "No model has both plans and answers: plans are of one, and answers of two."),
        (1, 2, "No answer of the suite acp is about a task of the suite rpg."),
    ],
)
def test_what_cannot_be_joined_is_refused(plans: int, answers: int, words: str, tmp_path: Path) -> None:
    about = {} if answers == 1 else {"rpg_task": None}
    rows = {
        "plans": [plan_row("1/1", "1", True, "one")] * plans,
        "answers": [answer_row("1/1", "1", "app", True, "two", **about)] * bool(answers),
    }
    paths = written(tmp_path, **{name: own for name, own in rows.items() if own})
    assert refuses(herobench("diagnose", *paths)).startswith(words)


@for_each(
    ("options", "words"),
    [
        (["--format", "html"], "Say where the page goes: -o diagnosis.html."),
        (["-o", "x.txt"], "A table is for the screen: choose another --format for a file."),
    ],
)
def test_misplaced_options_are_refused(options: list[str], words: str, tmp_path: Path) -> None:
    paths = written(tmp_path, plans=[plan_row("1/1", "1", True)], answers=[answer_row("1/1", "1", "app", True)])
    assert refuses(herobench("diagnose", *paths, *options)) == words


@pytest.mark.slow
def test_a_run_that_was_cut_or_emptied_is_named(tmp_path: Path) -> None:
    run, page = tmp_path / "plans", tmp_path / "page.html"
    assert herobench("run", "-m", "noop", "--difficulty", "1", "--limit", "2", "-o", run).returncode == 0
    (answers,) = written(tmp_path, answers=[answer_row("1/1", "1", "app", True, "noop")])
    kept = (run / "samples.jsonl").read_bytes()
    (run / "samples.jsonl").write_bytes(kept[: len(kept) - 20])
    note = "plans has 1 of the 2 samples of its run: it is not over, or its file was cut."
    assert diagnosed(run, answers)["notes"] == [note]
    assert herobench("diagnose", run, answers).stderr.splitlines() == [note]
    assert herobench("analyze", run).stderr.splitlines() == [note]
    assert herobench("analyze", run, "--format", "html", "-o", page).returncode == 0
    assert note in page.read_text("utf-8")
    (run / "samples.jsonl").write_bytes(b"")
    assert refuses(herobench("diagnose", run, answers)) == f"There are no samples in {run} yet."
