"""TaskLoadouts, in the game and against all of them."""

from itertools import combinations

import pytest

from herobench.suites.rpg.game.combat import duel
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World, slot_type
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.oracle.gathering import Trip
from herobench.task_gen.rpg.oracle.loadouts import OTHER, Piece, Pieces, TaskLoadouts
from herobench.task_gen.rpg.oracle.steps import play
from tests.builders import hero_row, tiny_task
from tests.task_gen.rpg.oracle.ordering_tasks import ordering_task

rules = load_rules()
NEW = {"blade": "bar_sword", "coat": "fur_coat", "charm1": "pearl_charm"}
BLADE, COAT, CHARM = (Piece(slot, code, new=True) for slot, code in NEW.items())
CLUB = Piece("blade", "club", new=False)


def dressed(world: World, **worn: str) -> Task:
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
    task = dressed(tiny, blade="club", charm1="drake_charm", charm2="drake_charm")
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
    task = dressed(tiny, blade="club", charm1="drake_charm", charm2="drake_charm")
    loadouts = TaskLoadouts(tiny, rules, task)
    whole = [loadout for loadout in every_loadout(task) if {BLADE, COAT, CHARM} <= loadout]
    for now in every_loadout(task):
        assert loadouts.left(now) == min(loadouts.cost(now, then) for then in whole)


def test_where_a_slot_of_the_type_is_free_nothing_has_to_come_off(tiny: World) -> None:
    loadouts = TaskLoadouts(tiny, rules, dressed(tiny, charm1="drake_charm"))
    assert loadouts.left(loadouts.start) == 3
    full = TaskLoadouts(tiny, rules, dressed(tiny, charm1="drake_charm", charm2="drake_charm"))
    assert full.left(full.start) == 4


@pytest.mark.parametrize("seed", range(25))
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


@pytest.mark.parametrize("seed", range(25))
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
    loadouts = TaskLoadouts(tiny, rules, dressed(tiny))
    assert loadouts.winning("rat", Pieces(), [], 0) == ()
    assert loadouts.winning("rat", Pieces(), ["blade"], 0) == (Pieces([BLADE]),)
    assert loadouts.winning("rat", Pieces(), ["blade", "coat"], 0) == (Pieces([BLADE]),)


def test_with_other_gear_everyone_is_beaten_at_its_cost(tiny: World) -> None:
    loadouts = TaskLoadouts(tiny, rules, dressed(tiny, blade="club"), other_cost=3)
    start = loadouts.start
    assert loadouts.winning("wall", start, [], 0) == (start | {OTHER},)
    assert loadouts.cost(start, start | {OTHER, COAT}) == 4
    assert TaskLoadouts(tiny, rules, dressed(tiny, blade="club")).winning("wall", start, [], 0) == ()
    assert start == {CLUB}


def test_the_last_fight_is_in_all_missing_gear_and_won(tiny: World) -> None:
    task = dressed(tiny, blade="club", charm1="drake_charm", charm2="drake_charm")
    loadouts = TaskLoadouts(tiny, rules, task)
    found = list(loadouts.complete("rat", loadouts.start, 0))
    assert all({BLADE, COAT, CHARM} <= loadout for loadout in found)
    assert min(loadouts.cost(loadouts.start, loadout) for loadout in found) == loadouts.left(loadouts.start)
    assert list(loadouts.complete("wall", loadouts.start, 0)) == []
