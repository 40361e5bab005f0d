"""Published files, built here from the tiny world; the real ones are read in tests/conformance."""

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.data.documents import schema_problems
from herobench.data.errors import InputError, Problem
from herobench.data.rows import write_rows
from herobench.suites.rpg.game.hero import Hero, HeroStart
from herobench.suites.rpg.game.responses import character, item_record, monster_record, tile_record
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.task_file import load_tasks
from herobench.task_gen.rpg.published import published_answers, published_tasks, read_published
from tests.builders import Json, hero_row
from tests.refusals import misread
from tests.sizes import for_each

SECTIONS = "Craftable items, Items stats, Locations, Monsters, Resources"


def published_hero(world: World, **changes: Any) -> Json:
    """Return a hero in the published layout: flat, with the stats of his gear added in."""
    return character(world, Hero(world, HeroStart.from_row(hero_row(**changes))))


def kill_entry(world: World, **changes: Any) -> Json:
    """Return an entry for the drake with sword and coat missing."""
    told = {
        "Monsters": [monster_record(world, "drake"), monster_record(world, "rat")],
        "Craftable items": [item_record(world.items[code]) for code in ("bar_sword", "bar", "fur_coat")],
        "Resources": [item_record(world.items[code]) for code in ("ore", "fur")],
        "Locations": [tile_record(world, place) for place in ((2, 0), (1, 1))],
        "Items stats": [item_record(world.items["club"])],
    }
    entry = {
        "monster_name": "Frost Drake",
        "missing_items": {"blade_slot": "bar_sword", "coat_slot": "fur_coat"},
        "character": published_hero(world),
        "task_info": told,
        "total_difficulty": 0,
        "min_level": 3,
    }
    return {**entry, **changes}


def craft_entry(world: World, **changes: Any) -> Json:
    """Return an entry for a broth with salt for sale."""
    salt = {**item_record(world.items["salt"]), "subtype": "grand_exchange"}
    broth, fur = item_record(world.items["broth"]), item_record(world.items["fur"])
    told = {"Craftable items": [broth], "Resources": [salt, fur]}
    return {"item": "Broth", "character": published_hero(world), "task_info": told, **changes}


def read(world: World, *entries: Json) -> list[Task | Problem]:
    document = {"1": list(entries)}
    assert schema_problems(document, "published-tasks", "file") == []
    return list(published_tasks(document, world, "file"))


def task(world: World, entry: Json) -> Task:
    (found,) = read(world, entry)
    assert isinstance(found, Task), found
    return found


def complaints(world: World, entry: Json) -> list[str]:
    """Return the problems of an entry that the schema accepts but that is no task."""
    found = read(world, entry)
    assert not any(isinstance(each, Task) for each in found)
    return [str(problem).removeprefix("file: ") for problem in found]


# -- what is read -----------------------------------------------------------------------------------------------------


def test_a_kill_task_is_read_in_full(tiny: World) -> None:
    row = task(tiny, kill_entry(tiny)).as_row()
    assert row.pop("seed") in range(2**32)
    assert row == {
        "schema": 1,
        "id": "1/1_Frost Drake_kill",
        "world": tiny.digest,
        "kind": "kill",
        "target": "drake",
        "hero": hero_row(),
        "missing": {"blade": "bar_sword", "coat": "fur_coat"},
        "knowledge": {
            "recipes": ["bar_sword", "bar", "fur_coat"],
            "materials": ["ore", "fur"],
            "sold": [],
            "monsters": ["drake", "rat"],
            "places": [[2, 0], [1, 1]],
            "stats": ["club"],
            "noise": [],
            "level": "exact",
        },
        "mechanics": {"leveling": False, "drop_scale": None, "exchange": "world"},
        "difficulty": 13,
        "certificate": None,
    }


def test_a_craft_task_is_read_with_what_is_sold(tiny: World) -> None:
    found = task(tiny, craft_entry(tiny))
    assert (found.id, found.kind, found.target, found.missing) == ("1/1_Broth_craft", "craft", "broth", {})
    assert found.knowledge.materials == ("salt", "fur")
    assert found.knowledge.sold == {"salt"}
    assert found.difficulty == 4


def test_ids_tell_bracket_number_name_and_kind(tiny: World) -> None:
    kill, craft = kill_entry(tiny), craft_entry(tiny)
    document = {"1": [kill, craft, kill], "level 8": [craft]}
    found = [each.id for each in published_tasks(document, tiny, "file") if isinstance(each, Task)]
    assert found == ["1/1_Frost Drake_kill", "1/2_Broth_craft", "1/3_Frost Drake_kill", "level 8/1_Broth_craft"]


