from collections.abc import Iterator
from itertools import combinations

import pytest

from herobench.suites.rpg.game.combat import duel
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.loadouts import QuickLoadouts, Slots
from herobench.task_gen.rpg.oracle.steps import Do, play
from tests.builders import hero_row, tiny_task
from tests.task_gen.rpg.made import tasks

rules = load_rules()
NEW = {"blade": "bar_sword", "coat": "fur_coat", "charm1": "pearl_charm"}


def dressed(world: World, **worn: str) -> Task:
    """Return a task with three slots of missing gear, whose hero carries that gear and wears other gear."""
    carried = dict.fromkeys(NEW.values(), 1)
    return tiny_task(world, missing=NEW, hero=hero_row(worn=worn, inventory=carried))


def states(task: Task) -> Iterator[Slots]:
    for size in range(len(task.missing) + 1):
        yield from map(frozenset, combinations(task.missing, size))


def test_a_change_of_dress_is_carried_out_in_the_game_and_gives_the_fighter_that_was_said(tiny: World) -> None:
    """Every pair of states is tried; a change takes as many actions as its effort says."""
    task = dressed(tiny, blade="club", charm2="pearl_charm")
    loadouts = QuickLoadouts(tiny, rules, task)
    for now in states(task):
        for then in states(task):
            game = play(loadouts.change(frozenset(), now), Game(tiny, rules, task.hero))
            assert game.hero.fighter() == loadouts.fighter(now)
            before = len(game.events)
            play(loadouts.change(now, then), game)
            assert game.hero.fighter() == loadouts.fighter(then)
            assert [event for event in game.events if not event.ok] == []
            assert len(game.events) - before == loadouts.effort(now, then)


def test_to_put_on_in_an_empty_slot_is_one_action_and_two_where_something_comes_off(tiny: World) -> None:
    loadouts = QuickLoadouts(tiny, rules, dressed(tiny, blade="club"))
    bare = frozenset[str]()
    assert list(loadouts.change(bare, frozenset(["coat"]))) == [Do("equip", ("coat", "fur_coat"))]
    assert list(loadouts.change(frozenset(["coat"]), bare)) == [Do("unequip", ("coat",))]
    swap = [Do("unequip", ("blade",)), Do("equip", ("blade", "bar_sword"))]
    assert list(loadouts.change(bare, frozenset(["blade"]))) == swap
    back = [Do("unequip", ("blade",)), Do("equip", ("blade", "club"))]
    assert list(loadouts.change(frozenset(["blade"]), bare)) == back
    assert loadouts.effort(bare, frozenset(["blade", "coat"])) == 3


def test_gear_that_stays_on_is_no_part_of_the_wardrobe(tiny: World) -> None:
    loadouts = QuickLoadouts(tiny, rules, dressed(tiny, blade="club", charm2="pearl_charm"))
    assert loadouts.old == {"blade": "club"}


@pytest.mark.parametrize("extra_hp", [0, 25])
def test_who_is_beaten_is_what_the_duel_says(classic: World, extra_hp: int) -> None:
    task = max(tasks(classic, 9, kind="kill"), key=lambda task: len(task.missing))
    loadouts = QuickLoadouts(classic, rules, task, extra_hp)
    for loadout in states(task):
        fighter = loadouts.fighter(loadout)
        assert fighter.stats.hp == QuickLoadouts(classic, rules, task).fighter(loadout).stats.hp + extra_hp
        for code, monster in list(classic.monsters.items())[::4]:
            assert loadouts.beats(code, loadout) == duel(fighter, monster.stats, rules.rounds).won


def test_the_cheapest_dress_that_wins_is_found_among_what_is_owned(classic: World) -> None:
    for task in tasks(classic, 9, kind="kill"):
        loadouts = QuickLoadouts(classic, rules, task)
        owned = frozenset(list(task.missing)[:4])
        ways = [loadout for loadout in states(task) if loadout <= owned]
        for code in list(classic.monsters)[::3]:
            for now in ways[::5]:
                winning = [loadouts.effort(now, way) for way in ways if loadouts.beats(code, way)]
                found = loadouts.cheapest(code, owned, now)
                assert (found is None) == (not winning)
                if found is not None:
                    assert found <= owned
                    assert loadouts.beats(code, found)
                    assert loadouts.effort(now, found) == min(winning)
                assert loadouts.can_beat(code, owned) == bool(winning)


def test_consumables_count_in_his_fights(tiny: World) -> None:
    fed = tiny_task(tiny, missing={}, hero=hero_row(consumables={"consumable1": {"item": "tonic", "quantity": 2}}))
    fighter = QuickLoadouts(tiny, rules, fed).fighter(frozenset())
    assert (fighter.boost_hp, fighter.boost_damage) == (20, (50, 0))
