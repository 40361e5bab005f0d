import json
import re
from pathlib import Path
from typing import Any

from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.gear.search import GearSearch
from tests.builders import TINY, documents, write_world
from tests.golden import Golden
from tests.program import Done, herobench
from tests.sizes import for_each

DRAKE = ("gear", "drake", "--world", TINY)


def found(done: Done) -> Any:
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def shown(done: Done) -> str:
    """What is shown, with all that separates words one space."""
    assert (done.returncode, done.stderr) == (0, "")
    return " ".join(done.stdout.split())


# -- what is found ----------------------------------------------------------------------------------------------------


def test_without_a_level_it_is_the_one_the_monster_is_meant_for(tiny: World) -> None:
    assert tiny.monsters["drake"].intended_level == 10
    assert found(herobench(*DRAKE, "--json")) == {
        "monster": "drake",
        "level": 10,
        "sets": [{"gear": {"blade": "bar_sword"}}],
    }


def test_one_set_is_shown_or_as_many_as_asked_for_smallest_first() -> None:
    both = [
        {"gear": {"blade": "bar_sword", "charm1": "pearl_charm"}},
        {"gear": {"blade": "bar_sword", "coat": "fur_coat"}},
    ]
    level = (*DRAKE, "--level", "5", "--json")
    assert found(herobench(*level)) == {"monster": "drake", "level": 5, "sets": both[:1]}
    assert found(herobench(*level, "--all", "2"))["sets"] == both
    assert found(herobench(*level, "--all", "99"))["sets"] == both


def test_the_sets_are_those_of_the_search(classic: World) -> None:
    rules, wolf = load_rules(), classic.monsters["wolf"]
    search = GearSearch.of(classic, rules, wolf, HeroStart.bare(classic, rules, 12))
    sets = [row["gear"] for row in found(herobench("gear", "wolf", "--level", "12", "--all", "9", "--json"))["sets"]]
    assert sets == [dict(gear) for gear, _ in zip(search.minimal_sets(), range(9), strict=False)]


@for_each("name", ["drake", "Frost Drake", "FROST drake", "Drake"])
def test_a_monster_goes_by_its_code_and_its_name_in_capitals_or_not(name: str) -> None:
    assert found(herobench("gear", name, "--world", TINY, "--json"))["monster"] == "drake"


def test_where_no_gear_wins_that_is_what_is_found(tiny: World, golden: Golden) -> None:
    golden(herobench("gear", "wall", "--world", TINY))
    none = found(herobench("gear", "wall", "--world", TINY, "--json"))
    assert none == {"monster": "wall", "level": 5, "sets": []}


# -- how it is shown --------------------------------------------------------------------------------------------------


def test_people_are_shown_the_items_with_their_effects(golden: Golden) -> None:
    golden(herobench(*DRAKE))


def test_of_several_sets_each_is_listed_and_the_first_is_shown(golden: Golden) -> None:
    golden(herobench(*DRAKE, "--level", "5", "--all", "5"))


@for_each("columns", [60, 80])
@for_each("args", [("pig",), ("rosenblood", "--all", "4"), ("bandit lizard", "--all", "2")])
def test_no_line_is_longer_than_the_terminal_is_wide_and_no_word_or_figure_is_cut(
    columns: int, args: tuple[str, ...], golden: Golden
) -> None:
    done = herobench("gear", *args, columns=columns)
    golden(done)
    assert max(map(len, done.stdout.splitlines())) <= columns
    codes = [code for row in found(herobench("gear", *args, "--json"))["sets"] for code in row["gear"].values()]
    assert [code for code in codes if not re.search(rf"\b{code}\b", done.stdout)] == []


def test_names_are_shown_as_they_are_whatever_is_in_them(tmp_path: Path) -> None:
    content = documents(TINY)
    content["monsters"]["monsters"][1]["name"] = "[bold]Drake :smile: [/]"
    done = herobench("gear", "drake", "--world", write_world(tmp_path / "odd", content))
    assert shown(done).count("[bold]Drake :smile: [/]") == 1


# -- what is refused --------------------------------------------------------------------------------------------------


def test_an_unknown_monster_is_refused_with_near_names_or_else_all(golden: Golden) -> None:
    golden(*(herobench("gear", name, "--world", TINY) for name in ("drak", "Frost Dragon", "xyz", "")))


def test_a_level_that_no_hero_has_is_refused(golden: Golden) -> None:
    golden(*(herobench(*DRAKE, "--level", level) for level in ("0", "41", "-3", "1000000000000000000000")))


def test_unknown_worlds_and_rules_are_refused(golden: Golden) -> None:
    golden(herobench("gear", "pig", "--world", "nowhere"), herobench("gear", "pig", "--rules", "none"))
