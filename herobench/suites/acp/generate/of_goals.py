"""Asks about the way to the goal: what every plan makes true, and with which action a shortest plan begins."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from herobench.pddl.grounded import Grounded
from herobench.pddl.limits import Budget, Limits
from herobench.pddl.lm_cut import LmCut
from herobench.pddl.search import Outcome, a_star
from herobench.pddl.symmetry import Symmetry
from herobench.suites.acp.generate.asked import ANY, LIMITS, Asked, Wanted, grounded_at
from herobench.suites.acp.generate.scene import Scene

_FOR_A_TWIN = 4
"""How much more a proof may cost where the distance to the goal is given."""
_HALF = 30
"""As long as the slack is smaller, states are at least half as far from the goal as wanted."""
FARTHEST = 25
"""How far from the goal the states of nexta may be, by the plan."""
_EFFORT, _LEAST = 150_000, 400
"""What the searches for one answer to nexta may cost together: states times actions, and the least number of states."""


def ask_land(scene: Scene, chance: Random, wanted: Wanted) -> Asked | None:
    """Ask for a proposition that every plan makes true, though it holds neither now nor in the goal."""
    state = chance.choice([state for state in scene.states if scene.goal_mask & ~state])
    grounded = grounded_at(scene, state)
    found = grounded.landmarks(LIMITS)
    if found is None or found.unknown:
        return None
    needed = list(map(str, grounded.atoms_of(found.needed)))
    if not wanted.takes(not needed):
        return None
    return Asked(state, {"yes": needed, "no": list(map(str, grounded.atoms_of(found.avoidable)))}, needed)


def ask_nexta(scene: Scene, chance: Random, wanted: Wanted) -> Asked | None:
    """Ask for the first action of a shortest plan, in a state that is not too far from the goal."""
    state = _state_near(scene, chance, wanted)
    if not scene.goal_mask & ~state:
        return None
    grounded = grounded_at(scene, state)
    effort = max(_LEAST, _EFFORT // len(grounded.actions))
    budget = Budget(Limits(effort if wanted.length is None else effort * _FOR_A_TWIN))
    sound = first_actions(grounded, budget, wanted)
    if sound is None:
        return None
    return Asked(state, {"yes": sound["yes"], "no": sound["no"], "maybe": [], "opt": str(sound["opt"])}, sound)


def first_actions(grounded: Grounded, budget: Budget, wanted: Wanted = ANY) -> dict[str, Any] | None:
    """Return which actions begin a shortest plan and which do not; None if that is not proven, or not wanted."""
    alike = Symmetry(grounded)
    shortest = _search(grounded, grounded.initial, None, budget, alike).plan
    if shortest is None or not wanted.fits(len(shortest)):
        return None
    sides: dict[bool, list[str]] = {True: [], False: []}
    for action in grounded.applicable(grounded.initial):
        after = grounded.progress(grounded.initial, action)
        is_next = _search(grounded, after, len(shortest) - 1, budget, alike).exists
        if is_next is None:
            return None
        sides[is_next].append(str(action))
    return {"yes": sides[True], "no": sides[False], "opt": len(shortest)}


def _state_near(scene: Scene, chance: Random, wanted: Wanted) -> int:
    """Return a state of the plan that is about as far from the goal as wanted, by the lower bound LM-cut."""
    nearest = scene.states[-min(FARTHEST, len(scene.plan)) - 1 : -1]
    if wanted.length is None:
        return chance.choice(nearest)
    # a state that is too far to be proven gives way to nearer ones, as far as the slack allows
    least = (wanted.length + 1) // 2 if wanted.slack < _HALF else 1
    length = max(least, wanted.length - chance.randint(0, wanted.slack // 2))
    estimate = LmCut(scene.grounded.actions, scene.goal_mask)
    return min(reversed(nearest), key=lambda state: abs((estimate(state) or 0) - length))


def _search(grounded: Grounded, state: int, bound: int | None, budget: Budget, alike: Symmetry) -> Outcome:
    estimate = partial(grounded.lm_cut, budget=budget)
    return a_star(grounded.actions, alike(state), grounded.goal, bound, budget, estimate, alike)
