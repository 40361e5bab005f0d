"""A* search: return the cheapest path from a start to a goal, or a lower bound on its cost if the search is cut short.

The heuristic `estimate` must be consistent (a step lowers it by at most the step's cost, and it is 0 at a goal).
Then f = g + h never falls, each state is expanded once, and the first goal taken from the frontier is cheapest. The
limit is a number of states, not a time, so that every machine gives the same answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import Generic, Protocol, TypeVar

from herobench.data.errors import HeroBenchError


class Unplannable(HeroBenchError):
    """Raised when the planner finds no plan for a task; the message names the obstacle."""


State = TypeVar("State", bound=Hashable)


class SearchProblem(Protocol[State]):
    """A search problem. Its steps must come in the same order every time, so that results are reproducible."""

    @property
    def start(self) -> State:
        """The start state."""

    def is_goal(self, state: State) -> bool:
        """Return whether a path may end in a state."""

    def estimate(self, state: State) -> int:
        """Return a lower bound on the remaining cost: the heuristic h."""

    def steps(self, state: State) -> Iterator[tuple[int, State]]:
        """Yield the steps from a state: their costs and their end states."""


@dataclass(frozen=True, slots=True)
class SearchResult(Generic[State]):
    """The result of a search."""

    cost: int
    """The cost of the path. Without a path: a lower bound on the cost of every path."""
    path: tuple[State, ...] | None
    """The states from the start to a goal, or None if the limit came first."""
    settled: int
    """The number of states that were settled (expanded)."""


def a_star(problem: SearchProblem[State], limit: int) -> SearchResult[State] | None:
    """Search until a goal is reached or `limit` states are settled. Return None if no goal can be reached."""
    # g: the cheapest known cost from the start to each state.
    cheapest = {problem.start: 0}
    before: dict[State, State] = {}
    settled: set[State] = set()
    serial = count()
    frontier = [(problem.estimate(problem.start), 0, next(serial), problem.start)]
    while frontier:
        total, _, _, state = heappop(frontier)
        # A state can stand in the frontier several times: a cheaper entry is added, the old one is not removed.
        if state in settled:
            continue
        if problem.is_goal(state):
            return SearchResult(total, _path(before, state), len(settled))
        # The smallest f of the frontier bounds the cost of every path, because h never overestimates.
        if len(settled) == limit:
            return SearchResult(total, None, limit)
        settled.add(state)
        for cost, then in problem.steps(state):
            path_cost = cheapest[state] + cost
            if then not in cheapest or path_cost < cheapest[then]:
                cheapest[then] = path_cost
                before[then] = state
                # Among equal f the deepest state goes first, which reaches a goal sooner. The serial number
                # breaks the remaining ties, so that states are never compared.
                heappush(frontier, (path_cost + problem.estimate(then), -path_cost, next(serial), then))
    return None


def fewest_steps(
    start: State, is_goal: Callable[[State], bool], steps: Callable[[State], Iterable[tuple[str, State]]]
) -> list[str] | None:
    """Return the names of the fewest steps to a goal, found breadth-first; None if no goal can be reached."""
    ways = deque([(start, list[str]())])
    visited = {start}
    while ways:
        state, route = ways.popleft()
        if is_goal(state):
            return route
        for name, then in steps(state):
            if then not in visited:
                visited.add(then)
                ways.append((then, [*route, name]))
    return None


def _path(before: dict[State, State], state: State) -> tuple[State, ...]:
    path = [state]
    while path[-1] in before:
        path.append(before[path[-1]])
    return tuple(reversed(path))
