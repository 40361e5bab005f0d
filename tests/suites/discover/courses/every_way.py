"""The length of the shortest way to win, by breadth-first search over every action of the game: no proof is shorter.

It covers tasks whose hero has all told gear and makes nothing. A state is the goals that are reached, the place and
what is in each slot; empty slots count, whatever is worn at the start. The states of one place and one number of goals
are a table of all loadouts, and an action is carried out on the whole table at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.told import told_world
from herobench.suites.rpg.game.world import Place, World
from tests.suites.discover.courses.told_loadouts import Loadouts

Table = NDArray[np.bool_]
State = tuple[int, Place]


def can_be_searched(task: Task) -> bool:
    """Return whether the hero of a task has all gear from the start, so that plans make nothing."""
    return not task.knowledge.recipes and all(goal.kind == "kill" for goal in task.goals)


def shortest_length(world: World, rules: Rules, task: Task, most: int) -> int | None:
    """Return the number of actions of the shortest way to win; None if no way has at most `most`."""
    assert can_be_searched(task)
    told, own = told_world(world, task.knowledge, task.hero), task.rules(rules)
    assert own.defeat == "final", "a lost fight is the end"
    gear = {*task.hero.inventory, *task.hero.worn.values()}
    loadouts = Loadouts(told, own, task, gear, may_strip=True)
    wins = {goal.target: loadouts.wins(goal.target) for goal in task.goals}
    places = {task.hero.place, *task.knowledge.places}
    start = np.zeros([len(options) for options in loadouts.options], bool)
    start[tuple(options.index(code) for options, code in zip(loadouts.options, loadouts.start, strict=True))] = True
    now: dict[State, Table] = {(0, task.hero.place): start}
    seen: dict[State, Table] = defaultdict(lambda: np.zeros_like(start), now)
    for length in range(1, most + 1):
        after: dict[State, Table] = defaultdict(lambda: np.zeros_like(start))
        for (done, place), table in now.items():
            for other in places - {place}:
                after[done, other] |= table
            for changed in _changed(table):
                after[done, place] |= changed
            target = task.goals[done].target
            if told.standing("monster").get(place) == target and (table & wins[target]).any():
                if done + 1 == len(task.goals):
                    return length
                after[done + 1, place] |= table & wins[target]
        now = {state: fresh for state, table in after.items() if (fresh := table & ~seen[state]).any()}
        for state, fresh in now.items():
            seen[state] = seen[state] | fresh
    return None


def _changed(table: Table) -> Iterator[Table]:
    """Yield the tables after one slot is emptied or filled; empty is the last entry of each axis."""
    for axis in range(table.ndim):
        slots = np.moveaxis(table, axis, 0)
        changed = np.empty_like(slots)
        changed[:-1], changed[-1] = slots[-1], slots[:-1].any(axis=0)
        yield np.moveaxis(changed, 0, axis)
