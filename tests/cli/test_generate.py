from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from herobench.suites.rpg.worlds.content import load_world
from herobench.suites.rpg.worlds.task_file import load_tasks
from tests.golden import Golden
from tests.program import command, herobench, read_jsonl, surroundings
from tests.sizes import for_each


def made(folder: Path, *options: str) -> Path:
    file = folder / "made.jsonl"
    done = herobench("generate", *options, "-o", file)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    return file


def test_the_first_example_of_all_works(tmp_path: Path, golden: Golden) -> None:
    golden(herobench("generate", "--difficulty", "9", "--noise", "--count", "3", cwd=tmp_path))
    tasks = load_tasks(tmp_path / "tasks.jsonl", load_world()).values()
    assert [task.difficulty for task in tasks] == [83, 84, 85]
    assert [len(task.knowledge.noise) for task in tasks] == [5, 5, 5]


def test_what_was_made_is_kept_when_a_later_task_cannot_be_made(tmp_path: Path, golden: Golden) -> None:
    options = "--item cooked_chicken --noise --count 2 --difficulty 1-2 --jobs 1".split()
    golden(herobench("generate", *options, "-o", tmp_path / "made.jsonl", cwd=tmp_path))
    assert len(read_jsonl(tmp_path / "made.jsonl")) == 1


def test_every_option_is_heard(tmp_path: Path) -> None:
    options = "--difficulty 2,4-5 --count 3 --kind kill --monster".split()
    more = "--level 15 --knowledge decoys --noise 2 --leveling --stochastic --defeat final --seed 5 --jobs 1".split()
    rows = read_jsonl(made(tmp_path, *options, "flying serpent", *more))
    assert [row["id"].split("/")[0] for row in rows] == ["2", "4", "5"]
    for row in rows:
        assert (row["kind"], row["target"], row["hero"]["level"]) == ("kill", "flying_serpent", 15)
        assert (row["knowledge"]["level"], len(row["knowledge"]["noise"])) == ("decoys", 2)
        assert row["mechanics"] == {"leveling": True, "drop_scale": 10.0, "exchange": "told", "defeat": "final"}


@pytest.mark.slow
def test_tasks_are_the_same_whatever_a_defeat_costs(tmp_path: Path) -> None:
    free = read_jsonl(made(tmp_path, "--difficulty", "3", "--count", "3"))
    for defeat in ("free", "counted", "final"):
        rows = read_jsonl(made(tmp_path, "--difficulty", "3", "--count", "3", "--defeat", defeat))
        assert [row["mechanics"].pop("defeat", "free") for row in rows] == [defeat] * 3
        assert rows == free
        assert herobench("validate", tmp_path / "made.jsonl").returncode == 0


def test_a_budget_is_a_multiple_of_what_is_proven_and_is_told(tmp_path: Path) -> None:
    options = "--difficulty 3 --count 2 --jobs 1".split()
    plain = read_jsonl(made(tmp_path, *options))
    rows = read_jsonl(made(tmp_path, *options, "--budget", "1.5"))
    bounds = [row["certificate"]["lower_bound"] for row in rows]
    assert [row["mechanics"].pop("budget") for row in rows] == [-(-3 * bound // 2) for bound in bounds]
    assert [row["mechanics"].pop("budget_factor") for row in rows] == [1.5, 1.5]
    assert rows == plain
    file = tmp_path / "made.jsonl"
    assert herobench("validate", file).stdout == "2 of 2 tasks hold\n"
    (first, *_) = json.loads(herobench("tasks", "list", "--json", "--tasks", file).stdout)
    budget = -(-3 * bounds[0] // 2)
    assert first["mechanics"] == [f"budget {budget}"]
    shown = " ".join(herobench("tasks", "show", first["id"], "--tasks", file).stdout.split())
    assert f"budget {budget} actions, 1.5 times the lower bound or the oracle's plan" in shown
    assert f"at most {budget} actions" in herobench("tasks", "prompt", first["id"], "--tasks", file).stdout
    assert "budget 1.5: 2" in " ".join(herobench("tasks", "stats", "--tasks", file).stdout.split())


def test_straight_plans_are_asked_for(tmp_path: Path) -> None:
    rows = read_jsonl(made(tmp_path, *"--plan straight --difficulty 1 --count 2 --jobs 1".split()))
    assert [row["mechanics"] for row in rows] == [
        {"leveling": False, "drop_scale": None, "exchange": "told", "plan": "straight"}
    ] * 2
    done = herobench("validate", tmp_path / "made.jsonl")
    assert (done.returncode, done.stdout) == (0, "2 of 2 tasks hold\n"), done.stderr


def test_from_gives_the_tasks_from_a_number_on(tmp_path: Path) -> None:
    all_of_them = made(tmp_path, "--suite", "rpg", "--count", "6").read_text("utf-8").splitlines()
    some = made(tmp_path, "--from", "4", "--count", "2").read_text("utf-8").splitlines()
    assert some == all_of_them[4:]


def test_a_dash_streams_to_standard_output(tmp_path: Path) -> None:
    done = herobench("generate", "--difficulty", "1", "--count", "2", "-o", "-", cwd=tmp_path)
    assert len(done.stdout.splitlines()) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_nobody_named_is_not_written_over(tmp_path: Path, golden: Golden) -> None:
    (tmp_path / "tasks.jsonl").write_text("precious", "utf-8")
    golden(herobench("generate", "--count", "1", cwd=tmp_path))
    assert (tmp_path / "tasks.jsonl").read_text("utf-8") == "precious"


REFUSED = [
    *("--difficulty 11", "--difficulty hard", "--monster dragon", "--monster chiken"),
    "--kind craft --difficulty 9",
    *("--monster chicken --knowledge decoys --noise", "--kind craft --monster cow", "--noise 100000"),
    *("--plan straight --stochastic", "--dataset base --plan straight", "--level 99", "--dataset base --noise"),
    *("--dataset base --from 3", "--dataset old", "--world nowhere"),
]


@for_each("options", REFUSED)
def test_what_cannot_be_made_is_refused_in_a_sentence(options: str, tmp_path: Path, golden: Golden) -> None:
    golden(herobench("generate", *options.split(), "--jobs", "1", cwd=tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_an_empty_name_is_no_name(tmp_path: Path, golden: Golden) -> None:
    (tmp_path / "tasks.jsonl").write_text("precious", "utf-8")
    golden(
        herobench("generate", "--count", "1", "-o", "", cwd=tmp_path),
        herobench("generate", "--monster", "", "-o", "-", cwd=tmp_path),
    )
    assert (tmp_path / "tasks.jsonl").read_text("utf-8") == "precious"


@pytest.mark.kills
def test_an_interrupt_ends_it_at_once_and_leaves_no_half_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    running = subprocess.Popen(
        command("generate", "--count", "100000", "--jobs", "2", "-o", file),
        stderr=subprocess.PIPE,
        text=True,
        env=surroundings(),
    )
    while not any(part.stat().st_size for part in tmp_path.iterdir()):  # until its workers are at work
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []
