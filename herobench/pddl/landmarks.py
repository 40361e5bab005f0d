"""Decides which atoms every plan makes true on its way.

An atom that neither holds at the start nor belongs to the goal is a landmark if and only if the task has no plan
without the actions that add it. Delete relaxation finds most landmarks at once. Each plan that is found refutes all
atoms that it does not meet. A search decides what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from herobench.pddl.limits import Budget, Limits, Spent
from herobench.pddl.relaxation import relaxed_closure, relaxed_landmarks
from herobench.pddl.search import decide_plan, find_plan
from herobench.pddl.simulation import Action


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Masks of the atoms that can be reached, and neither hold at the start nor belong to the goal."""

    needed: int
    """The landmarks."""
    avoidable: int
    """The atoms without which a plan was found."""
    unknown: int
    """The atoms that the limits left undecided."""


def find_landmarks(actions: Sequence[Action], state: int, goal: int, limits: Limits) -> Landmarks | None:
    """Return the landmarks of all ways from a state to a goal; None if the goal is known to be out of reach."""
    budget = Budget(limits)
    try:
        needed = relaxed_landmarks(actions, state, goal, budget)
        asked = relaxed_closure(actions, state, budget) & ~state & ~goal
    except Spent:
        reached = 0
        for action in actions:
            reached |= action.add
        return Landmarks(0, 0, reached & ~state & ~goal)
    if needed is None:
        return None
    needed &= asked
    first = find_plan(actions, state, goal, budget)
    if first.plan is None:
        return None if first.proven else Landmarks(needed, 0, asked & ~needed)
    avoidable = asked & ~_met(first.plan)
    unknown = 0
    while rest := asked & ~needed & ~avoidable & ~unknown:
        atom = rest & -rest
        try:
            budget.test(len(actions))
        except Spent:
            unknown |= rest
            break
        without = [action for action in actions if not action.add & atom]
        found = decide_plan(without, state, goal, budget)
        if found.plan is not None:
            avoidable |= asked & ~_met(found.plan)
        elif found.proven:
            needed |= atom
        else:
            unknown |= atom
    return Landmarks(needed, avoidable, unknown)


def _met(plan: Sequence[Action]) -> int:
    """Return the atoms that a plan adds."""
    met = 0
    for action in plan:
        met |= action.add
    return met
