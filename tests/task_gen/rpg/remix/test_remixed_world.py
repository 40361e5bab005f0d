"""Remixed worlds: the same from the same wish, new in all respects, sound; their words and maps."""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import pytest

from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import check_world, load_rules, load_world, read_world
from herobench.task_gen.rpg.gear.search import GearSearch
from herobench.task_gen.rpg.refusals import TaskFault
from herobench.task_gen.rpg.remix.blueprint import FORMAT, Blueprint, WordSource, everyday_words, spell_code
from herobench.task_gen.rpg.remix.remixed_world import GroundThing, build, remix, tiles
from tests.refusals import raises
from tests.sizes import for_each

WISHES = ((0, 0.1), (1, 0.2), (2, 0.5), (3, 1.0), (2**53 - 1, 1.5))

rules = load_rules()
every_wish = pytest.mark.parametrize(("seed", "size"), WISHES)


@cache
def documents(seed: int, size: float) -> Mapping[str, Any]:
    return remix(seed, size)


@cache
def world(seed: int, size: float) -> World:
    return World.from_documents(documents(seed, size))


def thing_rows(made: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [row for name in ("monsters", "resources", "items") for row in made[name][name]] + made["distractors"][
        "items"
    ]


def search(of: World, monster: str) -> GearSearch:
    target = of.monsters[monster]
    return GearSearch.of(of, rules, target, HeroStart.bare(of, rules, target.intended_level))


@pytest.mark.slow
def test_the_same_wish_gives_the_same_bytes_in_any_process() -> None:
    code = (
        "import json; from herobench.task_gen.rpg.remix.remixed_world import remix; "
        "print(json.dumps(remix(5, 0.3)), json.dumps(remix(5)))"
    )
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": hash_seed}
        )
        assert done.stdout == f"{json.dumps(remix(5, 0.3))} {json.dumps(remix(5))}\n"


def test_a_format_is_for_ever() -> None:
    """Who changes what a wish gives raises the number of the format, and with it this digest."""
    assert (FORMAT, world(1, 0.2).digest[:16]) == (1, "bec5072507bd489f")


@pytest.mark.slow
def test_another_seed_or_size_gives_another_world() -> None:
    names = [{row["name"] for row in thing_rows(documents(*wish))} for wish in ((3, 1.0), (4, 1.0), (2, 0.5))]
    for index, some in enumerate(names):
        for others in names[index + 1 :]:
            assert len(some & others) < len(some) / 20
    assert len({world(*wish).digest for wish in WISHES}) == len(WISHES)


@every_wish
def test_nothing_is_wrong_with_it(seed: int, size: float) -> None:
    assert check_world(documents(seed, size), "it") == []


@every_wish
def test_names_and_codes_are_its_own(seed: int, size: float) -> None:
    rows = thing_rows(documents(seed, size))
    for field in ("name", "code"):
        assert max(Counter(row[field] for row in rows).values()) == 1
        classic = {row[field] for row in thing_rows(read_world("classic")[0])}
        assert not classic & {row[field] for row in rows}
    assert not set(load_world().skills) & set(world(seed, size).skills)
    assert not set(load_world().elements) & set(world(seed, size).elements)


@pytest.mark.slow
@every_wish
def test_every_monster_is_lost_bare_and_won_with_a_smallest_set_of_the_wanted_size(seed: int, size: float) -> None:
    wanted, found = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    plan = Blueprint.of(size)
    for step, level in enumerate(plan.levels):
        wanted.update((level, number) for number in plan.winning_sizes(step))
    for code, monster in world(seed, size).monsters.items():
        here = search(world(seed, size), code)
        gear = here.smallest()
        assert gear is not None, code
        assert not here.wins({}), code
        assert here.is_minimal(gear), code
        found[monster.intended_level, len(gear)] += 1
    assert found == wanted or size < 1  # smaller worlds lack some gear, so that not every size can be had


