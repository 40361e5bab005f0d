"""A planning task: a domain and one of its problems, with the checks whether a name, its arguments and types fit."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

from herobench.pddl.domain import Atom, Domain, PddlParameter
from herobench.pddl.domain_parser import parse_domain
from herobench.pddl.problem_parser import PddlProblem, parse_problem


class TypedObjects(Mapping[str, tuple[str, ...]]):
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

    def __iter__(self) -> Iterator[str]:
        return iter(self._spans)

    def __len__(self) -> int:
        return len(self._spans)

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
        found: dict[str, set[tuple[str, ...]]] = {name: set() for name in self.domain.predicates.keys() - self.fluents}
        for atom in self.problem.initial:
            if atom.name in found:
                found[atom.name].add(atom.args)
        return {name: frozenset(args) for name, args in found.items()}

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


def read_task(domain_text: str, problem_text: str) -> PddlTask:
    """Return the task of two texts; raises PddlError."""
    domain = parse_domain(domain_text)
    return PddlTask(domain, parse_problem(problem_text, domain))
