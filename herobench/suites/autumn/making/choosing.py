"""Chooses five wrong contents so that nothing tells the right one but knowledge of the rules.

Wrong contents are near misses of the right one, so the right one would be the most similar to all others, and its
number of objects would lie in the middle. Of the possible fives one is taken in which the right content has a wanted
rank among the six, by each of some measures. The ranks that are wanted are spread evenly over a set of challenges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from herobench.suites.autumn.challenge import Grid

_TRIES = 1000
_WEIGHT = 3
"""The weight of the similarity: it is what near misses tell first."""


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
    contents = [truth, *wrong]
    apart = [[distance(one, other) for other in contents] for one in contents]
    drawn = [sum(color != background for row in content for color in row) for content in contents]
    moved = [distance(content, last_seen) for content in contents]
    forced = [number for number, content in enumerate(contents) if number and content == last_seen]
    others = [number for number, content in enumerate(contents) if number and content != last_seen]
    best: tuple[float, list[int]] | None = None
    for _ in range(_TRIES):
        six = [0, *forced, *random.sample(others, 5 - len(forced))]
        spread = [sum(apart[one][other] for other in six) for one in six]
        cost = (
            _WEIGHT * abs(_rank(spread) - wish.spread)
            + abs(_rank([drawn[one] for one in six]) - wish.drawn)
            + abs(_rank([moved[one] for one in six]) - wish.moved)
        )
        if best is None or cost < best[0]:
            best = cost, six
    assert best is not None
    return [contents[number] for number in best[1][1:]]


def distance(one: Grid, other: Grid) -> int:
    """Return the number of cells that differ."""
    return sum(a != b for mine, others in zip(one, other, strict=True) for a, b in zip(mine, others, strict=True))


def _rank(values: Sequence[int]) -> float:
    """Return the rank of the first value; equal ones share theirs."""
    first, *others = values
    return sum(value < first for value in others) + sum(value == first for value in others) / 2
