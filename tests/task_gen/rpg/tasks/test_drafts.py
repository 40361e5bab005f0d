from collections.abc import Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType

from herobench.suites.rpg.game.hero import Hero, HeroStart
from herobench.suites.rpg.game.rules import duel
from herobench.suites.rpg.game.task import Mechanics
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.tasks.drafts import DrawnLoadout, TaskDraft, bare_search, random_loadout
from herobench.task_gen.rpg.tasks.spec import FIGHT, item_difficulty, total_difficulty
from tests.sizes import for_each

rules = load_rules()
MONSTERS = ["wolf", "ogre", "skeleton", "bandit_lizard", "cultist_emperor"]


def hardest(world: World, gear: Mapping[str, str]) -> int:
    """Return the highest difficulty that a task about a gear set can have."""
    return FIGHT + sum(item_difficulty(world, code) + 1 for code in gear.values())


def loadouts(world: World, monster: str, seed: int) -> list[tuple[dict[str, str], int, DrawnLoadout, HeroStart]]:
    """Return, for a random gear set, a loadout of every possible difficulty and its hero."""
    chance = Random(seed)
    level = world.monsters[monster].intended_level
    search = bare_search(world, rules, monster, level)
    gear = search.random_set(chance)
    assert gear is not None
    found = []
    for difficulty in range(1, hardest(world, gear) + 5):
        loadout = random_loadout(search, gear, level, difficulty, chance)
        if loadout:
            hero = replace(HeroStart.bare(world, rules, level), worn=MappingProxyType(dict(loadout.worn)))
            found.append((dict(gear), difficulty, loadout, hero))
    return found


@for_each("monster", MONSTERS)
@for_each("seed", range(3))
def test_a_task_of_a_loadout_has_the_difficulty_that_is_wanted(classic: World, monster: str, seed: int) -> None:
    found = loadouts(classic, monster, seed)
    assert len(found) > 5
    for gear, difficulty, loadout, hero in found:
        task = TaskDraft("kill", monster, hero, loadout.missing).task(classic, 0, Mechanics())
        assert total_difficulty(classic, task) == difficulty <= hardest(classic, gear)


@for_each("monster", MONSTERS)
def test_what_is_missing_and_what_stays_on_make_up_the_set(classic: World, monster: str) -> None:
    for gear, _, loadout, _ in loadouts(classic, monster, 7):
        assert loadout.missing
        assert {**loadout.worn, **loadout.missing} == gear
        assert [slot for slot in classic.slots if slot in loadout.worn] == list(loadout.worn)


@for_each("monster", MONSTERS)
def test_an_old_item_in_the_place_of_a_missing_one_loses_with_all_the_rest_on(classic: World, monster: str) -> None:
    obstacles = 0
    for _, _, loadout, hero in loadouts(classic, monster, 8):
        for slot in loadout.worn.keys() & loadout.missing.keys():
            obstacles += 1
            old = classic.items[loadout.worn[slot]]
            assert old.level <= hero.combat[0]
            assert old.code not in classic.starter_items
            equipped = Hero(classic, replace(hero, worn={**loadout.missing, **loadout.worn, slot: old.code}))
            for other in loadout.missing.keys() - {slot}:
                equipped.take_off(other)
                equipped.put_on(other, classic.items[loadout.missing[other]])
            assert not duel(equipped.fighter(), classic.monsters[monster].stats, rules.rounds).won
    assert obstacles


def test_there_is_no_loadout_for_a_difficulty_beyond_the_set_or_below_its_easiest_item(classic: World) -> None:
    search = bare_search(classic, rules, "ogre", 20)
    gear = search.random_set(Random(1))
    assert gear is not None
    easiest = min(item_difficulty(classic, code) for code in gear.values())
    for difficulty in (4, 4 + easiest - 1, hardest(classic, gear) + 1):
        assert random_loadout(search, gear, 20, difficulty, Random(0)) is None
