from __future__ import annotations

import json
from pathlib import Path

import pytest

from herobench.data.documents import schema_problems
from herobench.suites.epoch.game.level import DATASET, load_levels
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.audit.audit import audit
from tests.program import herobench, refuses, write_jsonl
from tests.sizes import for_each
from tests.suites.discover.mysteries import some
from tests.task_gen.rpg.made import tasks


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
def test_families_stand_by_kind_and_knowledge_with_wins_shares_and_scores(mixed: Path) -> None:
    done = herobench("audit", mixed, "--families", "noop,listed,strongest,trial", columns=60)
    assert (done.returncode, done.stderr) == (0, "")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "kill kill" in lines
    assert "exact exact, noise" in lines
    assert "won by of 3, score of 1, score" in lines
    assert "decoys exact" in lines
    assert any(line.startswith("listed 3 100.0 % 100.0 ") for line in lines)
    assert any(line.startswith("trial 3 100.0 % ") for line in lines)
    assert "noop 0 0.0 % 0.0 0 0.0 % 0.0" in lines
    assert not any(line.startswith("oracle") for line in lines)
    assert "At most 100 sets tried, 5,000 fights for levels, 50,000 sets" in done.stdout


def test_tables_are_no_wider_than_the_terminal(mixed: Path) -> None:
    done = herobench("audit", mixed, "--families", "listed,highest_level", columns=60)
    assert all(len(line) <= 60 for line in done.stdout.splitlines())


def test_json_has_the_audit_of_the_library(mixed: Path, classic: World) -> None:
    names = ("listed", "trial")
    done = herobench("audit", mixed, "--json", "--families", ",".join(names), "--jobs", "1")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert schema_problems(found, "audit", "audit") == []
    exact = [row for row in found["rows"] if (row["kind"], row["knowledge"], row["noise"]) == ("kill", "exact", False)]
    some = tasks(classic, 3, brackets=(3,), kind="kill")
    assert exact == list(audit(classic, load_rules(), some, names).table.rows())


def test_a_budget_is_told_only_where_tasks_differ(classic: World, tmp_path: Path) -> None:
    (task,) = tasks(classic, 1, brackets=(3,), kind="kill")
    rows = [{**task.as_row(), "id": str(number)} for number in range(2)]
    rows[1]["mechanics"] = {**rows[1]["mechanics"], "budget": 9}
    done = herobench("audit", write_jsonl(tmp_path / "tasks.jsonl", rows), "--families", "listed")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "no budget a budget" in lines
    done = herobench("audit", write_jsonl(tmp_path / "tasks.jsonl", rows[1:]), "--families", "listed")
    assert "budget" not in done.stdout


def test_costs_of_defeats_and_tracks_are_told_only_where_tasks_differ(
    mixed: Path, classic: World, tmp_path: Path
) -> None:
    alike = " ".join(herobench("audit", mixed, "--families", "listed,simulator").stdout.split())
    assert "simulator 3 100.0 %" in alike
    assert not [word for word in ("defeats", "plans", "straight") if word in alike]
    (task,) = tasks(classic, 1, brackets=(3,), kind="kill")
    asked = ({}, {"plan": "straight"}, {"plan": "straight", "defeat": "final"})
    rows = [{**task.as_row(), "id": str(index)} for index, _ in enumerate(asked)]
    for row, mechanics in zip(rows, asked, strict=True):
        row["mechanics"] = {**row["mechanics"], **mechanics}
    done = herobench("audit", write_jsonl(tmp_path / "tasks.jsonl", rows), "--families", "listed,simulator,oracle")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    first, second = lines.index("exact exact"), lines.index("exact")
    assert lines[first + 1 : first + 3] == ["defeats free defeats free", "program plans straight plans"]
    assert lines[second + 1 : second + 3] == ["defeats final", "straight plans"]
    assert "simulator 1 100.0 % 100.0 -" in lines
    assert [line.split()[0] for line in lines[second:] if "%" in line] == ["listed", "oracle"]
    assert "No straight plan can do what simulator does." in lines


@pytest.mark.slow
def test_the_classifier_says_what_leaks_and_the_number_of_tries_is_shown(mixed: Path) -> None:
    done = herobench("audit", mixed, "--families", "learned", "--tries", "3")
    text = " ".join(done.stdout.split())
    assert "At most 3 sets tried" in text
    assert "kill, decoys: a classifier tells needed items from decoys with an AUC of" in text
    assert "kill, exact: no decoys to tell from needed items." in text


def test_a_family_that_there_is_not_is_refused(mixed: Path) -> None:
    assert "There is no family 'luck': give some of noop, gatherer" in refuses(
        herobench("audit", mixed, "--families", "luck")
    )


def test_a_file_without_tasks_has_an_empty_audit(tmp_path: Path) -> None:
    done = herobench("audit", write_jsonl(tmp_path / "none.jsonl", []), "--json")
    assert (done.returncode, json.loads(done.stdout)["rows"]) == (0, [])


def test_lines_that_cannot_be_read_are_named_and_the_rest_is_audited(mixed: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.jsonl"
    torn.write_text(mixed.read_text("utf-8").splitlines()[0] + '\n{"schema": 1\n', "utf-8")
    done = herobench("audit", torn, "--families", "listed")
    assert done.returncode == 1
    assert "torn.jsonl:2: column" in done.stderr
    assert "of 1" in done.stdout


def test_what_is_not_there_is_said_in_a_sentence(mixed: Path, tmp_path: Path) -> None:
    assert "expected a readable file" in refuses(herobench("audit", tmp_path / "nothing.jsonl"))
    assert "There are no rules 'soft'" in refuses(herobench("audit", mixed, "--rules", "soft"))


def test_a_suite_prints_what_shallow_strategies_win_of_its_tasks(tmp_path: Path) -> None:
    found = some(1, 15)[0]
    tasks_file = write_jsonl(tmp_path / "tasks.jsonl", [found.as_row()])
    done = herobench("audit", tasks_file, "--suite", "discover", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("| strategy | wins of 1 |")
    assert "| `told` | 0 | 0 | 0 |" in done.stdout.splitlines()


def test_levels_are_audited_by_their_lengths(tmp_path: Path) -> None:
    levels = [
        load_levels("epochs-v1")["L01"].as_row(),
        *(level.as_row() for level in [*load_levels(DATASET).values()][:2]),
    ]
    done = herobench("audit", write_jsonl(tmp_path / "levels.jsonl", levels), "--suite", "epoch")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("| player | L01 | ")
    (greedy, random) = (line.split(" | ") for line in done.stdout.splitlines()[2:])
    assert (greedy[1], random[0]) == ("100", "| `random`")


def test_what_a_suite_has_no_audit_for_is_refused(tmp_path: Path) -> None:
    tasks_file = write_jsonl(tmp_path / "tasks.jsonl", [some(1, 15)[0].as_row()])
    assert "The suite autumn has no audit." in refuses(herobench("audit", tasks_file, "--suite", "autumn"))


@for_each(
    "option", [["--json"], ["--families", "noop"], ["--world", "classic"], ["--tries", "3"], ["--rules", "paper"]]
)
def test_options_of_one_audit_are_refused_for_others(option: list[str], tmp_path: Path) -> None:
    tasks_file = write_jsonl(tmp_path / "tasks.jsonl", [some(1, 15)[0].as_row()])
    foreign = herobench("audit", tasks_file, "--suite", "discover", *option)
    assert f"{option[0]} is for the suite rpg only: leave it out with --suite discover." in refuses(foreign)
