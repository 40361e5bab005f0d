"""Levers that spring back: orders a solution so that they come last, and draws how long they stay down."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from herobench.pddl import Action
from herobench.suites.epoch.level import Unstable
from herobench.suites.epoch.world import EpochWorld

FADES, UNTIL = "lever-pulled", "(clocks-aligned)"
_SLACK = 1
"""The most actions by which levers stay down longer than the solution needs."""


def levers_last(world: EpochWorld, plan: Sequence[Action]) -> list[Action]:
    """Return a plan in another order, in which everything that can come before the first lever does so."""
    early: list[Action] = []
    late: list[Action] = []
    for action in plan:
        if action.name != "pull-lever" and (not late or _solves(world, [*early, action, *late])):
            early.append(action)
        else:
            late.append(action)
    return [*early, *late]


def unstable_for(plan: Sequence[Action], chance: Random) -> Unstable:
    """Return how long levers stay down: so long that a plan whose levers come last is in time."""
    pulls = [number for number, action in enumerate(plan) if action.name == "pull-lever"]
    return Unstable(FADES, max(1, pulls[-1] - pulls[0] + chance.randint(0, _SLACK)), UNTIL)


def _solves(world: EpochWorld, plan: Sequence[Action]) -> bool:
    """Return whether a part of a plan can be carried out in this order."""
    state = world.initial
    for action in plan:
        if action.pre & ~state:
            return False
        state = world.rules.closed(state & ~action.delete | action.add)
    return True
