import json
from pathlib import Path
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from herobench.data.errors import InputError
from herobench.data.rows import dump_row, write_rows
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.task_file import load_tasks, task_problems
from tests.builders import Json, hero_row, task_row, tiny_task
from tests.refusals import misread
from tests.sizes import for_each


def complaints(row: Json, world: World) -> list[str]:
    """What is wrong with a row that has the right shape."""
    assert schema_problems(row, "task", "here") == []
    return [str(problem).removeprefix("here: ") for problem in task_problems(row, world, "here")]


def told(**changes: Any) -> Json:
    nothing: Json = {"recipes": [], "materials": [], "sold": [], "monsters": [], "places": [], "stats": []}
    return {"knowledge": {**nothing, **changes}}


NOISE: Json = {
    "code": "ghost_sword",
    "name": "Ghost Sword",
    "level": 9,
    "type": "blade",
    "subtype": "",
    "description": "",
    "effects": {"attack_heat": 9},
    "recipe": {"skill": "smithing", "level": 9, "ingredients": {"mist": 2}},
}


def rich_row(world: World) -> Json:
    """A task row with something in every field."""
    return task_row(
        world,
        id="8/3_Frost Drake_kill",
        hero=hero_row(
            worn={"blade": "twig", "charm2": "pearl_charm"},
            consumables={"consumable2": {"item": "broth", "quantity": 3}},
            inventory={"clay": 2, "tonic": 1},
            stats={"hp": 90, "attack_heat": 1, "dmg_frost": -2, "res_heat": 3},
            x=-1,
            y=-1,
        ),
        knowledge=told(
            recipes=["bar_sword", "bar"], materials=["ore", "salt"], sold=["salt"], monsters=["rat"],
            places=[[1, 0], [2, 1]], stats=["club"], noise=[NOISE], level="decoys",
        )["knowledge"],
        mechanics={"leveling": True, "drop_scale": 0.5, "exchange": "told"},
        certificate={
            "plan": "fight('Hero')", "actions": 1, "lower_bound": 1, "seeds": 100, "wins": 99, "without": {"coat": 7.5},
        },
    )  # fmt: skip


# -- one row ----------------------------------------------------------------------------------------------------------


def test_a_sound_row_has_no_problems(tiny: World) -> None:
    assert complaints(task_row(tiny), tiny) == []
    assert complaints(rich_row(tiny), tiny) == []


def test_a_task_survives_the_way_through_its_row(tiny: World) -> None:
    row = rich_row(tiny)
    task = Task.from_row(row)
    assert task.as_row() == row
    assert Task.from_row(json.loads(dump_row(task.as_row()))) == task


def test_the_track_of_a_program_is_left_out_of_a_row(tiny: World) -> None:
    mechanics = {"leveling": False, "drop_scale": None, "exchange": "world"}
    told = Task.from_row(task_row(tiny, mechanics={**mechanics, "plan": "program"}))
    assert told.mechanics == Task.from_row(task_row(tiny)).mechanics
    assert told.as_row()["mechanics"] == mechanics
    straight = Task.from_row(task_row(tiny, mechanics={**mechanics, "plan": "straight"}))
    assert straight.as_row()["mechanics"] == {**mechanics, "plan": "straight"}


def test_a_straight_plan_cannot_react_to_chance(tiny: World) -> None:
    mechanics = {"leveling": False, "drop_scale": 1.0, "plan": "straight"}
    assert complaints(task_row(tiny, mechanics=mechanics), tiny) == [
        '$.mechanics.plan: expected "program" where drops fall by chance, since a straight plan cannot react to them, '
        'found "straight"'
    ]
    assert complaints(task_row(tiny, mechanics={**mechanics, "plan": "program"}), tiny) == []
    assert complaints(task_row(tiny, mechanics={**mechanics, "drop_scale": None}), tiny) == []


def test_a_budget_goes_with_sure_drops_and_a_factor_with_a_budget(tiny: World) -> None:
    budget = {"leveling": False, "drop_scale": None, "budget": 9, "budget_factor": 1.5}
    assert complaints(task_row(tiny, mechanics=budget), tiny) == []
    assert complaints(task_row(tiny, mechanics={**budget, "drop_scale": 1.0}), tiny) == [
        "$.mechanics.budget: expected no budget where drops fall by chance, since they decide how many actions a plan "
        "takes, found 9"
    ]
    del budget["budget"]
    assert complaints(task_row(tiny, mechanics=budget), tiny) == [
        "$.mechanics.budget_factor: expected no factor without a budget, found 1.5"
    ]


def test_only_a_bound_that_covers_all_ways_and_is_met_proves_the_shortest_win(tiny: World) -> None:
    row = rich_row(tiny)
    assert shortest_win(row) is None
    row["certificate"]["scope"] = "all_ways"
    assert complaints(row, tiny) == []
    assert Task.from_row(row).as_row() == row
    assert shortest_win(row) == 1
    row["certificate"]["lower_bound"] = 0
    assert shortest_win(row) is None


def shortest_win(row: Json) -> int | None:
    proof = Task.from_row(row).certificate
    assert proof is not None
    return proof.shortest_win


