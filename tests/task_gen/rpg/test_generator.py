"""The generator: the same request gives the same bytes in any number of processes, and tasks are as asked."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from herobench.data.errors import Fault
from herobench.data.rows import dump_row
from herobench.suites.rpg.game.task import Task, bracket_steps, to_bracket
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.suites.rpg.worlds.task_file import task_problems
from herobench.task_gen.rpg.oracle.gathering import Requirements, items_to_make, skills_for
from herobench.task_gen.rpg.oracle.loadouts import needs_leveling
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.task_maker import Generator, task_rows
from herobench.task_gen.rpg.tasks.drafts import CraftTasks, craftable_like
from herobench.task_gen.rpg.tasks.spec import CRAFT_SHARE, DROP_SCALE, Spec, item_difficulty, total_difficulty
from tests.refusals import raises
from tests.sizes import THOROUGH, for_each, many, some_slow
from tests.task_gen.rpg.made import proof, tasks

rules = load_rules()
EVERYTHING: dict[str, Any] = {"knowledge": "decoys", "noise": 3, "leveling": True, "brackets": (1, 3, 9)}
OPTIONS: list[tuple[int, dict[str, Any]]] = [
    (many(9, 3), {}),
    (many(9, 3), {"knowledge": "decoys"}),
    (many(9, 3), {"knowledge": "world"}),
    (many(9, 3), {"leveling": True}),
    (many(9, 3), {"noise": 6}),
    (3, {"stochastic": True, "brackets": (1, 2, 4)}),
    (3, {"plan": "straight", "leveling": True, "brackets": (1, 3)}),
    (6, {"kind": "kill"}),
    (10, {"kind": "craft", "brackets": (1,)}),
    (3, {"monster": "ogre", "brackets": (2, 3)}),
    (3, {"level": 33, "brackets": (2, 5)}),
    (3, {"steps": (40, 17, 93)}),
    (3, EVERYTHING),
]


WAYS: list[dict[str, Any]] = [{}, EVERYTHING, {"stochastic": True, "brackets": (1, 2)}]


def rows(world: World, indices: range, **options: Any) -> dict[int, str]:
    """Return the rows of tasks from a fresh generator."""
    generator = Generator(world, rules, Spec(**options))
    return {index: dump_row(generator.task(index).as_row()) for index in indices}


# -- the same and not the same ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", some_slow(WAYS, WAYS[1:]))
def test_a_task_depends_on_nothing_but_the_request_and_its_number(classic: World, options: dict[str, Any]) -> None:
    forwards = rows(classic, range(3), **options)
    assert rows(classic, range(2, -1, -1), **options) == forwards
    assert rows(classic, range(2, 3), **options)[2] == forwards[2]


def test_a_task_far_away_is_made_without_those_before_it(classic: World) -> None:
    assert rows(classic, range(5_000_000, 5_000_002)).keys() == {5_000_000, 5_000_001}


_DIGEST = """
import hashlib
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.data.rows import dump_row
from herobench.task_gen.rpg.task_maker import Generator
from herobench.task_gen.rpg.tasks.spec import Spec

