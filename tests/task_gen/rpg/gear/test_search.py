"""The search against brute force: in small random worlds every loadout is tried, and judged by the duel alone.

The worlds are made to be hard for it: effects that do harm, resistances above 100 on both sides, attacks on anything
that can be worn, heroes who come equipped, and fights aimed to end at exactly nought for the one or the other.
"""

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, islice, product
from random import Random
from types import MappingProxyType
from typing import NamedTuple

import pytest

from herobench.suites.rpg.game.hero import Hero, HeroStart
from herobench.suites.rpg.game.rules import HEALTH, Rules, duel
from herobench.suites.rpg.game.world import Monster, World, slot_type
from herobench.suites.rpg.worlds.content import check_world, load_rules
from herobench.task_gen.rpg.gear.candidates import gear_candidates, gear_slots
from herobench.task_gen.rpg.gear.search import Gear, GearSearch
from tests.builders import TINY, Json, documents
from tests.sizes import THOROUGH, for_each, many

WORLDS = (*range(many(50, 6)), 65, 108, 123, 177, 220, 223, 285, 1743)
"""The seeds of the random worlds that are tried here; the last are worlds where shortcuts that are wrong show."""
MANY_SETS = 23
"""One with many minimal sets."""

rules = load_rules()
tiny_documents = documents(TINY)

# -- small random worlds ----------------------------------------------------------------------------------------------


class Case(NamedTuple):
    """A hero who looks for gear."""

    world: World
    rules: Rules
    target: Monster
    hero: HeroStart

    def search(self) -> GearSearch:
        return GearSearch.of(self.world, self.rules, self.target, self.hero)

    def equipped(self, gear: Gear) -> Hero:
        """The hero with gear on, as the game equips it."""
        hero = Hero(self.world, self.hero)
        for slot, code in gear.items():
            if slot in hero.worn:
                hero.take_off(slot)
            hero.put_on(slot, self.world.items[code])
        return hero

    def won(self, gear: Gear) -> bool:
        return duel(self.equipped(gear).fighter(), self.target.stats, self.rules.rounds, unit=HEALTH).won


SLOTS = (
    ["blade", "coat", "charm1", "charm2"],
    ["charm1", "blade", "charm2", "coat", "charm3"],
    ["ring1", "ring2", "blade1", "blade2"],
    ["blade", "coat", "boots", "hat", "consumable1"],
)
NUMBERS = {
    "hp": (-60, -10, 5, 10, 25, 40),
    "attack": (-4, 2, 3, 7, 10, 20),
    "dmg": (-30, -10, 5, 7, 10, 25, 50),
    "res": (-40, -10, 5, 10, 25, 60),
    "resistance": (-50, -20, 0, 0, 10, 33, 90, 100, 120),
}


def random_case(seed: int) -> Case:
    """A world of its own with a hero and a monster, by chance alone of the seed."""
    chance = Random(seed)
    content = copy.deepcopy(tiny_documents)
    slots = chance.choice(SLOTS)
    content["world"]["slots"] = slots
    content["world"]["hero"] = {"hp": chance.choice([40, 100, 120])}
    if chance.random() < 0.3:
        content["world"]["hero"] |= {"attack_heat": chance.choice([2, 5]), "dmg_heat": chance.choice([-20, 10])}
    content["items"]["items"] += _items(chance, slots)
    drake = content["monsters"]["monsters"][1]
    drake["attack"] = {element: chance.choice([0, 3, 7, 10, 20]) for element in ("heat", "frost")}
    drake["resistance"] = {element: chance.choice(NUMBERS["resistance"]) for element in ("heat", "frost")}
    drake["hp"] = chance.choice([10, 40, 100, 240, 500])
    edition = replace(rules, rounds=chance.choice([3, 8, 49]))
    case = _case(content, edition, chance)
    if chance.random() < 0.8:
        _aim(content, case, chance)
        world = World.from_documents(content)
        hero = replace(case.hero, stats=HeroStart.bare(world, edition, 1).stats)
        case = Case(world, edition, world.monsters["drake"], hero)
    return case


def _items(chance: Random, slots: list[str]) -> Iterator[Json]:
    """A few things to wear for every type of slot; among them such as harm, or do nothing."""
    for kind in dict.fromkeys(map(slot_type, slots)):
        for number in range(chance.randint(1, 4)):
            armed = chance.random() < (0.9 if kind == "blade" else 0.1)
            effects = {f"attack_{chance.choice(['heat', 'frost'])}": chance.choice(NUMBERS["attack"])} if armed else {}
            for _ in range(chance.choice([0, 1, 1, 2, 2])):
                name = chance.choice(["hp", "dmg_heat", "dmg_frost", "res_heat", "res_frost"])
                effects[name] = chance.choice(NUMBERS[name.split("_")[0]])
            if chance.random() < 0.1:
                effects["hp"], effects["res_frost"] = -150, 140
            yield {
                "code": f"{kind}_no_{number}",
                "name": f"{kind} No. {number}",
                "level": 1,
                "type": kind,
                "subtype": "",
                "description": "",
                "effects": effects,
                "recipe": {"skill": "smithing", "level": 1, "ingredients": {"clay": 1}},
            }


