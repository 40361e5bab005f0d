"""What all makers share: the form of a maker, and draws that several of them need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from herobench.task_gen.acp.scene import Counts, Instance

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Maker:
    """Draws instances of one domain."""

    sizes: Sequence[Counts]
    """The sizes of the published instances."""
    make: Callable[[Random, Counts], Instance]


def some(chance: Random, things: Sequence[str], least: int = 1) -> list[str]:
    """Return at least so many of some things, in their order."""
    chosen = set(chance.sample(things, chance.randint(min(least, len(things)), len(things))))
    return [thing for thing in things if thing in chosen]


def numbered(name: str, count: int, start: int = 0) -> list[str]:
    """Return names with numbers behind them."""
    return [f"{name}{number}" for number in range(start, start + count)]


def towers(chance: Random, things: Iterable[str], most: int) -> list[list[str]]:
    """Pile things up at random, in at most so many piles. A pile begins with what lies lowest."""
    piles: list[list[str]] = []
    for thing in chance.sample(list(things), len(list(things))):
        place = chance.randrange(len(piles) + (len(piles) < most))
        if place == len(piles):
            piles.append([])
        piles[place].append(thing)
    return piles


def field_of(rows: int, columns: int) -> list[Cell]:
    """Return the cells of a field, row by row."""
    return [(row, column) for row in range(rows) for column in range(columns)]


def beside(cell: Cell) -> Iterator[Cell]:
    """Yield the four neighbors of a cell, whether or not they exist."""
    row, column = cell
    yield from ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
