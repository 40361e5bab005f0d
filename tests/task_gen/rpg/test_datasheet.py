from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from jsonschema import Draft202012Validator

from herobench.data.documents import load_schema
from herobench.prompts.rpg.render import render_prompt
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.audit.audit import audit
from herobench.task_gen.rpg.audit.thumb_rules import RULES as THUMB_RULES
from herobench.task_gen.rpg.audit.thumb_rules import TRIVIAL
from herobench.task_gen.rpg.datasheet import datasheet
from tests.builders import craft_task, hero_row, tiny_task
from tests.task_gen.rpg.made import proof, tasks

RULES = load_rules()


def sheet_of(world: World, *found: Task) -> dict[str, Any]:
    """Return the datasheet of some tasks as it stands in a file; the prompt of a task is its id."""
    written: dict[str, Any] = json.loads(json.dumps(datasheet(world, RULES, found, lambda task: task.id)))
    return written


def faults(sheet: dict[str, Any]) -> list[str]:
    """Return what the schema finds wrong with a datasheet that has the digest of its file."""
    whole = {**sheet, "sha256": "0" * 64, "prompts": "0" * 64}
    return [error.message for error in Draft202012Validator(load_schema("datasheet")).iter_errors(whole)]


def test_datasheets_are_what_the_schema_says(classic: World, tiny: World) -> None:
    assert faults(sheet_of(classic, *tasks(classic, 6, brackets=(1, 4, 6), knowledge="decoys", noise=2))) == []
    assert faults(sheet_of(tiny, tiny_task(tiny), craft_task(tiny, "bar"))) == []
    assert faults(sheet_of(tiny)) == []
    assert faults({**sheet_of(tiny), "more": 1}) != []


def test_tasks_are_counted_by_what_their_budget_is_made_from(tiny: World) -> None:
    sure = {"leveling": False, "drop_scale": None}
    budgets = ({}, {"budget": 9}, {"budget": 9, "budget_factor": 2.0}, {"budget": 8, "budget_factor": 2.0})
    sheet = sheet_of(tiny, *(tiny_task(tiny, mechanics={**sure, **budget}) for budget in budgets))
    assert sheet["budget"] == {"2": 2, "none": 1, "other": 1}
    assert faults(sheet) == []


def test_tasks_are_counted_by_what_they_are(tiny: World) -> None:
    leveling = {"leveling": True, "drop_scale": 10, "exchange": "told"}
    kill = tiny_task(tiny, difficulty=13)
    sheet = sheet_of(tiny, kill, tiny_task(tiny, mechanics=leveling, hero=hero_row(level=3)), craft_task(tiny, "bar"))
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
    assert sheet_of(tiny, *named)["prompt_characters"] == {"min": 1, "median": 2.5, "mean": 4, "max": 10}
    (task,) = tasks(tiny, 1, brackets=(1,))
    sheet = datasheet(tiny, RULES, [task], lambda each: render_prompt(tiny, each, RULES))
    assert sheet["prompt_characters"]["max"] == len(render_prompt(tiny, task, RULES))


def test_the_oracles_figures_are_those_of_the_certificates(classic: World) -> None:
    found = tasks(classic, 6, brackets=(1, 4, 6), knowledge="decoys", noise=2)
    proofs = [proof(task) for task in found]
    oracle = sheet_of(classic, *found, replace(found[0], certificate=None))["oracle"]
    assert oracle["certified"] == 6
    assert oracle["actions"]["max"] == max(each.actions for each in proofs)
    assert oracle["optimal_share"] == sum(each.actions == each.lower_bound for each in proofs) / 6
    total = sum(each.actions for each in proofs)
    assert oracle["actions_per_lower_bound"] == total / sum(each.lower_bound for each in proofs)


def test_equal_tasks_are_those_that_differ_in_id_seed_and_certificate_only(classic: World, tiny: World) -> None:
    (task,) = tasks(classic, 1, brackets=(4,))
    again = replace(task, id="other", seed=task.seed + 1, certificate=None)
    assert sheet_of(classic, task, again, task)["equal"] == 2
    assert sheet_of(classic, task, replace(task, difficulty=task.difficulty + 1))["equal"] == 0
    assert sheet_of(tiny, tiny_task(tiny), tiny_task(tiny, hero=hero_row(x=1)))["equal"] == 0


def test_the_audit_is_in_it(tiny: World) -> None:
    found = [tiny_task(tiny), craft_task(tiny, "bar")]
    assert sheet_of(tiny, *found)["audit"] == list(audit(tiny, RULES, found, (*TRIVIAL, *THUMB_RULES)).table.rows())