def _case(content: dict[str, Json], edition: Rules, chance: Random) -> Case:
    """The case in a world; half of the heroes wear something, which need not be among the candidates."""
    world = World.from_documents(content)
    hero = HeroStart.bare(world, edition, 1)
    if chance.random() < 0.5:
        worn = {}
        for slot in gear_slots(world):
            known = sorted(code for code, item in world.items.items() if item.type == slot_type(slot))
            if known and chance.random() < 0.4:
                worn[slot] = chance.choice(known)
        hero = replace(hero, worn=MappingProxyType(worn))
    return Case(world, edition, world.monsters["drake"], hero)


def _aim(content: dict[str, Json], case: Case, chance: Random) -> None:
    """Change health so that with some gear the fight is over at exactly nought, for the monster and for the hero."""
    candidates = gear_candidates(case.world, case.target, 1)
    choices = [(slot, [*candidates[slot_type(slot)]]) for slot in gear_slots(case.world)]
    worn = {slot: chance.choice(items).code for slot, items in choices if items and chance.random() < 0.6}
    hero, monster = case.equipped(worn), case.target.stats
    dealt = sum(
        attack * (100 + more - less)
        for attack, more, less in zip(hero.attack, hero.damage, monster.resistance, strict=True)
        if attack > 0
    )
    taken = sum(attack * (100 - less) for attack, less in zip(monster.attack, hero.resistance, strict=True))
    rounds = next((n for n in range(chance.randint(1, 6), 60) if n * dealt % 100 == 0), 0)
    if dealt > 0 and rounds:
        content["monsters"]["monsters"][1]["hp"] = rounds * dealt // 100
    hp = (rounds - 1) * taken // 100 - (hero.hp - content["world"]["hero"]["hp"]) + chance.choice([0, 0, 1])
    if chance.random() < 0.7 and hp > 0:
        content["world"]["hero"]["hp"] = hp


def test_the_random_worlds_are_sound() -> None:
    problems = [check_world(json.loads(random_case(seed).world.source), str(seed)) for seed in islice(WORLDS, 10)]
    assert [problem for found in problems for problem in found] == []


# -- brute force ------------------------------------------------------------------------------------------------------

Assignment = tuple[str | None, ...]
Key = tuple[tuple[str, str | None, str], ...]


def key(case: Case, gear: Gear) -> Key:
    """A set whatever slot its items are in, among slots that take the same and hold the same now."""
    return tuple(sorted(((slot_type(slot), case.hero.worn.get(slot) or "", code) for slot, code in gear.items())))


@cache
def brute_force(seed: int) -> tuple[Case, dict[Key, int]]:
    """The case of a seed with every minimal set and its size."""
    case = random_case(seed)
    return case, all_minimal_sets(case)


def all_minimal_sets(case: Case) -> dict[Key, int]:
    """The loadouts that win while none wins that leaves something out, with their sizes."""
    slots = gear_slots(case.world)
    candidates = gear_candidates(case.world, case.target, case.hero.combat[0])
    choices = [[None, *(item.code for item in candidates[slot_type(slot)])] for slot in slots]
    ways: list[Assignment] = sorted(product(*choices), key=lambda way: len(way) - way.count(None))
    enough: set[Assignment] = set()
    minimal: dict[Key, int] = {}
    for way in ways:
        less = [(*way[:index], None, *way[index + 1 :]) for index, code in enumerate(way) if code]
        gear = {slot: code for slot, code in zip(slots, way, strict=True) if code}
        if any(part in enough for part in less):
            enough.add(way)
        elif case.won(gear):
            enough.add(way)
            minimal[key(case, gear)] = len(gear)
    return minimal


@pytest.mark.slow
@for_each("seed", WORLDS)
def test_the_minimal_sets_are_those_of_brute_force_each_once_and_smallest_first(seed: int) -> None:
    case, minimal = brute_force(seed)
    found = list(case.search().minimal_sets())
    assert sorted(key(case, gear) for gear in found) == sorted(minimal)
    assert [len(gear) for gear in found] == sorted(minimal.values())
    smallest = case.search().smallest()
    assert (None if smallest is None else len(smallest)) == min(minimal.values(), default=None)


