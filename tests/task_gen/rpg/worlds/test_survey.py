"""A survey of a world: open brackets, stray land, and the monsters that can be beaten."""

from dataclasses import replace
from random import Random
from types import MappingProxyType

import pytest

from herobench.data.errors import UsageError
from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.task import to_bracket
from herobench.suites.rpg.game.world import ROUND_EFFECTS, World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.gear.search import GearSearch
from herobench.task_gen.rpg.task_maker import Generator
from herobench.task_gen.rpg.tasks.spec import Spec
from herobench.task_gen.rpg.worlds.oddity import Spots
from herobench.task_gen.rpg.worlds.survey import (
    WorldFights,
    _thin,
    difficulties,
    find_brackets,
    holes,
    open_brackets,
)
from tests.sizes import THOROUGH, for_each, many
from tests.task_gen.rpg.changed import monster, thing, tiny_documents, with_more

rules = load_rules()


@pytest.mark.slow
def test_the_generator_makes_a_task_of_each_bracket_that_is_open(classic: World, tiny: World) -> None:
    for world, brackets in ((classic, tuple(range(1, 10))), (tiny, (1,))):
        assert open_brackets(world, rules) == brackets
        for bracket in brackets:
            task = Generator(world, rules, Spec(seed=5, brackets=(bracket,))).task(0)
            assert to_bracket(task.difficulty) == bracket


@for_each("bracket", range(2, 10) if THOROUGH else [2, 9])
def test_the_generator_makes_none_of_those_that_are_not(tiny: World, bracket: int) -> None:
    for seed in range(many(3, 1)):
        with pytest.raises(UsageError):
            Generator(tiny, rules, Spec(seed=seed, brackets=(bracket,))).task(0)


def test_a_world_without_tasks_is_told_so(tiny: World) -> None:
    content = tiny_documents()
    content["items"]["items"] = [{k: v for k, v in row.items() if k != "recipe"} for row in content["items"]["items"]]
    content["monsters"]["monsters"] = content["monsters"]["monsters"][2:]
    world = World.from_documents(content)
    assert open_brackets(world, rules) == ()
    (oddity,) = holes((), Spots(world, "w"))
    assert str(oddity) == (
        "w/world.json: $: no task can be made in this world; add a monster that gear beats, or items with recipes"
    )


def test_only_a_hole_between_brackets_is_odd(tiny: World) -> None:
    spots = Spots(tiny, "w")
    assert list(holes((1,), spots)) == list(holes((2, 3, 4), spots)) == []
    found = list(holes((1, 3, 5), spots))
    assert [oddity.kind for oddity in found] == ["no_tasks"] * 2
    assert "bracket 2" in found[0].what
    assert found[0].advice.endswith("from 13 to 22")


def test_the_difficulties_of_a_set_are_those_of_its_parts(tiny: World) -> None:
    gear = {"blade": "bar_sword", "charm1": "pearl_charm"}  # 6 and 4
    bits = difficulties(tiny, gear)
    assert [d for d in range(99) if bits >> d & 1] == [4 + 4, 4 + 6, 4 + 10]
    assert find_brackets(bits) == {1, 2}
    assert difficulties(tiny, {}) == 0


def test_each_bracket_is_a_step() -> None:
    steps: list[None] = []
    open_brackets(with_more(), rules, lambda: steps.append(None))
    assert len(steps) == 9


# -- fights -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 3, 5, 8, 10, 15, 20, 30, 40])
def test_less_gear_wins_just_where_all_of_it_does(classic: World, level: int) -> None:
    for target in classic.monsters.values():
        search = GearSearch.of(classic, rules, target, HeroStart.bare(classic, rules, level))
        thin = _thin(search, classic.items)
        assert (thin.smallest() is None) == (search.smallest() is None), target.code
        assert sum(len(slot.choices) for slot in thin.slots) <= sum(len(slot.choices) for slot in search.slots)


