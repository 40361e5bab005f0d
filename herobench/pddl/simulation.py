"""Carries out single actions of a task, without grounding the rest.

A state is an int: bit n is set if atom n holds. Only atoms that some action changes have a bit when they hold at the
start; true static atoms need none. Atoms get their numbers when they are first met. A precondition that can never hold
gets a bit too, which no state has: a false static atom, and a false `(not (= a a))` or `(or ...)`, which then stands
in the table as an atom of this name. So one test of masks decides whether an action is applicable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from herobench.pddl.task import Atom, Condition, PddlTask, Schema, Unequal


class GroundAction(NamedTuple):
    """A ground action. The masks are ints like states. An atom that is both deleted and added is only in `add`."""

    name: str
    args: tuple[str, ...]
    pre: int
    add: int
    delete: int

    def __str__(self) -> str:
        return str(Atom(self.name, self.args))


class Simulation:
    """The numbered atoms of a task, and what actions do with its states."""

    def __init__(self, task: PddlTask) -> None:
        self.task = task
        self.atoms: list[Atom] = []
        """The atom of each bit."""
        self._numbers: dict[Atom, int] = {}
        self.initial = self.mask(atom for atom in task.problem.initial if atom.name in task.fluents)
        self.goal = self._needs(task.problem.goal)

    def number(self, atom: Atom) -> int:
        """Return the bit of an atom; an atom that is new gets the next one."""
        found = self._numbers.get(atom)
        if found is None:
            found = self._numbers[atom] = len(self.atoms)
            self.atoms.append(atom)
        return found

    def mask(self, atoms: Iterable[Atom]) -> int:
        """Return the mask of some atoms."""
        mask = 0
        for atom in atoms:
            mask |= 1 << self.number(atom)
        return mask

    def atoms_of(self, mask: int) -> list[Atom]:
        """Return the atoms of a state or mask, sorted."""
        return sorted(self.atoms[number] for number in bits(mask))

    def ground_action(self, name: str, args: Sequence[str]) -> GroundAction:
        """Return the ground action of a name and objects, in lower case; ValueError if it is not well typed."""
        if not self.task.is_action(name, args):
            raise ValueError(f"expected a well-typed action, found {Atom(name, tuple(args))}")
        schema = self.task.domain.actions[name]
        binding = _binding(schema, args)
        add = self.mask(atom.bind(binding) for atom in schema.add)
        delete = self.mask(atom.bind(binding) for atom in schema.delete)
        pre = self._needs(bound(part, binding) for part in schema.precondition)
        return GroundAction(name, tuple(args), pre, add, delete & ~add)

    def progress(self, state: int, action: GroundAction) -> int:
        """Return the state after an action, whether or not it is applicable: first it deletes, then it adds."""
        return state & ~action.delete | action.add

    def is_applicable(self, state: int, action: GroundAction) -> bool:
        """Return whether the precondition of an action holds in a state."""
        return action.pre & ~state == 0

    def is_goal(self, state: int) -> bool:
        """Return whether the goal holds in a state."""
        return self.goal & ~state == 0

    def holds(self, state: int, condition: Condition) -> bool:
        """Return whether an atom, or another ground condition, holds in a state."""
        if self._always(condition):
            return True
        number = self._numbers.get(_as_atom(condition))
        return number is not None and bool(state >> number & 1)

    def false_preconditions(self, state: int, action: GroundAction | Atom) -> list[Condition]:
        """Return the parts of an action's precondition that are false in a state, in the order of the PDDL.

        The action may be given as its name and objects, for then it need not be grounded."""
        schema = self.task.domain.actions[action.name]
        binding = _binding(schema, action.args)
        parts = dict.fromkeys(bound(part, binding) for part in schema.precondition)
        return [part for part in parts if not self.holds(state, part)]

    def _needs(self, conditions: Iterable[Condition]) -> int:
        """Return the mask of ground conditions; those that always hold are left out."""
        return self.mask(_as_atom(condition) for condition in conditions if not self._always(condition))

    def _always(self, condition: Condition) -> bool:
        if isinstance(condition, Unequal):
            return condition.left != condition.right
        if not isinstance(condition, Atom):
            return any(self._always(atom) for atom in condition.atoms)
        if condition.name == "=":
            return condition.args[0] == condition.args[1]
        return condition.args in self.task.static.get(condition.name, ())


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, smallest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _as_atom(condition: Condition) -> Atom:
    return condition if isinstance(condition, Atom) else Atom(str(condition))


def bound(condition: Condition, binding: dict[str, str]) -> Condition:
    """Return a condition with its variables replaced."""
    if isinstance(condition, Unequal):
        return Unequal(binding.get(condition.left, condition.left), binding.get(condition.right, condition.right))
    if isinstance(condition, Atom):
        return condition.bind(binding)
    return type(condition)(tuple(atom.bind(binding) for atom in condition.atoms))


def _binding(schema: Schema, args: Sequence[str]) -> dict[str, str]:
    return {parameter.name: arg for parameter, arg in zip(schema.parameters, args, strict=True)}
