"""Proves the length of a shortest solution, and that milestones are landmarks.

Rules cost nothing and only add, so a state is searched with all that follows from it. That facts fade is left out: it
only forbids plans. So the length that is found is a lower bound, and it is exact if the plan that is found, or another
one of this length, solves the level in the game.
"""

from __future__ import annotations

from collections.abc import Sequence

from herobench.pddl import Limits
from herobench.pddl.limits import ORDINARY
from herobench.pddl.lm_cut import LmCut
from herobench.pddl.search import Outcome, a_star
from herobench.suites.epoch.causal_rules import atom_of
from herobench.suites.epoch.content import causal_rules
from herobench.suites.epoch.game import Game
from herobench.suites.epoch.level import Level
from herobench.suites.epoch.world import world_of


def shortest_plan(level: Level, limits: Limits = ORDINARY) -> Outcome:
    """Return a shortest plan of a level in which nothing fades."""
    world = world_of(level)
    rules = {rule.name for rule in causal_rules()}
    estimate = LmCut(world.grounded.actions, world.grounded.goal, free=rules)
    return a_star(world.tool_actions, world.initial, world.grounded.goal, None, limits, estimate, world.rules.closed)


def landmarks(level: Level, limits: Limits = ORDINARY) -> frozenset[str]:
    """Return the facts that every solution makes true, those of the goal included, as far as the limits allow."""
    world = world_of(level)
    found = world.grounded.landmarks(limits)
    needed = 0 if found is None else found.needed | world.grounded.goal & ~world.initial
    return frozenset(world.facts(needed))


def as_turn(level: Level, action: str) -> dict[str, object]:
    """Return the turn that calls an action, such as `(take hester lantern mill-past)`."""
    name, args = atom_of(action)
    keys = world_of(level).keys(name)
    return {"call": {"name": name, "arguments": dict(zip(keys, args, strict=True))}}


def played(level: Level, plan: Sequence[str]) -> Game:
    """Return the game after a plan, or after the action that ended it."""
    game = level.start()
    for action in plan:
        if game.stop:
            break
        game.turn(as_turn(level, action))
    return game
