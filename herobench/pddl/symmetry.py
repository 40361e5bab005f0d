"""Objects that are interchangeable: a search may take states as the same that differ in who of them is who.

Objects of one type are interchangeable if the goal and the facts that never change say the same of each. To swap two of
them turns every plan into another plan of the same length. Ferries with fifty cars for one place become small by that.
Only groups are used whose objects never occur together in an atom that changes; then sorting finds the one state that
stands for all like it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from herobench.pddl.domain import Atom
from herobench.pddl.grounded import Grounded
from herobench.pddl.simulation import bits

_ANY = "*"
"""Stands for the object itself in what is said of it."""


class Symmetry:
    """Maps each state to the one that stands for all states like it."""

    def __init__(self, grounded: Grounded) -> None:
        changing = [grounded.atoms[number] for number in bits(grounded.reachable)]
        said = _said([Atom(f"changing {atom.name}", atom.args) for atom in changing])
        self._groups: list[list[list[int]]] = []
        """For each group and each of its objects the masks of the atoms with it, in the same order for all."""
        taken: set[str] = set()
        for group in _alike(grounded):
            atoms = {name: sorted(atom for atom in changing if name in atom.args) for name in group}
            others = {arg for name in group for atom in atoms[name] for arg in atom.args if arg != name}
            if others & (taken | set(group)) or len({frozenset(said[name]) for name in group}) > 1:
                continue
            taken.update(group)
            ordered = [sorted(atoms[name], key=lambda atom, name=name: _without(atom, name)) for name in group]  # type: ignore[misc]
            self._groups.append([[grounded.mask([atom]) for atom in own] for own in ordered])

    def __call__(self, state: int) -> int:
        """Return the state that stands for all states like this one."""
        for group in self._groups:
            signs = [sum(1 << place for place, mask in enumerate(masks) if state & mask) for masks in group]
            wanted = sorted(signs)
            if signs != wanted:
                for masks, sign in zip(group, wanted, strict=True):
                    for place, mask in enumerate(masks):
                        state = state | mask if sign >> place & 1 else state & ~mask
        return state


def _alike(grounded: Grounded) -> list[list[str]]:
    """Return the groups of objects of which goal and unchanging facts say the same, the largest first."""
    task = grounded.task
    facts = [Atom(f"goal {atom.name}", atom.args) for atom in task.problem.goal]
    facts += [Atom(name, args) for name, rows in task.static.items() for args in rows]
    said, groups = _said(facts), defaultdict[tuple[str, frozenset[Atom]], list[str]](list)
    for name, kind in task.problem.objects.items():
        if name not in task.domain.constants:
            groups[kind, frozenset(said[name])].append(name)
    return sorted((group for group in groups.values() if len(group) > 1), key=lambda group: (-len(group), group))


def _said(facts: Sequence[Atom]) -> Mapping[str, set[Atom]]:
    """Return what facts say of each object."""
    said: defaultdict[str, set[Atom]] = defaultdict(set)
    for fact in facts:
        for name in fact.args:
            said[name].add(_without(fact, name))
    return said


def _without(atom: Atom, name: str) -> Atom:
    return Atom(atom.name, tuple(_ANY if arg == name else arg for arg in atom.args))
