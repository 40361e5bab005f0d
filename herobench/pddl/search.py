"""Searches in the states of a grounded task. Every search has limits, and says when they kept it from an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from heapq import heappop, heappush
from typing import ParamSpec

from herobench.pddl.limits import KEPT, ORDINARY, BudgetSpent, SearchBudget, SearchLimits
from herobench.pddl.relaxation import FastForward, relaxed_closure, relaxed_landmarks
from herobench.pddl.task import GroundAction, bits


class Mutexes:
    """The pairs of atoms that may be true together in states reachable from one state."""

    def __init__(self, actions: Sequence[GroundAction], state: int, budget: SearchBudget | None = None) -> None:
        """Find the pairs. Raises Spent."""
        self._budget = budget or SearchBudget(ORDINARY)
        self._partners: dict[int, int] = {}
        """For each atom that may become true, the mask of the atoms that may be true with it, itself included."""
        self._reached = 0
        self._changed = True
        self._join(state, state)
        while self._changed:
            self._changed = False
            self._budget.test(sum(1 + action.pre.bit_count() for action in actions))
            for action in actions:
                self._apply(action)

    def allows(self, atoms: int) -> bool:
        """Return False if the atoms are never true together."""
        return not atoms & ~self._common(atoms)

    def _common(self, atoms: int) -> int:
        """Return the atoms that may be true with each of some atoms."""
        common = self._reached
        partners = self._partners
        for number in bits(atoms):
            common &= partners.get(number, 0)
        return common

    def _apply(self, action: GroundAction) -> None:
        common = self._common(action.pre)
        if not action.pre & ~common:
            self._join(action.add, common & ~action.delete | action.add)

    def _join(self, atoms: int, others: int) -> None:
        """Note that each of some atoms may be true with each of some others."""
        partners = self._partners
        self._reached |= atoms
        self._budget.test(atoms.bit_count())
        for number in bits(atoms):
            new = others & ~partners.get(number, 0)
            if new:
                self._changed = True
                self._budget.test(new.bit_count())
                partners[number] = partners.get(number, 0) | new
                for other in bits(new):
                    partners[other] = partners.get(other, 0) | 1 << number


Parents = dict[int, tuple[int, GroundAction] | None]
"""For each state the one before it and the action between them; None for the first state."""

_NEVER = 1 << 30
"""The distance of a state that was not met."""
_DEAD = -1
"""The distance of a state without a way to the goal. It is smaller than any, so the state is not looked at again."""


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """What a search for a plan found."""

    plan: list[GroundAction] | None
    proven: bool
    """True if a plan was found, or there is none. False if the limits ended the search: then nothing is known."""

    @property
    def exists(self) -> bool | None:
        """Return whether there is a plan; None if that is unknown."""
        return self.plan is not None if self.proven else None


def enumerate_states(actions: Sequence[GroundAction], state: int, limit: int) -> tuple[list[int], bool]:
    """Return up to `limit` states reachable from a state, nearest first, and whether these are all."""
    states = [state]
    visited = {state}
    for state in states:  # grows while it is read
        absent = ~state
        for _, _, pre, add, delete in actions:
            if not pre & absent:
                new = state & ~delete | add
                if new not in visited:
                    if len(states) >= limit:
                        return states, False
                    visited.add(new)
                    states.append(new)
    return states, True


_Search = ParamSpec("_Search")


def _unknown_when_spent(search: Callable[_Search, SearchOutcome]) -> Callable[_Search, SearchOutcome]:
    """Let a search answer "unknown" when its tests are used up."""

    @wraps(search)
    def within(*args: _Search.args, **kwargs: _Search.kwargs) -> SearchOutcome:
        try:
            return search(*args, **kwargs)
        except BudgetSpent:
            return SearchOutcome(None, False)

    return within


def _as_budget(limits: SearchLimits | SearchBudget) -> SearchBudget:
    """Return the budget that a caller shares, or a new one for his limits."""
    return limits if isinstance(limits, SearchBudget) else SearchBudget(limits)


@_unknown_when_spent
def a_star(
    actions: Sequence[GroundAction],
    state: int,
    goal: int,
    bound: int | None,
    limits: SearchLimits | SearchBudget,
    estimate: Callable[[int], int | None],
    stand_in: Callable[[int], int] | None = None,
    narrowed: Callable[[int], Sequence[GroundAction]] | None = None,
) -> SearchOutcome:
    """Return a shortest plan of at most `bound` actions. The limits count the states that are estimated.

    `estimate` is an admissible heuristic for the goal, such as LM-cut: a lower bound on the actions from a state, None
    where the goal cannot be reached. It keeps its values, so one serves several searches. `stand_in` returns the state
    that is searched in place of a new one: the state after everything that follows automatically, or one representative
    of all equivalent states. Then only the length of the plan is right. `narrowed` returns the actions that are enough
    to try in a state.
    """
    budget = _as_budget(limits)
    most = float("inf") if bound is None else bound
    first = estimate(state)
    if first is None or first > most:
        return SearchOutcome(None, True)
    queue = [(first, first, 0, state)]
    distances = {state: 0}
    parents: Parents = {state: None}
    while queue:
        _, queued_estimate, distance, state = heappop(queue)
        if distance > distances[state]:
            continue
        if not goal & ~state:
            return SearchOutcome(path(parents, state), True)
        absent, distance = ~state, distance + 1
        choices = narrowed(state) if narrowed else actions
        is_forced = len(choices) == 1
        budget.test(len(choices))
        for action in choices:
            if action[2] & absent:
                continue
            new = state & ~action[4] | action[3]
            if stand_in:
                new = stand_in(new)
            if distances.get(new, _NEVER) <= distance:
                continue
            if not budget.take():
                return SearchOutcome(None, False)
            budget.test(KEPT)
            # without a choice, the state before tells enough
            value = 0 if is_forced else estimate(new)
            if value is None:
                distances[new] = _DEAD
                continue
            value = max(value, queued_estimate - 1)
            if distance + value <= most:
                distances[new] = distance
                parents[new] = state, action
                heappush(queue, (distance + value, value, distance, new))
    return SearchOutcome(None, True)


@_unknown_when_spent
def find_plan(
    actions: Sequence[GroundAction], state: int, goal: int, limits: SearchLimits | SearchBudget
) -> SearchOutcome:
    """Return some plan, by a greedy search. It ends without one only if there is none or the limits are reached."""
    budget = _as_budget(limits)
    estimate = FastForward(actions, goal, budget)
    parents: Parents = {state: None}
    queue = [(0, 0, state)]
    count = 0
    while queue:
        _, _, state = heappop(queue)
        if not goal & ~state:
            return SearchOutcome(path(parents, state), True)
        if not budget.take():
            return SearchOutcome(None, False)
        evaluation = estimate(state)
        if evaluation is None:
            continue
        value, helpful = evaluation
        absent = ~state
        budget.test(len(actions))
        for rank, action in enumerate((*helpful, *actions)):
            if not action[2] & absent:
                new = state & ~action[4] | action[3]
                if new not in parents:
                    budget.test(KEPT)
                    parents[new] = state, action
                    count += 1
                    heappush(queue, (2 * value + (rank >= len(helpful)), -count, new))
    return SearchOutcome(None, True)


@_unknown_when_spent
def decide_plan(
    actions: Sequence[GroundAction], state: int, goal: int, limits: SearchLimits | SearchBudget
) -> SearchOutcome:
    """Return some plan, or the proof that there is none: by delete relaxation, by mutexes, or by a whole search."""
    budget = _as_budget(limits)
    if goal & ~relaxed_closure(actions, state, budget):
        return SearchOutcome(None, True)
    quick = find_plan(actions, state, goal, SearchBudget(SearchLimits(_QUICK), budget))
    if quick.proven:
        return quick
    mutexes = Mutexes(actions, state, budget)
    if not mutexes.allows(goal):
        return SearchOutcome(None, True)
    return find_plan([action for action in actions if mutexes.allows(action.pre)], state, goal, budget)


_QUICK = 100
"""How many states are looked at before the mutexes are computed."""


def path(parents: Parents, state: int) -> list[GroundAction]:
    """Return the actions that led to a state."""
    actions = []
    while step := parents[state]:
        state, action = step
        actions.append(action)
    return actions[::-1]


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Masks of the atoms that can be reached, and neither hold at the start nor belong to the goal."""

    needed: int
    """The landmarks."""
    avoidable: int
    """The atoms without which a plan was found."""
    unknown: int
    """The atoms that the limits left undecided."""