def test_much_of_the_gear_of_the_classic_world_need_not_be_looked_at(classic: World) -> None:
    search = GearSearch.of(classic, rules, classic.monsters["reaper"], HeroStart.bare(classic, rules, 40))
    thin = _thin(search, classic.items)
    assert 3 * sum(len(slot.choices) for slot in thin.slots) < 2 * sum(len(slot.choices) for slot in search.slots)


def test_where_a_hit_may_heal_all_gear_is_looked_at() -> None:
    """A stronger hammer loses against a monster that turns frost into health."""
    golem = monster("golem", hp=100, frost=1)
    golem["resistance"] = {"frost": 500}
    pick = thing("pick", "blade", {"attack_heat": 5}, clay=1)
    hammer = thing("hammer", "blade", {"attack_heat": 5, "attack_frost": 9}, clay=1)
    world = with_more(monsters=[golem], items=[hammer, pick])
    search = GearSearch.of(world, rules, world.monsters["golem"], HeroStart.bare(world, rules, 1))
    assert _thin(search, world.items).random_set(Random(0)) == {"blade": "pick"}
    assert WorldFights.of(world, rules).lowest["golem"] == 1


def test_the_lowest_level_is_the_first_at_which_gear_wins(classic: World, tiny: World) -> None:
    assert WorldFights.of(classic, rules).lowest == {code: who.intended_level for code, who in classic.monsters.items()}
    late = with_more(monsters=[monster("newt", hp=400), monster("snail", hp=10)])
    lowest = WorldFights.of(late, rules).lowest
    assert lowest["newt"] == 5  # with the sword, which asks for level 5
    assert lowest["wall"] is None
    search = [
        GearSearch.of(late, rules, late.monsters["newt"], HeroStart.bare(late, rules, level)).smallest()
        for level in (4, 5)
    ]
    assert [gear is not None for gear in search] == [False, True]


def test_each_level_counts_where_a_monster_may_harm_the_healthy_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ROUND_EFFECTS, "envy", lambda value, number, hp: value * (hp > 200))
    world = with_more(monsters=[monster("newt", hp=400)])
    newt = world.monsters["newt"]
    newt = replace(newt, stats=newt.stats._replace(round_effects=(("envy", 1_000),)))
    world = replace(world, monsters=MappingProxyType({**world.monsters, "newt": newt}))
    assert GearSearch.of(world, rules, newt, HeroStart.bare(world, rules, rules.level_cap)).smallest() is None
    assert WorldFights.of(world, rules).lowest["newt"] == 5


def test_what_only_the_unbeaten_drop_is_no_gear_and_leaves_others_unbeaten() -> None:
    blade = thing("bone_blade", "blade", {"attack_heat": 90}, bone=1)
    ghoul = monster("ghoul", {"bone": 1}, level=5, hp=900_000)
    knight = monster("knight", level=6, hp=3000)
    strong = WorldFights.of(with_more(items=[thing("bone", "resource"), blade], monsters=[ghoul, knight]), rules)
    assert (strong.lowest["ghoul"], strong.lowest["knight"]) == (None, None)
    assert not {"bone", "bone_blade"} & strong.had
    weak = monster("ghoul", {"bone": 1}, level=5, hp=90)
    fights = WorldFights.of(with_more(items=[thing("bone", "resource"), blade], monsters=[weak, knight]), rules)
    assert (fights.lowest["ghoul"], fights.lowest["knight"]) == (5, 6)
    assert {"bone", "bone_blade"} <= fights.had


def test_a_drop_can_be_won_with_gear_that_no_task_asks_for(tiny: World) -> None:
    """The sword, made of the rat's fur, beats the rat: a task may give it to a hero, but cannot ask for it."""
    fights = WorldFights.of(tiny, rules)
    assert fights.lowest["rat"] is None
    assert "fur" in fights.had


def test_each_monster_is_a_step(tiny: World) -> None:
    steps: list[None] = []
    WorldFights.of(tiny, rules, lambda: steps.append(None))
    assert len(steps) == len(tiny.monsters)
