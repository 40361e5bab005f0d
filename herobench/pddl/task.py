"""A planning task: a domain with types, predicates and actions, and one of its problems. Names are in lower case.

A simulation carries out single actions of a task, without grounding the rest. A state is an int: bit n is set if atom n
holds. Only atoms that some action changes have a bit when they hold at the start; true static atoms need none. Atoms
get their numbers when they are first met. A precondition that can never hold gets a bit too, which no state has: a
false static atom, and a false `(not (= a a))` or `(or ...)`, which then stands in the table as an atom of this name. So
one test of masks decides whether an action is applicable.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import prod
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
    costs: tuple[int | Atom, ...] = ()
    """The action adds these to `total-cost`: whole numbers, and values of functions such as `(hours ?from ?to)`."""


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


@dataclass(frozen=True, slots=True)
class PddlProblem:
    """One problem. `objects` has the constants of the domain too, with the type of each."""

    name: str
    objects: Mapping[str, str]
    initial: tuple[Atom, ...]
    goal: tuple[Atom, ...]
    values: Mapping[Atom, int] = field(default_factory=dict)
    """The values of functions that are whole numbers."""


class TypedObjects:
    """The objects of each type. They are listed when they are asked for: a chain of types has them again and again."""

    def __init__(self, domain: Domain, problem: PddlProblem) -> None:
        self._spans = domain.spans
        numbers = (self._spans[kind][0] for kind in problem.objects.values())
        self._names = list(problem.objects)
        self._placed = sorted((number, place) for place, number in enumerate(numbers))
        """The number of the type of each object, and the place of the object in the text."""
        self._listed: dict[str, tuple[str, ...]] = {}

    def count(self, kind: str) -> int:
        """Return how many objects a type has, without a list of them."""
        first, end = self._range(kind)
        return end - first

    def __getitem__(self, kind: str) -> tuple[str, ...]:
        if kind not in self._listed:
            places = sorted(place for _, place in self._placed[slice(*self._range(kind))])
            self._listed[kind] = tuple(self._names[place] for place in places)
        return self._listed[kind]

    def _range(self, kind: str) -> tuple[int, int]:
        first, end = self._spans[kind]
        return bisect_left(self._placed, (first,)), bisect_left(self._placed, (end,))


@dataclass(frozen=True)
class PddlTask:
    """A domain and one of its problems."""

    domain: Domain
    problem: PddlProblem

    @cached_property
    def objects(self) -> TypedObjects:
        """The objects of each type, those of its subtypes included, in the order of the text."""
        return TypedObjects(self.domain, self.problem)

    @property
    def fluents(self) -> frozenset[str]:
        """The predicates that some action changes."""
        return self.domain.fluents

    @cached_property
    def static(self) -> Mapping[str, frozenset[tuple[str, ...]]]:
        """For each predicate that no action changes the arguments for which it is true."""
        static_facts: dict[str, set[tuple[str, ...]]] = {
            name: set() for name in self.domain.predicates.keys() - self.fluents
        }
        for atom in self.problem.initial:
            if atom.name in static_facts:
                static_facts[atom.name].add(atom.args)
        return {name: frozenset(args) for name, args in static_facts.items()}

    def cost(self, name: str, args: Sequence[str]) -> int:
        """Return what a ground action adds to `total-cost`; a function without a value adds nothing."""
        schema = self.domain.actions[name]
        binding = {parameter.name: arg for parameter, arg in zip(schema.parameters, args, strict=True)}
        values = self.problem.values
        return sum(cost if isinstance(cost, int) else values.get(cost.bind(binding), 0) for cost in schema.costs)

    def is_atom(self, name: str, args: Sequence[str]) -> bool:
        """Return whether an atom is well typed: a declared predicate, the right number of objects, each of its type."""
        predicate = self.domain.predicates.get(name)
        return predicate is not None and self._fit(args, predicate.parameters)

    def is_action(self, name: str, args: Sequence[str]) -> bool:
        """Return whether a ground action is well typed. It need not be applicable in any state."""
        schema = self.domain.actions.get(name)
        return schema is not None and self._fit(args, schema.parameters)

    def atoms(self, names: Iterable[str]) -> Iterator[Atom]:
        """Yield all well-typed atoms of some predicates."""
        for name in names:
            for args in self._choices(self.domain.predicates[name].parameters):
                yield Atom(name, args)

    def ground_actions(self) -> Iterator[Atom]:
        """Yield all well-typed ground actions, also those that no state allows."""
        for schema in self.domain.actions.values():
            for args in self._choices(schema.parameters):
                yield Atom(schema.name, args)

    def count_atoms(self, names: Iterable[str]) -> int:
        """Return how many well-typed atoms some predicates have."""
        return sum(self._count(self.domain.predicates[name].parameters) for name in names)

    def count_actions(self) -> int:
        """Return how many well-typed ground actions there are."""
        return sum(self._count(schema.parameters) for schema in self.domain.actions.values())

    def _count(self, parameters: Sequence[PddlParameter]) -> int:
        return prod(self.objects.count(parameter.type) for parameter in parameters)

    def _fit(self, args: Sequence[str], parameters: Sequence[PddlParameter]) -> bool:
        types = self.problem.objects
        return len(args) == len(parameters) and all(
            arg in types and self.domain.is_subtype(types[arg], parameter.type)
            for arg, parameter in zip(args, parameters, strict=True)
        )

    def _choices(self, parameters: Sequence[PddlParameter]) -> Iterator[tuple[str, ...]]:
        return product(*(self.objects[parameter.type] for parameter in parameters))


# -- single actions ---------------------------------------------------------------------------------------------------


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
        place = self._numbers.get(atom)
        if place is None:
            place = self._numbers[atom] = len(self.atoms)
            self.atoms.append(atom)
        return place

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
