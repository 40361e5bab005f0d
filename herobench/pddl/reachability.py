"""Decides which atoms can become true, and which actions can ever be carried out.

A sweep over the states that bring something new finds most of what can be reached. If it does not find everything, the
states are enumerated as far as a limit allows; often that is all of them. Mutexes refute most of what was not met. For
the rest there are searches, first short ones from the nearest known state, then long ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeVar

from herobench.pddl.limits import KEPT, BudgetSpent, SearchBudget, SearchLimits
from herobench.pddl.relaxation import relaxed_closure
from herobench.pddl.search import Mutexes, enumerate_states, find_plan
from herobench.pddl.task import GroundAction, bits

_TESTS = 4_000_000
"""How many tests of an action in a state the enumeration may cost: about half a second."""

_QUICK = 50
"""How many states a first search may look at. It starts from the state met so far that has most of what is asked."""


_Things = TypeVar("_Things")


@dataclass(frozen=True, slots=True)
class Decided(Generic[_Things]):
    """The relaxed reachable atoms as masks, or actions as lists; all others are never true or applicable."""

    reachable: _Things
    never: _Things
    unknown: _Things


def reachable_atoms(actions: Sequence[GroundAction], state: int, limits: SearchLimits) -> Decided[int]:
    """Decide, for each atom that is relaxed reachable, whether it holds in some reachable state."""
    atoms = [1 << number for number in bits(relaxed_closure(actions, state))]
    masks = {True: 0, False: 0, None: 0}
    for atom, answer in zip(atoms, reachable_goals(actions, state, atoms, limits), strict=True):
        masks[answer] |= atom
    return Decided(masks[True], masks[False], masks[None])


def reachable_actions(actions: Sequence[GroundAction], state: int, limits: SearchLimits) -> Decided[list[GroundAction]]:
    """Decide, for each action, whether it is applicable in some reachable state."""
    by_answer: dict[bool | None, list[GroundAction]] = {True: [], False: [], None: []}
    answers = reachable_goals(actions, state, [action.pre for action in actions], limits)
    for action, answer in zip(actions, answers, strict=True):
        by_answer[answer].append(action)
    return Decided(by_answer[True], by_answer[False], by_answer[None])


def reachable_goals(
    actions: Sequence[GroundAction], state: int, goals: Sequence[int], limits: SearchLimits
) -> list[bool | None]:
    """Decide, for each mask of atoms, whether they are true together in some reachable state."""
    deciding = _Deciding(actions, state, goals, limits)
    with suppress(BudgetSpent):
        deciding.decide(goals)
    return [None if goal in deciding.open else goal not in deciding.never for goal in goals]


class _Deciding:
    """Decides about goals, and strikes them out."""

    def __init__(self, actions: Sequence[GroundAction], state: int, goals: Sequence[int], limits: SearchLimits) -> None:
        self._actions, self._state, self._limits = actions, state, limits
        # what allows a new action is worth a state, because more may follow
        self.open = dict.fromkeys([*goals, *(action.pre for action in actions)])
        """The goals that are not decided yet."""
        self.never: set[int] = set()
        """The goals that are proven out of reach."""
        self._budget = SearchBudget(limits)

    def decide(self, goals: Sequence[int]) -> None:
        """Decide about some of the goals, as far as the limits allow. Raises Spent."""
        actions, state, budget = self._actions, self._state, self._budget
        reached = sweep(actions, state, self.open, self._limits.states, budget)
        self._close(reached)
        if not any(goal in self.open for goal in goals):
            return
        more, complete = enumerate_states(actions, state, min(self._limits.states, 1 + _TESTS // (len(actions) + 1)))
        reached += more
        self._close(reached)
        if complete:
            self._refute(list(self.open))
            return
        mutexes = Mutexes(actions, state, budget)
        self._refute([goal for goal in self.open if not mutexes.allows(goal)])
        usable = [action for action in actions if mutexes.allows(action.pre)]
        for goal in goals:
            if goal in self.open and not budget.is_spent:
                self._search_near(goal, reached, usable)
        for goal in goals:
            if goal in self.open:
                outcome = find_plan(usable, state, goal, budget)
                if outcome.plan is not None:
                    self.open.pop(goal)
                elif outcome.proven:
                    self._refute([goal])

    def _search_near(self, goal: int, reached: list[int], usable: Sequence[GroundAction]) -> None:
        """Search shortly from the state met so far that has most of a goal, and add the states that are met then."""
        self._budget.test(len(reached))
        near = max(reached, key=lambda state: (goal & state).bit_count())
        outcome = find_plan(usable, near, goal, SearchBudget(SearchLimits(_QUICK), self._budget))
        if outcome.plan:
            path = follow_plan(outcome.plan, near)
            new = [*path, *sweep(usable, path[-1], self.open, self._limits.states, self._budget)]
            reached += new
            self._close(new)

    def _close(self, reached: Sequence[int]) -> None:
        """Strike out the goals that hold in some of the states."""
        together = 0
        for state in reached:
            together |= state
        for goal in list(self.open):
            if not goal & ~together:
                self._budget.test(len(reached))
                if any(not goal & ~state for state in reached):
                    self.open.pop(goal)

    def _refute(self, goals: Sequence[int]) -> None:
        for goal in goals:
            self.open.pop(goal)
            self.never.add(goal)


def sweep(
    actions: Sequence[GroundAction], state: int, goals: Iterable[int], limit: int, budget: SearchBudget
) -> list[int]:
    """Return up to `limit` reachable states. Each is the first to fulfil some goal.

    A breadth-first search that goes on from such states only. So it is fast, and may miss goals that can be reached.
    Raises Spent.
    """
    waiting: dict[int, set[int]] = {}
    """The goals that were not met yet, under each of their atoms."""
    for goal in goals:
        if goal & ~state:
            for number in bits(goal):
                waiting.setdefault(number, set()).add(goal)
    states, visited = [state], {state}
    for state in states:  # grows while it is read
        absent = ~state
        budget.test(len(actions))
        for _, _, pre, add, delete in actions:
            if pre & absent:
                continue
            new = state & ~delete | add
            if new in visited:
                continue
            budget.test(KEPT)
            visited.add(new)
            if _take_fulfilled(waiting, add & absent, new, budget):
                states.append(new)
                if len(states) >= limit:
                    return states
    return states


def _take_fulfilled(waiting: dict[int, set[int]], new_atoms: int, state: int, budget: SearchBudget) -> bool:
    """Take the goals out that a state fulfils of those that waited for the atoms added; return whether there are any.

    Raises Spent.
    """
    reached_goals = set[int]()
    for number in bits(new_atoms):
        here = waiting.get(number, ())
        budget.test(len(here))
        reached_goals.update(goal for goal in here if not goal & ~state)
    for goal in reached_goals:
        for number in bits(goal):
            waiting[number].discard(goal)
    return bool(reached_goals)


def follow_plan(plan: Sequence[GroundAction], state: int) -> list[int]:
    """Return the states that a plan goes through, the first included."""
    states = [state]
    for action in plan:
        states.append(states[-1] & ~action.delete | action.add)
    return states
