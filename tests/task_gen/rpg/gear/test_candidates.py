"""Candidates for each slot, and the verdict on a fight."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.suites.rpg.game.rules import Fighter, damage, duel, hits
from herobench.suites.rpg.game.world import Stats, World
from herobench.task_gen.rpg.gear.candidates import gear_candidates, gear_slots, rounds_needed, sources, verdict
from tests.builders import TINY, Json, documents
from tests.sizes import for_each, many


def codes(world: World, target: str, level: int) -> dict[str, list[str]]:
    found = gear_candidates(world, world.monsters[target], level)
    return {kind: [item.code for item in items] for kind, items in found.items()}


def changed(**items: Json) -> World:
    """The tiny world with some of its items changed."""
    content = documents(TINY)
    for item in content["items"]["items"]:
        item.update(items.get(item["code"], {}))
    return World.from_documents(content)


def made_from(*parts: str) -> dict[str, Any]:
    return {"recipe": {"skill": "smithing", "level": 1, "ingredients": dict.fromkeys(parts, 1)}}


# -- what is a candidate ----------------------------------------------------------------------------------------------


def test_gear_is_listed_by_the_type_of_slot_it_goes_into_and_consumables_are_none(tiny: World) -> None:
    assert codes(tiny, "drake", 10) == {"blade": ["bar_sword"], "coat": ["fur_coat"], "charm": ["pearl_charm"]}
    assert gear_slots(tiny) == ("blade", "coat", "charm1", "charm2")


@for_each(("level", "swords"), [(4, []), (5, ["bar_sword"]), (40, ["bar_sword"])])
def test_gear_has_to_be_wearable_at_the_level_of_the_hero(tiny: World, level: int, swords: list[str]) -> None:
    assert codes(tiny, "drake", level)["blade"] == swords


def test_drops_of_the_target_are_out_and_what_is_made_of_them(tiny: World) -> None:
    assert codes(tiny, "drake", 10)["charm"] == ["pearl_charm"]
    assert codes(tiny, "rat", 10)["coat"] == []
    assert codes(tiny, "wall", 10)["coat"] == ["fur_coat"]


def test_drops_of_a_monster_above_the_targets_level_are_out_whatever_the_level_of_the_hero(tiny: World) -> None:
    assert "drake_charm" not in codes(tiny, "wall", 40)["charm"]


@for_each(("level", "charms"), [(12, ["pearl_charm", "drake_charm"]), (13, ["pearl_charm"])])
def test_drops_of_another_monster_of_the_targets_level_are_in(level: int, charms: list[str]) -> None:
    content = documents(TINY)
    content["monsters"]["monsters"][1]["level"] = level
    content["monsters"]["monsters"][2]["level"] = 12
    assert codes(World.from_documents(content), "wall", 10)["charm"] == charms


def test_a_forbidden_drop_is_found_however_deep_in_the_recipes() -> None:
    deep = changed(brick=made_from("clay", "scale"), bar=made_from("brick"), bar_sword=made_from("bar"))
    assert codes(deep, "drake", 10)["blade"] == []
    assert deep.everything_in("bar_sword") == {"bar_sword", "bar", "brick", "clay", "scale"}


def test_what_is_only_for_sale_is_no_gear_nor_what_is_made_of_it(tiny: World) -> None:
    assert "twig" in tiny.exchange_sells
    assert tiny.recipe_of("club") is not None
    assert codes(tiny, "drake", 10)["blade"] == ["bar_sword"]
    gathered = documents(TINY)
    gathered["resources"]["resources"][0]["drops"].append({"item": "twig", "one_in": 1, "min": 1, "max": 1})
    assert codes(World.from_documents(gathered), "drake", 10)["blade"] == ["twig", "club", "bar_sword"]


def test_gear_that_is_dropped_or_gathered_needs_no_recipe(tiny: World) -> None:
    content = documents(TINY)
    content["monsters"]["monsters"][0]["drops"].append({"item": "drake_charm", "one_in": 1, "min": 1, "max": 1})
    content["monsters"]["monsters"][1]["drops"].pop()
    world = World.from_documents(content)
    assert codes(world, "drake", 10)["charm"] == ["pearl_charm", "drake_charm"]
    assert codes(world, "rat", 10)["charm"] == ["pearl_charm"]


# -- what things are made of ------------------------------------------------------------------------------------------


@for_each(
    ("code", "leaves"),
    [
        ("ore", {"ore"}),
        ("fur", {"fur"}),
        ("bar_sword", {"ore", "fur"}),
        ("pearl_charm", {"pearl", "clay"}),
        ("twig", None),
        ("club", None),
        ("salt", None),
        ("broth", None),
    ],
)
def test_sources_are_what_is_gathered_or_dropped_in_the_end(tiny: World, code: str, leaves: set[str] | None) -> None:
    assert sources(tiny, code) == leaves


def test_worlds_do_not_answer_for_each_other(tiny: World) -> None:
    other = changed(bar_sword=made_from("clay"))
    assert sources(tiny, "bar_sword") == {"ore", "fur"}
    assert sources(other, "bar_sword") == {"clay"}
    assert other.everything_in("bar_sword") == {"bar_sword", "clay"}


# -- the classic world ------------------------------------------------------------------------------------------------


def test_a_chicken_is_beaten_with_five_things_at_most_and_a_reaper_with_119(classic: World) -> None:
    assert sum(map(len, codes(classic, "chicken", 1).values())) == 5
    assert sum(map(len, codes(classic, "reaper", 40).values())) == 119


# -- verdict ----------------------------------------------------------------------------------------------------------

ROUNDS = 49


def numbers(least: int, most: int) -> st.SearchStrategy[tuple[int, ...]]:
    return st.tuples(*[st.integers(least, most) | st.just(0)] * 3)


heroes = st.builds(Stats, st.integers(-60, 400), numbers(-10, 60), numbers(-120, 150), numbers(-120, 150), st.just(()))
monsters = st.builds(Stats, st.integers(1, 400), numbers(0, 60), st.just((0, 0, 0)), numbers(-150, 150), st.just(()))


@st.composite
def close_fights(draw: st.DrawFn) -> tuple[Stats, Stats]:
    """A fight that ends at exactly nought for one of them, or a point beside it."""
    hero, monster = draw(heroes), draw(monsters)
    rounds = draw(st.integers(1, 9))
    beside = st.sampled_from([0, 0, 0, 1, -1])
    dealt, taken = damage(hero, monster) * rounds, damage(monster, hero) * (rounds - 1)
    if dealt >= 200:
        monster = monster._replace(hp=max(1, dealt // 100 + draw(beside)))
    if draw(st.booleans()):
        hero = hero._replace(hp=taken // 100 + draw(beside))
    return hero, monster


@settings(max_examples=many(300))
@given(st.tuples(heroes, monsters) | close_fights(), st.integers(0, 12) | st.just(ROUNDS))
def test_a_verdict_is_what_the_duel_says(fight: tuple[Stats, Stats], rounds: int) -> None:
    hero, monster = fight
    found = verdict(hero, monster, rounds)
    assert found is None or found == duel(Fighter(hero), monster, rounds).won


@settings(max_examples=many(200))
@given(heroes, monsters)
def test_a_verdict_is_missing_only_where_a_fight_ends_at_nought_or_the_hero_is_healed(
    hero: Stats, monster: Stats
) -> None:
    if verdict(hero, monster, ROUNDS) is None:
        dealt, taken = damage(hero, monster), damage(monster, hero)
        rounds = rounds_needed(monster.hp, dealt)
        assert taken < 0 or dealt * rounds == 100 * monster.hp or taken * (rounds - 1) == 100 * hero.hp


@given(heroes, monsters)
def test_damage_is_that_of_the_duel_in_hundredths(hero: Stats, monster: Stats) -> None:
    assert abs(damage(hero, monster) - 100 * sum(hits(hero, monster))) < 1e-6
    assert abs(damage(monster, hero) - 100 * sum(hits(monster, hero))) < 1e-6


def test_rounds_are_counted_whole() -> None:
    assert [rounds_needed(10, dealt) for dealt in (1000, 999, 500, 499, 1, 100_000)] == [1, 2, 2, 3, 1000, 1]
