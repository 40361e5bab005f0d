"""Logistic regression on one variable by Firth's method, for many weighted copies of the data at once.

The chance of a win at x is 1 / (1 + exp(-(intercept + slope x))). Plain maximum likelihood has no answer if a point
separates the wins from the losses: the slope grows without end. Many bootstrap draws of a good ladder are like that.
Firth's method adds Jeffreys' prior to the likelihood, which keeps every slope finite, takes away most of the bias of
small samples, and has no setting to choose. With much data it changes nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_MOST_STEPS = 100
_LONGEST_STEP = 2.0
_DONE = 1e-7
_RIDGE = 1e-9
"""A part of the information that is added to it, so that it can be inverted if all x are the same."""
_AT_ONCE = 250
"""Copies that are fitted together: their arrays fit into the cache of a processor."""


def fit(x: Array, attempts: Array, wins: Array) -> tuple[Array, Array]:
    """Return intercept and slope for each row of attempts and wins, which has a value for each x.

    Center and scale x to about 1 before: the steps of the search are bounded.
    """
    parts = [
        _fit(x, attempts[start : start + _AT_ONCE], wins[start : start + _AT_ONCE])
        for start in range(0, len(attempts), _AT_ONCE)
    ]
    intercepts, slopes = zip(*parts, strict=True)
    return np.concatenate(intercepts), np.concatenate(slopes)


def chance(score: Array) -> Array:
    """Return the chance of a win from its log-odds."""
    # exp overflows to infinity far below 0, where the chance is 0 to every digit
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-score)), dtype=np.float64)


def _fit(x: Array, attempts: Array, wins: Array) -> tuple[Array, Array]:
    """Return intercepts and slopes by Newton's method, with steps of bounded length."""
    ones, square = np.ones_like(x), x * x
    intercepts, slopes = np.zeros(len(attempts)), np.zeros(len(attempts))
    open_rows = np.arange(len(attempts))
    for _ in range(_MOST_STEPS):
        tried = attempts[open_rows]
        p = chance(intercepts[open_rows, None] + slopes[open_rows, None] * x)
        # the information matrix ((s0, s1), (s1, s2)) and its determinant
        weight = tried * p * (1 - p)
        s0, s1, s2 = (_sums(weight, power) for power in (ones, x, square))
        ridge = _RIDGE * (s0 + s2)
        s0, s2 = s0 + ridge, s2 + ridge
        det = s0 * s2 - s1 * s1
        # Firth adds half a win and half a loss to each point, by its leverage
        a, b, c = (np.divide(part, det)[:, None] for part in (s2, -2 * s1, s0))
        leverage = weight * (a + x * (b + c * x))
        residual = wins[open_rows] - tried * p + leverage * (0.5 - p)
        u0, u1 = _sums(residual, ones), _sums(residual, x)
        steps = np.array([(s2 * u0 - s1 * u1) / det, (s0 * u1 - s1 * u0) / det])
        largest = np.abs(steps).max(0)
        steps *= np.minimum(1, _LONGEST_STEP / np.maximum(largest, _LONGEST_STEP))
        intercepts[open_rows] += steps[0]
        slopes[open_rows] += steps[1]
        open_rows = open_rows[largest > _DONE]
        if not len(open_rows):
            break
    return intercepts, slopes


def _sums(rows: Array, weights: Array) -> Array:
    """Return the weighted sum of each row. Unlike a product of matrices it adds in the same order on all machines."""
    return np.asarray(np.einsum("ij,j->i", rows, weights), dtype=np.float64)