def test_seeds_differ_from_task_to_task_and_never_change(tiny: World) -> None:
    first, second = (each for each in read(tiny, kill_entry(tiny), kill_entry(tiny)) if isinstance(each, Task))
    assert first.seed != second.seed
    assert (first.seed, second.seed) == (2021420785, 3603648252)


@for_each(("name", "target"), [("Frost Drake", "drake"), ("drake", "drake"), ("Cellar Rat", "rat")])
def test_a_monster_is_known_by_its_name_or_its_code(name: str, target: str, tiny: World) -> None:
    entry = kill_entry(tiny, monster_name=name)
    assert task(tiny, entry).target == target
    assert task(tiny, entry).id == f"1/1_{name}_kill"


def test_slots_may_be_named_in_short(tiny: World) -> None:
    assert task(tiny, kill_entry(tiny, missing_items={"charm1": "pearl_charm"})).missing == {"charm1": "pearl_charm"}


# -- the hero ---------------------------------------------------------------------------------------------------------


def test_what_the_worn_items_give_is_taken_off_again(tiny: World) -> None:
    worn = {"blade": "club", "coat": "fur_coat", "charm1": "drake_charm", "charm2": "pearl_charm"}
    bare = {"hp": 95, "attack_heat": 1, "res_frost": -30, "res_heat": 5}
    hero = published_hero(tiny, stats=bare, worn=worn)
    assert (hero["hp"], hero["attack_heat"], hero["dmg_heat"], hero["res_frost"], hero["res_heat"]) == (
        145,
        9,
        35,
        0,
        0,
    )
    found = task(tiny, kill_entry(tiny, character=hero)).hero
    assert found.worn == worn
    assert found.stats == bare


def test_a_hero_is_read_as_he_was_written(tiny: World) -> None:
    changes: Json = {
        "level": 7, "xp": 3, "next_level_xp": 350, "x": -1, "y": -1, "inventory": {"clay": 3, "broth": 1},
        "skills": {skill: {"level": 2, "xp": 9, "next_level_xp": 160} for skill in ("digging", "smithing", "brewing")},
        "consumables": {"consumable2": {"item": "tonic", "quantity": 4}},
    }  # fmt: skip
    found = task(tiny, kill_entry(tiny, character=published_hero(tiny, **changes)))
    assert found.hero.as_row() == hero_row(**changes)


def test_what_a_character_leaves_out_is_as_at_the_start(tiny: World) -> None:
    bare = {"level": 1, "xp": 0, "max_xp": 150, "hp": 90, "x": 0, "y": 0}
    hero = task(tiny, kill_entry(tiny, character=bare)).hero
    assert hero.stats == {"hp": 90}
    assert hero.skills == dict.fromkeys(tiny.skills, (1, 0, 150))
    assert not hero.worn
    assert not hero.consumables
    assert not hero.inventory


def test_a_stack_of_unknown_size_is_one_piece(tiny: World) -> None:
    hero = published_hero(tiny) | {"consumable1_slot": "broth"}
    del hero["consumable1_slot_quantity"]
    assert task(tiny, kill_entry(tiny, character=hero)).hero.consumables["consumable1"].quantity == 1


def test_fields_that_play_no_part_are_left_alone(tiny: World) -> None:
    hero = published_hero(tiny) | {"skin": "men1", "speed": 7, "hat_slot": ""}
    assert task(tiny, kill_entry(tiny, character=hero)) == task(tiny, kill_entry(tiny))


# -- what is worked out -----------------------------------------------------------------------------------------------


@for_each(
    ("skill", "level", "leveling"),
    [("smithing", 5, False), ("smithing", 4, True), ("digging", 5, False), ("digging", 4, True), ("brewing", 1, False)],
)
def test_a_task_whose_work_is_beyond_the_skills_is_one_of_leveling(
    skill: str, level: int, leveling: bool, tiny: World
) -> None:
    skilled = {name: {"level": 10, "xp": 0, "next_level_xp": 150} for name in tiny.skills}
    skilled[skill]["level"] = level
    found = task(tiny, kill_entry(tiny, character=published_hero(tiny, skills=skilled)))
    assert found.mechanics.leveling is leveling


