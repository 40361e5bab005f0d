"""How often random play gets somewhere. Each kind of action is as likely as the others, and so is each clicked cell."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from herobench.suites.autumn.challenge import started
from herobench.suites.autumn.language.autumn_error import AutumnError
from herobench.suites.autumn.language.statistics import random_action

PLAYS = 10
STEPS = 300
Reached = Callable[[list[list[str]]], bool]
"""Says whether a frame is what is wanted."""


def share_of(program: str, seed: int, reached: Reached, plays: int = PLAYS, steps: int = STEPS) -> dict[str, int]:
    """Return how many random plays reach something, of how many, and how long each may be."""
    count = sum(_reaches(program, seed, number, reached, steps) for number in range(plays))
    return {"plays": plays, "steps": steps, "reached": count}


def _reaches(program: str, seed: int, number: int, reached: Reached, steps: int) -> bool:
    world = started(program, seed)
    random = Random(f"random play {number}")  # noqa: S311  a measurement, no secret
    for _ in range(steps):
        try:
            world.act(random_action(random, world.size))
        except AutumnError:
            return False
        if reached(world.grid):
            return True
    return False
