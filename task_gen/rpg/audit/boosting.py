"""Learners of two classes, in numpy: logistic regression, and boosted trees of a few levels.

Small enough to be read, and quick enough to be trained while an audit runs. The trees are those of gradient boosting
with the logistic loss: each tree takes a step of Newton's method in its leaves, on features cut into a few bins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
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
