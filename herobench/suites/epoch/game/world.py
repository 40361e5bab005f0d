"""The world of a level: what actions do and need, and what follows from them. It has no clock and no memory.

A state is an int with one bit for each fact that can change. The games of a level share one world.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from herobench.data.documents import data_of
from herobench.data.errors import InputError, Problem
from herobench.data.kept import keep_last
from herobench.pddl import Atom, Domain, GroundAction, Grounded, Schema, TooLarge, ground, parse_domain
from herobench.pddl.task import PddlParameter, bits

if TYPE_CHECKING:
    from herobench.suites.epoch.game.level import Level


@dataclass(frozen=True)
class Edition:
    """A domain with its causal rules. The problem of a level names its domain."""

    rules: tuple[CausalRule, ...]
    domain: Domain
    """The domain, with the causal rules among its actions."""
    digest: str

    @property
    def rule_names(self) -> frozenset[str]:
        """The names of the causal rules. As actions they cost nothing."""
        return frozenset(rule.name for rule in self.rules)

    @cached_property
    def has_hours(self) -> bool:
        """Whether the actions of the domain have costs: the hours that they take."""
        return any(schema.costs for schema in self.domain.actions.values())

    @property
    def tools(self) -> tuple[str, ...]:
        """The actions that can be tools, in the order of the domain."""
        return tuple(name for name in self.domain.actions if name not in self.rule_names)


PUBLISHED_EDITION, ROAD = "epochs", "epochs-road"
_FILES = {PUBLISHED_EDITION: ("domain.pddl", "rules.json"), ROAD: ("road.pddl", "road-rules.json")}
"""The files of each edition, by the name of its domain."""
_NAMED_DOMAIN = re.compile(r"\(:domain\s+([^\s()]+)")


def domain_name(problem: str) -> str:
    """Return the name of the edition that a problem in PDDL names; that of the published levels for any other text."""
    match = _NAMED_DOMAIN.search(problem)
    return match[1] if match and match[1] in _FILES else PUBLISHED_EDITION


@cache
def edition(name: str) -> Edition:
    """Return an edition by the name of its domain."""
    texts = [shipped_text(file) for file in _FILES[name]]
    rules = tuple(map(CausalRule.of, json.loads(texts[1])["rules"]))
    digest = hashlib.sha256("\0".join(texts).encode()).hexdigest()
    return Edition(rules, with_rules(parse_domain(texts[0]), rules), digest)


def level_digest(problems: Iterable[str]) -> str:
    """Return the digest of the editions of some levels, by their problems."""
    digests = sorted({edition(name).digest for name in set(map(domain_name, problems))})
    return digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()


def shipped_text(name: str) -> str:
    """Return a file of herobench/suites/epoch/data."""
    return data_of("herobench.suites.epoch").joinpath(*name.split("/")).read_text(encoding="utf-8")


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
        when, then = (tuple(map(parse_atom, row[side])) for side in ("when", "then"))
        return cls(row["name"], when, then, row["told"])

    def as_schema(self, domain: Domain) -> Schema:
        """Return the rule as an action schema, with its variables in the order of their names."""
        kinds: dict[str, str] = {}
        for atom in self.when:
            for variable, parameter in zip(atom.args, domain.predicates[atom.name].parameters, strict=True):
                kind = kinds.get(variable, parameter.type)
                kinds[variable] = kind if domain.is_subtype(kind, parameter.type) else parameter.type
        parameters = tuple(PddlParameter(variable, kinds[variable]) for variable in sorted(kinds))
        return Schema(self.name, self.name, parameters, self.when, self.then, ())


def parse_atom(text: str) -> Atom:
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
            actions = (action for action in world.actions if action.name == rule.name)
            self._instances += [_instance(rule, world, action) for action in sorted(actions, key=lambda one: one.args)]
        names = {instance.rule for instance in self._instances}
        self.able = [rule for rule in rules if rule.name in names]
        """The rules that can add a fact in this level."""
        self._triggers = 0
        for instance in self._instances:
            self._triggers |= instance.pre

    def closure(self, state: int) -> int:
        """Return a state with everything that follows from it."""
        return self.follow(state, state)[0]

    def follow(self, state: int, new: int) -> tuple[int, list[Follows]]:
        """Return a state with everything that follows, and each fact that came. `new` is what was not closed yet."""
        follows: list[Follows] = []
        number = 0
        while new & self._triggers:
            number += 1
            new, before = 0, state
            for rule, pre, add, because in self._instances:
                fresh = add & ~state
                if fresh and not pre & ~before:
                    follows += (Follows(number, rule, because, str(self._atoms[bit])) for bit in bits(fresh))
                    new |= fresh
                    state |= fresh
        return state, follows


def _instance(rule: CausalRule, world: Grounded, action: GroundAction) -> _Instance:
    variables = world.task.domain.actions[rule.name].parameters
    binding = {variable.name: value for variable, value in zip(variables, action.args, strict=True)}
    return _Instance(rule.name, action.pre, action.add, tuple(str(atom.bind(binding)) for atom in rule.when))


_KEPT, _BYTES = 64, 400_000_000
"""The number of worlds that are kept, and what they may take together."""


class ActionChange(NamedTuple):
    """The facts after a valid action, and those that it added and removed."""

    state: int
    """The facts afterwards, with all derived facts."""
    added: int
    deleted: int
    """What the action itself changed: only facts that were false or true before."""
    follows: list[Follows]


def _size(world: EpochWorld) -> int:
    return world.grounded.size


@keep_last(_KEPT, _BYTES, _size)
def level_world(level: Level) -> EpochWorld:
    """Return the world of a level. Raise InputError if too much can be done in it."""
    return EpochWorld(level)


class EpochWorld:
    """The world of one level."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.edition = edition(domain_name(level.problem))
        self.task = level.task
        try:
            self.grounded = ground(self.task)
        except TooLarge as error:
            raise InputError([Problem(f"the level {level.id}", "$.problem", str(error))]) from None
        self.rules = Propagation(self.edition.rules, self.grounded)
        self.initial = self.rules.closure(self.grounded.initial)
        actions = self.task.domain.actions
        self._keys = {tool: [parameter.name[1:] for parameter in actions[tool].parameters] for tool in level.tools}
        self._hints = {name: self._hint(name) for name in self.task.domain.predicates}
        self.static = [atom for atom in self.task.problem.initial if atom.name not in self.task.fluents]
        self.milestones = {text: self.mask(text) for text in level.milestones}
        self.until = self.mask(level.unstable.until) if level.unstable and level.unstable.until else 0

    def mask(self, fact: str) -> int:
        """Return the bit of a fact that can change."""
        return 1 << self.grounded.number(parse_atom(fact))

    @cached_property
    def unstable(self) -> int:
        """The bits of the facts that fade."""
        fading = self.level.unstable and self.level.unstable.predicate
        return sum(1 << bit for bit, atom in enumerate(self.grounded.atoms) if atom.name == fading)

    @cached_property
    def tool_actions(self) -> list[GroundAction]:
        """The actions that the tools of the level can carry out."""
        return [action for action in self.grounded.actions if action.name in self.level.tools]

    @cached_property
    def deeds(self) -> list[GroundAction]:
        """The actions of the tools, and the rules as actions."""
        return [
            *self.tool_actions,
            *(action for action in self.grounded.actions if action.name in self.edition.rule_names),
        ]

    def keys(self, tool: str) -> list[str]:
        """Return the names of a tool's arguments."""
        return self._keys[tool]

    def find_action(self, tool: str, arguments: Mapping[str, Any]) -> Atom | None:
        """Return the action that a call names; None if its arguments are not those of the tool."""
        keys = self._keys[tool]
        if arguments.keys() != set(keys):
            return None
        args = tuple(arguments[key] for key in keys)
        if not all(isinstance(arg, str) for arg in args) or not self.task.is_action(tool, args):
            return None
        return Atom(tool, args)

    def carried_out(self, state: int, action: Atom) -> ActionChange | None:
        """Return what an action does in a state; None if it is refused."""
        ground_action = self.grounded.find(*action)
        if ground_action is None or ground_action.pre & ~state:
            return None
        new_facts, lost_facts = ground_action.add & ~state, ground_action.delete & state
        after, follows = self.rules.follow(state & ~lost_facts | new_facts, new_facts)
        return ActionChange(after, new_facts, lost_facts, follows)

    def after(self, state: int, action: GroundAction) -> int:
        """Return the state after an action that can be carried out, with all that follows, if nothing fades."""
        return self.rules.closure(state & ~action.delete | action.add)

    def choices(self, state: int) -> list[tuple[GroundAction, int]]:
        """Return the actions that can be carried out in a state, each with the state after it, if nothing fades."""
        absent = ~state
        return [(action, self.after(state, action)) for action in self.tool_actions if not action.pre & absent]

    def hours(self, action: Atom | GroundAction) -> int:
        """Return the hours of an action, which only a road has; 1 elsewhere."""
        return self.task.cost(action.name, action.args) if self.edition.has_hours else 1

    def unmet(self, state: int, action: Atom) -> list[Atom]:
        """Return the facts that an action needs and that are false, in the order of the PDDL."""
        return [fact for fact in self.grounded.false_preconditions(state, action) if isinstance(fact, Atom)]

    def hint(self, fact: Atom) -> dict[str, list[str]]:
        """Return the tools and the rules that can make facts of the same predicate true."""
        return {kind: list(names) for kind, names in self._hints[fact.name].items()}

    def facts(self, mask: int) -> list[str]:
        """Return the facts of a state or mask as texts, sorted."""
        return sorted(str(self.grounded.atoms[bit]) for bit in bits(mask))

    def everything(self, state: int) -> list[str]:
        """Return all facts as texts, also those that never change, sorted."""
        return sorted([*self.facts(state), *map(str, self.static)])

    def _hint(self, predicate: str) -> dict[str, list[str]]:
        actions = self.task.domain.actions
        return {
            "actions": [tool for tool in self.level.tools if _adds(actions[tool].add, predicate)],
            "rules": [rule.name for rule in self.edition.rules if _adds(rule.then, predicate)],
        }


def _adds(effects: tuple[Atom, ...], predicate: str) -> bool:
    return any(atom.name == predicate for atom in effects)
