from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from herobench.data.errors import UsageError
from herobench.suites.rpg.game.task import Certificate, Task
from herobench.suites.rpg.game.world import World
from herobench.task_gen.rpg.audit import audit as auditing
from herobench.task_gen.rpg.audit.audit import audit
from herobench.task_gen.rpg.audit.case import AuditGroup, Budget
from herobench.task_gen.rpg.audit.families import FAMILIES, parse_families
from herobench.task_gen.rpg.audit.shortcuts import TRIVIAL
from tests.builders import craft_task
from tests.sizes import many
from tests.task_gen.rpg.audit.cases import RULES, WINNING, armed, noise, told
from tests.task_gen.rpg.made import tasks

BRACKETS = tuple(range(1, 10))


def craft(world: World) -> Task:
    knowledge = told(world, recipes=["bar"], materials=["ore"]).knowledge
    return replace(craft_task(world, "bar"), knowledge=knowledge)


def test_groups_are_counted_apart(tiny: World) -> None:
    won = armed(tiny, **WINNING)
    lost = replace(armed(tiny, recipes=["fur_coat"], materials=["fur"]), id="lost")
    noisy = replace(armed(tiny, **WINNING, noise=[noise("axe", effects={"attack_heat": 99})]), id="noisy")
    found = audit(tiny, RULES, [craft(tiny), noisy, won, lost], ("listed", "strongest", "oracle"))
    assert [(group, count.tasks) for group, count in found.table.groups()] == [
        (AuditGroup("kill", "exact", False, "free", False, "program", ""), 2),
        (AuditGroup("kill", "exact", True, "free", False, "program", ""), 1),
        (AuditGroup("craft", "exact", False, "free", False, "program", ""), 1),
    ]
    wins = {(row["kind"], row["noise"], row["family"]): row["wins"] for row in found.table.rows()}
    assert wins["kill", False, "listed"] == 1
    assert wins["kill", True, "strongest"] == 1
    assert wins["kill", False, "oracle"] == 2
    assert wins["craft", False, "listed"] == 1
    scores = {row["family"]: row["score"] for row in found.table.rows() if row["kind"] == "kill" and not row["noise"]}
    assert scores["oracle"] == 100 > scores["listed"] > 50
    assert found.leaks == ()


def asking(task: Task, **mechanics: Any) -> Task:
    words = "-".join(map(str, mechanics.values()))
    return replace(task, id=f"{task.id}-{words}", mechanics=replace(task.mechanics, **mechanics))


def test_costs_of_defeats_and_tracks_are_counted_apart_what_is_usual_first(tiny: World) -> None:
    task = armed(tiny, **WINNING)
    asked = [
        asking(task, defeat="final", plan="straight"),
        asking(task, defeat="final"),
        asking(task, plan="straight"),
        asking(task, defeat="counted"),
        task,
    ]
    found = audit(tiny, RULES, asked, ("listed",)).table
    assert [(group.defeat, group.track, count.tasks) for group, count in found.groups()] == [
        ("free", "program", 1),
        ("free", "straight", 1),
        ("counted", "program", 1),
        ("final", "program", 1),
        ("final", "straight", 1),
    ]
    assert [(row["defeat"], row["track"], row["wins"]) for row in found.rows()][1:3] == [
        ("free", "straight", 1),
        ("counted", "program", 1),
    ]


def test_tasks_with_a_budget_are_counted_apart(tiny: World) -> None:
    task = armed(tiny, **WINNING)
    found = audit(tiny, RULES, [asking(task, budget=99), asking(task, budget=9), task], ("listed",)).table
    assert [(row["budget"], row["tasks"], row["wins"]) for row in found.rows()] == [(False, 1, 1), (True, 2, 1)]


def test_a_family_that_needs_a_program_has_no_row_of_straight_tasks(tiny: World) -> None:
    task = armed(tiny, **WINNING)
    found = audit(tiny, RULES, [task, asking(task, plan="straight")], ("listed", "simulator")).as_row()
    rows = {(row["track"], row["family"]): row["wins"] for row in found["rows"]}
    assert rows == {("program", "listed"): 1, ("program", "simulator"): 1, ("straight", "listed"): 1}
    assert schema_problems(found, "audit", "audit") == []


