"""`herobench run --fresh` with the RPG: eight tasks of the base dataset, and their twins under opaque names.

The twins are made once. Runs on both are compared: of the oracle, which plans, and of a model that has learned the
public answers by heart.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from herobench.prompts.rpg.render import render_prompt
from herobench.suites.rpg.play.execution import as_answer
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.suites.rpg.worlds.task_file import load_tasks
from tests.cli.running import contents, samples
from tests.golden import Golden
from tests.pairs import install_pairs
from tests.program import Done, herobench, read_jsonl, write_jsonl

SEED = 7
NAMED = f"base-v2 fresh (seed {SEED})"
COUNT = 8


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Runs on the public tasks and on their twins."""
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        install_pairs(folder / "site", patch)
        heart = by_heart(folder / "answers.json")
        options = {
            "public": ("oracle", "--limit", str(COUNT)),
            "fresh": ("oracle", "--limit", str(COUNT), "--fresh", str(SEED)),
            "heart-public": (f"heart:{heart}", "--limit", str(COUNT)),
            "heart-fresh": (f"heart:{heart}", "--limit", str(COUNT), "--fresh", str(SEED)),
        }
        for name, (model, *words) in options.items():
            words += ["--dataset", "base", "--jobs", "1", "-o", name]
            done = herobench("run", "--model", model, *words, cwd=folder)
            assert done.returncode == 0, done.stderr
    return {name: folder / name for name in options}


def by_heart(file: Path) -> Path:
    """Write the certified plan of each public task under its prompt."""
    world, rules = load_world(), load_rules()
    tasks = list(load_tasks(Path("world_data/datasets/base-v2.jsonl"), world).values())[:COUNT]
    plans = {render_prompt(world, task, rules): as_answer(task.certificate.plan) for task in tasks if task.certificate}
    assert len(plans) == COUNT
    file.write_text(json.dumps(plans), "utf-8")
    return file


def compared(first: Path, second: Path) -> tuple[dict[str, Any], Done]:
    told = json.loads(herobench("compare", first, second, "--json").stdout)
    assert schema_problems(told, "comparison", "stdout") == []
    return told, herobench("compare", first, second, columns=300)


# -- the run ----------------------------------------------------------------------------------------------------------


def test_it_stays_itself_without_the_generator(runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("herobench.task_gen.rpg.twins.fresh_twins", None)
    before = contents(runs["fresh"])
    assert herobench("run", "--resume", runs["fresh"]).returncode == 0
    done = herobench("score", runs["fresh"])
    assert (done.returncode, done.stderr) == (0, f"0 of {COUNT} have another outcome or score than before\n")
    after = contents(runs["fresh"])
    assert [name for name in before if before[name] != after[name]] == ["run.json"]


def test_a_task_that_can_have_no_twin_is_named(tmp_path: Path, runs: dict[str, Path]) -> None:
    rows = read_jsonl(runs["public"] / "tasks.jsonl")[:2]
    rows[1]["mechanics"]["drop_scale"] = 2.0
    write_jsonl(tmp_path / "own.jsonl", rows)
    done = herobench("run", "-m", "oracle", "--tasks", tmp_path / "own.jsonl", "--fresh", "7", "-o", tmp_path / "run")
    assert done.returncode == 2
    assert f"The task {rows[1]['id']!r} has drops at 2 times their rates" in done.stderr
    assert not (tmp_path / "run").exists()


# -- what is said of it -----------------------------------------------------------------------------------------------


def test_the_analysis_names_the_dataset_as_fresh(runs: dict[str, Path], tmp_path: Path, golden: Golden) -> None:
    golden(herobench("analyze", runs["fresh"], runs["public"]))
    told = json.loads(herobench("analyze", runs["fresh"], "--format", "json").stdout)
    assert schema_problems(told, "analysis", "stdout") == []
    assert (told["runs"][0]["dataset"], told["notes"]) == (NAMED, [])
    page = tmp_path / "page.html"
    assert herobench("analyze", runs["fresh"], "--format", "html", "-o", page).returncode == 0
    assert f'"dataset":"{NAMED}"' in page.read_text("utf-8").replace('": "', '":"')


# -- compare ----------------------------------------------------------------------------------------------------------


def test_a_model_that_plans_does_as_well_on_twins(runs: dict[str, Path]) -> None:
    told, shown = compared(runs["public"], runs["fresh"])
    assert (told["success"]["shared"], told["success"]["difference"]["estimate"]) == (COUNT, 0)
    assert told["twins"] == {"side": "second", "verdict": "no_difference_shown"}
    assert "no difference is shown between the original tasks and their twins" in shown.stdout


def test_a_model_that_has_learned_the_public_answers_by_heart_is_found_out(runs: dict[str, Path]) -> None:
    assert [row["won"] for row in samples(runs["heart-public"])] == [True] * COUNT
    told, shown = compared(runs["heart-public"], runs["heart-fresh"])
    assert (told["success"]["better"], told["success"]["difference"]["estimate"]) == (COUNT, 100)
    assert told["twins"] == {"side": "second", "verdict": "originals_won_more"}
    assert "the model may have seen them" in shown.stdout
    assert compared(runs["heart-fresh"], runs["heart-public"])[0]["twins"] == {
        "side": "first",
        "verdict": "originals_won_more",
    }


def test_two_models_say_nothing_of_what_one_has_seen(runs: dict[str, Path]) -> None:
    told, shown = compared(runs["heart-public"], runs["fresh"])
    assert told["twins"] == {"side": "second", "verdict": "not_comparable"}
    assert "that takes a model and two tasks with twins" in shown.stdout
    assert compared(runs["public"], runs["heart-public"])[0]["twins"] is None
