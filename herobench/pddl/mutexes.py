"""Pairs of atoms that are never true together (the heuristic h2 as a reachability test).

An atom or action is unreachable if it needs such a pair. The pairs found are right, but not all that there are.
"""

from __future__ import annotations

from collections.abc import Sequence

from herobench.pddl.limits import ORDINARY, Budget
from herobench.pddl.simulation import Action, bits


class Mutexes:
    """The pairs of atoms that may be true together in states reachable from one state."""

    def __init__(self, actions: Sequence[Action], state: int, budget: Budget | None = None) -> None:
        """Find the pairs. Raises Spent."""
        self._budget = budget or Budget(ORDINARY)
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

    def _apply(self, action: Action) -> None:
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
