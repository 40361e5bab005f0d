"""Chooses five wrong contents so that nothing tells the right one but knowledge of the rules.

Wrong contents are near misses of the right one, so the right one would be the most similar to all others, and its
number of objects would lie in the middle. Of the possible fives one is taken in which the right content has a wanted
rank among the six, by each of some measures. The ranks that are wanted are spread evenly over a set of challenges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from herobench.suites.autumn.challenge import Grid

_TRIES = 250


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a prediction should look, so that a set of them is balanced."""

    position: int
    """The number of the right choice."""
    spread: int
    """The rank of the right choice by its distance from the others, from 0 for the nearest to 5."""
    drawn: int
    """Its rank by the number of cells that are not background."""
    moved: int
    """Its rank by the distance from what was last seen."""
    still: bool
    """Whether the right choice is what was last seen."""


def wanted(seed: int | str, number: int) -> Wanted:
    """Return how the prediction of a number should look. In each six in a row every rank and position stands once."""
    block, at = divmod(number, 6)
    orders = []
    for measure in ("position", "spread", "drawn", "moved", "still"):
        order = list(range(6))
        Random(f"{seed}/{block}/{measure}").shuffle(order)  # noqa: S311  a draw, no secret
        orders.append(order[at])
    return Wanted(orders[0], orders[1], orders[2], orders[3], orders[4] == 0)


def chosen(
    truth: Grid, wrong: Sequence[Grid], last_seen: Grid, background: str, wish: Wanted, random: Random
) -> list[Grid]:
    """Return five of the wrong contents. What was last seen is among the six whenever it can be."""
    forced = [content for content in wrong if content == last_seen]
    others = [content for content in wrong if content != last_seen]
    distances = _distances([truth, *wrong])
    best: tuple[float, list[Grid]] | None = None
    for _ in range(_TRIES):
        five = forced + random.sample(others, 5 - len(forced))
        six = [truth, *five]
        measures = (
            (wish.spread, [sum(distances[one, other] for other in six) for one in six]),
            (wish.drawn, [sum(color != background for row in one for color in row) for one in six]),
            (wish.moved, [distance(one, last_seen) for one in six]),
        )
        cost = sum(abs(_rank(values) - rank) for rank, values in measures)
        if best is None or cost < best[0]:
            best = cost, five
    assert best is not None
    return best[1]


def _distances(contents: Sequence[Grid]) -> Mapping[tuple[Grid, Grid], int]:
    return {(one, other): distance(one, other) for one in contents for other in contents}


def distance(one: Grid, other: Grid) -> int:
    """Return the number of cells that differ."""
    return sum(a != b for mine, others in zip(one, other, strict=True) for a, b in zip(mine, others, strict=True))


def _rank(values: Sequence[int]) -> float:
    """Return the rank of the first value; equal ones share theirs."""
    first, *others = values
    return sum(value < first for value in others) + sum(value == first for value in others) / 2
