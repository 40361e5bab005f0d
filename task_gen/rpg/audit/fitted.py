"""Sums with fitted weights: learners that rate pieces by what was needed in other tasks.

A lesson is one fight of a certificate: the pieces that were told for each slot, and the one that was worn. Learners see
the same numbers as fixed sums, less the mean of the slot and over its spread, so that they learn which piece of a slot
to take. The tasks of a file are cut into folds, and a task is rated by what the other folds teach. Tasks of one world
share a fold if the file has several worlds: then all lessons come from other worlds.

The learners, of two classes, are in numpy: logistic regression, and boosted trees of a few levels. They are small
enough to be read, and quick enough to be trained while an audit runs. The trees are those of gradient boosting with the
logistic loss: each tree takes a step of Newton's method in its leaves, on features cut into a few bins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.game.combat_batch import Numbers
from herobench.suites.rpg.game.task import Goal, Task
from herobench.suites.rpg.game.world import Item, World, slot_type
from herobench.task_gen.rpg.audit.journey import ToldItems
from herobench.task_gen.rpg.audit.sums import Foe, Rate, features, is_arm
from herobench.task_gen.rpg.oracle.loadouts import Loadout, goal_loadouts

Labels = NDArray[np.bool_]

_RIDGE = 1.0
"""The weight of small coefficients, and of small leaves: neither may grow without bound where classes stand apart."""
_STEPS = 20
_TREES, _DEPTH, _BINS, _RATE = 60, 4, 24, 0.2


def _chance(odds: Numbers) -> Numbers:
    return 1 / (1 + np.exp(-np.clip(odds, -30, 30)))


def logistic_weights(rows: Numbers, needed: Labels) -> Numbers:
    """Return the weights of a logistic regression without a constant, by Newton's method."""
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        chance = _chance(rows @ weights + _offset(needed))
        slope = rows.T @ (needed - chance) - _RIDGE * weights
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + _RIDGE * np.eye(len(weights))
        step = np.linalg.solve(curve, slope)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def _offset(needed: Labels) -> float:
    """Return the log-odds of the share of needed pieces."""
    share = min(max(float(needed.mean()), 1e-6), 1 - 1e-6) if len(needed) else 0.5
    return float(np.log(share / (1 - share)))