def test_a_task_of_another_world_is_named_by_the_digests_and_looked_at_no_further(tiny: World) -> None:
    row = {**task_row(tiny, target="nobody"), "world": "0" * 64}
    expected = f"the digest of the world 'tiny', {tiny.digest[:12]}..."
    assert complaints(row, tiny) == [f'$.world: expected {expected}, found "{"0" * 64}"']


@for_each(
    ("changes", "complaint"),
    [
        ({"target": "dragon"}, '$.target: expected the code of a monster, found "dragon"'),
        ({"target": "clay_pit"}, '$.target: expected the code of a monster, found "clay_pit"'),
        (
            {"kind": "craft", "missing": {}, "target": "clay"},
            '$.target: expected the code of an item with a recipe, found "clay"',
        ),
        (
            {"kind": "craft", "missing": {}, "target": "moon_blade"},
            '$.target: expected the code of an item with a recipe, found "moon_blade"',
        ),
        (
            {"kind": "craft", "missing": {"blade": "club"}, "target": "club"},
            '$.missing: expected no missing gear in a craft task, found {"blade": "club"}',
        ),
        ({"missing": {"hat": "club"}}, '$.missing.hat: expected a slot of the world that gear is worn in, found "hat"'),
        (
            {"missing": {"charm": "pearl_charm"}},
            '$.missing.charm: expected a slot of the world that gear is worn in, found "charm"',
        ),
        (
            {"missing": {"consumable1": "broth"}},
            '$.missing.consumable1: expected a slot of the world that gear is worn in, found "consumable1"',
        ),
        ({"missing": {"blade": "axe"}}, '$.missing.blade: expected the code of an item of type blade, found "axe"'),
        ({"missing": {"charm2": "club"}}, '$.missing.charm2: expected the code of an item of type charm, found "club"'),
        (
            {"hero": hero_row(worn={"coat": "club"})},
            '$.hero.worn.coat: expected the code of an item of type coat, found "club"',
        ),
        (
            {"hero": hero_row(worn={"hat": "club"})},
            '$.hero.worn.hat: expected a slot of the world that gear is worn in, found "hat"',
        ),
        (
            {"hero": hero_row(consumables={"blade": {"item": "broth", "quantity": 1}})},
            '$.hero.consumables.blade: expected a consumable slot of the world, found "blade"',
        ),
        (
            {"hero": hero_row(consumables={"consumable3": {"item": "broth", "quantity": 1}})},
            '$.hero.consumables.consumable3: expected a consumable slot of the world, found "consumable3"',
        ),
        (
            {"hero": hero_row(consumables={"consumable1": {"item": "clay", "quantity": 1}})},
            '$.hero.consumables.consumable1.item: expected the code of a consumable, found "clay"',
        ),
        (
            {"hero": hero_row(inventory={"clay": 1, "gold": 1})},
            '$.hero.inventory.gold: expected the code of an item, found "gold"',
        ),
        (
            {"hero": hero_row(skills={"cooking": {"level": 1, "xp": 0, "next_level_xp": 150}})},
            '$.hero.skills.cooking: expected one of the world\'s skills, found "cooking"',
        ),
        (
            {"hero": hero_row(stats={"hp": 1, "attack_moon": 1})},
            "$.hero.stats.attack_moon: expected one of hp, attack_heat, attack_frost, dmg_heat, dmg_frost, res_heat, "
            'res_frost, found "attack_moon"',
        ),
        ({"hero": hero_row(x=7)}, "$.hero: expected a place on the map, found [7, 0]"),
        (told(recipes=["bar", "bark"]), '$.knowledge.recipes[1]: expected the code of an item, found "bark"'),
        (told(materials=["oar"]), '$.knowledge.materials[0]: expected the code of an item, found "oar"'),
        (told(sold=["oar"]), '$.knowledge.sold[0]: expected the code of an item, found "oar"'),
        (told(sold=["fur"]), '$.knowledge.sold[0]: expected an item that the grand exchange sells, found "fur"'),
        (told(stats=["rat"]), '$.knowledge.stats[0]: expected the code of an item, found "rat"'),
        (told(monsters=["club"]), '$.knowledge.monsters[0]: expected the code of a monster, found "club"'),
        (told(places=[[0, 0], [9, 9]]), "$.knowledge.places[1]: expected a place on the map, found [9, 9]"),
    ],
)
def test_what_a_row_refers_to_has_to_be_there(changes: Json, complaint: str, tiny: World) -> None:
    assert complaints(task_row(tiny, **changes), tiny) == [complaint]


def test_all_problems_of_a_row_are_named_at_once(tiny: World) -> None:
    row = task_row(tiny, target="x", missing={"blade": "x"}, hero=hero_row(x=9), **told(recipes=["x"]))
    assert [complaint.partition(":")[0] for complaint in complaints(row, tiny)] == [
        "$.target", "$.missing.blade", "$.hero", "$.knowledge.recipes[0]",
    ]  # fmt: skip


