from __future__ import annotations

import json
from pathlib import Path

import pytest

from herobench.data.documents import schema_problems
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.audit.audit import audit
from tests.golden import Golden
from tests.program import herobench, write_jsonl
from tests.task_gen.rpg.made import tasks
from tests.toys import toy


@pytest.fixture(scope="module")
def mixed(classic: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = (
        *tasks(classic, 3, brackets=(3,), kind="kill"),
        *tasks(classic, 2, brackets=(1,), kind="craft"),
        *tasks(classic, 3, brackets=(3,), kind="kill", knowledge="decoys", seed=1),
        *tasks(classic, 1, brackets=(3,), kind="kill", noise=2, seed=2),
    )
    rows = ({**task.as_row(), "id": f"{number}/{task.id}"} for number, task in enumerate(found))
    return write_jsonl(tmp_path_factory.mktemp("mixed") / "tasks.jsonl", rows)


@pytest.mark.slow
def test_families_stand_by_group_with_wins_shares_and_scores(mixed: Path, golden: Golden) -> None:
    golden(herobench("audit", mixed, "--families", "noop,listed,simulator", columns=60))


def test_json_has_the_audit_of_the_library(mixed: Path, classic: World) -> None:
    names = ("listed", "trial")
    done = herobench("audit", mixed, "--json", "--families", ",".join(names), "--jobs", "1")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert schema_problems(found, "audit", "audit") == []
    exact = [row for row in found["rows"] if (row["kind"], row["knowledge"], row["noise"]) == ("kill", "exact", False)]
    some = tasks(classic, 3, brackets=(3,), kind="kill")
    assert exact == audit(classic, load_rules(), some, names)["rows"]


def test_a_group_is_named_by_what_is_not_usual(classic: World, tmp_path: Path, golden: Golden) -> None:
    (task,) = tasks(classic, 1, brackets=(3,), kind="kill")
    asked = ({}, {"plan": "straight"}, {"plan": "straight", "defeat": "final", "budget": 9})
    rows = [{**task.as_row(), "id": str(index)} for index, _ in enumerate(asked)]
    for row, mechanics in zip(rows, asked, strict=True):
        row["mechanics"] = {**row["mechanics"], **mechanics}
    file = write_jsonl(tmp_path / "tasks.jsonl", rows)
    golden(herobench("audit", file, "--families", "listed,simulator", columns=60))


def test_a_family_that_there_is_not_is_refused(mixed: Path, golden: Golden) -> None:
    golden(herobench("audit", mixed, "--families", "luck"))


def test_a_file_without_tasks_has_an_empty_audit(tmp_path: Path) -> None:
    done = herobench("audit", write_jsonl(tmp_path / "none.jsonl", []), "--json")
    assert (done.returncode, json.loads(done.stdout)["rows"]) == (0, [])


def test_a_file_that_is_not_there_is_said_in_a_sentence(tmp_path: Path, golden: Golden) -> None:
    golden(herobench("audit", tmp_path / "nothing.jsonl"))


def test_what_a_suite_has_no_audit_for_is_refused(mixed: Path, golden: Golden) -> None:
    golden(toy("audit", mixed, "--suite", "treasure"))