digest = hashlib.sha256()
world = load_world()
for count, options in ((MANY // 2, {"leveling": True, "noise": 3}), (MANY, {"knowledge": "decoys"})):
    generator = Generator(world, load_rules(), Spec(seed=5, **options))
    for index in range(count):
        digest.update(dump_row(generator.task(index).as_row()).encode())
print(digest.hexdigest())
"""


@pytest.mark.slow
def test_no_order_of_sets_shows_in_the_bytes() -> None:
    """Each process has another hash seed for strings."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", f"MANY = {many(18, 4)}{_DIGEST}"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        for seed in ("1", "2")
    ]
    first, second = (process.communicate(timeout=120)[0] for process in running)
    assert first == second
    assert len(first) == 65


def test_other_seeds_and_other_options_give_other_tasks(classic: World) -> None:
    ways: list[dict[str, Any]] = [{}, {"seed": 1}, {"seed": 2}, {"craft_share": 0.1}, {"brackets": (1, 2, 3)}]
    made = [rows(classic, range(3), **options) for options in ways]
    assert len({row for each in made for row in each.values()}) == 3 * len(ways)


def test_a_task_is_the_same_in_both_tracks_but_for_the_track(classic: World) -> None:
    programs = tasks(classic, 3)
    straight = tasks(classic, 3, plan="straight")
    assert [replace(task, mechanics=replace(task.mechanics, plan="program")) for task in straight] == [*programs]
    assert {task.mechanics.plan for task in straight} == {"straight"}


def test_ids_are_unique_and_say_bracket_number_target_and_kind(classic: World) -> None:
    made = tasks(classic, count := many(90, 18))
    assert len({task.id for task in made}) == count
    for index, task in enumerate(made):
        things = classic.monsters if task.kind == "kill" else classic.items
        assert task.id == f"{index % 9 + 1}/{index // 9 + 1}_{things[task.target].name}_{task.kind}"
    assert len({task.seed for task in made}) == count


# -- what is asked for ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_difficulties_are_exactly_as_wanted_in_all_nine_brackets(classic: World) -> None:
    """Each bracket has every one of its ten steps once."""
    steps = many(10, 4)
    made = tasks(classic, 9 * steps)
    assert [task.difficulty for task in made] == [
        bracket_steps(bracket)[step] for step in range(steps) for bracket in range(1, 10)
    ]
    assert [task.difficulty for task in made] == [total_difficulty(classic, task) for task in made]


def test_difficulties_that_are_named_come_in_turn(classic: World) -> None:
    assert [task.difficulty for task in tasks(classic, 4, steps=(40, 17, 93))] == [40, 17, 93, 40]


@for_each(("count", "options"), OPTIONS)
def test_options_are_honoured(classic: World, count: int, options: dict[str, Any]) -> None:
    spec = Spec(**options)
    for task in tasks(classic, count, **options):
        assert spec.kind in ("mixed", task.kind)
        assert spec.steps or to_bracket(task.difficulty) in spec.brackets
        assert spec.monster in (None, task.target)
        assert spec.level in (None, task.hero.combat[0])
        assert task.knowledge.level == spec.knowledge
        assert len(task.knowledge.noise) == spec.noise
        assert task.mechanics.leveling == spec.leveling
        assert task.mechanics.drop_scale == (DROP_SCALE if spec.stochastic else None)
        assert task.mechanics.exchange == "told"
        assert task.mechanics.plan == spec.plan
        assert needs_leveling(classic, task) == spec.leveling
        if spec.leveling:
            gathering = {node.skill for node in classic.resources.values()}
            assert all(task.hero.skills[skill][0] == 1 for skill in gathering)


@for_each(("count", "options"), OPTIONS)
def test_a_row_is_read_as_it_was_written(classic: World, count: int, options: dict[str, Any]) -> None:
    for task in tasks(classic, count, **options):
        row = task.as_row()
        assert list(schema_problems(row, "task", "task")) == []
        assert list(task_problems(row, classic, "task")) == []
        assert Task.from_row(row) == task
        assert dump_row(Task.from_row(row).as_row()) == dump_row(row)


def test_craft_tasks_have_their_share_where_there_are_such(classic: World) -> None:
    first = tasks(classic, 40, brackets=(1,))
    assert 40 * CRAFT_SHARE / 2 < sum(task.kind == "craft" for task in first) < 40 * CRAFT_SHARE * 2
    assert {task.kind for task in tasks(classic, 10, brackets=(1,), craft_share=0.0) if task.difficulty > 8} == {"kill"}
    assert {task.kind for task in tasks(classic, 10, brackets=(1,), craft_share=1.0)} == {"craft"}


def test_a_craft_task_needs_no_fight_and_is_in_reach(classic: World) -> None:
    for task in tasks(classic, 20, kind="craft", brackets=(1,)):
        assert task.missing == {}
        assert "fight" not in proof(task).plan
        assert task.difficulty == item_difficulty(classic, task.target)
        assert all(code in classic.exchange_sells and code not in classic.nodes for code in task.knowledge.sold)


@pytest.mark.slow
def test_tasks_of_the_tiny_world_are_made_too(tiny: World) -> None:
    """At level 10 the drake needs only the sword, and a hero needs a club from the start to beat the rat for it."""
    ways: list[dict[str, Any]] = [{}, {"knowledge": "world"}, {"noise": 2}, {"stochastic": True}]
    for options in ways:
        made = tasks(tiny, many(9, 6), brackets=(1,), **options)
        kills = [task for task in made if task.kind == "kill"]
        assert kills
        for task in kills:
            assert (task.difficulty, task.missing, task.hero.worn) == (11, {"blade": "bar_sword"}, {"blade": "club"})


# -- what cannot be ---------------------------------------------------------------------------------------------------

IMPOSSIBLE: list[tuple[dict[str, Any], Fault, str]] = [
    ({"brackets": (0,)}, TaskFault.NO_DIFFICULTY, "difficulty 0|1 to 10"),
    ({"brackets": (1, 11)}, TaskFault.NO_DIFFICULTY, "11|1 to 10"),
    ({"brackets": ()}, TaskFault.NO_DIFFICULTIES, "1 to 10"),
    ({"brackets": (2, 2)}, TaskFault.DIFFICULTY_TWICE, ""),
    ({"monster": "chiken"}, TaskFault.NO_MONSTER, "'chiken'|'classic'|one of chicken."),
    ({"monster": "ogre", "kind": "craft"}, TaskFault.MONSTER_OF_CRAFT, ""),
    ({"level": 41}, TaskFault.BAD_LEVEL, "41|1 to 40"),
    ({"level": 0}, TaskFault.BAD_LEVEL, "is 0|1 to 40"),
    ({"plan": "straight", "stochastic": True}, TaskFault.STRAIGHT_AND_CHANCE, ""),
    ({"noise": -1}, TaskFault.BAD_NOISE, "-1"),
    ({"craft_share": 1.5}, TaskFault.BAD_CRAFT_SHARE, "1.5"),
]


@for_each(("options", "fault", "facts"), IMPOSSIBLE)
def test_what_cannot_be_meant_is_refused_before_anything_is_made(
    classic: World, options: dict[str, Any], fault: Fault, facts: str
) -> None:
    with raises(fault, *facts.split("|")):
        Generator(classic, rules, Spec(**options))


@pytest.mark.parametrize(
    ("options", "asked", "allowed"),
    [
        ({"monster": "chicken", "brackets": (9,)}, "difficulty 83 to 92 against Chicken", "1"),
        ({"kind": "craft", "brackets": (9,)}, "craft task of difficulty 83 to 92", "1"),
        ({"kind": "craft", "steps": (50,)}, "craft task of difficulty 50", "1"),
        pytest.param({"item": "copper_dagger", "brackets": (8,)}, "copper_dagger", "1,2,3", marks=pytest.mark.slow),
        pytest.param({"item": "cooked_chicken", "noise": 5, "brackets": (2,)}, "noise", "1", marks=pytest.mark.slow),
    ],
)
def test_a_difficulty_that_the_world_cannot_give_is_refused_with_those_that_allow_what_was_asked(
    classic: World, options: dict[str, Any], asked: str, allowed: str
) -> None:
    with raises(TaskFault.NO_TASK, asked, f"--difficulty {allowed}."):
        Generator(classic, rules, Spec(**options)).task(0)


@pytest.mark.slow
def test_an_item_that_gear_needs_is_found_in_every_bracket_that_has_it(classic: World) -> None:
    made = tasks(classic, 12, item="air_ring", noise=5, brackets=(1, 2, 3, 4, 5, 6))
    assert {task.id.split("/")[0] for task in made} == set("123456")


@for_each("item", ["copper", "iron_boots", "iron_ore"])
def test_every_task_needs_the_item_that_is_asked_for(classic: World, item: str) -> None:
    made = tasks(classic, many(4, 2), item=item, brackets=(3, 4))
    for task in made:
        needed = Requirements.of(classic, items_to_make(task))
        assert item in {*needed.crafts, *needed.raw}, task.id


def test_an_item_that_no_task_needs_is_refused(classic: World, tiny: World) -> None:
    with raises(TaskFault.NO_TASK, "with the item tonic", "another --difficulty"):
        Generator(tiny, rules, Spec(kind="kill", brackets=(1,), item="tonic")).task(0)
    with raises(TaskFault.NO_ITEM, "'nothing'", "'classic'"):
        Generator(classic, rules, Spec(item="nothing"))


def test_more_noise_than_there_are_words_for_is_refused_with_a_number(classic: World) -> None:
    with raises(TaskFault.TOO_MUCH_NOISE, "100000", "'classic'"):
        Generator(classic, rules, Spec(noise=100_000)).task(0)


# -- parts ------------------------------------------------------------------------------------------------------------


def test_brackets_take_turns_and_their_steps_do() -> None:
    spec = Spec(brackets=(2, 5))
    assert [spec.difficulty(index) for index in (0, 1, 2, 3, 19, 20)] == [13, 43, 14, 44, 52, 13]


def test_skills_are_the_heros_level_and_more_only_where_more_is_asked_for(tiny: World) -> None:
    assert skills_for(tiny, 1, {"bar_sword": 1}) == {"digging": 5, "smithing": 5, "brewing": 1}
    assert skills_for(tiny, 3, {"bar_sword": 1, "tonic": 2}) == {"digging": 5, "smithing": 5, "brewing": 3}
    assert skills_for(tiny, 9, {"bar_sword": 1}) == {"digging": 9, "smithing": 9, "brewing": 9}


def test_of_what_is_crafted_only_that_can_be_asked_for_which_can_be_had(tiny: World) -> None:
    crafts = CraftTasks(tiny, rules, Spec())
    can_be_had = {"brick", "bar", "club", "pearl_charm", "tonic"}
    assert [crafts.has(difficulty) for difficulty in range(2, 8)] == [False, True, True, False, True, False]
    assert {task.target for task in tasks(tiny, 12, brackets=(1,), kind="craft", seed=3)} <= can_be_had


def test_what_else_a_skill_makes(tiny: World) -> None:
    assert craftable_like(tiny, "broth") == {"tonic": 1}
    assert craftable_like(tiny, "club") == {"brick": 1, "bar": 5, "bar_sword": 5, "fur_coat": 1, "pearl_charm": 1}
    assert craftable_like(tiny, "twig") == {}


# -- stream -----------------------------------------------------------------------------------------------------------

SPEC = Spec(seed=11, brackets=(1, 2, 5), noise=1)


def lines(world: World, indices: range, jobs: int, spec: Spec = SPEC) -> list[str]:
    return [dump_row(row) for row in task_rows(world, load_rules(), spec, indices, jobs)]


def test_any_number_of_processes_makes_the_same_bytes(classic: World) -> None:
    alone = lines(classic, range(15), 1)
    assert len(set(alone)) == 15
    for jobs in (2, 3) if THOROUGH else (3,):
        assert lines(classic, range(15), jobs) == alone


def test_rows_come_before_all_are_made(classic: World) -> None:
    with closing(task_rows(classic, load_rules(), SPEC, range(10**9), 2)) as rows:
        first = next(rows)
    assert first["id"].startswith("1/1_")
    assert multiprocessing.active_children() == [], "who stops early leaves no process behind"


@for_each("jobs", [1, 2])
def test_what_cannot_be_made_is_said_by_whichever_process_finds_out(jobs: int, classic: World) -> None:
    with raises(TaskFault.NO_TASK, "difficulty 83 to 92 against Chicken"):
        lines(classic, range(12), jobs, Spec(brackets=(9,), monster="chicken"))
