"""Questions about the hero's world from the command `generate`: which tasks they are about, and that seeds fix them."""

from __future__ import annotations

from pathlib import Path

import pytest

from herobench.suites.acp.answers.grading import grade
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.tasks.spec import Spec
from tests.program import herobench, read_jsonl, refuses, write_jsonl
from tests.task_gen.rpg.made import make_task


def generated(folder: Path, *options: str, name: str = "q") -> Path:
    file = folder / f"{name}.jsonl"
    done = herobench("generate", "--suite", "acp", "--domain", "hero", *options, "-o", file)
    assert done.returncode == 0, done.stderr
    return file


def test_each_kind_is_asked_about_each_task_in_turn(tmp_path: Path) -> None:
    rows = read_jsonl(generated(tmp_path, "--task", "app,prog", "--count", "6", "--seed", "4"))
    assert [row["task"] for row in rows] == ["app", "prog"] * 3
    assert [row["rpg_task"] for row in rows[::2]] == [row["rpg_task"] for row in rows[1::2]]
    assert len({row["rpg_task"] for row in rows}) == 3
    assert {row["split"] for row in rows} == {"generated"}
    assert grade(rows[0], "ANSWER: []", how="sound") == 0


def test_questions_are_about_the_tasks_of_a_file(tmp_path: Path) -> None:
    tasks = tmp_path / "tasks.jsonl"
    made = herobench("generate", "--difficulty", "2", "--count", "2", "--kind", "kill", "-o", tasks)
    assert made.returncode == 0, made.stderr
    rows = read_jsonl(generated(tmp_path, "--task", "val", "--count", "5", "--about", str(tasks)))
    ids = [row["id"] for row in read_jsonl(tasks)]
    assert [row["rpg_task"] for row in rows] == [ids[number % 2] for number in range(5)]
    assert len({row["id"] for row in rows}) == 5


def test_campaigns_and_other_domains_are_refused(tmp_path: Path, classic: World) -> None:
    def said(*options: str) -> str:
        return refuses(herobench("generate", "--suite", "acp", *options, "-o", tmp_path / "none.jsonl"))

    campaign = write_jsonl(tmp_path / "campaign.jsonl", [make_task(classic, Spec(goals=3), 0).as_row()])
    assert "it is a campaign" in said("--domain", "hero", "--about", str(campaign))
    assert "give --domain hero alone" in said("--domain", "ferry,hero")
    assert "--about" in said("--domain", "ferry", "--about", "base")


@pytest.mark.slow
def test_questions_do_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    options = ("--count", "160", "--seed", "2")
    one, two = (generated(tmp_path, *options, "--jobs", jobs, name=jobs).read_bytes() for jobs in ("1", "2"))
    assert one == two
