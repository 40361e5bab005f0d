"""The hull of a slot: whether fights can be won by gear that weighted sums prefer.

Whoever rates each piece by a weighted sum of its numbers takes a corner of the convex hull of the pieces of its slot. A
piece inside the hull of the others has the highest sum under no weights: at best it has the same as two others. So a
fight is out of reach of all such rules, whatever their weights and however they were learned, if each loadout that wins
it has a piece inside the hull on. Products with the monster's numbers only change the weights.

All loadouts of all gear in reach are fought. Only tasks in which this can be done are looked at, such as courses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.game.combat_batch import Numbers, stat_rows
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Item, World
from herobench.task_gen.rpg.oracle.all_ways import Unprovable, winning_loadouts

_ROUNDING = 1e-9
_FLAT = 1e-12
"""A corner helps by rounding only, if by less than this. The last corners of a mean of many help by little more."""
_TURNS = 3
"""The search usually takes in each corner once. One that goes on for longer is rounding to and fro."""


@dataclass(frozen=True)
class Hulls:
    """Counts over the fights of some tasks. `slots` of a fight are those with a piece inside the hull on.

    Of all loadouts that win a fight, the one with the fewest such slots counts.
    """

    fights: int
    with_piece_inside: int
    """Fights that each winning loadout wins with at least one such slot."""
    mean_slots: float
    fewest_slots: int
    tasks: Mapping[str, int]
    """The fewest slots of any fight, by task."""

    @classmethod
    def of(cls, slots: Mapping[str, Sequence[int]]) -> Hulls | None:
        """Sum up the slots of the fights of some tasks, by task; None without a fight."""
        tasks = {task_id: min(numbers) for task_id, numbers in slots.items() if numbers}
        every = [number for numbers in slots.values() for number in numbers]
        return cls(len(every), sum(map(bool, every)), fmean(every), min(every), tasks) if every else None


def slots_inside(world: World, rules: Rules, task: Task) -> list[int]:
    """Return, for each fight of the goals that can be won, the fewest slots with a piece inside the hull on.

    The list is empty for a task whose loadouts cannot all be tried.
    """
    try:
        pieces, tables = winning_loadouts(world, task.rules(rules), task)
    except Unprovable:
        return []
    inside = [_inside(some) for some in pieces]
    # for each loadout the number of its slots with such a piece
    counts = reduce(np.add.outer, inside, np.zeros((), np.int64))
    return [int(counts[is_win].min()) for is_win in tables if is_win.any()]


def _inside(pieces: Sequence[Item | None]) -> NDArray[np.int64]:
    """Return 1 for each piece of a slot that is inside the hull of the others, else 0; None is an empty slot."""
    points = [None if item is None else np.append(stat_rows([item.worn])[0], item.level) for item in pieces]
    rows = [
        point is not None and in_hull(point, [each for each in points if each is not None and each is not point])
        for point in points
    ]
    return np.array(rows, np.int64)


def in_hull(point: Numbers, others: Iterable[Numbers]) -> bool:
    """Return whether a point is a mean of others under some weights, none of them below 0.

    This is Lawson and Hanson's search for the weights of least squares: it takes in the corner that helps most, and
    leaves out those whose weights would fall below 0, until no corner helps.
    """
    corners = list(others)
    if not corners:
        return False
    # the last row says that the weights sum up to 1
    system, target = np.vstack([np.array(corners).T, np.ones(len(corners))]), np.append(point, 1)
    weights, is_used = np.zeros(len(corners)), np.zeros(len(corners), bool)
    for _ in range(_TURNS * len(corners)):
        helps = np.where(is_used, 0, system.T @ (target - system @ weights))
        if helps.max() <= _FLAT * np.abs(system).max() ** 2:
            break
        is_used[helps.argmax()] = True
        weights = _without_negative(system, target, weights, is_used)
    return bool(np.allclose(system @ weights, target))


def _without_negative(system: Numbers, target: Numbers, weights: Numbers, is_used: NDArray[np.bool_]) -> Numbers:
    """Return the best weights of the used corners, and leave out of these the ones that would fall below 0."""
    while True:
        best = np.zeros(len(weights))
        best[is_used] = np.linalg.lstsq(system[:, is_used], target)[0]
        falling = is_used & (best <= 0)
        if not falling.any():
            return best
        step = (weights[falling] / (weights[falling] - best[falling])).min()
        weights = weights + step * (best - weights)
        is_used &= weights > _ROUNDING
