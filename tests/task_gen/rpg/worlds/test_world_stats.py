"""World statistics, compared with an independent search and with their schema; portraits with the documents."""

import json
from itertools import combinations

import pytest
from jsonschema import Draft202012Validator

from herobench.data.documents import load_schema, schema_problems
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.gear.search import GearSearch
from herobench.task_gen.rpg.worlds.world_stats import (
    MOST_SETS,
    Fight,
    WorldStats,
    kill_fights,
    portraits,
    recipe_lines,
    thing_counts,
    world_portrait,
)
from tests.sizes import for_each
from tests.task_gen.rpg.changed import material, with_more

rules = load_rules()


@pytest.fixture(scope="module")
def balance(tiny: World) -> WorldStats:
    return WorldStats.of(tiny, rules)


def test_the_figures_of_the_tiny_world(balance: WorldStats) -> None:
    row = balance.as_row()
    assert row["counts"] == {
        "monsters": 3, "resources": 2, "items": 16, "recipes": 8, "distractors": 1, "tiles": 10,
    }  # fmt: skip
    assert row["fights"][2:4] == [
        {"monster": "drake", "hero_level": level, "smallest_set": 1, "sets": 1, "difficulty": [10, 10]}
        for level in (10, 15)
    ]
    assert row["fights"][0] == {
        "monster": "rat", "hero_level": 1, "smallest_set": None, "sets": 0, "difficulty": None,
    }  # fmt: skip
    assert row["brackets"][0] == {
        "bracket": 1, "kill": ["drake"], "craft": ["brick", "bar", "club", "pearl_charm", "tonic"],
    }  # fmt: skip
    assert all(bracket["kill"] == bracket["craft"] == [] for bracket in row["brackets"][1:])


def test_the_figures_fit_their_schema(balance: WorldStats, classic: World) -> None:
    quick = WorldStats(classic, rules, (Fight.of(classic, rules, classic.monsters["wolf"], 15),), {})
    for figures in (balance, quick):
        written = json.loads(json.dumps(figures.as_row()))
        assert schema_problems(written, "world-stats", "stats") == []
        assert list(Draft202012Validator(load_schema("world-stats")).iter_errors(written)) == []


@pytest.mark.slow
def test_sets_are_counted_up_to_a_number_and_are_the_minimal_ones(classic: World) -> None:
    """The search's own judgement of every set of up to two items is the reference."""
    cow = classic.monsters["cow"]
    fight = Fight.of(classic, rules, cow, 10)
    search = GearSearch.of(classic, rules, cow, HeroStart.bare(classic, rules, 10))
    assert fight.sets == len(list(search.minimal_sets())) < MOST_SETS
    pairs = combinations([(slot.name, choice.item) for slot in search.slots for choice in slot.choices], 2)
    winning = [dict(pair) for pair in pairs if pair[0][0] != pair[1][0]]
    assert fight.smallest == 2
    assert any(search.is_minimal(pair) for pair in winning)
    assert Fight.of(classic, rules, classic.monsters["wolf"], 15).sets == MOST_SETS


def test_fights_are_at_the_intended_level_and_five_above_and_not_beyond_the_cap(classic: World) -> None:
    levels: dict[str, list[int]] = {}
    for monster, level in kill_fights(classic, rules):
        levels.setdefault(monster.code, []).append(level)
    assert (levels["wolf"], levels["rosenblood"], levels["reaper"]) == ([10, 15], [35, 40], [40])


def test_each_fight_is_a_step(tiny: World) -> None:
    steps: list[None] = []
    WorldStats.of(tiny, rules, lambda: steps.append(None))
    assert len(steps) == len(kill_fights(tiny, rules)) == 6
    assert thing_counts(tiny)["items"] == 16


# -- portrait ---------------------------------------------------------------------------------------------------------


def test_a_monster_is_told_with_its_drops_and_where_it_stands(tiny: World) -> None:
    (rat,) = portraits(tiny, "rat")
    assert (rat["kind"], rat["hp"], rat["attack"], rat["places"]) == ("monster", 30, {"frost": 5}, [[1, 0]])
    assert rat["drops"] == [{"item": "fur", "one_in": 4, "min": 1, "max": 2}]


def test_an_item_is_told_with_where_it_comes_from_and_what_it_goes_into(tiny: World) -> None:
    (fur,) = portraits(tiny, "FUR")
    assert fur["dropped_by"] == [{"code": "rat", "one_in": 4, "min": 1, "max": 2}]
    assert fur["goes_into"] == ["bar_sword", "fur_coat", "broth"]
    (salt,) = portraits(tiny, "salt")
    assert (salt["sold"], salt["owned"], salt["gathered_at"]) == (True, False, [])
    (sword,) = portraits(tiny, "Sword")
    assert (sword["code"], sword["workshops"], sword["difficulty"]) == ("bar_sword", [[2, 1]], 6)
    assert sword["tree"] == ["1 bar_sword (smithing 5)", "  2 bar (smithing 5)", "    8 ore", "  1 fur"]


def test_resources_distractors_and_places_are_told_too(tiny: World) -> None:
    (vein,) = portraits(tiny, "Ore Vein")
    assert (vein["kind"], vein["skill"], vein["level"]) == ("resource", "digging", 5)
    (moon,) = portraits(tiny, "moon_blade")
    assert (moon["kind"], moon["lacking"]) == ("distractor", ["moon_dust"])
    (forge,) = portraits(tiny, " 2, 1")
    assert forge["content"] == {"type": "workshop", "code": "smithing"}
    assert portraits(tiny, "-1,-1")[0]["name"] == "Bank"


@for_each("text", ["", "rats", "9,9", "1", "1,2,3", "--1,0", "1,²", "9" * 5000 + ",1"])
def test_nothing_is_told_of_what_there_is_not(tiny: World, text: str) -> None:
    assert portraits(tiny, text) == []


def test_things_of_two_kinds_with_one_name_are_both_told() -> None:
    world = with_more(items=[material("rat")])
    assert [row["kind"] for row in portraits(world, "rat")] == ["monster", "item"]


def test_what_is_crafted_twice_is_taken_apart_once() -> None:
    parts = ["clay", *(f"part_{number}" for number in range(40))]
    items = [
        material(code, **{before: 1, other: 1})
        for before, other, code in zip(["clay", *parts], ["ore", *parts[:-1]], parts[1:], strict=False)
        if before != other
    ]
    world = with_more(items=items)
    assert len(recipe_lines(world, items[-1]["code"])) < 200


def test_a_world_is_told_as_it_is_written_with_its_digest(tiny: World) -> None:
    told = world_portrait(tiny)
    assert (told["code"], told["exchange_sells"], told["digest"]) == ("tiny", ["salt", "twig"], tiny.digest)
    assert told["counts"]["items"] == 16
