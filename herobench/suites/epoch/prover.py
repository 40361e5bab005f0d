"""Proves the length of a shortest solution, and that milestones are landmarks.

Rules cost nothing and only add, so a state is searched with all that follows from it. That facts fade is left out: it
only forbids plans. So the length that is found is a lower bound, and it is exact if the plan that is found, or another
one of this length, solves the level in the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from herobench.pddl import Limits
from herobench.pddl.limits import ORDINARY
from herobench.pddl.lm_cut import LmCut
from herobench.pddl.search import Outcome, a_star
from herobench.suites.epoch.causal_rules import atom_of
from herobench.suites.epoch.content import causal_rules
from herobench.suites.epoch.game import Game
from herobench.suites.epoch.level import Level
from herobench.suites.epoch.tours import Tours
from herobench.suites.epoch.useful import Useful
from herobench.suites.epoch.world import EpochWorld, world_of


def shortest_plan(level: Level, limits: Limits = ORDINARY, bound: int | None = None) -> Outcome:
    """Return a shortest plan of a level in which nothing fades; with a bound, only one of at most so many actions."""
    world = world_of(level)
    return _searched(world, world.initial, world.grounded.goal, bound, limits)


def shortest_way(world: EpochWorld, state: int, goal: int, limits: Limits) -> Outcome:
    """Return a shortest plan from a state to the facts of a mask, if nothing fades."""
    return _searched(world, state, goal, None, limits)


def is_shortest(level: Level, length: int, limits: Limits = ORDINARY) -> bool | None:
    """Return whether no plan is shorter than a length; None if the limits are too narrow to know."""
    shorter = shortest_plan(level, limits, length - 1).exists
    return None if shorter is None else not shorter


def _searched(world: EpochWorld, state: int, goal: int, bound: int | None, limits: Limits) -> Outcome:
    rules = {rule.name for rule in causal_rules()}
    actions = [*world.tool_actions, *(action for action in world.grounded.actions if action.name in rules)]
    useful = Useful(actions, rules, world.grounded.atoms, goal)
    actions = useful.towards_goal(state)
    tours = Tours(actions, goal, rules, world.grounded.atoms)
    estimate = tours if tours.fits else LmCut(actions, goal, free=rules)
    return a_star(actions, state, goal, bound, limits, estimate, world.rules.closed, useful)


def landmarks(level: Level, limits: Limits = ORDINARY) -> frozenset[str]:
    """Return the facts that every solution makes true, those of the goal included, as far as the limits allow."""
    world = world_of(level)
    found = world.grounded.landmarks(limits)
    needed = 0 if found is None else found.needed | world.grounded.goal & ~world.initial
    return frozenset(world.facts(needed))


def call_of(level: Level, action: str) -> dict[str, Any]:
    """Return the call of an action, such as `(take hester lantern mill-past)`."""
    name, args = atom_of(action)
    return {"name": name, "arguments": dict(zip(world_of(level).keys(name), args, strict=True))}


def played(level: Level, plan: Sequence[str]) -> Game:
    """Return the game after a plan, or after the action that ended it."""
    game = level.start()
    for action in plan:
        if game.stop:
            break
        game.turn({"call": call_of(level, action)})
    return game
