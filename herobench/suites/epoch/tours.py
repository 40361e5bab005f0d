"""A lower bound on the number of actions to a goal, for levels whose people walk in trees of places.

LM-cut forgets that people come back: a thing that has to be fetched counts the way to it, and not the way back. Here
LM-cut counts all actions but moves, and moves are counted by tours. A landmark of the relaxation says where a person
has to be, and where a thing lies that somebody else needs; with it the person has to come back to the booth. The moves
of a person are at least those of the shortest tour through these places. So a level of three levers, whose people work
side by side, is proven in a tenth of the states.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

from herobench.pddl import Action, Atom
from herobench.pddl.lm_cut import LmCut
from herobench.pddl.relaxation import relaxed_landmarks
from herobench.suites.epoch.walks import Walk, walks


class Tours:
    """The bound for one goal. Keeps the values of the states that it was asked for."""

    def __init__(self, actions: Sequence[Action], goal: int, free: Collection[str], atoms: Sequence[Atom]) -> None:
        """Prepare for some actions; `free` has the names of those that cost nothing."""
        self._actions, self._goal = actions, goal
        self._others = LmCut(actions, goal, {*free, "move"})
        self._walks = list(walks(actions, atoms))
        self._has: dict[str, dict[str, int]] = {}
        """For each thing the bits of the facts that somebody has it, by person."""
        self._lies: dict[str, dict[str, int]] = {}
        """For each thing the bits of the facts that it lies somewhere, by place."""
        for bit, atom in enumerate(atoms):
            if atom.name == "has":
                self._has.setdefault(atom.args[1], {})[atom.args[0]] = 1 << bit
            elif atom.name == "lies":
                self._lies.setdefault(atom.args[0], {})[atom.args[1]] = 1 << bit
        self._booths: dict[str, set[str]] = {}
        """The places from which each person can send."""
        for action in actions:
            if action.name == "send":
                self._booths.setdefault(action.args[0], set()).add(action.args[3])
        self._known: dict[int, int | None] = {}

    @property
    def fits(self) -> bool:
        """Whether the bound holds: everybody walks in a tree, and nobody where another person walks."""
        apart = all(not one.places.keys() & other.places.keys() for one, other in combinations(self._walks, 2))
        return apart and all(walk.is_tree for walk in self._walks)

    def __call__(self, state: int) -> int | None:
        """Return a lower bound on the number of actions from a state; None if the goal cannot be reached."""
        if state not in self._known:
            self._known[state] = self._bound(state)
        return self._known[state]

    def _bound(self, state: int) -> int | None:
        others = self._others(state)
        needed = None if others is None else relaxed_landmarks(self._actions, state, self._goal)
        if others is None or needed is None:
            return None
        return others + sum(self._moves(walk, state, needed) for walk in self._walks)

    def _moves(self, walk: Walk, state: int, needed: int) -> int:
        """Return how many moves a person needs at least if some facts have to become true."""
        here = next((place for place, bit in walk.places.items() if bit & state), None)
        if here is None:
            return 0
        ends = {place for place, bit in walk.places.items() if bit & needed}
        fetched = self._sent_from(walk, state, needed)
        booths = self._booths.get(walk.person, ())
        if fetched and len(booths) == 1:
            return walk.shortest_tour(here, {*ends, *fetched, *booths}, {*(ends - fetched), *booths})
        return walk.shortest_tour(here, ends, ends)

    def _sent_from(self, walk: Walk, state: int, needed: int) -> set[str]:
        """Return the places of a walk where a thing lies that another person has to get: it has to be sent."""
        return {
            place
            for thing, people in self._has.items()
            if any(bit & needed for person, bit in people.items() if person != walk.person)
            for place, bit in self._lies.get(thing, {}).items()
            if bit & state and place in walk.places
        }