@for_each("seed", WORLDS)
def test_a_random_set_is_minimal_and_none_comes_only_where_there_is_none(seed: int) -> None:
    case, minimal = brute_force(seed)
    search = case.search()
    drawn = [search.random_set(Random(draw)) for draw in range(5)]
    assert {gear is None for gear in drawn} == {not minimal}
    assert {key(case, gear) for gear in drawn if gear is not None} <= minimal.keys()


@for_each("seed", WORLDS)
def test_every_minimal_set_comes_by_chance_in_time(seed: int) -> None:
    case, minimal = brute_force(seed)
    search, chance = case.search(), Random(seed)
    missing = set(minimal)
    for _ in range(1000):
        gear = search.random_set(chance) if missing else None
        missing -= {key(case, gear)} if gear is not None else set()
    assert missing == set()


@for_each("seed", WORLDS)
def test_a_set_is_judged_as_the_game_would(seed: int) -> None:
    case, minimal = brute_force(seed)
    search, chance = case.search(), Random(seed)
    candidates = gear_candidates(case.world, case.target, 1)
    for _ in range(20):
        items = {slot: chance.choice([None, *candidates[slot_type(slot)]]) for slot in gear_slots(case.world)}
        gear = {slot: item.code for slot, item in items.items() if item}
        assert search.stats(gear) == case.equipped(gear).stats
        assert search.wins(gear) == case.won(gear)
        assert search.is_minimal(gear) == (key(case, gear) in minimal)


def test_brute_force_has_something_to_say() -> None:
    """Of the worlds tried here, some have many minimal sets, some none; some heroes win as they are, some need
    four items; some come equipped; and some fights end within a hair of nought."""
    found = [brute_force(seed) for seed in WORLDS]
    counts = [len(minimal) for _, minimal in found]
    sizes = {size for _, minimal in found for size in minimal.values()}
    assert counts.count(0) < 0.6 * len(found)
    assert max(counts) > 5
    assert sizes >= {0, 1, 2, 3, 4}
    assert any(case.hero.worn and minimal and min(minimal.values()) for case, minimal in found)
    assert any(abs(_last_health(case, gear)) < 1e-9 for case, _ in found for gear in case.search().minimal_sets())


def _last_health(case: Case, gear: Gear) -> float:
    return duel(case.equipped(gear).fighter(), case.target.stats, case.rules.rounds, unit=HEALTH).monster_hp


def test_the_same_seed_draws_the_same_set() -> None:
    case, _ = brute_force(MANY_SETS)
    draws = [[case.search().random_set(Random(seed)) for seed in range(20)] for _ in range(2)]
    assert draws[0] == draws[1]
    assert len({key(case, gear) for gear in draws[0] if gear is not None}) > 3


# -- by hand ----------------------------------------------------------------------------------------------------------


def make_case(world: World, target: str, level: int, **worn: str) -> Case:
    hero = replace(HeroStart.bare(world, rules, level), worn=MappingProxyType(worn))
    return Case(world, rules, world.monsters[target], hero)


def test_all_ways_to_beat_the_drake_with_sword_and_charm_or_coat(tiny: World) -> None:
    found = list(make_case(tiny, "drake", 5).search().minimal_sets())
    assert found == [{"blade": "bar_sword", "charm1": "pearl_charm"}, {"blade": "bar_sword", "coat": "fur_coat"}]


def thing(kind: str, **effects: int) -> Json:
    """Something to wear, made of clay."""
    recipe = {"skill": "smithing", "level": 1, "ingredients": {"clay": 1}}
    told = {"code": f"the_{kind}", "name": kind, "level": 1, "type": kind, "subtype": "", "description": ""}
    return {**told, "effects": effects, "recipe": recipe}


@for_each(
    ("hero", "hat", "enough"),
    [
        ({"hp": 91, "attack_frost": 10, "dmg_heat": -20}, {}, {}),
        ({"hp": 41, "attack_frost": 10}, {"hp": 50, "dmg_heat": -20}, {"hat": "the_hat"}),
    ],
)
def test_an_attack_that_heals_the_monster_may_be_what_makes_the_rest_of_a_set_needed(
    hero: dict[str, int], hat: dict[str, int], enough: Gear
) -> None:
    """The blade's heat turns into health where heat is weakened, so the coat is needed for its frost; the coat costs
    health, so the blade is needed for its own. Without both he wins."""
    content = copy.deepcopy(tiny_documents)
    content["world"] |= {"slots": ["blade", "coat", "hat"], "hero": hero}
    content["items"]["items"] += [
        thing("blade", attack_heat=20, hp=20),
        thing("coat", hp=-40, dmg_frost=50),
        *([thing("hat", **hat)] if hat else []),
    ]
    content["monsters"]["monsters"][1] |= {"hp": 100, "attack": {"frost": 10}, "resistance": {"heat": 90}}
    world = World.from_documents(content)
    case = make_case(world, "drake", 1)._replace(rules=replace(rules, rounds=10))
    both = {**enough, "blade": "the_blade", "coat": "the_coat"}
    for gear in ({**enough, "blade": "the_blade"}, {**enough, "coat": "the_coat"}):
        assert not case.won(gear)
    assert case.won(enough)
    assert case.won(both)
    assert not case.search().is_minimal(both)
    found = list(case.search().minimal_sets())
    assert enough in found
    assert both not in found
    assert sorted(key(case, gear) for gear in found) == sorted(all_minimal_sets(case))


