"""Lanes: the epoch that each fact of a level belongs to, for drawings with a lane for each epoch.

Places are named after their epoch, such as `mill-past`; a person belongs to the place where he begins, because nobody
leaves his epoch; a fixture or a thing belongs to what never changes about it, such as the place where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from herobench.pddl import Atom
from herobench.suites.epoch.causal_rules import atom_of
from herobench.suites.epoch.level import Level
from herobench.suites.epoch.world import world_of

EPOCHS = ("past", "present", "future")
_HOMES = ("at", "stands", "stays", "hung-in-tree", "inside")
"""The predicates that tie their first object to the epoch of their second one."""


class Lanes:
    """The lanes of one level."""

    def __init__(self, level: Level) -> None:
        self._world = world_of(level)

    def of(self, atom: Atom) -> str | None:
        """Return the epoch of a fact: that of the first of its objects that has one; None if none has."""
        # a place says it best, then whoever or whatever has a home
        found = [*map(_named_after, atom.args), *map(self._homes.get, atom.args)]
        return next(filter(None, found), None)

    def of_action(self, action: Atom) -> str | None:
        """Return the epoch in which an action is done: that of the person who does it."""
        return self._homes.get(action.args[0]) if action.args else None

    def table(self) -> dict[str, str]:
        """Return the epoch of each fact that can change and that has one."""
        told = ((str(atom), self.of(atom)) for atom in self._world.grounded.atoms)
        return {fact: epoch for fact, epoch in told if epoch}

    @cached_property
    def _homes(self) -> Mapping[str, str]:
        """The epoch of each object that is in one only."""
        found: dict[str, set[str]] = {}
        known = [*map(atom_of, self._world.facts(self._world.initial)), *self._world.static]
        for _ in range(2):  # a thing inside a lock is where the lock stands
            for atom in _tying(known):
                home, own = atom.args[1], found.setdefault(atom.args[0], set())
                named = _named_after(home)
                own |= {named} if named else found.get(home, set())
        return {name: next(iter(epochs)) for name, epochs in found.items() if len(epochs) == 1}


def _tying(atoms: Iterable[Atom]) -> list[Atom]:
    return [atom for atom in atoms if atom.name in _HOMES and len(atom.args) > 1]


def _named_after(name: str) -> str | None:
    epoch = name.rpartition("-")[2]
    return epoch if epoch in EPOCHS else None
