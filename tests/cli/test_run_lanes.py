"""`herobench run --lane`: what is told is kept, resumed and scored again, and figures of lanes stand apart."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pandas
import pytest

from herobench.data.documents import schema_problems
from tests.cli.running import TASKS, resume, run, samples
from tests.program import herobench, read_jsonl, refuses, write_jsonl
from tests.sizes import for_each

LANES = ["plan", "gear", "steps"]
HORIZONS = {"plan": 5.5, "gear": 7.5, "steps": 10.5}
"""The lengths from which a model loses in each lane, in decisions."""
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


@for_each(("began", "lane"), [("plan", "steps"), ("steps", "gear"), ("gear", "plan")])
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
    told = pandas.read_csv(io.StringIO(herobench("analyze", *folders.values(), "--format", "csv").stdout))
    assert list(told.told) == list(told.run), "a sample that names no lane is of the lane plan"
    shown = herobench("analyze", *folders.values()).stdout
    titles = [line for line in shown.splitlines() if line.startswith("track: ")]
    plain = "track: program, mode: plan"
    assert titles == [f"{plain}, told: gear", plain, f"{plain}, told: steps"]
    again = " ".join(herobench("run", "--resume", folders["steps"]).stdout.split())
    assert "lane: solver, track: program, mode: plan, told: steps" in again
    compared = herobench("compare", folders["plan"], folders["steps"])
    assert "The two are of different lanes, so their figures do not compare." in compared.stdout + compared.stderr


@pytest.mark.slow
def test_a_lane_goes_with_opaque_names_twins_and_chosen_tasks(tmp_path: Path) -> None:
    options = ["--names", "random", "--fresh", "7", "--until", "tasks=2", "--lane", "steps", "--limit", "3"]
    done = run("--dataset", "base", "--model", "oracle", *options, "-o", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    rows = samples(tmp_path / "run")
    assert [(row["won"], row["details"]["told"], row["details"]["names"]) for row in rows] == [
        (True, "steps", "random")
    ] * 2
    assert all(row["details"]["twin_of"] for row in rows)


@for_each("lane", OTHERS)
def test_the_prompt_of_a_lane_is_shown(lane: str) -> None:
    plain, told = (herobench("tasks", "prompt", "9/2_Lich_kill", *more).stdout for more in ([], ["--lane", lane]))
    heading = {"gear": "# The gear that wins", "steps": "# The steps that win"}[lane]
    assert (heading in plain, heading in told) == (False, True)
    assert herobench("tasks", "prompt", "9/2_Lich_kill", "--lane", "plan").stdout == plain


@for_each("lane", OTHERS)
def test_what_has_nothing_to_tell_is_refused(tmp_path: Path, lane: str) -> None:
    assert not any(row.get("certificate") for row in read_jsonl(TASKS))
    told = "has no certified plan that could be told: ask it in the lane plan, or leave it out."
    assert told in refuses(run("--model", "oracle", "--lane", lane, "-o", tmp_path / "no"))
    assert not (tmp_path / "no").exists()
    told = f"The lane {lane} is asked in the mode plan only"
    assert told in refuses(run("--model", "oracle", "--feedback", "on", "--lane", lane, "--dry-run"))
    told = f"does not read the prompt of the lane {lane}"
    assert told in refuses(run("--model", "oracle", "--agent", "a1", "--dataset", "base", "--lane", lane, "--dry-run"))


# -- all lanes --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of all lanes, in which the oracle gets the name of a model and loses the longer tasks."""
    folder = tmp_path_factory.mktemp("all") / "m"
    done = run("--dataset", "horizon", "--model", "oracle", "--limit", "72", "--lane", "all", "-o", folder)
    assert done.returncode == 0, done.stderr
    assert "what planning costs oracle" in done.stdout
    for lane, horizon in HORIZONS.items():
        rows = samples(folder / lane)
        for number, row in enumerate(rows):
            lucky = number % 9 == 0
            row["model"] = "m"
            if (row["details"]["decisions"] > horizon) != lucky:
                row |= {"won": False, "score": 0.0, "failure": "other"}
        write_jsonl(folder / lane / "samples.jsonl", rows)
    return folder


