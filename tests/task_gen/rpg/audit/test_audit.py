"""The audit counts what each family wins, by groups of tasks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.audit.audit import audit
from herobench.task_gen.rpg.audit.families import FAMILIES, RULES, TRIVIAL, parse_families
from herobench.task_gen.rpg.refusals import TaskFault
from tests.builders import craft_task
from tests.refusals import raises
from tests.sizes import many
from tests.task_gen.rpg.audit.cases import RULES as EDITION
from tests.task_gen.rpg.audit.cases import WINNING, armed, noise, told
from tests.task_gen.rpg.made import tasks


def craft(world: World) -> Task:
    knowledge = told(world, recipes=["bar"], materials=["ore"]).knowledge
    return replace(craft_task(world, "bar"), knowledge=knowledge)


def asking(task: Task, **mechanics: Any) -> Task:
    words = "-".join(map(str, mechanics.values()))
    return replace(task, id=f"{task.id}-{words}", mechanics=replace(task.mechanics, **mechanics))


def wins(found: Mapping[str, Any]) -> dict[str, int]:
    return {row["family"]: row["wins"] for row in found["rows"]}


def test_groups_are_counted_apart_and_stand_with_what_is_usual_first(tiny: World) -> None:
    task = armed(tiny, **WINNING)
    asked = [
        craft(tiny),
        asking(task, defeat="final", plan="straight"),
        asking(task, defeat="final"),
        asking(task, plan="straight"),
        asking(task, budget=99),
        asking(task, budget=9),
        asking(task, defeat="counted"),
        replace(armed(tiny, **WINNING, noise=[noise("axe", effects={"attack_heat": 99})]), id="noisy"),
        replace(armed(tiny, recipes=["fur_coat"], materials=["fur"]), id="lost"),
        task,
    ]
    rows = audit(tiny, EDITION, asked, ("listed",))["rows"]
    names = ("kind", "noise", "defeat", "budget", "track", "tasks", "wins")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("kill", False, "free", False, "program", 2, 1),
        ("kill", False, "free", False, "straight", 1, 1),
        ("kill", False, "free", True, "program", 2, 1),
        ("kill", False, "counted", False, "program", 1, 1),
        ("kill", False, "final", False, "program", 1, 1),
        ("kill", False, "final", False, "straight", 1, 1),
        ("kill", True, "free", False, "program", 1, 1),
        ("craft", False, "free", False, "program", 1, 1),
    ]
    assert 50 < rows[0]["score"] < rows[1]["score"] == 100


def test_a_family_that_needs_a_program_has_no_row_of_straight_tasks(tiny: World) -> None:
    task = armed(tiny, **WINNING)
    found = audit(tiny, EDITION, [task, asking(task, plan="straight")], ("listed", "simulator"))
    rows = {(row["track"], row["family"]): row["wins"] for row in found["rows"]}
    assert rows == {("program", "listed"): 1, ("program", "simulator"): 1, ("straight", "listed"): 1}
    assert schema_problems(found, "audit", "audit") == []


def test_every_family_but_the_trivial_ones_makes_the_target_of_a_craft_task(tiny: World) -> None:
    assert wins(audit(tiny, EDITION, [craft(tiny)])) == {name: int(name not in TRIVIAL) for name in FAMILIES}


def test_families_are_chosen_by_name_and_stand_in_the_order_of_the_table() -> None:
    assert parse_families("greedy, listed") == ("listed", "greedy")
    assert parse_families(None) == tuple(FAMILIES)
    with raises(TaskFault.NO_FAMILY, "'lsted'", "noop, refuser, craftable"):
        parse_families("lsted,trial")


@pytest.mark.slow
def test_exact_tasks_give_their_gear_away_and_tasks_with_decoys_are_won_by_trial_only(classic: World) -> None:
    brackets, number = tuple(range(1, 10)), many(36, 9)
    exact = wins(audit(classic, EDITION, tasks(classic, 18, brackets=brackets, kind="kill"), ("craftable", "listed")))
    assert exact == {"craftable": 18, "listed": 18}
    found = audit(classic, EDITION, tasks(classic, number, brackets=brackets, kind="kill", knowledge="decoys"))
    assert schema_problems(json.loads(json.dumps(found)), "audit", "audit") == []
    assert [name for name, family in found["families"].items() if family["computes"]] == ["simulator", "greedy"]
    won = wins(found)
    assert all(won[name] <= 2 for name in ("craftable", *RULES))
    assert won["trial"] > number / 2
    assert won["greedy"] < won["simulator"] == number
