"""`herobench run --fresh` with a tiny suite that has twins: the seed, the selection, resuming, what is told or refused.

Twins of the RPG are in test_fresh_twins.py.
"""

from __future__ import annotations

import importlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import herobench as library
from herobench.data.documents import MOST_EXACT, schema_problems
from herobench.data.errors import SuiteError, UsageError
from tests.cli.running import contents, samples
from tests.pairs import install_pairs
from tests.program import Done, herobench

THREE = ("--task-id", "t[0-2]")


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_pairs(tmp_path / "site", monkeypatch)


def run(*words: str | Path, suite: str = "pairs") -> Done:
    return herobench("run", "--suite", suite, "--model", "echo", *words)


def config(folder: Path) -> dict[str, Any]:
    manifest = json.loads((folder / "run.json").read_text("utf-8"))
    assert schema_problems(manifest, "run", "run.json") == []
    return dict(manifest["config"])


def asked(folder: Path) -> list[str]:
    return sorted(row["task_id"] for row in samples(folder))


# -- the seed ---------------------------------------------------------------------------------------------------------


def test_a_run_on_twins_keeps_its_seed_and_says_what_it_asked(tmp_path: Path) -> None:
    done = run("--fresh", "7", *THREE, "-o", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert asked(tmp_path / "run") == ["t0-7", "t1-7", "t2-7"]
    assert (config(tmp_path / "run")["dataset"], config(tmp_path / "run")["fresh"]) == ("pairs-v1", 7)
    assert "echo on fresh twins of pairs-v1, seed 7" in done.stdout


def test_without_a_number_each_run_draws_a_seed_of_its_own(tmp_path: Path) -> None:
    seeds = set()
    for name in ("one", "two"):
        assert run("--fresh", *THREE, "-o", tmp_path / name).returncode == 0
        seed = config(tmp_path / name)["fresh"]
        assert asked(tmp_path / name) == [f"t{number}-{seed}" for number in range(3)]
        assert 0 <= seed <= MOST_EXACT
        seeds.add(seed)
    assert len(seeds) == 2


def test_a_run_on_the_tasks_themselves_has_no_seed(tmp_path: Path) -> None:
    assert run("-o", tmp_path / "run").returncode == 0
    assert config(tmp_path / "run")["fresh"] is None
    assert asked(tmp_path / "run") == ["t0", "t1", "t2", "t3"]


@pytest.mark.parametrize("seed", ["0", str(MOST_EXACT)])
def test_the_ends_of_the_range_are_seeds(seed: str, tmp_path: Path) -> None:
    assert run("--fresh", seed, *THREE, "-o", tmp_path / "run").returncode == 0
    assert config(tmp_path / "run")["fresh"] == int(seed)


@pytest.mark.parametrize("seed", [str(MOST_EXACT + 1), "-1", "7.5", "", "seven", "\u0667"])
def test_anything_else_is_none(seed: str, tmp_path: Path) -> None:
    done = run(f"--fresh={seed}", *THREE, "-o", tmp_path / "run")
    assert (done.returncode, done.stdout) == (2, "")
    assert "fresh" in done.stderr.splitlines()[-1]
    assert not (tmp_path / "run").exists()


def test_the_folder_that_it_makes_up_says_that_it_is_fresh(tmp_path: Path) -> None:
    done = herobench(*"run --suite pairs --model echo --fresh 7 --task-id t0".split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name.startswith("pairs-v1-fresh--echo--")


def test_a_dry_run_shows_the_seed_and_a_twin(tmp_path: Path) -> None:
    done = run("--fresh", "7", *THREE, "--dry-run")
    assert ["fresh", "7"] in [line.split() for line in done.stdout.splitlines()]
    assert "These are fresh twins of pairs-v1, seed 7.\nOne twin is harder.\n" in done.stdout
    assert done.stdout.startswith("t0-7\n")
    told = json.loads(run("--fresh", "7", *THREE, "--dry-run", "--json").stdout)
    assert (told["config"]["fresh"], told["tasks"]) == (7, ["t0-7", "t1-7", "t2-7"])
    assert told["notes"] == ["One twin is harder."]


# -- which tasks ------------------------------------------------------------------------------------------------------


def test_tasks_are_chosen_by_the_ids_that_are_known(tmp_path: Path) -> None:
    """The twin of t3 would be refused, so no twin is made of it."""
    assert run("--fresh", "7", "--task-id", "t2", "--task-id", "t0", "-o", tmp_path / "ids").returncode == 0
    assert asked(tmp_path / "ids") == ["t0-7", "t2-7"]
    assert run("--fresh", "7", "--limit", "2-3", "-o", tmp_path / "limit").returncode == 0
    assert asked(tmp_path / "limit") == ["t1-7", "t2-7"]


def test_a_task_without_a_twin_stops_the_run_before_it_begins(tmp_path: Path) -> None:
    done = run("--fresh", "7", "-o", tmp_path / "run")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (2, "The task 't3' can have no twin.")
    assert not (tmp_path / "run").exists()


def test_what_twins_do_not_share_with_their_originals_is_told(tmp_path: Path) -> None:
    assert "One twin is harder.\n" in run("--fresh", "7", *THREE, "-o", tmp_path / "run").stderr
    done = run("--fresh", "7", *THREE, "-o", tmp_path / "json", "--json")
    assert {"event": "note", "message": "One twin is harder."} in map(json.loads, done.stdout.splitlines())


# -- resume and score -------------------------------------------------------------------------------------------------


def test_a_run_resumes_and_is_scored_without_new_twins(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert run("--fresh", "7", *THREE, "-o", folder).returncode == 0
    before = contents(folder)["samples.jsonl"]
    rows = before.splitlines(keepends=True)
    (folder / "samples.jsonl").write_bytes(rows[0])
    done = herobench("run", "--resume", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "echo on fresh twins of pairs-v1, seed 7" in done.stdout
    assert asked(folder) == ["t0-7", "t1-7", "t2-7"]
    assert config(folder)["fresh"] == 7
    assert herobench("score", folder).returncode == 0


@pytest.mark.parametrize("words", [("--fresh", "7"), ("--fresh",)])
def test_the_same_words_again_are_the_same_run(words: tuple[str, ...], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert run("--fresh", "7", *THREE, "-o", folder).returncode == 0
    done = herobench("run", "--resume", folder, *words, *THREE)
    assert done.returncode == 0, done.stderr


def test_another_seed_or_none_is_another_run(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert run("--fresh", "7", *THREE, "-o", folder).returncode == 0
    for words, told in ((["--fresh", "8"], "  fresh: 7, now 8"), ([], "  fresh: 7, now None")):
        done = run(*words, *THREE, "-o", folder)
        assert done.returncode == 2
        assert told in done.stderr.splitlines()


def test_a_run_of_before_there_were_twins_resumes(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert run("-o", folder).returncode == 0
    manifest = json.loads((folder / "run.json").read_text("utf-8"))
    del manifest["config"]["fresh"]
    (folder / "run.json").write_text(json.dumps(manifest), "utf-8")
    assert herobench("run", "--resume", folder).returncode == 0


# -- suites without twins ---------------------------------------------------------------------------------------------


def test_a_suite_without_twins_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "toy")
    done = herobench("run", "--suite", "treasure", "--model", "perfect", "--fresh", "-o", tmp_path / "run")
    assert done.returncode == 2
    sentence = "The suite treasure makes no private twins of its tasks: leave --fresh out."
    assert done.stderr.splitlines()[-1] == sentence
    assert not (tmp_path / "run").exists()


def test_twins_that_are_missing_are_never_passed_over(tmp_path: Path) -> None:
    done = run("--fresh", "7", *THREE, "-o", tmp_path / "run", suite="dropping")
    assert done.returncode == 2
    assert done.stderr.endswith("The suite dropping failed in fresh: ValueError: it made 2 twins of 3 tasks\n")
    wrong = run("--fresh", "7", *THREE, "-o", tmp_path / "run", suite="bare")
    assert wrong.stderr.endswith("The suite bare failed in fresh: TypeError: it returned a Bare, not a FreshSuite\n")


@pytest.mark.parametrize("suite", ["pairs", "dropping"])
@pytest.mark.parametrize("sampling", [{}, {"temperature": -1.0}], ids=["accepted", "refused"])
def test_every_suite_is_closed_once(suite: str, sampling: dict[str, float], tmp_path: Path) -> None:
    """Twins that were dropped are refused too."""
    ids = ["t0", "t1"]
    closed = importlib.import_module("pairs").CLOSED
    closed.clear()
    with suppress(UsageError, SuiteError):
        library.run("echo", suite=suite, task_ids=ids, sampling=sampling, fresh=7, output=tmp_path / "run")
    assert sorted(closed) == ["7", "public"]


# -- from Python ------------------------------------------------------------------------------------------------------


def test_a_program_says_fresh_too(tmp_path: Path) -> None:
    def ran(name: str, fresh: bool | int) -> int | None:
        ending = library.run("echo", suite="pairs", task_ids=["t0"], fresh=fresh, output=tmp_path / name)
        assert ending.standing.wins == 1
        return ending.config.fresh

    assert [ran("seven", 7), ran("zero", 0), ran("none", False)] == [7, 0, None]
    drawn = ran("drawn", True)
    assert drawn is not None
    assert drawn > 1
    for wrong in (-1, 2**53, 7.5):
        with pytest.raises(UsageError, match=r"fresh|choice"):
            ran("wrong", wrong)  # type: ignore[arg-type]
