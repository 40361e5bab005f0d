"""The shipped datasets and their datasheets: the newest are reproduced, and the older ones never change."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.resources import as_file
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from herobench.data.documents import load_schema
from herobench.data.rows import dump_row
from herobench.prompts.rpg.render import render_prompt
from herobench.suite.validating import WinsTable
from herobench.suites.rpg.game.episode import FINISHED, Episode
from herobench.suites.rpg.game.events import SIGNATURES, Action, Value
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.scoring import score
from herobench.suites.rpg.game.task import Task, to_bracket
from herobench.suites.rpg.game.world import CONSUMABLE, World
from herobench.suites.rpg.suite import Rpg
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.suites.rpg.worlds.task_file import load_tasks
from herobench.task_gen.rpg import datasets
from herobench.task_gen.rpg.datasets import (
    DATASETS,
    SHIPPED,
    dataset,
    dataset_path,
    dataset_version,
    datasheet_path,
    load_tasks_at,
    tasks_at,
)
from herobench.task_gen.rpg.datasheet import datasheet, sheet_parts
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.task_maker import task_rows
from tests.builders import craft_task, hero_row, tiny_task
from tests.program import herobench
from tests.refusals import misread, raises
from tests.sizes import THOROUGH, for_each, some_slow
from tests.task_gen.rpg.made import proof, tasks

Json = dict[str, Any]


def rows(name: str) -> list[Json]:
    return [json.loads(line) for line in dataset_path(name).read_text("utf-8").splitlines()]


def sheet(name: str) -> Json:
    found: Json = json.loads(datasheet_path(name).read_text("utf-8"))
    return found


@pytest.mark.proves
@pytest.mark.parametrize("name", some_slow(SHIPPED, set(SHIPPED) - {"base"}))
def test_a_shipped_dataset_is_made_again_byte_for_byte(name: str) -> None:
    """In small samples one task of six, so that there are some of every bracket and both kinds."""
    asked, step = dataset(name), 1 if THOROUGH else 6
    made = task_rows(load_world(), load_rules(), asked.spec, asked.numbers()[::step], 2 if THOROUGH else 1)
    lines = dataset_path(name).read_bytes().splitlines(keepends=True)
    assert [dump_row(row).encode("utf-8") for row in made] == lines[::step]


def optimal(name: str) -> float:
    share: float = sheet(name)["oracle"]["optimal_share"]
    return share


def test_how_many_plans_are_proven_optimal() -> None:
    assert [round(optimal(name) * DATASETS[name].count) for name in SHIPPED] == [168, 0, 20, 18]


@pytest.mark.proves
@for_each("name", SHIPPED)
def test_every_plan_wins_with_the_full_score_and_nothing_is_refused(name: str) -> None:
    world = load_world()
    for task in map(Task.from_row, rows(name)):
        assert task.certificate is not None
        own = task.rules(load_rules())
        game = run_plan(world, own, task)
        judged = score(task, world, own, Episode(tuple(game.events), FINISHED))
        assert (judged.outcome, judged.score) == ("win", 100), task.id
        assert all(event.ok for event in game.events), task.id
        assert judged.defeats == 0, "so the plans hold where a defeat is final too"
        assert len(game.events) == task.certificate.actions, task.id


@pytest.mark.proves
@for_each("name", SHIPPED)
def test_no_kill_task_tells_of_food_and_no_plan_eats(name: str) -> None:
    """The guide says so of supplies: the proofs are about gear alone."""
    world = load_world()
    for task in map(Task.from_row, rows(name)):
        assert task.certificate is not None
        assert "consumable1" not in task.certificate.plan
        told = task.knowledge
        if task.kind == "kill":
            codes = {*told.recipes, *told.materials, *told.stats}
            assert not [code for code in codes if world.items[code].type == CONSUMABLE], task.id


def run_plan(world: World, rules: Rules, task: Task) -> Game:
    """Run a certificate's plan without a sandbox, because it is our own code, and return the game."""
    game = Game(world, rules, task.hero, task.seed)

    def action(name: str) -> Callable[..., None]:
        def call(*args: Value) -> None:
            game.act(Action(name, args))

        return call

    assert task.certificate is not None
    exec(task.certificate.plan, {name: action(name) for name in SIGNATURES})
    return game


@for_each("version", ["leveling-v1", "base-v2"])
def test_a_version_is_read_by_its_own_name(version: str, classic: World) -> None:
    with as_file(dataset_path(version)) as path:
        assert len(load_tasks(path, classic)) == len(rows(version))
    assert dataset_version(version) == version
    assert [each.partition("-")[0] for each in Rpg.datasets] == [*SHIPPED]
    assert [*Rpg.datasets] == [dataset_version(each) for each in SHIPPED]
    assert dataset_version(version.split("-")[0]) == version
    assert dataset(version) == dataset(version.split("-")[0])


