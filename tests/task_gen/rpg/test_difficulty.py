"""Difficulties and brackets, and budgets: what they are made from, that they suffice, and that waste loses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.rpg.game.task import Task, bracket_steps, to_bracket
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import judge, scored_row
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.worlds.content import load_world
from herobench.task_gen.rpg.oracle.planner import oracle_code
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.tasks.spec import Spec, action_budget, item_difficulty, total_difficulty
from herobench.task_gen.rpg.validation import faults
from tests.builders import craft_task, hero_row, tiny_task
from tests.made_runs import cause_in
from tests.refusals import raises
from tests.sizes import for_each, many
from tests.task_gen.rpg.made import generator, make_task, proof, rules

SWORD = 2 + (2 + 1) + 1
"""bar_sword, of a bar, of ore, and of fur."""
COAT = 2 + 1


@for_each(
    ("code", "difficulty"),
    [
        ("ore", 1),
        ("drake_charm", 1),
        ("twig", 1),
        ("brick", 3),
        ("fur_coat", COAT),
        ("bar_sword", SWORD),
        ("club", 2 + 3 + 1),
        ("pearl_charm", 4),
    ],
)
def test_an_item_is_1_or_2_more_than_what_goes_into_it_whatever_the_amounts(
    tiny: World, code: str, difficulty: int
) -> None:
    assert item_difficulty(tiny, code) == difficulty


def test_a_craft_is_as_difficult_as_its_target_whatever_is_worn(tiny: World) -> None:
    assert total_difficulty(tiny, craft_task(tiny, "bar_sword")) == SWORD
    worn = hero_row(worn={"blade": "club"})
    assert total_difficulty(tiny, craft_task(tiny, "bar_sword", hero=worn)) == SWORD


def test_a_kill_is_4_and_its_missing_gear(tiny: World) -> None:
    assert total_difficulty(tiny, tiny_task(tiny)) == 4 + SWORD + COAT
    assert total_difficulty(tiny, tiny_task(tiny, missing={})) == 4


def test_every_slot_counts_also_with_the_same_item_twice(tiny: World) -> None:
    task = tiny_task(tiny, missing={"charm1": "pearl_charm", "charm2": "pearl_charm"})
    assert total_difficulty(tiny, task) == 4 + 4 + 4


def test_what_has_to_come_off_first_counts_1_but_no_starter_item_and_no_other_slot(tiny: World) -> None:
    def worn(**gear: str) -> int:
        return total_difficulty(tiny, tiny_task(tiny, hero=hero_row(worn=gear)))

    bare = worn()
    assert worn(blade="twig") == bare
    assert worn(blade="club") == bare + 1
    assert worn(blade="club", coat="fur_coat") == bare + 2
    assert worn(charm1="pearl_charm") == bare


def test_the_level_of_the_hero_and_the_target_do_not_matter(tiny: World) -> None:
    assert total_difficulty(tiny, tiny_task(tiny, target="rat", hero=hero_row(level=1))) == 4 + SWORD + COAT


@for_each(("difficulty", "bracket"), [(1, 1), (3, 1), (12, 1), (13, 2), (22, 2), (23, 3), (92, 9), (93, 10), (500, 10)])
def test_a_bracket_has_ten_steps_from_3_on_and_the_last_is_open(difficulty: int, bracket: int) -> None:
    assert to_bracket(difficulty) == bracket
    assert difficulty in bracket_steps(bracket) or not 3 <= difficulty < 103


# -- budget -----------------------------------------------------------------------------------------------------------

SPECS = (
    Spec(seed=5, brackets=(1, 2, 4), budget=1),
    Spec(seed=5, brackets=(1, 3), budget=1.2, plan="straight", defeat="final"),
    Spec(seed=5, brackets=(5, 9), budget=1.01, knowledge="decoys", noise=2, kind="kill"),
    Spec(seed=5, brackets=(3,), budget=2.5, leveling=True, kind="kill"),
    Spec(seed=5, brackets=(3,), budget=1, leveling=True),
)


def made(world: World) -> Iterator[Task]:
    return (make_task(world, spec, index) for spec in SPECS for index in range(many(4, 1)))


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(load_world(), rules, workers=1) as opened:
        yield opened


# -- what the budget is -----------------------------------------------------------------------------------------------


@given(st.integers(1, 5000), st.integers(0, 3000), st.decimals(1, 100, places=2))
def test_the_budget_is_the_multiple_rounded_up_or_the_actions_of_the_plan(
    bound: int, more: int, factor: object
) -> None:
    hundredths = round(float(str(factor)) * 100)
    certificate = replace(proof(make_task(load_world(), SPECS[0], 0)), lower_bound=bound, actions=bound + more)
    assert action_budget(certificate, float(str(factor))) == max(bound + more, -(-bound * hundredths // 100))


@pytest.mark.slow
def test_each_generated_task_has_the_budget_of_its_factor(classic: World) -> None:
    found = {(spec.budget, make_task(classic, spec, 0).mechanics.budget_factor) for spec in SPECS}
    assert all(asked == stored for asked, stored in found)
    for task in made(classic):
        assert task.mechanics.budget_factor is not None
        assert task.mechanics.budget == action_budget(proof(task), task.mechanics.budget_factor)


def test_a_loose_bound_leaves_the_oracle_its_own_actions(classic: World) -> None:
    task = make_task(classic, SPECS[-1], 0)
    assert proof(task).lower_bound < proof(task).actions == task.mechanics.budget


@for_each("spec", SPECS)
def test_the_tasks_are_those_without_a_budget(classic: World, spec: Spec) -> None:
    task = make_task(classic, spec, 0)
    plain = make_task(classic, replace(spec, budget=None), 0)
    assert replace(task, mechanics=replace(task.mechanics, budget=None, budget_factor=None)) == plain


@for_each("factor", [0.99, 0.0, -1.0, 100.5, float("inf"), float("nan")])
def test_another_factor_is_refused(classic: World, factor: float) -> None:
    with raises(TaskFault.BAD_BUDGET, "1 to 100"):
        generator(classic, Spec(budget=factor))
    with raises(TaskFault.BUDGET_AND_CHANCE):
        generator(classic, Spec(budget=2, stochastic=True))


# -- what it does -----------------------------------------------------------------------------------------------------


def test_the_oracle_wins_each_task_within_its_budget_and_waste_loses(classic: World, sandbox: Sandbox) -> None:
    for task in made(classic):
        plan, spare = proof(task).plan, (task.mechanics.budget or 0) - proof(task).actions
        assert oracle_code(classic, rules, task) == plan
        for wasted, outcome in ((0, "win"), (spare, "win"), (spare + 1, "lose")):
            # The hero cannot put on what he does not have, so the rest of the plan is not disturbed.
            waste = f'for _ in range({wasted}):\n    equip("Hero", "nowhere", "nothing")\n'
            episode = sandbox.execute(task, waste + plan)
            row = scored_row(classic, task, rules, judge(classic, task, rules, episode))
            assert row["outcome"] == outcome, task.id
            found = cause_in(row)
            assert (found and str(found.cause)) == (None if outcome == "win" else "over_budget"), task.id
            assert row["ended"] == ("finished" if outcome == "win" else "over_budget"), task.id


def test_each_generated_task_with_a_budget_holds(classic: World, sandbox: Sandbox) -> None:
    for task in made(classic):
        assert faults(classic, rules, task, sandbox.execute) == [], task.id


def with_mechanics(task: Task, **changes: object) -> Task:
    return replace(task, mechanics=replace(task.mechanics, **changes))  # type: ignore[arg-type]


def test_a_budget_that_its_factor_does_not_give_is_found(classic: World, sandbox: Sandbox) -> None:
    task = make_task(classic, SPECS[1], 0)
    budget = task.mechanics.budget or 0
    found = faults(classic, rules, with_mechanics(task, budget=budget + 1), sandbox.execute)
    assert found == [f"its budget is {budget + 1} actions, and the factor 1.2 gives {budget}"]
    assert faults(classic, rules, with_mechanics(task, budget=budget + 1, budget_factor=None), sandbox.execute) == []


def test_a_budget_that_is_too_small_for_the_plan_is_found(classic: World, sandbox: Sandbox) -> None:
    task = make_task(classic, SPECS[1], 0)
    actions = proof(task).actions
    found = faults(classic, rules, with_mechanics(task, budget=actions - 1, budget_factor=None), sandbox.execute)
    assert f"the plan takes {actions} actions, more than the budget of {actions - 1}" in found
    assert any("does not finish: the plan attempts more than the" in fault for fault in found)