@for_each("effect", [{"dmg_heat": 50}, {"attack_heat": 5}])
def test_two_items_that_only_make_up_for_each_other_are_no_minimal_set(effect: dict[str, int]) -> None:
    """The coat weakens the hero's hits, the hat costs health. Either alone loses; both, like neither, win."""
    content = copy.deepcopy(tiny_documents)
    content["world"] |= {"slots": ["coat", "hat"], "hero": {"hp": 31, "attack_heat": 10}}
    coat = thing("coat", hp=20, **{name: -value for name, value in effect.items()})
    content["items"]["items"] += [coat, thing("hat", hp=-20, **effect)]
    content["monsters"]["monsters"][1] |= {"hp": 40, "attack": {"frost": 10}, "resistance": {}}
    case = make_case(World.from_documents(content), "drake", 1)
    coat_only, hat_only = {"coat": "the_coat"}, {"hat": "the_hat"}
    assert [case.won(gear) for gear in ({}, coat_only, hat_only, coat_only | hat_only)] == [True, False, False, True]
    assert not case.search().is_minimal(coat_only | hat_only)
    assert list(case.search().minimal_sets()) == [{}]


# -- the classic world ------------------------------------------------------------------------------------------------

SMALLEST = {
    "chicken": 1, "yellow_slime": 1, "green_slime": 3, "blue_slime": 1, "red_slime": 1, "cow": 7, "mushmush": 4,
    "flying_serpent": 4, "wolf": 6, "skeleton": 5, "pig": 3, "ogre": 6, "scarecrow": 6, "vampire": 7,
    "bandit_lizard": 8, "death_knight": 9, "imp": 6, "owlbear": 3, "demon": 4, "lich": 9, "cultist_acolyte": 7,
    "cultist_emperor": 9, "bat": 9, "rosenblood": 11, "reaper": 10,
}  # fmt: skip
"""How many items it takes at least to beat a monster, at the level that it is meant for."""
FEW_CANDIDATES = ["chicken", "yellow_slime", "green_slime", "blue_slime", "red_slime", "cow"]


def classic_case(world: World, target: str) -> Case:
    return make_case(world, target, world.monsters[target].intended_level)


def test_every_monster_has_its_smallest_set_in_the_table(classic: World) -> None:
    assert classic.monsters.keys() == SMALLEST.keys()


@for_each("target", SMALLEST)
def test_the_smallest_set_of_the_classic_world_wins_by_the_duel_and_no_part_of_it_does(
    classic: World, target: str
) -> None:
    case = classic_case(classic, target)
    gear = case.search().smallest()
    assert gear is not None
    assert len(gear) == SMALLEST[target]
    assert case.won(gear)
    parts = [part for size in range(len(gear)) for part in combinations(gear.items(), size)]
    assert [part for part in parts if case.won(dict(part))] == []


@for_each("target", [*SMALLEST][:: 1 if THOROUGH else 3])
def test_sets_of_the_classic_world_are_minimal_by_the_duel_also_those_by_chance(classic: World, target: str) -> None:
    case = classic_case(classic, target)
    search = case.search()
    drawn = [search.random_set(Random(seed)) for seed in range(3)]
    listed = list(islice(search.minimal_sets(), 20))
    assert len({key(case, gear) for gear in listed}) == len(listed)
    for gear in (*drawn, *listed):
        assert gear is not None
        assert case.won(gear)
        for slot in gear:
            assert not case.won({name: code for name, code in gear.items() if name != slot})


@for_each("target", FEW_CANDIDATES)
def test_where_the_classic_world_is_small_the_sets_are_those_of_brute_force(classic: World, target: str) -> None:
    case = classic_case(classic, target)
    minimal = all_minimal_sets(case)
    found = list(case.search().minimal_sets())
    assert sorted(key(case, gear) for gear in found) == sorted(minimal)
    assert min(minimal.values()) == SMALLEST[target]
