"""The source of randomness of a world: one integer, so that a copy of a world draws the same numbers.

`reference` is the generator of the reference interpreter, with its overflow: its traces are exact only with it. Seed 0
is a fixed point there, where every draw is 0. `even` is splitmix64, which draws evenly from every seed.
"""

from __future__ import annotations

from typing import Literal

Generator = Literal["reference", "even"]
GENERATORS: tuple[Generator, ...] = ("reference", "even")

_32 = 0xFFFFFFFF
_64 = 0xFFFFFFFFFFFFFFFF


def seeded(seed: int, generator: Generator) -> int:
    """Return the first state for a seed."""
    return seed & (_32 if generator == "reference" else _64)


def drawn(state: int, below: int, generator: Generator) -> tuple[int, int]:
    """Return the next state, and a number below a positive bound."""
    if generator == "reference":
        state = ((48271 * state) & _32) % 0x7FFFFFFF
        return state, state % below
    state = (state + 0x9E3779B97F4A7C15) & _64
    mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _64
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _64
    return state, ((mixed ^ (mixed >> 31)) * below) >> 64