@for_each(
    ("changes", "complaint"),
    [
        ({"schema": 2}, "$.schema: expected 1, found 2"),
        ({"kind": "gather"}, '$.kind: expected one of "kill", "craft", found "gather"'),
        ({"id": ""}, '$.id: expected text of 1 characters or more, found ""'),
        ({"world": "A" * 64}, f'$.world: expected text that matches ^[0-9a-f]{{64}}$, found "{"A" * 64}"'),
        ({"seed": -1}, "$.seed: expected 0 or more, found -1"),
        ({"seed": 2**63}, f"$.seed: expected {2**63 - 1} or less, found {2**63}"),
        ({"mechanics": {"leveling": 1, "drop_scale": None}}, "$.mechanics.leveling: expected boolean, found 1"),
        (
            {"mechanics": {"leveling": False, "drop_scale": 0}},
            "$.mechanics.drop_scale: expected more than 0, found 0",
        ),
        (
            {"mechanics": {"leveling": False, "drop_scale": "1"}},
            '$.mechanics.drop_scale: expected number or nothing, found "1"',
        ),
        (
            {"mechanics": {"leveling": False, "drop_scale": None, "plan": "loops"}},
            '$.mechanics.plan: expected one of "straight", "program", found "loops"',
        ),
        ({"hero": hero_row(stats={})}, "$.hero.stats: expected the property 'hp'"),
        ({"hero": hero_row(stats={"hp": 0})}, "$.hero.stats.hp: expected 1 or more, found 0"),
        ({"hero": hero_row(inventory={"clay": 0})}, "$.hero.inventory.clay: expected 1 or more, found 0"),
        (told(places=[[0]]), "$.knowledge.places[0]: expected 2 entries or more, found [0]"),
        (told(places=[[0, 1, 2]]), "$.knowledge.places[0]: expected 2 entries or less, found [0, 1, 2]"),
        (told(stats=["a", "a"]), '$.knowledge.stats: expected no entry twice, found ["a", "a"]'),
        ({"comment": "x"}, "$.comment: expected one of the properties schema, id, world, kind, target, hero, "
                           "missing, knowledge, mechanics, seed, difficulty, certificate, impossible, "
                           "twin_of"),
    ],
)  # fmt: skip
def test_the_shape_of_a_row_is_checked(changes: Json, complaint: str, tiny: World) -> None:
    found = schema_problems({**task_row(tiny), **changes}, "task", "here")
    assert [str(problem) for problem in found] == [f"here: {complaint}"]


# -- files ------------------------------------------------------------------------------------------------------------


def test_tasks_survive_the_way_through_a_file(tmp_path: Path, tiny: World) -> None:
    tasks = [tiny_task(tiny), Task.from_row(rich_row(tiny))]
    write_rows(tmp_path / "tasks.jsonl", (task.as_row() for task in tasks))
    assert load_tasks(tmp_path / "tasks.jsonl", tiny) == {task.id: task for task in tasks}


def test_every_bad_line_of_a_file_is_named(tmp_path: Path, tiny: World) -> None:
    file = tmp_path / "tasks.jsonl"
    rows = [
        task_row(tiny, id="first"),
        task_row(tiny, id="second", target="nobody"),
        task_row(tiny, id="first", seed=8),
        task_row(tiny, id="third", kind="dance"),
        task_row(tiny, id="second"),
    ]
    file.write_text("".join(map(dump_row, rows)) + '{"schema": 1, "id": ')
    with pytest.raises(InputError) as caught:
        load_tasks(file, tiny)
    assert [(problem.file.removeprefix(f"{file}:"), problem.path) for problem in caught.value.problems] == [
        ("2", "$.target"),
        ("3", "$.id"),
        ("4", "$.kind"),
        ("6", "column 20"),
    ]


def test_loading_a_file_with_a_bad_line_is_refused_with_all_that_is_wrong(tmp_path: Path, tiny: World) -> None:
    rows = [{**task_row(tiny, id=str(number)), "kind": "dance"} for number in range(3)]
    write_rows(tmp_path / "tasks.jsonl", rows)
    with pytest.raises(InputError) as caught:
        load_tasks(tmp_path / "tasks.jsonl", tiny)
    assert [problem.file for problem in caught.value.problems] == [f"{tmp_path}/tasks.jsonl:{n}" for n in (1, 2, 3)]


def test_a_file_of_tasks_of_another_world_is_told_so_once(tmp_path: Path, tiny: World) -> None:
    rows = [{**task_row(tiny, id=str(number)), "world": "f" * 64} for number in range(3)]
    file = tmp_path / "tasks.jsonl"
    write_rows(file, rows)
    with misread("", file, "'tiny'", "--world") as caught:
        load_tasks(file, tiny)
    assert len(caught.value.problems) == 1
    write_rows(file, [*rows, task_row(tiny, id="good")])
    with misread("$.world") as caught:
        load_tasks(file, tiny)
    assert len(caught.value.problems) == 3


def test_a_file_that_is_not_there_is_named(tmp_path: Path, tiny: World) -> None:
    with misread("", "none.jsonl"):
        load_tasks(tmp_path / "none.jsonl", tiny)
