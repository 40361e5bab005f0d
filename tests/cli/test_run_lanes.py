"""`herobench run --lane`: what is told is kept, resumed and scored again, and figures of lanes stand apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from tests.cli.running import TASKS, resume, run, samples
from tests.golden import Golden
from tests.program import herobench, read_jsonl, write_jsonl
from tests.sizes import for_each

LANES = ["plan", "gear", "steps"]
HORIZONS = {"plan": 8.5, "gear": 15.5, "steps": 30.5}
"""The lengths from which a model loses in each lane, in decisions."""
OTHERS = ["gear", "steps"]


def config(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "run.json").read_text("utf-8"))["config"])


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of all lanes, in which the oracle gets the name of a model and loses the longer tasks."""
    folder = tmp_path_factory.mktemp("all") / "m"
    done = run(
        "--suite", "rpg", "--dataset", "base", "--model", "oracle", "--limit", "72", "--lane", "all", "-o", folder
    )
    assert done.returncode == 0, done.stderr
    assert "what planning costs oracle" in done.stdout
    assert sorted(each.name for each in folder.iterdir()) == sorted(LANES)
    for lane, horizon in HORIZONS.items():
        rows = samples(folder / lane)
        assert {(row["won"], row["details"].get("told", "plan")) for row in rows} == {(True, lane)}
        for number, row in enumerate(rows):
            lucky = number % 9 == 0
            row["model"] = "m"
            if (row["details"]["decisions"] > horizon) != lucky:
                row |= {"won": False, "score": 0.0, "failure": "other"}
        write_jsonl(folder / lane / "samples.jsonl", rows)
    return folder


def test_the_lane_and_its_words_are_in_the_identity_of_a_run_on_the_same_tasks(together: Path) -> None:
    assert len({(together / lane / "tasks.jsonl").read_text("utf-8") for lane in LANES}) == 1
    identities = {lane: config(together / lane)["identity"] for lane in LANES}
    plain = identities["plan"]
    assert not any(name.startswith("told") for name in plain)
    for lane in OTHERS:
        own = {name: value for name, value in identities[lane].items() if name not in plain}
        assert (own["told"], len(own["told_prompts"])) == (lane, 64)
        assert {name: identities[lane][name] for name in plain} == plain


@for_each(("began", "lane"), [("plan", "steps"), ("steps", "gear"), ("gear", "plan")])
def test_a_run_does_not_resume_in_another_lane(together: Path, began: str, lane: str, golden: Golden) -> None:
    done = resume(together / began, "--lane", lane)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"told: {began!r}" in done.stderr or f"now {lane!r}" in done.stderr
    golden(resume(together / began, "--lane", "all"))


def test_what_planning_costs_is_told_of_several_lanes(together: Path) -> None:
    (found,) = json.loads(herobench("analyze", together, "--format", "json").stdout)["planning"]
    costs = {(cost["more"], cost["less"]): cost["doublings"] for cost in found["costs"]}
    assert list(costs) == [("steps", "plan"), ("steps", "gear"), ("gear", "plan")]
    assert costs["steps", "plan"]["low"] > 0
    figures = [f"{cost['estimate']:.1f} doublings" for cost in costs.values()]
    shown = " ".join(herobench("analyze", together).stdout.split())
    assert all(figure in shown for figure in figures)
    board = json.loads(herobench("leaderboard", together, "--format", "json").stdout)
    assert (schema_problems(board, "leaderboard", ""), board["planning"]) == ([], [found])
    for command in ("analyze", "leaderboard"):
        assert "planning" not in json.loads(herobench(command, together / "plan", "--format", "json").stdout)


@pytest.mark.slow
def test_a_lane_goes_with_opaque_names_twins_and_chosen_tasks(tmp_path: Path) -> None:
    options = ["--names", "random", "--fresh", "7", "--until", "tasks=2", "--lane", "steps", "--limit", "3"]
    done = run("--dataset", "base", "--model", "oracle", *options, "-o", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    rows = samples(tmp_path / "run")
    told = [(row["won"], row["details"]["told"], row["details"]["names"]) for row in rows]
    assert told == [(True, "steps", "random")] * 2
    assert all(row["details"]["twin_of"] for row in rows)


@for_each("lane", OTHERS)
def test_the_prompt_of_a_lane_is_shown(lane: str) -> None:
    plain, told = (
        herobench("tasks", "prompt", "9/2_Lich_kill", "--tasks", "base", *more).stdout
        for more in ([], ["--lane", lane])
    )
    heading = {"gear": "# The gear that wins", "steps": "# The steps that win"}[lane]
    assert (heading in plain, heading in told) == (False, True)


@for_each("lane", [*OTHERS, "all"])
def test_what_has_nothing_to_tell_is_refused_before_anything_is_begun(
    tmp_path: Path, lane: str, golden: Golden
) -> None:
    assert not any(row.get("certificate") for row in read_jsonl(TASKS))
    golden(run("--model", "oracle", "--lane", lane, "-o", tmp_path / "run"))
    assert not (tmp_path / "run").exists()


@for_each("options", [["--mode", "feedback"], ["--agent", "a1", "--dataset", "base"]])
def test_what_cannot_be_told_a_lane_is_refused(options: list[str], golden: Golden) -> None:
    golden(run("--model", "oracle", *options, "--lane", "gear", "--dry-run"))


@pytest.mark.slow
def test_a_run_of_all_lanes_resumes_where_it_was_left(tmp_path: Path) -> None:
    folder = tmp_path / "a run"
    options = ["--dataset", "base", "--model", "noop", "--limit", "1", "--fresh", "--lane", "all", "-o", folder]
    assert run(*options, "--fail-under", "1").returncode == 3
    twins = {(folder / lane / "tasks.jsonl").read_text("utf-8") for lane in LANES}
    assert len(twins) == 1, "a random seed is drawn once"
    (folder / "gear" / "samples.jsonl").unlink()
    done = resume(folder)
    assert done.returncode == 0, done.stderr
    assert [len(samples(folder / lane)) for lane in LANES] == [1, 1, 1]
    assert {(folder / lane / "tasks.jsonl").read_text("utf-8") for lane in LANES} == twins
    shown = resume(folder, "--dry-run")
    assert (shown.returncode, shown.stdout.count("1 tasks, 1 attempts")) == (0, 3)
    facts = [line.split() for line in shown.stdout.splitlines() if line.startswith("lane ")]
    assert facts == [["lane", "gear"], ["lane", "steps"]]
