from __future__ import annotations

from typing import Any

import pytest

from herobench.rpg.content import load_rules
from herobench.rpg.scoring import score
from herobench.rpg.task import Task
from herobench.rpg.world import World
from herobench.sandbox import Sandbox
from herobench.task_gen.baselines import BASELINES, baseline_plan, baseline_wins, choices, chosen_gear
from herobench.task_gen.shortcut_audit import AUDITED, AuditGroup, audit
from tests.builders import craft_task, hero_row, task_row, tiny_task
from tests.sizes import many
from tests.task_gen.made import tasks

RULES = load_rules()
BRACKETS = tuple(range(1, 10))


def told(world: World, hero: dict[str, Any] | None = None, **knowledge: Any) -> Task:
    """Return a task against the drake that tells of some items."""
    row = task_row(world)
    return tiny_task(world, knowledge={**row["knowledge"], **knowledge}, hero=hero or hero_row())


def armed(world: World, **knowledge: Any) -> Task:
    """Return the same task for a hero who can beat a rat for its fur."""
    return told(world, hero_row(worn={"blade": "twig"}), **{"stats": ["twig"], **knowledge})


def chosen(world: World, task: Task, name: str) -> dict[str, str]:
    return {slot: item.code for slot, item in chosen_gear(world, task, name).items()}


def noise(code: str, **changes: Any) -> dict[str, Any]:
    row = {"code": code, "name": code, "level": 1, "type": "blade", "subtype": "", "description": "", "effects": {}}
    recipe = {"skill": "smithing", "level": 1, "ingredients": {"moonstone": 1}}
    return {**row, "recipe": recipe, **changes}


# -- what is chosen from ----------------------------------------------------------------------------------------------


def test_slots_of_a_told_type_are_filled(tiny: World) -> None:
    task = told(tiny, recipes=["club", "pearl_charm", "broth"], materials=["pearl"])
    assert [(choice.slot, [item.code for item in choice.told]) for choice in choices(tiny, task)] == [
        ("blade", ["club"]),
        ("charm1", ["pearl_charm"]),
        ("charm2", ["pearl_charm"]),
    ]


def test_told_gear_stands_in_the_order_of_the_prompt_whatever_that_of_the_task(tiny: World) -> None:
    sharp = noise("axe", level=4)
    task = told(tiny, recipes=["bar_sword", "club"], noise=[sharp])
    assert [item.code for item in next(choices(tiny, task)).told] == ["club", "axe", "bar_sword"]


def test_gear_that_goes_into_told_gear_is_a_part_unless_it_is_all_there_is(tiny: World) -> None:
    both = next(choices(tiny, told(tiny, recipes=["club"], materials=["twig"])))
    assert [item.code for item in both.told] == ["club"]
    alone = next(choices(tiny, told(tiny, materials=["twig"])))
    assert [item.code for item in alone.told] == ["twig"]


def test_what_the_hero_cannot_wear_yet_does_not_count(tiny: World) -> None:
    task = told(tiny, hero_row(level=4), recipes=["bar_sword", "club"])
    assert chosen(tiny, task, "strongest") == {"blade": "club"}


def test_what_is_worn_is_replaced_only_where_its_stats_are_told(tiny: World) -> None:
    hero = hero_row(worn={"blade": "club"})
    assert chosen(tiny, told(tiny, hero, recipes=["bar_sword"]), "strongest") == {}
    for knowledge in ({"recipes": ["bar_sword"], "stats": ["club"]}, {"recipes": ["bar_sword", "club"]}):
        task = told(tiny, hero, **knowledge)
        assert chosen(tiny, task, "strongest") == {"blade": "bar_sword"}


# -- how it is chosen -------------------------------------------------------------------------------------------------


def test_listed_gear_is_dealt_to_the_slots_in_order_and_again_from_the_start(tiny: World) -> None:
    two = told(tiny, recipes=["pearl_charm"], materials=["drake_charm"])
    assert chosen(tiny, two, "listed") == {"charm1": "pearl_charm", "charm2": "drake_charm"}
    assert chosen(tiny, two, "last") == {"charm1": "drake_charm", "charm2": "pearl_charm"}
    one = told(tiny, recipes=["pearl_charm"])
    assert (
        chosen(tiny, one, "listed") == chosen(tiny, one, "last") == dict.fromkeys(("charm1", "charm2"), "pearl_charm")
    )


@pytest.mark.parametrize("name", ["strongest", "highest_level"])
def test_what_is_worn_is_kept_if_it_looks_better(tiny: World, name: str) -> None:
    better = told(tiny, hero_row(worn={"blade": "bar_sword"}), recipes=["club"], stats=["bar_sword"])
    assert chosen(tiny, better, name) == {}
    assert chosen(tiny, better, "listed") == {"blade": "club"}


def test_strength_is_the_sum_of_effects_and_level_is_level(tiny: World) -> None:
    task = told(tiny, materials=["drake_charm"], recipes=["pearl_charm"])
    assert set(chosen(tiny, task, "strongest").values()) == {"pearl_charm"}
    assert set(chosen(tiny, task, "highest_level").values()) == {"drake_charm"}


