"""Beatable monsters: the thinned search finds what the whole search finds."""

from dataclasses import replace
from random import Random
from types import MappingProxyType

import pytest

from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.world import ROUND_EFFECTS, World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.gear.search import GearSearch
from herobench.task_gen.rpg.worlds.fights import WorldFights, _thinned
from tests.task_gen.rpg.changed import monster, thing, with_more

rules = load_rules()


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 3, 5, 8, 10, 15, 20, 30, 40])
def test_less_gear_wins_just_where_all_of_it_does(classic: World, level: int) -> None:
    for target in classic.monsters.values():
        search = GearSearch.of(classic, rules, target, HeroStart.bare(classic, rules, level))
        thin = _thinned(search, classic.items)
        assert (thin.smallest() is None) == (search.smallest() is None), target.code
        assert sum(len(slot.choices) for slot in thin.slots) <= sum(len(slot.choices) for slot in search.slots)


def test_much_of_the_gear_of_the_classic_world_need_not_be_looked_at(classic: World) -> None:
    search = GearSearch.of(classic, rules, classic.monsters["reaper"], HeroStart.bare(classic, rules, 40))
    thin = _thinned(search, classic.items)
    assert 3 * sum(len(slot.choices) for slot in thin.slots) < 2 * sum(len(slot.choices) for slot in search.slots)


def test_where_a_hit_may_heal_all_gear_is_looked_at() -> None:
    """A stronger hammer loses against a monster that turns frost into health."""
    golem = monster("golem", hp=100, frost=1)
    golem["resistance"] = {"frost": 500}
    pick = thing("pick", "blade", {"attack_heat": 5}, clay=1)
    hammer = thing("hammer", "blade", {"attack_heat": 5, "attack_frost": 9}, clay=1)
    world = with_more(monsters=[golem], items=[hammer, pick])
    search = GearSearch.of(world, rules, world.monsters["golem"], HeroStart.bare(world, rules, 1))
    assert _thinned(search, world.items).random_set(Random(0)) == {"blade": "pick"}
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