@every_wish
def test_everyone_can_be_beaten_with_what_falls_from_those_beaten_before(seed: int, size: float) -> None:
    """Level by level: the gear of a smallest set takes drops of monsters meant for lower levels only."""
    here = world(seed, size)
    for code, monster in here.monsters.items():
        gear = search(here, code).smallest() or {}
        parts = {part for item in gear.values() for part in here.everything_in(item)}
        hunted = {who for part in parts for who in here.droppers.get(part, ())}
        assert all(here.monsters[who].intended_level < monster.intended_level for who in hunted), code


@every_wish
def test_everything_that_is_found_is_of_use(seed: int, size: float) -> None:
    here = world(seed, size)
    used = {part for item in here.items.values() if item.recipe for part in item.recipe.ingredients}
    assert [code for code, item in here.items.items() if item.type == "resource" and code not in used] == []


@for_each(("seed", "size"), [wish for wish in WISHES if wish[1] >= 0.5])
def test_it_is_as_large_as_asked_for(seed: int, size: float) -> None:
    assert len(world(seed, size).items) == pytest.approx(208 * size, rel=0.08)


def test_it_is_loaded_by_its_name() -> None:
    assert load_world("remix:3") == world(3, 1.0)
    assert load_world("remix:1:0.2") == world(1, 0.2)
    assert build("3") == documents(3, 1.0)
    with raises(TaskFault.NO_SIZE, "'100.0'"):
        load_world("remix:1:100")


# -- ground -----------------------------------------------------------------------------------------------------------


def drawn(seed: int, wanted: int = 200, number: int = 40) -> list[dict[str, object]]:
    things = [GroundThing("monster", f"m{index}", index) for index in range(1, number + 1)]
    return [dict(row) for row in tiles(wanted, things, WordSource(Random(seed), ()), Random(seed))]


@for_each("seed", range(5))
def test_every_tile_can_be_walked_to(seed: int) -> None:
    places = {(row["x"], row["y"]) for row in drawn(seed)}
    assert len(places) == 200
    reached, edge = {(0, 0)}, [(0, 0)]
    while edge:
        x, y = edge.pop()
        fresh = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & places - reached
        reached |= fresh
        edge += fresh
    assert reached == places


def test_all_things_stand_somewhere_and_nothing_on_the_start() -> None:
    rows = drawn(1)
    assert {row["content"]["code"] for row in rows if "content" in row} == {f"m{index}" for index in range(1, 41)}  # type: ignore[index]
    assert all("content" not in row for row in rows if (row["x"], row["y"]) == (0, 0))


def test_there_is_room_for_all_things_whatever_is_wanted() -> None:
    assert len(drawn(1, wanted=1)) == 81


def test_dangerous_things_are_further_away() -> None:
    far = {row["content"]["code"]: abs(row["x"]) + abs(row["y"]) for row in drawn(2) if "content" in row}  # type: ignore[index, arg-type]
    easy, hard = (sum(far[f"m{index}"] for index in group) for group in (range(1, 11), range(31, 41)))
    assert easy < hard


# -- dialect ----------------------------------------------------------------------------------------------------------


def words(seed: int, number: int = 3000) -> list[str]:
    dialect = WordSource(Random(seed), everyday_words())
    return [dialect.word() for _ in range(number)]


def test_no_word_comes_twice() -> None:
    assert len(set(words(1))) == 3000


def test_words_are_capitalised_and_of_readable_length() -> None:
    assert all(re.fullmatch("[A-Z][a-z]{3,8}", word) for word in words(2))


def test_words_can_be_said() -> None:
    """No more than three consonants or two vowels follow on one another."""
    assert not [word for word in words(3) if re.search("[^aeiou]{4}|[aeiou]{3}", word.lower().replace("qu", "q"))]


def test_a_word_that_is_taken_is_not_coined() -> None:
    taken = words(4, 50)
    assert not set(taken) & {WordSource(Random(4), taken).word() for _ in range(1)}
    dialect = WordSource(Random(4), taken)
    assert not set(taken) & {dialect.word() for _ in range(500)}


def test_worlds_speak_dialects() -> None:
    assert len(set(words(5)) & set(words(6))) < 300


def test_codes_are_names_in_small_letters() -> None:
    assert spell_code("Korvan Ingot") == "korvan_ingot"