def find_landmarks(actions: Sequence[GroundAction], state: int, goal: int, limits: SearchLimits) -> Landmarks | None:
    """Return the landmarks of all ways from a state to a goal; None if the goal is known to be out of reach."""
    budget = SearchBudget(limits)
    try:
        needed = relaxed_landmarks(actions, state, goal, budget)
        candidates = relaxed_closure(actions, state, budget) & ~state & ~goal
    except BudgetSpent:
        reached = 0
        for action in actions:
            reached |= action.add
        return Landmarks(0, 0, reached & ~state & ~goal)
    if needed is None:
        return None
    needed &= candidates
    first = find_plan(actions, state, goal, budget)
    if first.plan is None:
        return None if first.proven else Landmarks(needed, 0, candidates & ~needed)
    avoidable = candidates & ~_added_atoms(first.plan)
    unknown = 0
    while rest := candidates & ~needed & ~avoidable & ~unknown:
        atom = rest & -rest
        try:
            budget.test(len(actions))
        except BudgetSpent:
            unknown |= rest
            break
        without = [action for action in actions if not action.add & atom]
        outcome = decide_plan(without, state, goal, budget)
        if outcome.plan is not None:
            avoidable |= candidates & ~_added_atoms(outcome.plan)
        elif outcome.proven:
            needed |= atom
        else:
            unknown |= atom
    return Landmarks(needed, avoidable, unknown)


def _added_atoms(plan: Sequence[GroundAction]) -> int:
    """Return the atoms that a plan adds."""
    additions = 0
    for action in plan:
        additions |= action.add
    return additions
