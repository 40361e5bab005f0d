"""Leaves out actions and states that a search for a shortest plan does not need.

Suppose that every plan from a state contains an action of some set, and that nothing which can be carried out before
the first of them conflicts with it. Then this first action can as well be carried out at once: the plan stays valid and
as long as it was. So it is enough to try the actions of the set. Such sets are called persistent; see Godefroid,
"Partial-Order Methods for the Verification of Concurrent Systems" (1996). What can be carried out before is found by
delete relaxation, which only makes the test stricter.

Objects of one type are interchangeable if the goal and the facts that never change say the same of each. To swap two of
them turns every plan into another plan of the same length. Ferries with fifty cars for one place become small by that.
Only groups are used whose objects never occur together in an atom that changes; then sorting finds the one state that
stands for all like it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from herobench.pddl.grounded import Grounded
from herobench.pddl.task import Atom, GroundAction, bits

_NOT_AT_ALL = 1 << 30
"""The number of lacking atoms of an action that is left out."""


class PersistentSets:
    """Tests sets of actions on the way to one goal. Actions are named by their numbers."""

    def __init__(self, actions: Sequence[GroundAction], goal: int) -> None:
        self.actions, self.goal = actions, goal
        most = max((mask.bit_length() for action in actions for mask in action[2:4]), default=0)
        self.users: list[list[int]] = [[] for _ in range(most)]
        """For each atom the actions that need it."""
        for number, action in enumerate(actions):
            for bit in bits(action.pre):
                self.users[bit].append(number)

    def at(self, state: int, useful: Collection[int]) -> PersistentHere:
        """Return the test for one state. The useful actions have to contain a shortest plan from there."""
        return PersistentHere(self, state, useful)


class PersistentHere:
    """Tests sets of actions in one state."""

    def __init__(self, sets: PersistentSets, state: int, useful: Collection[int]) -> None:
        self._sets, self._state = sets, state
        absent = ~state
        self._lacks = [_NOT_AT_ALL] * len(sets.actions)
        """The number of atoms that each useful action lacks."""
        for number in useful:
            self._lacks[number] = (sets.actions[number][2] & absent).bit_count()
        self._ready = [number for number in useful if not self._lacks[number]]

    def holds(self, numbers: Collection[int]) -> bool:
        """Return whether some shortest plan begins with one of the chosen actions, if there is a plan."""
        actions, users, goal = self._sets.actions, self._sets.users, self._sets.goal
        add_mask = delete_mask = 0
        for number in numbers:
            if not self._lacks[number]:
                add_mask |= actions[number].add
                delete_mask |= actions[number].delete
        lacks = self._lacks.copy()
        for number in numbers:
            lacks[number] = _NOT_AT_ALL
        waiting = [number for number in self._ready if lacks[number] != _NOT_AT_ALL]
        reached = self._state
        for number in waiting:  # grows while it is read
            _, _, pre, add, delete = actions[number]
            if pre & delete_mask or delete & add_mask:
                return False
            if new := add & ~reached:
                reached |= new
                if not goal & ~reached:
                    return False
                for bit in bits(new):
                    for user in users[bit]:
                        lacks[user] -= 1
                        if not lacks[user]:
                            waiting.append(user)
        return not any(self._lacks[number] and not actions[number].pre & ~reached for number in numbers)


_ANY = "*"
"""The placeholder of an object in its own description."""


class Symmetry:
    """Maps each state to the representative of all states that are symmetric to it."""

    def __init__(self, grounded: Grounded) -> None:
        changing = [grounded.atoms[number] for number in bits(grounded.reachable)]
        facts_by_name = _facts_of_names([Atom(f"changing {atom.name}", atom.args) for atom in changing])
        self._groups: list[list[list[int]]] = []
        """The masks of the atoms with each object of each group, in the same order for all objects of a group."""
        members: set[str] = set()
        for group in _alike(grounded):
            atoms = {name: sorted(atom for atom in changing if name in atom.args) for name in group}
            others = {arg for name in group for atom in atoms[name] for arg in atom.args if arg != name}
            if others & (members | set(group)) or len({frozenset(facts_by_name[name]) for name in group}) > 1:
                continue
            members.update(group)
            rows = [sorted(atoms[name], key=lambda atom, name=name: _without(atom, name)) for name in group]  # type: ignore[misc]
            self._groups.append([[grounded.mask([atom]) for atom in own] for own in rows])

    def __call__(self, state: int) -> int:
        """Return the representative of all states that are symmetric to this one."""
        for group in self._groups:
            signs = [sum(1 << place for place, mask in enumerate(masks) if state & mask) for masks in group]
            in_order = sorted(signs)
            if signs != in_order:
                for masks, sign in zip(group, in_order, strict=True):
                    for place, mask in enumerate(masks):
                        state = state | mask if sign >> place & 1 else state & ~mask
        return state


def _alike(grounded: Grounded) -> list[list[str]]:
    """Return the groups of objects that goal and unchanging facts treat alike, the largest first."""
    task = grounded.task
    facts = [Atom(f"goal {atom.name}", atom.args) for atom in task.problem.goal]
    facts += [Atom(name, args) for name, rows in task.static.items() for args in rows]
    facts_by_name, groups = _facts_of_names(facts), defaultdict[tuple[str, frozenset[Atom]], list[str]](list)
    for name, kind in task.problem.objects.items():
        if name not in task.domain.constants:
            groups[kind, frozenset(facts_by_name[name])].append(name)
    return sorted((group for group in groups.values() if len(group) > 1), key=lambda group: (-len(group), group))


def _facts_of_names(facts: Sequence[Atom]) -> Mapping[str, set[Atom]]:
    """Return what facts say of each object."""
    by_name: defaultdict[str, set[Atom]] = defaultdict(set)
    for fact in facts:
        for name in fact.args:
            by_name[name].add(_without(fact, name))
    return by_name


def _without(atom: Atom, name: str) -> Atom:
    return Atom(atom.name, tuple(_ANY if arg == name else arg for arg in atom.args))