def test_a_slot_that_has_to_be_emptied_first_makes_a_task_harder(tiny: World) -> None:
    clad, started = (published_hero(tiny, worn={"blade": code}) for code in ("club", "twig"))
    bare = task(tiny, kill_entry(tiny)).difficulty
    assert task(tiny, kill_entry(tiny, character=clad)).difficulty == bare + 1
    assert task(tiny, kill_entry(tiny, character=started)).difficulty == bare


# -- what is wrong ----------------------------------------------------------------------------------------------------


@for_each(
    ("changes", "complaint"),
    [
        (
            {"monster_name": "Fire Drake"},
            '$["1"][0].monster_name: expected a name or code of the world, found "Fire Drake"',
        ),
        ({"monster_name": ""}, '$["1"][0].monster_name: expected a name or code of the world, found ""'),
        (
            {"missing_items": {"blade_slot": "axe"}},
            '$["1"][0] read as a task: $.missing.blade: expected the code of an item of type blade, found "axe"',
        ),
        (
            {"missing_items": {"hat_slot": "club"}},
            '$["1"][0] read as a task: $.missing.hat: expected a slot of the world that gear is worn in, found "hat"',
        ),
    ],
)
def test_an_entry_that_the_world_does_not_fit_is_named(changes: Json, complaint: str, tiny: World) -> None:
    assert complaints(tiny, kill_entry(tiny, **changes)) == [complaint]


def test_an_unknown_item_to_craft_is_named(tiny: World) -> None:
    assert complaints(tiny, craft_entry(tiny, item="Soup")) == [
        '$["1"][0].item: expected a name or code of the world, found "Soup"'
    ]
    assert complaints(tiny, craft_entry(tiny, item="Clay")) == [
        '$["1"][0] read as a task: $.target: expected the code of an item with a recipe, found "clay"'
    ]


@for_each(
    ("changes", "complaint"),
    [
        ({"coat_slot": "cape"}, '.character.coat_slot: expected the code of an item, found "cape"'),
        (
            {"hat_slot": "club"},
            ".character.hat_slot: expected a slot of the world (blade, coat, charm1, charm2, consumable1, "
            'consumable2), found "club"',
        ),
        ({"hp": 0}, ".character.hp: expected more health than the worn items give, found 0"),
        (
            {"inventory": [{"code": "clay", "quantity": 1}, {"code": "clay", "quantity": 2}]},
            '.character.inventory[1].code: expected an item that is not listed twice, found "clay"',
        ),
        (
            {"inventory": [{"code": "gold", "quantity": 1}]},
            ' read as a task: $.hero.inventory.gold: expected the code of an item, found "gold"',
        ),
        ({"x": 99}, " read as a task: $.hero: expected a place on the map, found [99, 0]"),
        (
            {"consumable1_slot": "broth", "consumable1_slot_quantity": 0},
            " read as a task: $.hero.consumables.consumable1.quantity: expected 1 or more, found 0",
        ),
        (
            {"consumable1_slot": "clay", "consumable1_slot_quantity": 1},
            ' read as a task: $.hero.consumables.consumable1.item: expected the code of a consumable, found "clay"',
        ),
        ({"hp": 10**9}, f" read as a task: $.hero.stats.hp: expected 1000000 or less, found {10**9}"),
    ],
)
def test_a_hero_who_does_not_fit_the_world_is_named(changes: Json, complaint: str, tiny: World) -> None:
    entry = kill_entry(tiny, character=published_hero(tiny) | changes)
    assert complaints(tiny, entry) == [f'$["1"][0]{complaint}']


def test_health_that_comes_from_the_worn_items_alone_is_named(tiny: World) -> None:
    hero = published_hero(tiny, worn={"coat": "fur_coat"}) | {"hp": 40}
    assert complaints(tiny, kill_entry(tiny, character=hero)) == [
        '$["1"][0].character.hp: expected more health than the worn items give, found 40'
    ]
    assert task(tiny, kill_entry(tiny, character=hero | {"hp": 41})).hero.stats["hp"] == 1


