"""A*: the cheapest path from a start to a goal, or a lower bound on its cost where the search is cut short.

The estimate has to be consistent: no step lowers it by more than the step costs, and it is 0 at a goal. Then costs
never fall along the search, a state is settled once, and the first goal to be settled is the cheapest. The search is
limited by a number of settled states, not by time, so that the same answer comes out on every machine.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import Generic, Protocol, TypeVar

State = TypeVar("State", bound=Hashable)


class Problem(Protocol[State]):
    """What is searched. Steps have to come in the same order every time."""

    @property
    def start(self) -> State:
        """The state that paths start from."""

    def is_goal(self, state: State) -> bool:
        """Whether a path may end in a state."""

    def estimate(self, state: State) -> int:
        """The cost that is left at least."""

    def steps(self, state: State) -> Iterator[tuple[int, State]]:
        """The steps out of a state: the cost of each, and where it leads."""


@dataclass(frozen=True, slots=True)
class Found(Generic[State]):
    """The result of a search."""

    cost: int
    """The cost of the path; where there is none, a lower bound on the cost of every path."""
    path: tuple[State, ...] | None
    """The states from the start to a goal; None where the limit was hit first."""
    settled: int
    """How many states were settled."""


def a_star(problem: Problem[State], limit: int) -> Found[State] | None:
    """Search until a goal is reached or so many states are settled. None where no goal can be reached."""
    cheapest = {problem.start: 0}
    before: dict[State, State] = {}
    settled: set[State] = set()
    serial = count()
    frontier = [(problem.estimate(problem.start), 0, next(serial), problem.start)]
    while frontier:
        total, _, _, state = heappop(frontier)
        if state in settled:
            continue
        if problem.is_goal(state):
            return Found(total, _path(before, state), len(settled))
        if len(settled) == limit:
            return Found(total, None, limit)
        settled.add(state)
        for cost, then in problem.steps(state):
            reached = cheapest[state] + cost
            if then not in cheapest or reached < cheapest[then]:
                cheapest[then] = reached
                before[then] = state
                # Of equal totals the one that has come furthest goes first.
                heappush(frontier, (reached + problem.estimate(then), -reached, next(serial), then))
    return None


def _path(before: dict[State, State], state: State) -> tuple[State, ...]:
    path = [state]
    while path[-1] in before:
        path.append(before[path[-1]])
    return tuple(reversed(path))
