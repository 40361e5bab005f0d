"""Runs of journeys that choose their tasks: they end when the decisions between mistakes are known well enough."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from herobench.data.rows import write_rows
from herobench.suites.rpg.journey.task import DATASETS
from herobench.task_gen.rpg.journey import maker
from tests.program import herobench, read_jsonl
from tests.suites.rpg.journey.roads import journey


@pytest.fixture(scope="module")
def roads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve roads of 2 and of 4 regions each."""
    file = tmp_path_factory.mktemp("roads") / "roads.jsonl"
    tasks = (journey(regions, "hand", 1, 1, str(number)) for regions in (2, 4) for number in range(12))
    write_rows(file, [task.as_row() for task in tasks])
    return file


def run(roads: Path, folder: Path, *words: str) -> tuple[dict[str, Any], str]:
    """The state of the choice at the end of a run, and what was printed."""
    command = herobench("run", "--suite", "journey", "--tasks", roads, "-o", folder, *words, columns=200)
    assert command.returncode == 0, command.stderr
    manifest = json.loads((folder / "run.json").read_text("utf-8"))
    assert schema_problems(manifest, "run", "run.json") == []
    return manifest["sessions"][-1]["until"], command.stdout


def test_a_run_ends_when_the_decisions_between_mistakes_are_known(roads: Path, tmp_path: Path) -> None:
    state, text = run(roads, tmp_path / "run", "-m", "careless:0.9", "--until", "factor=2")
    details = [row["details"] for row in read_jsonl(tmp_path / "run" / "samples.jsonl")]
    decisions, mistakes = (sum(row[name] for row in details) for name in ("choices", "mistakes"))
    assert (state["reason"], state["tasks"]) == ("factor", len(details))
    assert (state["decisions"], state["mistakes"], state["between"]) == (decisions, mistakes, decisions / mistakes)
    assert 1 < state["high"] / state["low"] <= 2
    assert [row["regions"] for row in details][:8] == [2] * 8, "the shortest tasks hold three of its mistakes each"
    assert f"; {mistakes} in {decisions} decisions)\nsuccess " in text
    assert "spans a factor of 1." in text


def test_decisions_between_mistakes_come_first(roads: Path, tmp_path: Path) -> None:
    words = ("run", "--suite", "journey", "--tasks", roads, "-m", "careless:0.5", "-o", tmp_path / "run")
    text = herobench(*words, columns=200).stdout
    details = [row["details"] for row in read_jsonl(tmp_path / "run" / "samples.jsonl")]
    decisions, mistakes = (sum(row[name] for row in details) for name in ("choices", "mistakes"))
    figure = f"; {mistakes} in {decisions} decisions)"
    names = [line.split("  ")[0] for line in text.splitlines()[-4:]]
    assert names == ["decisions between mistakes", "success", "model", "run"]
    assert f"{figure}\nsuccess " in text
    told = herobench("analyze", tmp_path / "run", columns=200).stdout
    assert re.search(rf"decisions between mistakes  \S+ \(.*{re.escape(figure)}\nhorizon ", told)
    assert (
        "| Decisions between mistakes | Horizon, regions |"
        in herobench("analyze", tmp_path / "run", "--format", "md").stdout
    )


def test_what_compares_of_chosen_tasks_is_what_they_were_chosen_for(roads: Path, tmp_path: Path) -> None:
    for name, words, figure in (
        ("between", (), "its decisions between mistakes compare with others"),
        ("horizon", ("--regrets", "off"), "its horizon compares with others"),
    ):
        run(roads, tmp_path / name, "-m", "noop", "--until", "tasks=4", *words)
        assert f"{figure}, success and score do not." in herobench("analyze", tmp_path / name).stderr


def test_a_resumed_run_goes_on_with_its_choice(roads: Path, tmp_path: Path) -> None:
    whole, _ = run(roads, tmp_path / "whole", "-m", "careless:0.3", "--until", "tasks=12")
    run(roads, tmp_path / "run", "-m", "careless:0.3", "--until", "tasks=8")
    assert herobench("run", "--resume", tmp_path / "run", "--until", "tasks=12").returncode == 0
    rounds = [json.loads((tmp_path / name / "run.json").read_text("utf-8"))["rounds"] for name in ("whole", "run")]
    assert rounds[0] == rounds[1]
    assert whole["reason"] == "tasks"


def test_without_a_mistake_only_a_lower_end_is_known(roads: Path, tmp_path: Path) -> None:
    state, text = run(roads, tmp_path / "run", "-m", "oracle", "--until", "factor=2")
    assert (state["reason"], state["between"], state["high"], state["mistakes"]) == ("all tasks", None, None, 0)
    assert f"or more (0 in {state['decisions']:,} decisions)" in text


def test_a_plan_that_does_not_arrive_ends_with_a_decision_and_a_mistake_for_every_command(
    roads: Path, tmp_path: Path
) -> None:
    state, text = run(roads, tmp_path / "noop", "-m", "noop", "--until", "tasks=4")
    assert (state["decisions"], state["mistakes"], state["between"]) == (4, 4, 1)
    for told in (text, herobench("analyze", tmp_path / "noop", columns=200).stdout):
        assert "; 4 in 4 decisions)" in told


def test_without_regrets_tasks_are_chosen_for_the_horizon(roads: Path, tmp_path: Path) -> None:
    state, _ = run(roads, tmp_path / "run", "-m", "oracle", "--until", "tasks=8", "--regrets", "off")
    assert "horizon" in state
    assert "between" not in state


def test_tasks_are_made_as_they_are_needed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Here with all sites at hand and little to carry, which is quickly solved."""
    lengths, _, chance = maker._SHAPES[DATASETS[0]]
    monkeypatch.setitem(maker._SHAPES, DATASETS[0], (lengths, "hand", chance))
    monkeypatch.setattr(maker, "_SHORT", ((1, 1),))
    words = ("run", "--suite", "journey", "-m", "careless:0.5", "--until", "tasks=8,longest=4", "--fresh", "3")
    assert herobench(*words, "--jobs", "1", "-o", tmp_path / "run").returncode == 0
    rows = read_jsonl(tmp_path / "run" / "samples.jsonl")
    assert sorted(row["details"]["regions"] for row in rows) == [2] * 4 + [4] * 4
    assert all(row["task_id"].startswith("made/") for row in rows)


def test_a_dry_run_foretells_no_number_of_tasks(roads: Path) -> None:
    words = ("run", "--suite", "journey", "--tasks", roads, "-m", "oracle", "--until", "factor=2", "--dry-run")
    assert "with a horizon of" not in herobench(*words).stdout