@for_each(
    ("section", "index", "fact", "said", "world_says"),
    [
        ("Monsters", 0, "hp", 201, "200"),
        ("Monsters", 1, "attack_frost", 0, "5"),
        ("Monsters", 0, "res_heat", 20, "-20"),
        ("Monsters", 0, "name", "Drake", "'Frost Drake'"),
        ("Monsters", 1, "drops", [], "[{'code': 'fur', 'rate': 4, 'min_quantity': 1, 'max_quantity': 2}]"),
        ("Craftable items", 1, "level", 6, "5"),
        ("Craftable items", 1, "craft", None,
         "{'skill': 'smithing', 'level': 5, 'items': [{'code': 'ore', 'quantity': 4}], 'quantity': 1}"[:80]),
        ("Resources", 1, "type", "gem", "'resource'"),
        ("Items stats", 0, "effects", [{"name": "attack_heat", "value": 9}],
         "[{'name': 'attack_heat', 'value': 8}, {'name': 'haste', 'value': 3}]"),
        ("Locations", 1, "content", None, "{'type': 'resource', 'code': 'ore_vein'}"),
        ("Locations", 0, "name", "Ice", "'Glacier'"),
    ],
)  # fmt: skip
def test_a_fact_that_the_world_contradicts_is_named(
    section: str, index: int, fact: str, said: Any, world_says: str, tiny: World
) -> None:
    entry = kill_entry(tiny)
    entry["task_info"][section][index][fact] = said
    (complaint,) = complaints(tiny, entry)
    place = f'$["1"][0].task_info["{section}"]' if " " in section else f'$["1"][0].task_info.{section}'
    found = json.dumps(said)
    assert complaint == f"{place}[{index}].{fact}: expected the value of the world ({world_says}), found {found}"


def test_all_contradicted_facts_are_named_in_the_order_of_the_file(tiny: World) -> None:
    entry = kill_entry(tiny)
    rat = entry["task_info"]["Monsters"][1]
    rat |= {"level": 2, "hp": 31, "max_gold": 5}
    entry["task_info"]["Locations"][0]["name"] = "Ice"
    assert [complaint.partition(": ")[0] for complaint in complaints(tiny, entry)] == [
        '$["1"][0].task_info.Monsters[1].level',
        '$["1"][0].task_info.Monsters[1].hp',
        '$["1"][0].task_info.Monsters[1].max_gold',
        '$["1"][0].task_info.Locations[0].name',
    ]


def test_prose_and_hints_may_differ_and_more_may_be_said(tiny: World) -> None:
    entry = kill_entry(tiny)
    entry["task_info"]["Resources"][0] |= {"description": "Shiny.", "subtype": "rock", "tradeable": True}
    entry["task_info"]["Monsters"][0] = {"code": "drake"}
    assert task(tiny, entry) == task(tiny, kill_entry(tiny))


def test_an_unknown_section_is_named(tiny: World) -> None:
    entry = kill_entry(tiny)
    entry["task_info"] |= {"Rumours": [], "NPCs": {}}
    assert complaints(tiny, entry) == [
        f'$["1"][0].task_info.{section}: expected one of the sections {SECTIONS}, found "{section}"'
        for section in ("Rumours", "NPCs")
    ]


@for_each(
    ("section", "row", "complaint"),
    [
        ("Monsters", {"code": "troll"}, '$.knowledge.monsters[2]: expected the code of a monster, found "troll"'),
        ("Resources", {"code": "gold"}, '$.knowledge.materials[2]: expected the code of an item, found "gold"'),
        ("Craftable items", {"code": "axe"}, '$.knowledge.recipes[3]: expected the code of an item, found "axe"'),
        ("Items stats", {"code": "axe"}, '$.knowledge.stats[1]: expected the code of an item, found "axe"'),
        ("Locations", {"x": 9, "y": 9}, "$.knowledge.places[2]: expected a place on the map, found [9, 9]"),
    ],
)
def test_what_a_hero_is_told_of_has_to_be_there(section: str, row: Json, complaint: str, tiny: World) -> None:
    entry = kill_entry(tiny)
    entry["task_info"][section].append(row)
    assert complaints(tiny, entry) == [f'$["1"][0] read as a task: {complaint}']


def test_what_is_told_twice_is_known_once(tiny: World) -> None:
    entry = craft_entry(tiny)
    entry["task_info"]["Resources"] *= 2
    assert task(tiny, entry) == task(tiny, craft_entry(tiny))


def test_a_bad_entry_does_not_stop_the_good_ones(tiny: World) -> None:
    found = read(tiny, kill_entry(tiny), kill_entry(tiny, monster_name="Troll"), craft_entry(tiny))
    assert [each.id if isinstance(each, Task) else each.path for each in found] == [
        "1/1_Frost Drake_kill",
        '$["1"][1].monster_name',
        "1/3_Broth_craft",
    ]


