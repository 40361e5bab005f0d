"""Asks about a plan from its own start: where it fails, and what in it is superfluous.

A plan that is shorter than wanted is made longer by random actions before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from herobench.pddl.simulation import Action
from herobench.suites.acp.generate.asked import Asked, Wanted
from herobench.suites.acp.generate.scene import Scene, lengthened

_VAL_LENGTHS = range(3, 141)
_JUST_LENGTHS = range(3, 155)
"""The lengths of the published plans, about."""
_MOST_STATES = 400
"""How many states the search for the shortest part of a plan keeps of one position."""
_TRIES = 40
"""How many places are tried for superfluous actions."""

Plan = tuple[Action, ...]


def ask_val(scene: Scene, chance: Random, wanted: Wanted) -> Asked | None:
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
    return Asked(scene.states[0], position, position, actions)


def ask_just(scene: Scene, chance: Random, wanted: Wanted) -> Asked | None:
    """Ask for what can be left out of a plan. Where nothing can, something superfluous is put in."""
    longer = _long_enough(scene, chance, wanted)
    if longer is None:
        return None
    scene, plan = longer, longer.plan
    if not any(removable(scene, plan)):
        padded = _padded(scene, chance)
        if padded is None:
            return None
        plan = padded
    if len(plan) not in _JUST_LENGTHS or not wanted.fits(len(plan)):
        return None
    single, pair = removable(scene, plan)
    sound = {"single": single, "pair": pair, "shortest": shortest_part(scene, plan)}
    return Asked(scene.states[0], label_of_just(plan, single, pair), sound, plan)


def label_of_just(plan: Plan, single: Sequence[int], pair: Sequence[int]) -> list[list[str]]:
    """Return the answer in the published form: actions with the number of their occurrence, and pairs."""
    label = [[str(plan[place]), str(plan[: place + 1].count(plan[place]))] for place in single]
    return label + [[str(plan[place]), str(plan[place + 1]), "-1"] for place in pair]


def _long_enough(scene: Scene, chance: Random, wanted: Wanted) -> Scene | None:
    """Return the scene with a plan that is not much shorter than wanted."""
    missing = (wanted.length or min(_VAL_LENGTHS)) - len(scene.plan)
    return scene if missing <= 0 else lengthened(scene, chance, chance.randint(1, missing))


def removable(scene: Scene, plan: Plan) -> tuple[list[int], list[int]]:
    """Return the positions of the actions that can be left out alone, and of those that can with the next one."""
    single, pair = [], []
    for place, state in enumerate(_states(scene, plan)):
        if place < len(plan) and _reaches(scene, state, plan[place + 1 :]):
            single.append(place)
        if place + 1 < len(plan) and _reaches(scene, state, plan[place + 2 :]):
            pair.append(place)
    return single, pair


def _states(scene: Scene, plan: Plan) -> Iterator[int]:
    state = scene.states[0]
    yield state
    for action in plan:
        state = scene.grounded.progress(state, action)
        yield state


def _reaches(scene: Scene, state: int, actions: Sequence[Action]) -> bool:
    """Return whether actions can be carried out from a state and reach the goal."""
    for _, _, pre, add, delete in actions:
        if pre & ~state:
            return False
        state = state & ~delete | add
    return not scene.goal_mask & ~state


def _padded(scene: Scene, chance: Random) -> Plan | None:
    """Return the plan with one or two superfluous actions more; None if none are found."""
    grounded, plan = scene.grounded, scene.plan
    for _ in range(_TRIES):
        place = chance.randrange(len(plan) + 1)
        before, after = plan[:place], plan[place:]
        action = chance.choice(grounded.applicable(scene.states[place]) or plan)
        state = grounded.progress(scene.states[place], action)
        if not grounded.is_applicable(scene.states[place], action):
            continue
        if _reaches(scene, state, after):
            return (*before, action, *after)
        back = [
            other for other in grounded.applicable(state) if _reaches(scene, grounded.progress(state, other), after)
        ]
        if back:
            return (*before, action, chance.choice(back), *after)
    return None


def shortest_part(scene: Scene, plan: Plan) -> int | None:
    """Return the length of the shortest plan among the parts of a plan; None if they lead to too many states."""
    lengths = {scene.states[0]: 0}
    for action in plan:
        for state, length in list(lengths.items()):
            if not action.pre & ~state:
                new = scene.grounded.progress(state, action)
                lengths[new] = min(lengths.get(new, length + 1), length + 1)
        if len(lengths) > _MOST_STATES:
            return None
    # an empty answer is none
    return min((length for state, length in lengths.items() if length and not scene.goal_mask & ~state), default=None)
