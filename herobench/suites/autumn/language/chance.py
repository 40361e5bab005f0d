"""The source of randomness of a world: one integer, so that a copy of a world draws the same numbers.

`reference` is the generator of the reference interpreter, with its overflow: its traces are exact only with it. Seed 0
is a fixed point there, where every draw is 0. `even` is splitmix64, which draws evenly from every seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Generator = Literal["reference", "even"]

_32 = 0xFFFFFFFF
_64 = 0xFFFFFFFFFFFFFFFF


@dataclass(frozen=True, slots=True)
class Script:
    """Numbers that are told in advance: a state of chance with which every outcome of a step can be gone through."""

    numbers: tuple[int, ...] = ()
    """The numbers of the first draws, and after a draw of all draws so far."""
    bounds: tuple[int, ...] = ()
    """The bounds of the draws so far."""
    beyond: int | None = None
    """The state of the generator `even` that gives the numbers beyond those that are told; None if they are all 0."""

    def draw(self, below: int) -> tuple[Script, int]:
        """Return the next state, and the number of this draw. A number that is told for a greater bound wraps."""
        at, numbers, beyond = len(self.bounds), self.numbers, self.beyond
        if at >= len(numbers):
            number = 0
            if beyond is not None:
                beyond, number = _even(beyond, below)
            numbers = (*numbers, number)
        return Script(numbers, (*self.bounds, below), beyond), numbers[at] % below

    def next(self) -> Script | None:
        """Return the script of the outcome after this one; None after the last one."""
        numbers = list(self.numbers[: len(self.bounds)])
        while numbers and numbers[-1] + 1 >= self.bounds[len(numbers) - 1]:
            numbers.pop()
        return Script((*numbers[:-1], numbers[-1] + 1)) if numbers else None


Chance = int | Script
"""A state of chance."""


def first_state(seed: Chance, generator: Generator) -> Chance:
    """Return the first state for a seed."""
    if isinstance(seed, Script):
        return seed
    return seed & (_32 if generator == "reference" else _64)


def draw(state: Chance, below: int, generator: Generator) -> tuple[Chance, int]:
    """Return the next state, and a number below a positive bound."""
    if isinstance(state, Script):
        return state.draw(below)
    if generator == "reference":
        state = ((48271 * state) & _32) % 0x7FFFFFFF
        return state, state % below
    return _even(state, below)


def _even(state: int, below: int) -> tuple[int, int]:
    state = (state + 0x9E3779B97F4A7C15) & _64
    mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _64
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _64
    return state, ((mixed ^ (mixed >> 31)) * below) >> 64
