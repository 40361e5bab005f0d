"""Answers by trying everything: all states of a small question are visited, and nothing else is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from herobench.pddl.grounded import Grounded, ground
from herobench.pddl.parser import read_task
from herobench.suites.acp.questions.questions import published


@dataclass(frozen=True)
class Brute:
    """A question whose states are all known."""

    grounded: Grounded
    states: frozenset[int]

    def atoms(self) -> list[str]:
        """All well-typed propositions that some action changes."""
        return [str(atom) for atom in self.grounded.task.atoms(sorted(self.grounded.task.fluents))]

    def actions(self) -> list[str]:
        """All well-typed actions."""
        return [str(action) for action in self.grounded.task.ground_actions()]

    def applicable(self) -> frozenset[str]:
        return frozenset(map(str, self.grounded.applicable(self.grounded.initial)))

    def reachable_atoms(self) -> frozenset[str]:
        return frozenset(str(atom) for state in self.states for atom in self.grounded.atoms_of(state))

    def reachable_actions(self) -> frozenset[str]:
        return frozenset(str(action) for state in self.states for action in self.grounded.applicable(state))

    def landmarks(self) -> frozenset[str]:
        """The propositions outside the start and the goal without which no goal state can be reached."""
        grounded = self.grounded
        found = set()
        for atom in self.reachable_atoms():
            bit = next(1 << number for number, other in enumerate(grounded.atoms) if str(other) == atom)
            if not bit & (grounded.initial | grounded.goal):
                without = visited(grounded, lambda state, bit=bit: not state & bit)
                if not any(map(grounded.is_goal, without)):
                    found.add(atom)
        return frozenset(found)

    def next_actions(self) -> frozenset[str]:
        """The actions with which a shortest plan begins."""
        grounded = self.grounded
        far = {
            str(action): distance(grounded, grounded.progress(grounded.initial, action))
            for action in grounded.applicable(grounded.initial)
        }
        return frozenset(action for action, steps in far.items() if steps == min(far.values()))


@cache
def brute(key: str, most: int) -> Brute | None:
    """All states of a published question; None if there are more than `most`."""
    question = published()[key]
    grounded = ground(read_task(question.pddl_domain, question.pddl_problem))
    states = visited(grounded, lambda state: True, most)
    return Brute(grounded, frozenset(states)) if len(states) <= most else None


def visited(grounded: Grounded, allowed: Callable[[int], bool], most: int = 10**9) -> dict[int, int]:
    """The states that can be reached over allowed ones, with their distance; not many more than `most`."""
    return dict(_layers(grounded, grounded.initial, allowed, most))


def distance(grounded: Grounded, state: int) -> float:
    steps = (steps for found, steps in _layers(grounded, state, lambda _: True) if grounded.is_goal(found))
    return next(steps, float("inf"))


def _layers(
    grounded: Grounded, start: int, allowed: Callable[[int], bool], most: int = 10**9
) -> Iterator[tuple[int, int]]:
    seen, layer, steps = {start}, [start], 0
    while layer:
        yield from ((state, steps) for state in layer)
        if len(seen) > most:
            return
        steps += 1
        new = {
            grounded.progress(state, action) for state in layer for action in grounded.applicable(state)
        } - seen  # a set of ints: the order does not matter
        layer = [state for state in new if allowed(state)]
        seen |= new