def test_a_shipped_file_that_was_changed_is_checked_line_by_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = tmp_path / "decoys.jsonl"
    changed.write_bytes(dataset_path("decoys").read_bytes().replace(b'"kind": "kill"', b'"kind": "eat"', 1))
    monkeypatch.setattr(datasets, "dataset_path", lambda name: changed)
    with misread("$.kind", "decoys.jsonl:"):
        datasets.shipped_tasks.__wrapped__("decoys")
    with misread("$.kind", "decoys.jsonl:"):
        load_tasks_at(Path("decoys"), load_world())


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files whose lines were checked."""
    paths: list[Path] = []

    def load(path: Path, *args: Any) -> Mapping[str, Task]:
        paths.append(path)
        return load_tasks(path, *args)

    monkeypatch.setattr(datasets, "load_tasks", load)
    return paths


def test_a_shipped_file_that_was_not_changed_is_trusted_in_its_own_world(
    classic: World, tiny: World, checked: list[Path]
) -> None:
    assert [task.as_row() for task in load_tasks_at(Path("decoys"), classic).values()] == rows("decoys")
    assert not checked
    with misread("", "--world"):
        load_tasks_at(Path("decoys"), tiny)
    assert len(checked) == 1


@pytest.mark.parametrize("sheet", [None, b"", b'{"sha256": "0"}'])
def test_a_shipped_file_is_checked_until_it_has_a_datasheet(
    sheet: bytes | None, tmp_path: Path, classic: World, checked: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = dict(datasets.shipped_tasks("decoys"))
    monkeypatch.setattr(datasets, "datasheet_path", lambda name: tmp_path / "sheet.json")
    if sheet is not None:
        (tmp_path / "sheet.json").write_bytes(sheet)
    assert load_tasks_at(Path("decoys"), classic) == expected
    assert len(checked) == 1


@for_each("name", SHIPPED)
def test_its_datasheet_has_its_digest_and_no_equal_tasks(name: str) -> None:
    assert sheet(name)["sha256"] == hashlib.sha256(dataset_path(name).read_bytes()).hexdigest()
    assert sheet(name)["equal"] == 0
    ids = [row["id"] for row in rows(name)]
    assert len(set(ids)) == len(ids) == DATASETS[name.split("-")[0]].count


@pytest.mark.proves
@pytest.mark.parametrize("name", some_slow(SHIPPED, set(SHIPPED) - {"decoys"}))
def test_its_datasheet_is_what_the_program_makes_of_it(name: str) -> None:
    done = herobench("tasks", "stats", "--json", "--tasks", name)
    assert done.returncode == 0, done.stderr
    assert done.stdout == datasheet_path(name).read_text("utf-8")


def test_the_default_has_two_tasks_of_each_difficulty_and_few_crafts() -> None:
    base = rows("base")
    assert Counter(row["difficulty"] for row in base) == dict.fromkeys(range(3, 93), 2)
    assert [row["id"].split("/")[0] for row in base] == [str(bracket) for bracket in range(1, 10) for _ in range(20)]
    crafts = [to_bracket(row["difficulty"]) for row in base if row["kind"] == "craft"]
    assert set(crafts) == {1}, "nothing that is crafted is harder"
    assert 4 <= len(crafts) <= 7


@for_each("name", ["leveling", "noise", "decoys"])
def test_the_variants_are_of_the_ninth_bracket(name: str) -> None:
    assert Counter(row["difficulty"] for row in rows(name)) == dict.fromkeys(range(83, 93), 2)


def test_the_variants_have_what_they_are_named_after() -> None:
    assert all(row["mechanics"]["leveling"] for row in rows("leveling"))
    assert all(len(row["knowledge"]["noise"]) == 5 for row in rows("noise"))
    assert all(row["knowledge"]["level"] == "decoys" for row in rows("decoys"))


def test_the_papers_set_has_844_tasks_of_all_difficulties() -> None:
    paper = dataset("paper")
    wanted = Counter(paper.spec.difficulty(index) for index in paper.numbers())
    assert wanted.total() == 844
    assert set(wanted) == set(range(3, 98))
    assert set(wanted.values()) == {8, 9}


def test_another_seed_makes_another_set_of_the_same_kind() -> None:
    other = dataset("base").with_seed(99)
    assert other.spec.seed == 99
    assert other.with_seed(dataset("base").spec.seed) == dataset("base")
    assert dataset("base").with_seed(None) == dataset("base")


def test_names_that_there_are_not_are_refused() -> None:
    with raises(TaskFault.NO_DATASET, "'old'", "base, "):
        dataset("old")
    with raises(TaskFault.NOT_SHIPPED, "'paper'"):
        dataset_path("paper")


def test_the_name_of_a_dataset_goes_before_a_file_of_that_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("noise", "noise.jsonl"):
        Path(name).touch()
    with tasks_at(Path("noise")) as path, tasks_at(Path("noise.jsonl")) as own:
        assert (path.name, own) == ("noise-v2.jsonl", Path("noise.jsonl"))


# -- datasheet --------------------------------------------------------------------------------------------------------

RULES = load_rules()


def make_sheet(world: World, *found: Task) -> dict[str, Any]:
    """Return the datasheet of some tasks as it stands in a file; the prompt of a task is its id."""
    written: dict[str, Any] = json.loads(json.dumps(datasheet(world, RULES, found, lambda task: task.id)))
    return written


def faults(sheet: dict[str, Any]) -> list[str]:
    """Return what the schema finds wrong with a datasheet that has the digest of its file."""
    whole = {**sheet, "sha256": "0" * 64, "prompts": "0" * 64}
    return [error.message for error in Draft202012Validator(load_schema("datasheet")).iter_errors(whole)]


def test_datasheets_are_what_the_schema_says(classic: World, tiny: World) -> None:
    assert faults(make_sheet(classic, *tasks(classic, 6, brackets=(1, 4, 6), knowledge="decoys", noise=2))) == []
    assert faults(make_sheet(tiny, tiny_task(tiny), craft_task(tiny, "bar"))) == []
    assert faults(make_sheet(tiny)) == []
    assert faults({**make_sheet(tiny), "more": 1}) != []


def test_tasks_are_counted_by_what_their_budget_is_made_from(tiny: World) -> None:
    sure = {"leveling": False, "drop_scale": None}
    budgets = ({}, {"budget": 9}, {"budget": 9, "budget_factor": 2.0}, {"budget": 8, "budget_factor": 2.0})
    sheet = make_sheet(tiny, *(tiny_task(tiny, mechanics={**sure, **budget}) for budget in budgets))
    assert sheet["budget"] == {"2": 2, "none": 1, "other": 1}
    assert faults(sheet) == []


def test_tasks_are_counted_by_what_they_are(tiny: World) -> None:
    leveling = {"leveling": True, "drop_scale": 10, "exchange": "told"}
    kill = tiny_task(tiny, difficulty=13)
    sheet = make_sheet(tiny, kill, tiny_task(tiny, mechanics=leveling, hero=hero_row(level=3)), craft_task(tiny, "bar"))
    assert (sheet["tasks"], sheet["rules"], sheet["world"]) == (3, "standard", {"code": "tiny", "digest": tiny.digest})
    assert sheet["kinds"] == {"craft": 1, "kill": 2}
    assert sheet["difficulties"] == {"13": 1, "15": 2}
    assert sheet["brackets"] == {"2": 3}
    assert sheet["knowledge"] == {"exact": 3}
    assert sheet["leveling"] == sheet["stochastic"] == {"no": 2, "yes": 1}
    assert sheet["budget"] == {"none": 3}
    assert sheet["exchange"] == {"told": 1, "world": 2}
    assert sheet["noise_items"] == {"0": 3}
    assert sheet["targets"] == {"bar": 1, "drake": 2}
    assert sheet["missing_gear"] == {"0": 1, "2": 2}
    assert sheet["hero_levels"] == {"3": 1, "10": 2}
    assert list(sheet["hero_levels"]) == ["3", "10"]


def test_lengths_are_those_of_the_prompt_that_is_given(tiny: World) -> None:
    named = [tiny_task(tiny, id="x" * length) for length in (1, 2, 3, 10)]
    assert make_sheet(tiny, *named)["prompt_characters"] == {"min": 1, "median": 2.5, "mean": 4, "max": 10}
    (task,) = tasks(tiny, 1, brackets=(1,))
    sheet = datasheet(tiny, RULES, [task], lambda each: render_prompt(tiny, each, RULES))
    assert sheet["prompt_characters"]["max"] == len(render_prompt(tiny, task, RULES))


def test_the_oracles_figures_are_those_of_the_certificates(classic: World) -> None:
    found = tasks(classic, 6, brackets=(1, 4, 6), knowledge="decoys", noise=2)
    proofs = [proof(task) for task in found]
    oracle = make_sheet(classic, *found, replace(found[0], certificate=None))["oracle"]
    assert oracle["certified"] == 6
    assert oracle["actions"]["max"] == max(each.actions for each in proofs)
    assert oracle["optimal_share"] == sum(each.actions == each.lower_bound for each in proofs) / 6
    total = sum(each.actions for each in proofs)
    assert oracle["actions_per_lower_bound"] == total / sum(each.lower_bound for each in proofs)


def test_equal_tasks_are_those_that_differ_in_id_seed_and_certificate_only(classic: World, tiny: World) -> None:
    (task,) = tasks(classic, 1, brackets=(4,))
    again = replace(task, id="other", seed=task.seed + 1, certificate=None)
    assert make_sheet(classic, task, again, task)["equal"] == 2
    assert make_sheet(classic, task, replace(task, difficulty=task.difficulty + 1))["equal"] == 0
    assert make_sheet(tiny, tiny_task(tiny), tiny_task(tiny, hero=hero_row(x=1)))["equal"] == 0


def test_a_datasheet_for_people_has_the_commonest_of_many_values() -> None:
    sheet = json.loads(datasheet_path("base").read_text("utf-8"))
    counts = next(part for part in sheet_parts({"sha256": "0", **sheet}) if isinstance(part, WinsTable))
    texts = dict(counts.rows)
    assert max(map(len, texts.values())) < 400
    assert texts["bracket"].endswith("9: 20"), "few values are shown"
    assert texts["difficulty"].startswith("3: 2  4: 2  5: 2")
    assert texts["difficulty"].endswith(f"and {len(sheet['difficulties']) - 12} more values")
