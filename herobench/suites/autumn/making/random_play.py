"""Measures how often play without a thought gets somewhere.

Random play draws actions: each kind is as likely as the others, and so is each clicked cell. Matching play compares the
frame with a goal: it clicks on a cell that differs, or presses a key. Repeated play does one action again and again.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from herobench.suites.autumn.challenge import Planning, started
from herobench.suites.autumn.language.actions import KEYS
from herobench.suites.autumn.language.autumn_error import AutumnError
from herobench.suites.autumn.language.statistics import random_action
from herobench.suites.autumn.making.state_key import named_keys, names_clicks

PLAYS = 10
STEPS = 300
REPEATED = 60
"""The number of times that repeated play does an action."""
_CLICKS = 0.7
"""The share of clicks in matching play."""
Reached = Callable[[list[list[str]]], bool]
"""Says whether a frame is what is wanted."""


def matching_share(program: str, seed: int, goal: Planning, plays: int = PLAYS, steps: int = STEPS) -> int:
    """Return how many of some plays reach a goal by clicks on cells that differ from it, and keys in between."""
    return sum(_matches(program, seed, number, goal, steps) for number in range(plays))


def _matches(program: str, seed: int, number: int, goal: Planning, steps: int) -> bool:
    world = started(program, seed)
    random = Random(f"matching play {number}")  # noqa: S311  a measurement, no secret
    keys = KEYS if number % 2 else ("noop",)
    for _ in range(steps):
        differing = goal.differing(world.grid)
        if not differing:
            return True
        action = "click {} {}".format(*random.choice(differing)) if random.random() < _CLICKS else random.choice(keys)
        try:
            world.act(action)
        except AutumnError:
            return False
    return goal.reached(world.grid)


def repeated(program: str, seed: int, goal: Planning, times: int = REPEATED) -> str | None:
    """Return an action that reaches a goal when it is done again and again, `noop` first; None if there is none."""
    size = len(goal.goal)
    clicks = (f"click {x} {y}" for y in range(size) for x in range(size))
    actions = ("noop", *named_keys(program), *(clicks if names_clicks(program) else ()))
    return next((action for action in actions if _repeats(program, seed, goal, action, times)), None)


def _repeats(program: str, seed: int, goal: Planning, action: str, times: int) -> bool:
    world = started(program, seed)
    for _ in range(times):
        try:
            world.act(action)
        except AutumnError:
            return False
        if world.size == len(goal.goal) and goal.reached(world.grid):
            return True
    return False


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