def test_every_family_but_the_trivial_ones_makes_the_target_of_a_craft_task(tiny: World) -> None:
    rows = audit(tiny, RULES, [craft(tiny)], tuple(FAMILIES)).table.rows()
    assert {row["family"]: row["wins"] for row in rows} == {name: int(name not in TRIVIAL) for name in FAMILIES}


@pytest.mark.slow
def test_the_rows_are_what_the_schema_says(classic: World) -> None:
    some = tasks(classic, 4, brackets=(1, 4), kind="kill", knowledge="decoys")
    row = json.loads(json.dumps(audit(classic, RULES, some, budget=Budget(5, 50, 500)).as_row()))
    assert schema_problems(row, "audit", "audit") == []
    assert {each["family"] for each in row["rows"]} == set(FAMILIES) == set(row["families"])
    assert [name for name, family in row["families"].items() if "straight" not in family["tracks"]] == ["simulator"]
    assert row["leaks"][0]["pairs"] > 0
    assert row["budget"] == {"tries": 5, "fights": 50, "evaluations": 500}


def test_without_scikit_learn_the_other_families_are_asked(tiny: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "can_learn", lambda: False)
    found = audit(tiny, RULES, [armed(tiny, **WINNING)], ("listed", "learned")).as_row()
    assert {row["family"]: row["wins"] for row in found["rows"]} == {"listed": 1, "learned": None}
    assert schema_problems(found, "audit", "audit") == []


def test_families_are_chosen_by_name_and_stand_in_the_order_of_the_table() -> None:
    assert parse_families("oracle, listed") == ("listed", "oracle")
    assert parse_families(None) == tuple(FAMILIES)
    with pytest.raises(UsageError, match=r"There is no family 'lsted': give some of noop, gatherer, visitor"):
        parse_families("lsted,trial")


@pytest.mark.slow
def test_exact_tasks_give_their_gear_away_and_say_so(classic: World) -> None:
    ((_, count),) = audit(
        classic, RULES, tasks(classic, 18, brackets=BRACKETS, kind="kill"), ("craftable", "listed", "oracle")
    ).table.groups()
    assert count.wins("craftable") == count.wins("listed") == count.wins("oracle") == 18


@pytest.mark.slow
def test_tasks_with_decoys_are_not_won_without_a_fight_but_by_trial(classic: World) -> None:
    number = many(36, 9)
    some = tasks(classic, number, brackets=BRACKETS, kind="kill", knowledge="decoys")
    names = tuple(name for name in FAMILIES if not FAMILIES[name].learns)
    ((_, count),) = audit(classic, RULES, some, names).table.groups()
    rules = ("craftable", "everything", "listed", "last", "random", "strongest", "highest_level", "value")
    assert all(count.wins(name) <= 2 for name in rules)
    assert count.wins("trial") > number / 2
    assert count.wins("simulator") == count.wins("oracle") == number


def test_courses_are_counted_by_length_and_each_family_has_a_horizon(tiny: World) -> None:
    def long(number: int) -> Task:
        plan = "".join(f'craft("Hero", "bar", {quantity})\n' for quantity in range(1, number + 1))
        proof = Certificate(plan, number, 1, 1, 1, {})
        return replace(armed(tiny, **WINNING), id=str(number), is_short=True, certificate=proof)

    found = audit(tiny, RULES, [long(5), long(9), replace(long(7), is_short=False)], ("noop", "listed")).as_row()
    assert schema_problems(found, "audit", "audit") == []
    ladder = {row["family"]: row for row in found["ladder"]}
    assert ladder["noop"]["rungs"] == [{"least": 4, "tasks": 1, "wins": 0}, {"least": 8, "tasks": 1, "wins": 0}]
    assert [rung["wins"] for rung in ladder["listed"]["rungs"]] == [1, 1]
    assert {row["verdict"] for row in found["ladder"]} == {"not determined"}


def test_families_that_compute_fights_are_marked() -> None:
    computing = [name for name, family in FAMILIES.items() if family.computes]
    assert computing == [name for name in FAMILIES if name in computing][-len(computing) :]
    assert {"sum", "sum_boosted", "lookup_sum", "nearest"}.isdisjoint(computing)
    assert tuple(FAMILIES)[-len(computing) :] == tuple(computing)