@dataclass(frozen=True)
class _Tree:
    """A tree whose levels are full: for each inner node a feature and the last bin that goes left, and the leaves."""

    features: NDArray[np.intp]
    bins: NDArray[np.intp]
    leaves: Numbers

    def leaf(self, binned: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the number of the leaf of each row."""
        node = np.zeros(len(binned), dtype=np.intp)
        for _ in range(_DEPTH):
            right = binned[np.arange(len(binned)), self.features[node]] > self.bins[node]
            node = 2 * node + 1 + right
        return node - len(self.features)


class BoostedTrees:
    """Boosted trees, trained at once."""

    def __init__(self, rows: Numbers, needed: Labels) -> None:
        """Train on rows of features and their classes."""
        cuts = np.linspace(0, 100, _BINS + 1)[1:-1]
        self._edges = [np.unique(column) for column in np.percentile(rows, cuts, axis=0).T]
        self._trees: list[_Tree] = []
        binned = self._binned(rows)
        odds = np.full(len(rows), _offset(needed))
        for _ in range(_TREES):
            chance = _chance(odds)
            tree = _grown(binned, needed - chance, chance * (1 - chance))
            odds += tree.leaves[tree.leaf(binned)]
            self._trees.append(tree)

    def log_odds(self, rows: Numbers) -> Numbers:
        """Return the log-odds of rows, but for a constant."""
        binned = self._binned(rows)
        found = np.zeros(len(rows))
        for tree in self._trees:
            found += tree.leaves[tree.leaf(binned)]
        return found

    def _binned(self, rows: Numbers) -> NDArray[np.intp]:
        columns = [np.searchsorted(edges, column) for edges, column in zip(self._edges, rows.T, strict=True)]
        return np.stack(columns, axis=1)


def _grown(binned: NDArray[np.intp], slope: Numbers, curve: Numbers) -> _Tree:
    """Grow a tree level by level; each node takes the feature and the bin that lower the loss most."""
    inner = 2**_DEPTH - 1
    features, bins = np.zeros(inner, dtype=np.intp), np.full(inner, _BINS, dtype=np.intp)
    node, first = np.zeros(len(binned), dtype=np.intp), 0
    for level in range(_DEPTH):
        nodes = 2**level
        best = np.zeros(nodes)
        for feature, column in enumerate(binned.T):
            cell = (node - first) * _BINS + column
            gain = _gains(*(_sums(cell, values, nodes * _BINS).reshape(nodes, _BINS) for values in (slope, curve)))
            cut = gain.argmax(axis=1)
            better = gain[np.arange(nodes), cut] > best
            best = np.where(better, gain[np.arange(nodes), cut], best)
            features[first : first + nodes][better] = feature
            bins[first : first + nodes][better] = cut[better]
        node = 2 * node + 1 + (binned[np.arange(len(binned)), features[node]] > bins[node])
        first += nodes
    slopes, curves = (_sums(node - inner, values, inner + 1) for values in (slope, curve))
    return _Tree(features, bins, _RATE * slopes / (curves + _RIDGE))


def _sums(cell: NDArray[np.intp], values: Numbers, cells: int) -> Numbers:
    """Return the sum of the values in each cell."""
    return np.bincount(cell, values, cells).astype(np.float64)


def _gains(slopes: Numbers, curves: Numbers) -> Numbers:
    """Return how much each cut of each node lowers the loss."""

    def lowered(slope: Numbers, curve: Numbers) -> Numbers:
        return slope**2 / (curve + _RIDGE)

    left, weight = slopes.cumsum(axis=1), curves.cumsum(axis=1)
    whole, all_weight = left[:, -1:], weight[:, -1:]
    found: Numbers = lowered(left, weight) + lowered(whole - left, all_weight - weight) - lowered(whole, all_weight)
    return found


FOLDS = 5
_MOST_LESSONS = 6_000
"""The most lessons that a learner takes. More of them take longer, and change the weights no more."""
_FIGHTS_A_TASK = 12
"""The most fights of one task: a long course repeats its fights."""


class Lesson(NamedTuple):
    """The features of the pieces for a slot that was changed for a fight, and which of them was put on."""

    rows: Numbers
    needed: Labels


def standardized(rows: Numbers) -> Numbers:
    """Return the features of the pieces of a slot, less their mean and over their spread."""
    spread = rows.std(axis=0)
    found: Numbers = (rows - rows.mean(axis=0)) / np.where(spread > 0, spread, 1)
    return found


def lessons(world: World, task: Task) -> Iterator[Lesson]:
    """Yield what the fights of a task teach."""
    if task.impossible is not None:
        return
    told, worn = ToldItems(world, task), task.hero.worn
    # In gear that is too high for the hero he is not seen, unless he grows.
    grows = task.mechanics.leveling
    gear = [item for item in told.gear if item.code in world.items and (grows or item.level <= task.hero.combat[0])]
    seen: set[str] = set()
    for goal, loadout in zip(task.goals, goal_loadouts(task), strict=True):
        if goal.kind == "kill" and goal.target not in seen and len(seen) < _FIGHTS_A_TASK:
            seen.add(goal.target)
            yield from _fight(world, goal, gear, worn, loadout)
        worn = loadout


def _fight(world: World, goal: Goal, gear: Sequence[Item], worn: Loadout, loadout: Loadout) -> Iterator[Lesson]:
    foe = Foe.of(world.monsters[goal.target].stats)
    arm = next((item for code in loadout.values() if is_arm(item := world.items[code])), None)
    for slot, code in goal.missing.items():
        offered = {item.code: item for item in gear if item.type == slot_type(slot)} | {code: world.items[code]}
        if slot in worn:
            offered[worn[slot]] = world.items[worn[slot]]
        rows = features(list(offered.values()), foe, arm)
        yield Lesson(standardized(rows), np.array([each == code for each in offered]))


class Learner(NamedTuple):
    """What some lessons taught: the weights of a sum, and trees."""

    weights: Numbers
    trees: BoostedTrees

    def by_weights(self, slots: Sequence[Numbers]) -> list[Numbers]:
        """Rate pieces by the weights of the logistic regression."""
        return [standardized(rows) @ self.weights for rows in slots]

    def by_trees(self, slots: Sequence[Numbers]) -> list[Numbers]:
        """Rate pieces by the boosted trees."""
        rated = self.trees.log_odds(np.concatenate([standardized(rows) for rows in slots]))
        return np.split(rated, np.cumsum([len(rows) for rows in slots])[:-1])


@dataclass(frozen=True)
class Learners:
    """The learner of each fold, and the fold of each task."""

    learners: Sequence[Learner | None]
    folds: Mapping[str, int]

    def rates(self, task: Task) -> Mapping[str, Rate]:
        """Return how each method rates pieces in a task; nothing if no other task teaches any."""
        learner = self.learners[self.folds[task.id]] if task.id in self.folds else None
        return {"logistic": learner.by_weights, "boosted": learner.by_trees} if learner else {}


def learners(tasks: Sequence[tuple[World, Task]]) -> Learners:
    """Train a learner for each fold of some tasks, each with its world."""
    worlds = sorted({task.world for _, task in tasks})
    # Of one world, tasks themselves are dealt to the folds.
    folds = {
        task.id: (worlds.index(task.world) if len(worlds) > 1 else number) % FOLDS
        for number, (_, task) in enumerate(tasks)
    }
    taught: dict[int, list[list[Lesson]]] = {}
    for world, task in tasks:
        taught.setdefault(folds[task.id], []).append(list(lessons(world, task)))
    found = [_trained(taught[other] for other in taught if other != fold) for fold in range(FOLDS)]
    return Learners(found, folds)


def _trained(folds: Iterable[Sequence[Sequence[Lesson]]]) -> Learner | None:
    every = [lesson for tasks in folds for task in tasks for lesson in task]
    if not every:
        return None
    some = Random(0).sample(every, min(len(every), _MOST_LESSONS))  # noqa: S311 - reproducible
    rows, needed = np.concatenate([each.rows for each in some]), np.concatenate([each.needed for each in some])
    return Learner(logistic_weights(rows, needed), BoostedTrees(rows, needed))
