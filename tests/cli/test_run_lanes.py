"""`herobench run --lane`: what is told is kept, resumed and scored again, and figures of lanes stand apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import TASKS, resume, run, samples
from tests.program import herobench, read_jsonl, refuses

LANES = ["plan", "gear", "steps"]
OTHERS = ["gear", "steps"]


def manifest(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "run.json").read_text("utf-8")))


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The oracle's runs of three tasks of the set in each lane."""
    made = {lane: tmp_path_factory.mktemp("lanes") / lane for lane in LANES}
    for lane, folder in made.items():
        done = run("--dataset", "base", "--model", "oracle", "--limit", "3", "--lane", lane, "-o", folder)
        assert done.returncode == 0, done.stderr
    return made


def test_the_oracle_wins_in_every_lane_the_same_tasks(folders: dict[str, Path]) -> None:
    told = {lane: samples(folder) for lane, folder in folders.items()}
    assert all(row["won"] for rows in told.values() for row in rows)
    assert len({tuple((row["task_id"], row["details"]["decisions"]) for row in rows) for rows in told.values()}) == 1
    assert len({(folder / "tasks.jsonl").read_text("utf-8") for folder in folders.values()}) == 1
    assert {lane: {row["details"].get("told") for row in rows} for lane, rows in told.items()} == {
        "plan": {None},
        "gear": {"gear"},
        "steps": {"steps"},
    }


def test_the_lane_and_its_words_are_in_the_identity_of_a_run(folders: dict[str, Path]) -> None:
    identities = {lane: manifest(folder)["config"]["identity"] for lane, folder in folders.items()}
    assert not any(name.startswith("told") for name in identities["plan"])
    for lane in OTHERS:
        own = {name: value for name, value in identities[lane].items() if name not in identities["plan"]}
        assert (own["told"], len(own["told_prompts"])) == (lane, 64)
        assert {name: identities[lane][name] for name in identities["plan"]} == identities["plan"]


@pytest.mark.parametrize(("began", "lane"), [("plan", "steps"), ("steps", "gear"), ("gear", "plan")])
def test_a_run_does_not_resume_in_another_lane(folders: dict[str, Path], began: str, lane: str) -> None:
    done = resume(folders[began], "--lane", lane)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"identity.told: {began!r}" in done.stderr or f"now {lane!r}" in done.stderr


@pytest.mark.parametrize("lane", LANES)
def test_a_run_resumes_in_its_lane_and_is_scored_in_it(folders: dict[str, Path], lane: str) -> None:
    before = samples(folders[lane])
    assert resume(folders[lane]).returncode == 0
    assert herobench("score", folders[lane]).returncode == 0
    assert [row["details"].get("told") for row in samples(folders[lane])] == [
        row["details"].get("told") for row in before
    ]


def test_figures_of_lanes_stand_apart(folders: dict[str, Path]) -> None:
    done = herobench("analyze", *folders.values(), "--format", "json")
    found = {row["name"]: row["apart"] for row in json.loads(done.stdout)["runs"]}
    assert {name: apart.get("told") for name, apart in found.items()} == {
        "plan": None,
        "gear": "gear",
        "steps": "steps",
    }
    shown = herobench("analyze", *folders.values()).stdout
    titles = [line for line in shown.splitlines() if line.startswith("track: ")]
    plain = "track: program, mode: plan"
    assert titles == [f"{plain}, told: gear", plain, f"{plain}, told: steps"]
    again = " ".join(herobench("run", "--resume", folders["steps"]).stdout.split())
    assert "lane: solver, track: program, mode: plan, told: steps" in again
    compared = herobench("compare", folders["plan"], folders["steps"])
    assert "The two are of different lanes, so their figures do not compare." in compared.stdout + compared.stderr


def test_a_lane_goes_with_opaque_names_twins_and_chosen_tasks(tmp_path: Path) -> None:
    options = ["--names", "random", "--fresh", "7", "--until", "tasks=2", "--lane", "steps", "--limit", "3"]
    done = run("--dataset", "base", "--model", "oracle", *options, "-o", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    rows = samples(tmp_path / "run")
    assert [(row["won"], row["details"]["told"], row["details"]["names"]) for row in rows] == [
        (True, "steps", "random")
    ] * 2
    assert all(row["details"]["twin_of"] for row in rows)


@pytest.mark.parametrize("lane", OTHERS)
def test_the_prompt_of_a_lane_is_shown(lane: str) -> None:
    plain, told = (herobench("tasks", "prompt", "9/2_Lich_kill", *more).stdout for more in ([], ["--lane", lane]))
    heading = {"gear": "# The gear that wins", "steps": "# The steps that win"}[lane]
    assert (heading in plain, heading in told) == (False, True)
    assert herobench("tasks", "prompt", "9/2_Lich_kill", "--lane", "plan").stdout == plain


@pytest.mark.parametrize("lane", OTHERS)
def test_what_has_nothing_to_tell_is_refused(tmp_path: Path, lane: str) -> None:
    assert not any(row.get("certificate") for row in read_jsonl(TASKS))
    told = "has no certified plan that could be told: ask it in the lane plan, or leave it out."
    assert told in refuses(run("--model", "oracle", "--lane", lane, "-o", tmp_path / "no"))
    assert not (tmp_path / "no").exists()
    told = f"The lane {lane} is asked in the mode plan only"
    assert told in refuses(run("--model", "oracle", "--feedback", "on", "--lane", lane, "--dry-run"))
    told = f"does not read the prompt of the lane {lane}"
    assert told in refuses(run("--model", "oracle", "--agent", "a1", "--dataset", "base", "--lane", lane, "--dry-run"))