@for_each(
    ("field", "value"),
    [
        ("digging_xp", "many"), ("digging_xp", None), ("digging_xp", -1), ("digging_level", 0), ("digging_max_xp", 0),
        ("xp", "1"), ("hp", None), ("attack_heat", "8"), ("blade_slot", None), ("blade_slot", 3), ("x", 0.5),
        ("inventory", {}), ("inventory", [{"code": "clay"}]), ("inventory", [{"code": "clay", "quantity": 0}]),
        ("consumable1_slot_quantity", "2"),
    ],
)  # fmt: skip
def test_a_character_of_the_wrong_shape_is_refused_by_the_schema(field: str, value: Any, tiny: World) -> None:
    document = {"1": [kill_entry(tiny, character=published_hero(tiny) | {field: value})]}
    (problem, *_) = schema_problems(document, "published-tasks", "file")
    assert problem.path.startswith(f'$["1"][0].character.{field}')


# -- answers ----------------------------------------------------------------------------------------------------------


def test_several_codes_are_epochs_and_none_is_an_answer_too() -> None:
    log: dict[str, Json] = {
        "1": {"1_Frost Drake_kill": {"code": ["x", None, "y"]}, "2_Broth_craft": {"code": "z", "time": 3}},
        "2": {"1_Broth_craft": {"code": None}, "2_Broth_craft": {"code": []}},
    }
    assert schema_problems(log, "published-answers", "file") == []
    rows = list(published_answers(log))
    assert [tuple(row.values()) for row in rows] == [
        ("1/1_Frost Drake_kill", 0, "x"),
        ("1/1_Frost Drake_kill", 1, None),
        ("1/1_Frost Drake_kill", 2, "y"),
        ("1/2_Broth_craft", 0, "z"),
        ("2/1_Broth_craft", 0, None),
        ("2/2_Broth_craft", 0, None),
    ]
    assert [problem for row in rows for problem in schema_problems(row, "answer", "row")] == []


# -- files ------------------------------------------------------------------------------------------------------------


def test_a_file_of_tasks_and_a_log_of_answers_are_told_apart(tmp_path: Path, tiny: World) -> None:
    tasks, log = tmp_path / "tasks.json", tmp_path / "log.json"
    tasks.write_text(json.dumps({"1": [kill_entry(tiny), kill_entry(tiny, monster_name="Troll")]}))
    log.write_text(json.dumps({"1": {"1_Frost Drake_kill": {"code": ["x"]}}}))
    rows, problems = read_published(tasks, tiny)
    assert [row["id"] for row in rows] == ["1/1_Frost Drake_kill"]
    assert [problem.file for problem in problems] == [str(tasks)]
    assert read_published(log, tiny) == ([{"task_id": "1/1_Frost Drake_kill", "epoch": 0, "code": "x"}], [])


def test_imported_tasks_can_be_loaded(tmp_path: Path, tiny: World) -> None:
    found = [each for each in read(tiny, kill_entry(tiny), craft_entry(tiny)) if isinstance(each, Task)]
    write_rows(tmp_path / "tasks.jsonl", (each.as_row() for each in found))
    assert load_tasks(tmp_path / "tasks.jsonl", tiny) == {each.id: each for each in found}


@for_each(
    "text",
    [
        "", "{", "null", "[]", "{}", '"tasks"', '{"1": 7}', '{"1": [7]}', '{"1": [{}]}', '{"1": {"a": 7}}',
        '{"1": {"a": {}}}', '{"1": {"a": {"code": 7}}}', '{"1": {"a": {"code": [7]}}}',
        '{"1": [], "2": {"a": {"code": "x"}}}', '{"1": [{"item": "x", "character": {}, "task_info": {}}]}',
        '{"1": [{"item": "x", "monster_name": "y", "missing_items": {}, "character": {}, "task_info": {}}]}',
        '{"\\ud83d": []}', "[" * 100_000, '{"1": [NaN]}', "{" + f'"{"n" * 81}": []' + "}",
        '{"1": {"' + "n" * 120 + '": {"code": ""}}}',
    ],
)  # fmt: skip
def test_a_file_that_is_neither_is_named(text: str, tmp_path: Path, tiny: World) -> None:
    (tmp_path / "file.json").write_text(text)
    with pytest.raises(InputError) as caught:
        read_published(tmp_path / "file.json", tiny)
    assert caught.value.problems
    assert {problem.file for problem in caught.value.problems} == {str(tmp_path / "file.json")}


def test_a_file_that_is_not_there_is_named(tmp_path: Path, tiny: World) -> None:
    with misread("", "none.json"):
        read_published(tmp_path / "none.json", tiny)