def test_random_choices_go_by_the_tasks_seed(tiny: World) -> None:
    knowledge = {**task_row(tiny)["knowledge"], "recipes": ["club", "bar_sword"], "stats": ["twig"]}
    hero = hero_row(worn={"blade": "twig"})
    seeds = range(30)
    found = [
        chosen(tiny, tiny_task(tiny, knowledge=knowledge, hero=hero, seed=seed), "random").get("blade")
        for seed in [*seeds, *seeds]
    ]
    assert set(found) == {"club", "bar_sword", None}
    assert found[:30] == found[30:]


# -- what comes of it -------------------------------------------------------------------------------------------------


def test_with_just_the_missing_gear_told_the_listed_gear_wins(tiny: World) -> None:
    task = armed(tiny, recipes=["bar", "bar_sword", "fur_coat"], materials=["ore", "fur"], monsters=["rat"])
    assert baseline_wins(tiny, RULES, task, "listed")
    plan = baseline_plan(tiny, RULES, task, "listed")
    assert plan is not None
    assert plan.splitlines()[-1] == 'fight("Hero")'


def test_who_wants_what_is_noise_has_no_plan(tiny: World) -> None:
    task = armed(tiny, recipes=["bar", "bar_sword", "fur_coat"], noise=[noise("axe", effects={"attack_heat": 99})])
    assert baseline_plan(tiny, RULES, task, "strongest") is None
    assert not baseline_wins(tiny, RULES, task, "strongest")
    assert baseline_wins(tiny, RULES, task, "last")


def test_who_wants_what_cannot_be_had_has_no_plan(tiny: World) -> None:
    task = told(tiny, materials=["drake_charm"])
    assert baseline_plan(tiny, RULES, task, "listed") is None
    assert not baseline_wins(tiny, RULES, task, "listed")


def test_who_makes_the_wrong_gear_has_a_plan_that_loses(tiny: World) -> None:
    task = armed(tiny, recipes=["fur_coat"])
    assert baseline_plan(tiny, RULES, task, "listed") is not None
    assert not baseline_wins(tiny, RULES, task, "listed")


@pytest.mark.parametrize("name", BASELINES)
def test_every_baseline_crafts_the_target_of_a_craft_task(tiny: World, name: str) -> None:
    task = craft_task(tiny, "bar")
    assert baseline_wins(tiny, RULES, task, name)


def test_the_plan_is_what_is_judged(classic: World) -> None:
    exact = tasks(classic, 4, brackets=(2, 4), kind="kill")
    with Sandbox(classic, RULES) as sandbox:
        for task in exact:
            for name in ("listed", "random"):
                plan = baseline_plan(classic, RULES, task, name)
                judged = score(task, classic, task.rules(RULES), sandbox.execute(task, plan))
                assert (judged.outcome == "win") == baseline_wins(classic, RULES, task, name)


# -- the audit, and its bars ------------------------------------------------------------------------------------------


def test_the_audit_counts_kinds_and_knowledge_apart(tiny: World) -> None:
    won = armed(tiny, recipes=["bar", "bar_sword", "fur_coat"])
    lost = armed(tiny, recipes=["fur_coat"])
    noisy = armed(tiny, recipes=["bar", "bar_sword", "fur_coat"], noise=[noise("axe", effects={"attack_heat": 99})])
    found = audit(tiny, RULES, [craft_task(tiny, "bar"), noisy, won, lost])
    assert [(group, count.tasks) for group, count in found.groups()] == [
        (AuditGroup("kill", "exact", False), 2),
        (AuditGroup("kill", "exact", True), 1),
        (AuditGroup("craft", "exact", False), 1),
    ]
    solved = {(row["kind"], row["noise"], row["baseline"]): row["solved"] for row in found.rows()}
    assert solved["kill", False, "listed"] == 1
    assert solved["kill", True, "strongest"] == 0
    assert solved["kill", True, "last"] == 1
    assert solved["craft", False, "random"] == 1
    assert len(solved) == 3 * len(AUDITED)
    scores = {(row["noise"], row["baseline"]): row["score"] for row in found.rows() if row["kind"] == "kill"}
    assert scores[True, "last"] == 100
    assert 50 < scores[False, "listed"] < 100, "the mean of a win and a loss"
    assert scores[False, "noop"] == 0


def test_exact_tasks_give_their_gear_away_and_say_so(classic: World) -> None:
    ((_, count),) = audit(classic, RULES, tasks(classic, 18, brackets=BRACKETS, kind="kill")).groups()
    assert count.solved["listed"] >= 17


def test_tasks_with_decoys_are_not_won_without_a_sum(classic: World) -> None:
    ((_, count),) = audit(
        classic, RULES, tasks(classic, many(36, 9), brackets=BRACKETS, kind="kill", knowledge="decoys")
    ).groups()
    assert all(solved <= 2 for solved in count.solved.values()), count.solved