def test_all_lanes_are_runs_of_the_same_tasks_in_one_folder(together: Path) -> None:
    assert sorted(each.name for each in together.iterdir()) == sorted(LANES)
    assert len({(together / lane / "tasks.jsonl").read_text("utf-8") for lane in LANES}) == 1
    assert [manifest(together / lane)["config"]["identity"].get("told", "plan") for lane in LANES] == LANES


def test_what_planning_costs_is_told(together: Path) -> None:
    (found,) = json.loads(herobench("analyze", together, "--format", "json").stdout)["planning"]
    costs = {(cost["more"], cost["less"]): cost["doublings"] for cost in found["costs"]}
    assert list(costs) == [("steps", "plan"), ("steps", "gear"), ("gear", "plan")]
    assert costs["steps", "plan"]["low"] > 0
    figures = [f"{cost['estimate']:.1f} doublings" for cost in costs.values()]
    shown = " ".join(herobench("analyze", together).stdout.split())
    assert all(figure in shown for figure in figures)
    board = json.loads(herobench("leaderboard", together, "--format", "json").stdout)
    assert schema_problems(board, "leaderboard", "") == []
    assert board["planning"] == [found]


@pytest.mark.slow
def test_what_planning_costs_stands_in_tables_on_the_page_and_in_a_figure(together: Path, tmp_path: Path) -> None:
    (found,) = json.loads(herobench("analyze", together, "--format", "json").stdout)["planning"]
    figures = [f"{cost['doublings']['estimate']:.1f} doublings" for cost in found["costs"]]
    for form in ("table", "md"):
        tables = " ".join(herobench("leaderboard", together, "--format", form).stdout.split())
        assert all(figure in tables for figure in figures), form
    page = tmp_path / "page.html"
    assert herobench("analyze", together, "--format", "html", "-o", page).returncode == 0
    assert all(f"over plan: {figures[n]}" in page.read_text("utf-8") for n in (0, 2))
    drawn = herobench("plot", together, "-o", tmp_path / "figures").stdout
    assert "lanes.svg" in drawn
    picture = (tmp_path / "figures" / "lanes.svg").read_text("utf-8")
    assert all(figure in picture for figure in figures) or "<text" not in picture


def test_runs_of_one_lane_say_nothing_of_what_planning_costs(together: Path) -> None:
    assert "planning" not in json.loads(herobench("analyze", together / "plan", "--format", "json").stdout)
    assert "planning" not in json.loads(herobench("leaderboard", together / "plan", "--format", "json").stdout)


@pytest.mark.slow
def test_a_run_of_all_lanes_resumes_where_it_was_left(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    options = ["--dataset", "base", "--model", "oracle", "--limit", "2", "--fresh", "--lane", "all", "-o", folder]
    assert run(*options).returncode == 0
    twins = {(folder / lane / "tasks.jsonl").read_text("utf-8") for lane in LANES}
    assert len(twins) == 1, "a random seed is drawn once"
    (folder / "gear" / "samples.jsonl").unlink()
    done = resume(folder)
    assert done.returncode == 0, done.stderr
    assert [len(samples(folder / lane)) for lane in LANES] == [2, 2, 2]
    assert {(folder / lane / "tasks.jsonl").read_text("utf-8") for lane in LANES} == twins
    refused = refuses(resume(folder / "plan", "--lane", "all"))
    assert refused.endswith("has no runs in lanes: --lane all begins them in a new folder.")


def test_nothing_is_begun_where_a_lane_has_nothing_to_tell(tmp_path: Path) -> None:
    told = refuses(run("--model", "oracle", "--lane", "all", "-o", tmp_path / "run"))
    assert "has no certified plan that could be told" in told
    assert not (tmp_path / "run").exists()


def test_a_dry_run_of_all_lanes_shows_each(tmp_path: Path) -> None:
    done = run("--dataset", "base", "--model", "oracle", "--limit", "1", "--lane", "all", "--dry-run")
    assert (done.returncode, done.stdout.count("1 tasks, 1 attempts")) == (0, 3)
    facts = [line.split() for line in done.stdout.splitlines() if line.startswith(("told ", "lane "))]
    assert facts == [["lane", "solver"], ["lane", "solver"], ["told", "gear"], ["lane", "solver"], ["told", "steps"]]
