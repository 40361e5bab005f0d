"""Loadouts, in the game and against all of them, and the proof that all missing gear is needed."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from random import Random
from types import MappingProxyType

from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.hero import Hero, HeroStart
from herobench.suites.rpg.game.rules import HEALTH, duel
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World, slot_type
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.oracle.gathering import Trip
from herobench.task_gen.rpg.oracle.loadouts import (
    OTHER,
    Piece,
    Pieces,
    QuickLoadouts,
    Slots,
    TaskLoadouts,
    all_needed,
    winning_subsets,
    without,
)
from herobench.task_gen.rpg.oracle.steps import play
from tests.builders import hero_row, tiny_task
from tests.sizes import for_each, many
from tests.task_gen.rpg.made import tasks
from tests.task_gen.rpg.oracle.ordering_tasks import ordering_task

rules = load_rules()
NEW = {"blade": "bar_sword", "coat": "fur_coat", "charm1": "pearl_charm"}
BLADE, COAT, CHARM = (Piece(slot, code, new=True) for slot, code in NEW.items())
CLUB = Piece("blade", "club", new=False)


def kills(world: World, count: int) -> list[Task]:
    """Return those of the first tasks that ask for a fight."""
    return [task for task in tasks(world, count) if task.kind == "kill"]


def task_in(world: World, **worn: str) -> Task:
    """Return a task with three slots of missing gear, whose hero carries that gear and wears other gear."""
    return tiny_task(world, missing=NEW, hero=hero_row(worn=worn, inventory=dict.fromkeys(NEW.values(), 1)))


def every_loadout(task: Task) -> list[Pieces]:
    """Return all that can be worn at once: one blade, one coat and two charms."""
    pieces = [Piece(slot, code, new=False) for slot, code in task.hero.worn.items()]
    pieces += [Piece(slot, code, new=True) for slot, code in task.missing.items()]
    some = (Pieces(part) for size in range(len(pieces) + 1) for part in combinations(pieces, size))
    room = {"blade": 1, "coat": 1, "charm": 2}
    return [
        loadout
        for loadout in some
        if all(sum(slot_type(piece.slot) == kind for piece in loadout) <= most for kind, most in room.items())
    ]


def test_a_change_is_carried_out_in_the_game_and_costs_what_is_said(tiny: World) -> None:
    task = task_in(tiny, blade="club", charm1="drake_charm", charm2="drake_charm")
    loadouts = TaskLoadouts(tiny, rules, task)
    for now in every_loadout(task):
        for then in every_loadout(task):
            trip = Trip(tiny, rules, task)
            trip.wear(now)
            before = len(trip.steps)
            trip.wear(then)
            game = play(trip.steps, Game(tiny, rules, task.hero))
            assert [event for event in game.events if not event.ok] == []
            assert sorted(game.hero.worn.values()) == sorted(piece.code for piece in then)
            assert len(trip.steps) - before == loadouts.cost(now, then)


def test_what_is_left_is_the_shortest_change_to_all_missing_gear(tiny: World) -> None:
    task = task_in(tiny, blade="club", charm1="drake_charm", charm2="drake_charm")
    loadouts = TaskLoadouts(tiny, rules, task)
    whole = [loadout for loadout in every_loadout(task) if {BLADE, COAT, CHARM} <= loadout]
    for now in every_loadout(task):
        assert loadouts.left(now) == min(loadouts.cost(now, then) for then in whole)


@for_each("seed", range(many(25, 6)))
def test_the_changes_for_a_fight_are_all_those_of_which_no_part_would_do(seed: int) -> None:
    """Some winning changes are left out, because a part of them gives stats that are as good."""
    world, task = ordering_task(seed)
    loadouts = TaskLoadouts(world, rules, task)
    for who in ("slime", "sprite"):
        wins = {loadout for loadout in every_loadout(task) if loadouts.beats(who, loadout, 0)}
        for now in every_loadout(task):
            found = loadouts.winning(who, now, task.missing.keys(), 0)
            assert wins.issuperset(found)
            least = {loadout for loadout in wins if not any(now ^ other < now ^ loadout for other in wins)}
            assert least <= set(found)


@for_each("seed", range(25))
def test_who_is_beaten_is_what_the_game_says(seed: int) -> None:
    world, task = ordering_task(seed)
    loadouts = TaskLoadouts(world, rules, task)
    for loadout in every_loadout(task):
        game = Game(world, rules, task.hero)
        for slot in list(game.hero.worn):
            game.hero.take_off(slot)
        for number, piece in enumerate(sorted(loadout)):
            game.hero.put_on(str(number), world.items[piece.code])
        for who in ("slime", "sprite", "golem"):
            won = duel(game.hero.fighter(), world.monsters[who].stats, rules.rounds).won
            assert loadouts.beats(who, loadout, 0) == won


def test_only_gear_that_the_hero_has_is_put_on(tiny: World) -> None:
    loadouts = TaskLoadouts(tiny, rules, task_in(tiny))
    assert loadouts.winning("rat", Pieces(), [], 0) == ()
    assert loadouts.winning("rat", Pieces(), ["blade"], 0) == (Pieces([BLADE]),)
    assert loadouts.winning("rat", Pieces(), ["blade", "coat"], 0) == (Pieces([BLADE]),)


def test_with_other_gear_everyone_is_beaten_at_its_cost(tiny: World) -> None:
    loadouts = TaskLoadouts(tiny, rules, task_in(tiny, blade="club"), other_cost=3)
    start = loadouts.start
    assert loadouts.winning("wall", start, [], 0) == (start | {OTHER},)
    assert loadouts.cost(start, start | {OTHER, COAT}) == 4
    assert TaskLoadouts(tiny, rules, task_in(tiny, blade="club")).winning("wall", start, [], 0) == ()
    assert start == {CLUB}


def test_the_last_fight_is_in_all_missing_gear_and_won(tiny: World) -> None:
    task = task_in(tiny, blade="club", charm1="drake_charm", charm2="drake_charm")
    loadouts = TaskLoadouts(tiny, rules, task)
    found = list(loadouts.complete("rat", loadouts.start, 0))
    assert all({BLADE, COAT, CHARM} <= loadout for loadout in found)
    assert min(loadouts.cost(loadouts.start, loadout) for loadout in found) == loadouts.left(loadouts.start)
    assert list(loadouts.complete("wall", loadouts.start, 0)) == []


# -- the quick planner ------------------------------------------------------------------------------------------------


def states(task: Task) -> Iterator[Slots]:
    for size in range(len(task.missing) + 1):
        yield from map(frozenset, combinations(task.missing, size))


def test_a_quick_change_is_carried_out_in_the_game_and_gives_the_fighter_that_was_said(tiny: World) -> None:
    """Every pair of states is tried; a change takes as many actions as its effort says."""
    task = task_in(tiny, blade="club", charm2="pearl_charm")
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


def test_gear_that_stays_on_is_no_part_of_the_quick_loadouts(tiny: World) -> None:
    loadouts = QuickLoadouts(tiny, rules, task_in(tiny, blade="club", charm2="pearl_charm"))
    assert loadouts.old == {"blade": "club"}


@for_each("extra_hp", [0, 25])
def test_who_is_beaten_is_what_the_duel_says(classic: World, extra_hp: int) -> None:
    task = max(kills(classic, 9), key=lambda task: len(task.missing))
    loadouts = QuickLoadouts(classic, rules, task, extra_hp)
    for loadout in states(task):
        fighter = loadouts.fighter(loadout)
        assert fighter.stats.hp == QuickLoadouts(classic, rules, task).fighter(loadout).stats.hp + extra_hp
        for code, monster in list(classic.monsters.items())[::8]:
            assert loadouts.beats(code, loadout) == duel(fighter, monster.stats, rules.rounds).won


def test_the_cheapest_loadout_that_wins_is_found_among_what_is_owned(classic: World) -> None:
    for task in kills(classic, 9):
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


# -- necessity --------------------------------------------------------------------------------------------------------


def gear_by_chance(world: World, slots: list[str], chance: Random) -> dict[str, str]:
    gear = {}
    for slot in slots:
        gear[slot] = chance.choice([item.code for item in world.items.values() if item.type == slot_type(slot)])
    return gear


def wearing(world: World, hero: HeroStart, gear: Mapping[str, str], extra_hp: int = 0) -> Hero:
    """Return the hero with some gear on, as the game equips it."""
    found = Hero(world, hero)
    for slot, code in gear.items():
        if slot in found.worn:
            found.take_off(slot)
        found.put_on(slot, world.items[code])
    found.hp += extra_hp
    return found


def winning_parts(
    world: World, hero: HeroStart, missing: Mapping[str, str], target: str, extra_hp: int
) -> set[frozenset[int]]:
    slots = list(missing)
    parts = [frozenset(part) for size in range(len(slots) + 1) for part in combinations(range(len(slots)), size)]
    monster = world.monsters[target].stats
    return {
        part
        for part in parts
        if duel(
            wearing(world, hero, {slots[number]: missing[slots[number]] for number in part}, extra_hp).fighter(),
            monster,
            rules.rounds,
        ).won
    }


@for_each("seed", range(60))
def test_the_parts_that_win_are_those_of_the_duel(classic: World, tiny: World, seed: int) -> None:
    """Random gear against random monsters; some heroes have more health than at the start."""
    chance = Random(seed)
    world = tiny if seed % 6 == 0 else classic
    slots = list(gear_slots(world))
    missing = gear_by_chance(world, chance.sample(slots, chance.randint(0, min(6, len(slots)))), chance)
    worn = gear_by_chance(world, chance.sample(slots, chance.randint(0, len(slots))), chance)
    level, extra_hp = chance.randint(1, 40), chance.choice([0, 0, 5, 35])
    hero = replace(HeroStart.bare(world, rules, level), worn=MappingProxyType(worn))
    for target in chance.sample(list(world.monsters), min(3, len(world.monsters))):
        found = winning_subsets(world, rules, target, hero, missing, extra_hp)
        assert len(found) == len(set(found))
        assert set(found) == winning_parts(world, hero, missing, target, extra_hp)


def test_all_of_it_is_needed_where_only_the_whole_wins(tiny: World) -> None:
    def is_needed(hero: HeroStart, **missing: str) -> bool:
        return all_needed(tiny, rules, "drake", hero, missing)

    hero = HeroStart.bare(tiny, rules, 5)
    assert is_needed(hero, blade="bar_sword", coat="fur_coat")
    assert is_needed(hero, blade="bar_sword", charm1="pearl_charm")
    assert not is_needed(hero, blade="bar_sword", coat="fur_coat", charm1="pearl_charm")
    assert not is_needed(hero, blade="bar_sword")
    assert not is_needed(hero, coat="fur_coat")
    assert is_needed(replace(hero, worn=MappingProxyType({"blade": "bar_sword"})), coat="fur_coat")


def test_a_hero_who_is_healthier_may_do_without(tiny: World) -> None:
    hero, gear = HeroStart.bare(tiny, rules, 5), {"blade": "bar_sword", "coat": "fur_coat"}
    assert all_needed(tiny, rules, "drake", hero, gear)
    assert not all_needed(tiny, rules, "drake", hero, gear, 50)


def test_without_an_item_the_last_fight_goes_as_the_duel_goes(classic: World) -> None:
    for task in kills(classic, 18):
        fights = without(classic, rules, task, 5)
        assert fights.keys() == task.missing.keys()
        for slot, fight in fights.items():
            rest = {name: code for name, code in task.missing.items() if name != slot}
            hero = wearing(classic, task.hero, rest, 5)
            assert fight == duel(hero.fighter(), classic.monsters[task.target].stats, rules.rounds, unit=HEALTH)


def test_of_no_missing_gear_there_is_one_part(tiny: World) -> None:
    task: Task = tiny_task(tiny, missing={})
    assert winning_subsets(tiny, rules, "drake", task.hero, {}) == []
    assert without(tiny, rules, task, 0) == {}
