"""Dresses, in the game and against trying all of them."""

from itertools import combinations

import pytest

from herobench.rpg.combat import duel
from herobench.rpg.content import load_rules
from herobench.rpg.game import Game
from herobench.rpg.task import Task
from herobench.rpg.world import World, slot_type
from herobench.task_gen.oracle.dresses import OTHER, Dress, Dresses, Piece
from herobench.task_gen.oracle.steps import play
from herobench.task_gen.oracle.trip import Trip
from tests.builders import hero_row, tiny_task
from tests.task_gen.oracle.riddles import riddle

rules = load_rules()
NEW = {"blade": "bar_sword", "coat": "fur_coat", "charm1": "pearl_charm"}
BLADE, COAT, CHARM = (Piece(slot, code, new=True) for slot, code in NEW.items())
CLUB = Piece("blade", "club", new=False)


def dressed(world: World, **worn: str) -> Task:
    """A task with three slots of missing gear, whose hero carries it already and wears other gear."""
    return tiny_task(world, missing=NEW, hero=hero_row(worn=worn, inventory=dict.fromkeys(NEW.values(), 1)))


def every_dress(task: Task) -> list[Dress]:
    """All that can be worn at once: one blade and coat, and two charms."""
    pieces = [Piece(slot, code, new=False) for slot, code in task.hero.worn.items()]
    pieces += [Piece(slot, code, new=True) for slot, code in task.missing.items()]
    some = (Dress(part) for size in range(len(pieces) + 1) for part in combinations(pieces, size))
    room = {"blade": 1, "coat": 1, "charm": 2}
    return [
        dress
        for dress in some
        if all(sum(slot_type(piece.slot) == kind for piece in dress) <= most for kind, most in room.items())
    ]


def test_a_change_is_carried_out_in_the_game_and_costs_what_is_said(tiny: World) -> None:
    task = dressed(tiny, blade="club", charm1="drake_charm", charm2="drake_charm")
    dresses = Dresses(tiny, rules, task)
    for now in every_dress(task):
        for then in every_dress(task):
            trip = Trip(tiny, rules, task)
            trip.dress(now)
            before = len(trip.steps)
            trip.dress(then)
            game = play(trip.steps, Game(tiny, rules, task.hero))
            assert [event for event in game.events if not event.ok] == []
            assert sorted(game.hero.worn.values()) == sorted(piece.code for piece in then)
            assert len(trip.steps) - before == dresses.cost(now, then)


def test_what_is_left_is_the_shortest_change_to_all_missing_gear(tiny: World) -> None:
    task = dressed(tiny, blade="club", charm1="drake_charm", charm2="drake_charm")
    dresses = Dresses(tiny, rules, task)
    whole = [dress for dress in every_dress(task) if {BLADE, COAT, CHARM} <= dress]
    for now in every_dress(task):
        assert dresses.left(now) == min(dresses.cost(now, then) for then in whole)


def test_where_a_slot_of_the_type_is_free_nothing_has_to_come_off(tiny: World) -> None:
    dresses = Dresses(tiny, rules, dressed(tiny, charm1="drake_charm"))
    assert dresses.left(dresses.start) == 3
    full = Dresses(tiny, rules, dressed(tiny, charm1="drake_charm", charm2="drake_charm"))
    assert full.left(full.start) == 4


@pytest.mark.parametrize("seed", range(25))
def test_the_changes_for_a_fight_are_all_those_of_which_no_part_would_do(seed: int) -> None:
    """Some that win are left out where a part of the change gives stats that are as good."""
    world, task = riddle(seed)
    dresses = Dresses(world, rules, task)
    for who in ("slime", "sprite"):
        wins = {dress for dress in every_dress(task) if dresses.beats(who, dress, 0)}
        for now in every_dress(task):
            found = dresses.winning(who, now, task.missing.keys(), 0)
            assert wins.issuperset(found)
            least = {dress for dress in wins if not any(now ^ other < now ^ dress for other in wins)}
            assert least <= set(found)


@pytest.mark.parametrize("seed", range(25))
def test_who_is_beaten_is_what_the_game_says(seed: int) -> None:
    world, task = riddle(seed)
    dresses = Dresses(world, rules, task)
    for dress in every_dress(task):
        game = Game(world, rules, task.hero)
        for slot in list(game.hero.worn):
            game.hero.take_off(slot)
        for number, piece in enumerate(sorted(dress)):
            game.hero.put_on(str(number), world.items[piece.code])
        for who in ("slime", "sprite", "golem"):
            won = duel(game.hero.fighter(), world.monsters[who].stats, rules.rounds).won
            assert dresses.beats(who, dress, 0) == won


def test_only_gear_that_the_hero_has_is_put_on(tiny: World) -> None:
    dresses = Dresses(tiny, rules, dressed(tiny))
    assert dresses.winning("rat", Dress(), [], 0) == ()
    assert dresses.winning("rat", Dress(), ["blade"], 0) == (Dress([BLADE]),)
    assert dresses.winning("rat", Dress(), ["blade", "coat"], 0) == (Dress([BLADE]),)


def test_with_other_gear_everyone_is_beaten_at_its_cost(tiny: World) -> None:
    dresses = Dresses(tiny, rules, dressed(tiny, blade="club"), other_cost=3)
    start = dresses.start
    assert dresses.winning("wall", start, [], 0) == (start | {OTHER},)
    assert dresses.cost(start, start | {OTHER, COAT}) == 4
    assert Dresses(tiny, rules, dressed(tiny, blade="club")).winning("wall", start, [], 0) == ()
    assert start == {CLUB}


def test_the_last_fight_is_in_all_missing_gear_and_won(tiny: World) -> None:
    task = dressed(tiny, blade="club", charm1="drake_charm", charm2="drake_charm")
    dresses = Dresses(tiny, rules, task)
    found = list(dresses.complete("rat", dresses.start, 0))
    assert all({BLADE, COAT, CHARM} <= dress for dress in found)
    assert min(dresses.cost(dresses.start, dress) for dress in found) == dresses.left(dresses.start)
    assert list(dresses.complete("wall", dresses.start, 0)) == []
