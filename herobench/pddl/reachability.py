"""Decides which atoms can become true, and which actions can ever be carried out.

A sweep over the states that bring something new finds most of what can be reached. If it does not find everything, the
states are enumerated as far as a limit allows; often that is all of them. Mutexes refute most of what was not met. For
the rest there are searches, first short ones from the nearest known state, then long ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from herobench.pddl.limits import Budget, Limits
from herobench.pddl.mutexes import Mutexes
from herobench.pddl.relaxation import relaxed_closure
from herobench.pddl.search import enumerate_states, find_plan
from herobench.pddl.simulation import Action, bits

_TESTS = 4_000_000
"""How many tests of an action in a state the enumeration may cost: about half a second."""

_QUICK = 50
"""How many states a first search may look at. It starts from the state met so far that has most of what is asked."""


@dataclass(frozen=True, slots=True)
class ReachableAtoms:
    """Masks of the relaxed reachable atoms; all others are never true."""

    reachable: int
    never: int
    unknown: int


@dataclass(frozen=True, slots=True)
class ReachableActions:
    """The relaxed reachable actions; all others are never applicable."""

    reachable: list[Action]
    never: list[Action]
    unknown: list[Action]


def reachable_atoms(actions: Sequence[Action], state: int, limits: Limits) -> ReachableAtoms:
    """Decide, for each atom that is relaxed reachable, whether it holds in some reachable state."""
    atoms = [1 << number for number in bits(relaxed_closure(actions, state))]
    masks = {True: 0, False: 0, None: 0}
    for atom, answer in zip(atoms, reachable_goals(actions, state, atoms, limits), strict=True):
        masks[answer] |= atom
    return ReachableAtoms(masks[True], masks[False], masks[None])


def reachable_actions(actions: Sequence[Action], state: int, limits: Limits) -> ReachableActions:
    """Decide, for each action, whether it is applicable in some reachable state."""
    found: dict[bool | None, list[Action]] = {True: [], False: [], None: []}
    answers = reachable_goals(actions, state, [action.pre for action in actions], limits)
    for action, answer in zip(actions, answers, strict=True):
        found[answer].append(action)
    return ReachableActions(found[True], found[False], found[None])


def reachable_goals(actions: Sequence[Action], state: int, goals: Sequence[int], limits: Limits) -> list[bool | None]:
    """Decide, for each mask of atoms, whether they are true together in some reachable state."""
    # what allows a new action is worth a state, because more may follow
    open_goals = dict.fromkeys([*goals, *(action.pre for action in actions)])
    met = sweep(actions, state, open_goals, limits.states)
    _close(open_goals, met)
    if not any(goal in open_goals for goal in goals):
        return [True] * len(goals)
    more, complete = enumerate_states(actions, state, min(limits.states, 1 + _TESTS // (len(actions) + 1)))
    met += more
    _close(open_goals, met)
    if complete:
        return [goal not in open_goals for goal in goals]
    mutexes = Mutexes(actions, state)
    never = {goal for goal in open_goals if not mutexes.allows(goal)}
    usable = [action for action in actions if mutexes.allows(action.pre)]
    _close(open_goals, (), never)
    budget = Budget(limits)
    for goal in goals:
        if goal in open_goals and not budget.is_spent:
            near = max(met, key=lambda state: (goal & state).bit_count())
            found = find_plan(usable, near, goal, Limits(_QUICK))
            if found.plan:
                path = states_of(found.plan, near)
                new = [*path, *sweep(usable, path[-1], open_goals, limits.states)]
                met += new
                _close(open_goals, new)
    for goal in goals:
        if goal in open_goals:
            found = find_plan(usable, state, goal, budget)
            if found.proven:
                _close(open_goals, (), [goal])
                if found.plan is None:
                    never.add(goal)
    return [None if goal in open_goals else goal not in never for goal in goals]


def _close(open_goals: dict[int, None], met: Sequence[int], decided: Iterable[int] = ()) -> None:
    """Strike out the goals that hold in some of the states, and those that were decided."""
    for goal in [*_held(list(open_goals), met), *decided]:
        open_goals.pop(goal, None)


def sweep(actions: Sequence[Action], state: int, goals: Iterable[int], limit: int) -> list[int]:
    """Return up to `limit` reachable states, each of which is the first to fulfil some goal.

    A breadth-first search that goes on from such states only. So it is fast, and may miss goals that can be reached.
    """
    waiting: dict[int, set[int]] = {}
    """The goals that were not met yet, under each of their atoms."""
    for goal in goals:
        if goal & ~state:
            for number in bits(goal):
                waiting.setdefault(number, set()).add(goal)
    states, seen = [state], {state}
    for state in states:  # grows while it is read
        absent = ~state
        for _, _, pre, add, delete in actions:
            if pre & absent:
                continue
            new = state & ~delete | add
            if new in seen:
                continue
            seen.add(new)
            met = {goal for number in bits(add & absent) for goal in waiting.get(number, ()) if not goal & ~new}
            for goal in met:
                for number in bits(goal):
                    waiting[number].discard(goal)
            if met:
                states.append(new)
                if len(states) >= limit:
                    return states
    return states


def _held(goals: Sequence[int], states: Sequence[int]) -> Iterator[int]:
    """Yield the goals that hold in some of the states."""
    together = 0
    for state in states:
        together |= state
    for goal in goals:
        if not goal & ~together and any(not goal & ~state for state in states):
            yield goal


def states_of(plan: Sequence[Action], state: int) -> list[int]:
    """Return the states that a plan goes through, the first included."""
    states = [state]
    for action in plan:
        states.append(states[-1] & ~action.delete | action.add)
    return states
