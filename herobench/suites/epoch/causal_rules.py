"""The causal rules: what follows by itself when facts hold together. They only add facts.

A rule becomes an action schema of the domain, so that the PDDL engine grounds it and searches with it. In the game,
rules are matched in rounds: each round sees the facts as they were when it began, until a round adds nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from herobench.pddl import Action, Atom, Domain, Grounded, Schema
from herobench.pddl.domain import Parameter
from herobench.pddl.simulation import bits


class Follows(NamedTuple):
    """A fact that a rule has added."""

    round: int
    rule: str
    because: tuple[str, ...]
    added: str

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"round": self.round, "rule": self.rule, "because": list(self.because), "added": self.added}


@dataclass(frozen=True, slots=True)
class CausalRule:
    """When all of `when` hold, all of `then` hold from then on. Arguments with a question mark are variables."""

    name: str
    when: tuple[Atom, ...]
    then: tuple[Atom, ...]
    told: str
    """The rule in words, for the prompt."""

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> CausalRule:
        """Return the rule of an entry of the rules file."""
        when, then = (tuple(map(atom_of, row[side])) for side in ("when", "then"))
        return cls(row["name"], when, then, row["told"])

    def as_schema(self, domain: Domain) -> Schema:
        """Return the rule as an action schema, with its variables in the order of their names."""
        kinds: dict[str, str] = {}
        for atom in self.when:
            for variable, parameter in zip(atom.args, domain.predicates[atom.name].parameters, strict=True):
                known = kinds.get(variable, parameter.type)
                kinds[variable] = known if domain.is_subtype(known, parameter.type) else parameter.type
        parameters = tuple(Parameter(variable, kinds[variable]) for variable in sorted(kinds))
        return Schema(self.name, self.name, parameters, self.when, self.then, ())


def atom_of(text: str) -> Atom:
    """Return the atom of a text such as `(at hester mill-past)`."""
    name, *args = text.strip("()").split()
    return Atom(name, tuple(args))


def with_rules(domain: Domain, rules: Sequence[CausalRule]) -> Domain:
    """Return a domain whose actions include the rules, so that what they add counts as changing."""
    return replace(domain, actions={**domain.actions, **{rule.name: rule.as_schema(domain) for rule in rules}})


class _Instance(NamedTuple):
    """A rule with its variables replaced."""

    rule: str
    pre: int
    add: int
    because: tuple[str, ...]


class Propagation:
    """The rules of one level, with all values of their variables that can ever matter."""

    def __init__(self, rules: Sequence[CausalRule], world: Grounded) -> None:
        self._atoms = world.atoms
        self._instances: list[_Instance] = []
        """In the order in which facts are reported: of the rules, then of the values of their variables."""
        for rule in rules:
            found = (action for action in world.actions if action.name == rule.name)
            self._instances += [_instance(rule, world, action) for action in sorted(found, key=lambda one: one.args)]
        self._triggers = 0
        for instance in self._instances:
            self._triggers |= instance.pre

    def closed(self, state: int) -> int:
        """Return a state with everything that follows from it."""
        return self.follow(state, state)[0]

    def follow(self, state: int, new: int) -> tuple[int, list[Follows]]:
        """Return a state with everything that follows, and each fact that came. `new` is what was not closed yet."""
        found: list[Follows] = []
        number = 0
        while new & self._triggers:
            number += 1
            new, before = 0, state
            for rule, pre, add, because in self._instances:
                fresh = add & ~state
                if fresh and not pre & ~before:
                    found += (Follows(number, rule, because, str(self._atoms[bit])) for bit in bits(fresh))
                    new |= fresh
                    state |= fresh
        return state, found


def _instance(rule: CausalRule, world: Grounded, action: Action) -> _Instance:
    variables = world.task.domain.actions[rule.name].parameters
    binding = {variable.name: value for variable, value in zip(variables, action.args, strict=True)}
    return _Instance(rule.name, action.pre, action.add, tuple(str(atom.bind(binding)) for atom in rule.when))
