"""Asks what can be done and what it changes, what every plan passes, how the shortest begins, and where one fails."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from herobench.pddl.grounded import Grounded
from herobench.pddl.limits import SearchBudget, SearchLimits
from herobench.pddl.pruning import Symmetry
from herobench.pddl.relaxation import LmCut
from herobench.pddl.search import SearchOutcome, a_star
from herobench.task_gen.acp.scene import (
    ANY,
    LIMITS,
    PlannedTask,
    ProvenQuestion,
    QuestionQuery,
    grounded_at,
    lengthened,
)

_MOST_APPLICABLE = 100
"""The most actions that an answer to app may have, as in the paper."""


def ask_app(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> ProvenQuestion | None:
    """Ask for the applicable actions."""
    state = chance.choice(scene.states)
    actions = list(map(str, scene.grounded.applicable(state)))
    return ProvenQuestion(state, actions, actions) if 0 < len(actions) <= _MOST_APPLICABLE else None


def ask_prog(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> ProvenQuestion | None:
    """Ask for the effects of an applicable action that changes something."""
    state = chance.choice(scene.states)
    actions = [action for action in scene.grounded.applicable(state) if action.add & ~state or action.delete & state]
    if not actions:
        return None
    action = chance.choice(actions)
    changed = {"pos": _texts(scene, action.add & ~state), "neg": _texts(scene, action.delete & state)}
    return ProvenQuestion(state, changed, {**changed, "action": str(action)}, (action,))


def _texts(scene: PlannedTask, mask: int) -> list[str]:
    return list(map(str, scene.grounded.atoms_of(mask)))


_FOR_A_TWIN = 4
"""How much more a proof may cost where the distance to the goal is given."""
_HALF = 30
"""As long as the slack is smaller, states are at least half as far from the goal as wanted."""
FARTHEST = 25
"""How far from the goal the states of nexta may be, by the plan."""
_EFFORT, _LEAST = 150_000, 400
"""What the searches for one answer to nexta may cost together: states times actions, and the least number of states."""


def ask_land(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> ProvenQuestion | None:
    """Ask for a proposition that every plan makes true, though it holds neither now nor in the goal."""
    state = chance.choice([state for state in scene.states if scene.goal_mask & ~state])
    grounded = grounded_at(scene, state)
    found = grounded.landmarks(LIMITS)
    if found is None or found.unknown:
        return None
    needed = list(map(str, grounded.atoms_of(found.needed)))
    if not wanted.takes(not needed):
        return None
    return ProvenQuestion(state, {"yes": needed, "no": list(map(str, grounded.atoms_of(found.avoidable)))}, needed)


def ask_nexta(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> ProvenQuestion | None:
    """Ask for the first action of a shortest plan, in a state that is not too far from the goal."""
    state = _state_near(scene, chance, wanted)
    if not scene.goal_mask & ~state:
        return None
    grounded = grounded_at(scene, state)
    effort = max(_LEAST, _EFFORT // len(grounded.actions))
    budget = SearchBudget(SearchLimits(effort if wanted.length is None else effort * _FOR_A_TWIN))
    sound = first_actions(grounded, budget, wanted)
    if sound is None:
        return None
    return ProvenQuestion(state, {"yes": sound["yes"], "no": sound["no"], "maybe": [], "opt": str(sound["opt"])}, sound)


def first_actions(grounded: Grounded, budget: SearchBudget, wanted: QuestionQuery = ANY) -> dict[str, Any] | None:
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


def _state_near(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> int:
    """Return a state of the plan that is about as far from the goal as wanted, by the lower bound LM-cut."""
    nearest = scene.states[-min(FARTHEST, len(scene.plan)) - 1 : -1]
    if wanted.length is None:
        return chance.choice(nearest)
    # a state that is too far to be proven gives way to nearer ones, as far as the slack allows
    least = (wanted.length + 1) // 2 if wanted.slack < _HALF else 1
    length = max(least, wanted.length - chance.randint(0, wanted.slack // 2))
    estimate = LmCut(scene.grounded.actions, scene.goal_mask)
    return min(reversed(nearest), key=lambda state: abs((estimate(state) or 0) - length))


def _search(grounded: Grounded, state: int, bound: int | None, budget: SearchBudget, alike: Symmetry) -> SearchOutcome:
    estimate = partial(grounded.lm_cut, budget=budget)
    return a_star(grounded.actions, alike(state), grounded.goal, bound, budget, estimate, alike)


_VAL_LENGTHS = range(3, 141)
"""The lengths of the published plans, about."""


def ask_val(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> ProvenQuestion | None:
    """Ask for the first action that cannot be carried out: one position of the plan gets such an action."""
    longer = _long_enough(scene, chance, wanted)
    if longer is None:
        return None
    scene, plan = longer, longer.plan
    if len(plan) not in _VAL_LENGTHS or not wanted.fits(len(plan)):
        return None
    position = chance.randrange(len(plan))
    state = scene.states[position]
    wrong = [action for action in scene.grounded.actions if action.pre & ~state]
    if not wrong:
        return None
    actions = (*plan[:position], chance.choice(wrong), *plan[position + 1 :])
    return ProvenQuestion(scene.states[0], position, position, actions)


def _long_enough(scene: PlannedTask, chance: Random, wanted: QuestionQuery) -> PlannedTask | None:
    """Return the scene with a plan that is not much shorter than wanted."""
    missing = (wanted.length or min(_VAL_LENGTHS)) - len(scene.plan)
    return scene if missing <= 0 else lengthened(scene, chance, chance.randint(1, missing))
