"""Delete relaxation: what can be reached, and what every plan needs, if actions delete nothing.

Whatever is unreachable or needed here is so in the task itself; the reverse does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from herobench.pddl.limits import ORDINARY, SearchBudget
from herobench.pddl.simulation import GroundAction, bits


def relaxed_closure(actions: Iterable[GroundAction], state: int, budget: SearchBudget | None = None) -> int:
    """Return the mask of the atoms that actions can reach from a state if they delete nothing. Raises Spent."""
    budget = budget or SearchBudget(ORDINARY)
    waiting = list(actions)
    before = -1
    while waiting and state != before:
        budget.test(len(waiting))
        before = state
        blocked = []
        for action in waiting:
            if action[2] & ~state:
                blocked.append(action)
            else:
                state |= action[3]
        waiting = blocked
    return state


def relaxed_landmarks(
    actions: Sequence[GroundAction], state: int, goal: int, budget: SearchBudget | None = None
) -> int | None:
    """Return the mask of the atoms that must be added to reach a goal if actions delete nothing; None if it cannot be.

    For each atom the function keeps the set of atoms that every way to it adds: the intersection over the actions that
    add it. The sets only shrink, so the greatest fixed point is found by repetition. It is exact for the relaxation.
    Raises Spent.
    """
    budget = budget or SearchBudget(ORDINARY)
    reached = relaxed_closure(actions, state, budget)
    if goal & ~reached:
        return None
    labels = [-1] * reached.bit_length()
    for number in bits(state):
        labels[number] = 0
    usable = [(list(bits(action.pre)), action.add) for action in actions if not action.pre & ~reached]
    tests = sum(1 + len(pre) + add.bit_count() for pre, add in usable)
    changed = True
    while changed:
        budget.test(tests)
        changed = False
        for pre, add in usable:
            label = add
            for number in pre:
                label |= labels[number]
            if label == -1:
                continue  # a part of the precondition has not been reached yet
            for number in bits(add):
                old = labels[number]
                if old & label != old:
                    labels[number] = old & label
                    changed = True
    needed = 0
    for number in bits(goal):
        needed |= labels[number]
    return needed & ~state


class FastForward:
    """Estimates the distance to a goal by the length of a relaxed plan, as the planner FF does."""

    def __init__(self, actions: Sequence[GroundAction], goal: int, budget: SearchBudget) -> None:
        self._actions = actions
        self._goal = goal
        self._budget = budget

    def __call__(self, state: int) -> tuple[int, list[GroundAction]] | None:
        """Return the number of actions of a relaxed plan, and those that are applicable now; None if there is none.

        Raises Spent.
        """
        layers = self._layers(state)
        return None if layers is None else self._extract(state, *layers)

    def _layers(self, state: int) -> tuple[list[int], dict[int, GroundAction]] | None:
        """Return the new atoms of each layer, and for each new atom the first action that adds it."""
        waiting: Sequence[GroundAction] = self._actions
        reached, goal = state, self._goal
        layers: list[int] = []
        supporters: dict[int, GroundAction] = {}
        while goal & ~reached:
            self._budget.test(len(waiting))
            absent = ~reached
            blocked = []
            for action in waiting:
                if action[2] & absent:
                    blocked.append(action)
                elif new := action[3] & ~reached:
                    reached |= new
                    for number in bits(new):
                        supporters[number] = action
            if not reached & absent:
                return None
            layers.append(reached & absent)
            waiting = blocked
        return layers, supporters

    def _extract(
        self, state: int, layers: list[int], supporters: dict[int, GroundAction]
    ) -> tuple[int, list[GroundAction]]:
        """Choose for each needed atom its supporter, from the last layer to the first."""
        needed = self._goal & ~state
        chosen: dict[GroundAction, None] = {}
        for layer in reversed(layers):
            for number in bits(needed & layer):
                action = supporters[number]
                if action not in chosen:
                    chosen[action] = None
                    needed |= action.pre & ~state
        return len(chosen), [action for action in chosen if not action.pre & ~state]
