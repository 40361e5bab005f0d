"""Certified plans with planted faults, and the fewest edits by brute force: every edit at every step, played whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

from herobench.suites.rpg.game.calls import Call, straight_calls
from herobench.suites.rpg.game.events import Action, Value
from herobench.suites.rpg.game.position import Position
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import slot_type
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.datasets import shipped_tasks, world_of

Calls = Sequence[Call]


@cache
def tasks_of(least: int, most: int) -> Sequence[Task]:
    """The tasks of the default set whose certified plans have so many actions."""
    return [task for task in shipped_tasks().values() if task.certificate and least <= task.certificate.actions <= most]


def start_of(task: Task) -> Position:
    return Position(world_of(None), load_rules(), task)


def certified(task: Task) -> list[Call]:
    assert task.certificate
    return list(straight_calls(task.certificate.plan) or ())


def planted(task: Task, faults: int, chance: Random) -> list[Call]:
    """The certified plan after some calls were left out, put in, or changed into another of its calls."""
    calls = certified(task)
    for _ in range(faults):
        at, other = chance.randrange(len(calls)), chance.choice(calls)
        kind = chance.choice(("left out", "put in", "changed"))
        calls[at : at + (kind != "put in")] = [] if kind == "left out" else [Call.of(other.action)]
        calls = calls or [other]
    return calls


def lost_plans(
    least: int, most: int, faults: Sequence[int], count: int, seed: int
) -> Iterator[tuple[Task, list[Call], int]]:
    """Lost plans with the number of faults planted in each."""
    chance = Random(seed)
    while count:
        task, number = chance.choice(tasks_of(least, most)), chance.choice(faults)
        calls = planted(task, number, chance)
        if not wins(start_of(task), calls):
            count -= 1
            yield task, calls, number


def wins(position: Position, calls: Calls, number: int = 0) -> bool:
    """Play the calls from a number on. Nothing is left out and nothing is kept."""
    here = position.fork()
    while number < len(calls) and not here.ended and not here.won:
        here.act(calls[number].action)
        number += 1
    return here.won


def by_brute_force(task: Task, calls: Calls, most: int) -> int:
    """The fewest edits that win, or one more than `most`."""
    actions = [Call.of(action) for action in _alphabet(task)]
    return next((n for n in range(1, most + 1) if _wins_within(start_of(task), calls, 0, n, actions)), most + 1)


def _wins_within(position: Position, calls: Calls, number: int, most: int, actions: Calls) -> bool:
    if wins(position, calls, number):
        return True
    if not most:
        return False
    here = position.fork()
    while not here.ended:
        if number < len(calls) and _wins_within(here, calls, number + 1, most - 1, actions):
            return True
        for action in actions:
            there = here.fork()
            event = there.act(action.action)
            if event and event.ok:
                behind = range(number, min(number + 2, len(calls) + 1))  # put in before a call, or in its place
                if any(_wins_within(there, calls, then, most - 1, actions) for then in behind):
                    return True
        if number >= len(calls):
            return False
        here.act(calls[number].action)
        number += 1
    return here.won


def _alphabet(task: Task) -> Iterator[Action]:
    """Every action that the task gives a word for."""
    world, told = world_of(None), task.knowledge
    for slot in world.slots:
        yield call("unequip", slot)
        for code in (*told.materials, *told.recipes):
            if world.items[code].type == slot_type(slot):
                yield call("equip", slot, code)
    yield from (call("move", *place) for place in told.places)
    yield from (call("fight"), call("gather", 1000))
    yield from (call("craft", code, quantity) for code in told.recipes for quantity in (1, 2))


def call(name: str, *values: Value) -> Action:
    return Action(name, ("Hero", *values))
