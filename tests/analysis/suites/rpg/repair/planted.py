"""Certified plans with planted faults, and the fewest edits by brute force: every edit at every step, played whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from herobench.analysis.suites.rpg.repair.edits import Edit, run_lengths
from herobench.suites.rpg.game.calls import Call, straight_calls
from herobench.suites.rpg.game.events import Action, Value
from herobench.suites.rpg.game.position import GamePosition
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import slot_type
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.task_gen.rpg.datasets import shipped_tasks

Calls = Sequence[Call]


@cache
def tasks_between(least: int, most: int) -> Sequence[Task]:
    """The tasks of the default set whose certified plans have so many actions."""
    return [task for task in shipped_tasks().values() if task.certificate and least <= task.certificate.actions <= most]


def start_position(task: Task) -> GamePosition:
    return GamePosition(load_world(), load_rules(), task)


def certified(task: Task) -> list[Call]:
    assert task.certificate
    return list(straight_calls(task.certificate.plan) or ())


class Faulty(NamedTuple):
    """A lost plan: a certified one with planted faults, and the edits that take them away again."""

    task: Task
    calls: list[Call]
    edits: Sequence[Edit]


def planted(task: Task, faults: int, chance: Random) -> Faulty:
    """Plant faults of known kind and place into the certified plan: slips, calls taken later, or a plan cut short.

    Each is undone by one edit, and a call taken later by two."""
    good = certified(task)
    end = len(good) - (chance.randrange(faults + 1) if chance.random() < 0.2 and faults < len(good) else 0)
    slips = sorted(chance.sample(range(end), min(faults - (len(good) - end), end)))
    calls, edits, done = list[Call](), list[Edit](), 0
    late: Call | None = None
    for at in slips:
        calls += good[done:at]
        new: Calls = []
        old: Call | None = good[at]
        if late:
            new, old, late = [Call.of(late.action)], None, None
        elif at != slips[-1] and chance.random() < 0.1:
            late = old
        else:
            new, old = _slip(task, good, at, chance)
        edits.append(Edit(len(calls), len(new), old.action if old else None))
        calls += new
        done = at + bool(old)
    calls += good[done:end]
    edits += [Edit(len(calls), 0, call.action) for call in good[end:]]
    return Faulty(task, calls, edits)


def _slip(task: Task, good: Calls, at: int, chance: Random) -> tuple[Calls, Call | None]:
    """Return the calls that stand in the place of one, and that one; None if it stays behind them."""
    old, other = good[at], chance.choice(good)
    kind = chance.choice(("left out", "put in", "changed", "changed", "broken", "swapped"))
    if kind == "left out":
        return [], old
    if kind == "put in":
        return [Call.of(other.action)], None
    if kind == "broken" and chance.random() < 0.2:
        return [Call.of(Action(old.name, ("Hero", "often", 1, 2)))], old
    return [_alike(task, old, chance) if kind == "changed" else Call.of(other.action)], old


def _alike(task: Task, old: Call, chance: Random) -> Call:
    """Return a call with another quantity, piece or place than an old one, where it has one."""
    world, told, values = load_world(), task.knowledge, old.values or ()
    if old.name in ("gather", "craft"):
        return Call.to(old.name, *(str(code) for code in values[1:-1]), int(values[-1] or 0) - 1)
    if old.name == "move":
        return Call.to("move", *chance.choice(told.places))
    if old.name == "equip":
        pieces = [
            code for code in (*told.materials, *told.recipes) if world.items[code].type == slot_type(str(values[1]))
        ]
        return Call.to("equip", str(values[1]), chance.choice(pieces))
    return old


def lost_plans(least: int, most: int, faults: Sequence[int], count: int, seed: int) -> Iterator[Faulty]:
    """Lost plans with so many planted faults."""
    chance = Random(seed)
    while count:
        found = planted(chance.choice(tasks_between(least, most)), chance.choice(faults), chance)
        if not wins(start_position(found.task), found.calls):
            count -= 1
            yield found


def ends_at(position: GamePosition, calls: Calls) -> int | None:
    """Return the number of the call after which nothing goes on any more; None if the plan is played to its end."""
    here = position.fork()
    for number, each in enumerate(calls):
        here.act(each.action)
        if here.ended:
            return number
    return None


def wins(position: GamePosition, calls: Calls, number: int = 0) -> bool:
    """Play the calls from a number on. Nothing is left out and nothing is kept."""
    here = position.fork()
    while number < len(calls) and not here.ended and not here.won:
        here.act(calls[number].action)
        number += 1
    return here.won


def by_brute_force(task: Task, calls: Calls, most: int) -> int:
    """The fewest edits that win, or one more than `most`."""
    actions = [Call.of(action) for action in _alphabet(task)]
    return next((n for n in range(1, most + 1) if _wins_within(start_position(task), calls, 0, n, actions)), most + 1)


def _wins_within(position: GamePosition, calls: Calls, number: int, most: int, actions: Calls) -> bool:
    if wins(position, calls, number):
        return True
    if not most:
        return False
    here = position.fork()
    while not here.ended:
        left_out = {number + run for run in (1, *run_lengths(calls[number:])[:1]) if number < len(calls)}
        if any(_wins_within(here, calls, then, most - 1, actions) for then in left_out):
            return True
        for action in actions:
            there = here.fork()
            event = there.act(action.action)
            behind = {number, *left_out} if event and event.ok else ()
            if any(_wins_within(there, calls, then, most - 1, actions) for then in behind):
                return True
        if number >= len(calls):
            return False
        here.act(calls[number].action)
        number += 1
    return here.won


def _alphabet(task: Task) -> Iterator[Action]:
    """Every action that the task gives a word for."""
    world, told = load_world(), task.knowledge
    standing = world.standing("monster")
    fallen = [drop.item for place in told.places if place in standing for drop in world.monsters[standing[place]].drops]
    for slot in world.slots:
        yield call("unequip", slot)
        for code in dict.fromkeys((*told.materials, *told.recipes, *fallen)):
            if world.items[code].type == slot_type(slot):
                yield call("equip", slot, code)
    yield from (call("move", *place) for place in told.places)
    yield from (call("fight"), call("gather", 1000))
    yield from (call("buy", code, 1000) for code in sorted(told.sold))
    crafts = {int(each.values[-1] or 1) for each in certified(task) if each.name == "craft" and each.values}
    yield from (call("craft", code, quantity) for code in told.recipes for quantity in sorted({1, 2, *crafts}))


def call(name: str, *values: Value) -> Action:
    return Action(name, ("Hero", *values))
