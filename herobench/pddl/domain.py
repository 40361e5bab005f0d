"""A planning domain: types, predicates and action schemas, all names in lower case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

ROOT_TYPE = "object"


class Atom(NamedTuple):
    """A predicate with its arguments: objects, or in a schema also variables such as `?x`."""

    name: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.name, *self.args))})"

    def bind(self, binding: Mapping[str, str]) -> Atom:
        """Return the atom with the bound variables replaced."""
        return Atom(self.name, tuple(binding.get(arg, arg) for arg in self.args))


@dataclass(frozen=True, slots=True)
class Unequal:
    """The condition `(not (= left right))`."""

    left: str
    right: str

    def __str__(self) -> str:
        return f"(not (= {self.left} {self.right}))"


@dataclass(frozen=True, slots=True)
class AnyOf:
    """The condition `(or ...)` over atoms that no action changes."""

    atoms: tuple[Atom, ...]

    def __str__(self) -> str:
        return f"(or {' '.join(map(str, self.atoms))})"


Condition = Atom | Unequal | AnyOf
"""One part of a precondition. An atom named `=` says that its two arguments are the same."""


class PddlParameter(NamedTuple):
    """A variable or position, and the type of the objects that may stand there."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate and the types of its arguments."""

    name: str
    parameters: tuple[PddlParameter, ...]


@dataclass(frozen=True, slots=True)
class Schema:
    """An action with variables. `precondition` keeps the order of the text."""

    name: str
    spelling: str
    """The name as the text spells it."""
    parameters: tuple[PddlParameter, ...]
    precondition: tuple[Condition, ...]
    add: tuple[Atom, ...]
    delete: tuple[Atom, ...]


@dataclass(frozen=True)
class Domain:
    """A domain: the types, constants, predicates and actions that its problems have in common."""

    name: str
    types: Mapping[str, str]
    """The parent of each type. The root, `object`, has none and is left out."""
    constants: Mapping[str, str]
    """The type of each constant."""
    predicates: Mapping[str, Predicate]
    actions: Mapping[str, Schema]

    @cached_property
    def fluents(self) -> frozenset[str]:
        """The predicates that some action changes."""
        return frozenset(atom.name for schema in self.actions.values() for atom in (*schema.add, *schema.delete))

    @cached_property
    def spans(self) -> Mapping[str, tuple[int, int]]:
        """For each type its number, and the number after its last subtype: each type comes before its subtypes."""
        lower: dict[str, list[str]] = {name: [] for name in (ROOT_TYPE, *self.types)}
        for name, parent in self.types.items():
            lower[parent].append(name)
        order, waiting = list[str](), [ROOT_TYPE]
        while waiting:
            order.append(waiting.pop())
            waiting += reversed(lower[order[-1]])
        sizes = dict.fromkeys(order, 1)
        for name in reversed(order[1:]):
            sizes[self.types[name]] += sizes[name]
        return {name: (number, number + sizes[name]) for number, name in enumerate(order)}

    def is_subtype(self, lower: str, upper: str) -> bool:
        """Return whether each object of the first type is one of the second."""
        first, end = self.spans[upper]
        return first <= self.spans[lower][0] < end
