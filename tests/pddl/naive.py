"""A planner that tries everything, without `herobench.pddl`: a reader of its own, and states as sets of texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, NamedTuple

State = frozenset[str]


class NaiveAction(NamedTuple):
    """A ground action. Of each of its choices at least one atom has to hold."""

    name: str
    choices: tuple[frozenset[str], ...]
    add: State
    delete: State

    def is_applicable(self, state: State) -> bool:
        return all(choice & state for choice in self.choices)

    def after(self, state: State) -> State:
        return (state - self.delete) | self.add


@dataclass(frozen=True)
class Naive:
    """A planning task whose states are visited one by one."""

    domain: Mapping[str, Any]
    problem: Mapping[str, Any]

    @classmethod
    def of(cls, domain: str, problem: str) -> Naive:
        return cls(_sections(domain), _sections(problem))

    @cached_property
    def objects(self) -> dict[str, str]:
        """The type of each object."""
        return {**dict(_typed(self.domain.get(":constants", []))), **dict(_typed(self.problem.get(":objects", [])))}

    @cached_property
    def initial(self) -> State:
        return frozenset(_text(atom) for atom in self.problem[":init"] if atom[0] != "=")

    @cached_property
    def goal(self) -> State:
        return frozenset(map(_text, _parts(self.problem[":goal"][0])))

    @cached_property
    def changed(self) -> frozenset[str]:
        """The predicates that some action changes."""
        return frozenset(
            atom[0] for schema in self.domain[":action"] for part in _effects(schema) for atom in part
        )  # fmt: skip

    @cached_property
    def atoms(self) -> list[str]:
        """All well-typed atoms of predicates that some action changes."""
        predicates = {name: _typed(rest) for name, *rest in self.domain[":predicates"] if name in self.changed}
        return [
            _text((name, *args))
            for name, parameters in predicates.items()
            for args in product(*(self._of_type(kind) for _, kind in parameters))
        ]

    @cached_property
    def actions(self) -> dict[str, NaiveAction]:
        """All well-typed actions by their names."""
        found = [action for schema in self.domain[":action"] for action in self._instances(schema)]
        return {action.name: action for action in found}

    def is_small(self, actions: int, states: int) -> bool:
        """Whether there are at most so many actions, and states that can be reached; 0 states are not counted."""
        sizes = (prod(len(self._of_type(kind)) for _, kind in _typed(s[":parameters"])) for s in self.domain[":action"])
        return sum(sizes) <= actions and (not states or len(self._visited(states)) <= states)

    @cached_property
    def after(self) -> dict[State, list[tuple[str, State]]]:
        """What each reachable state leads to."""
        return self._visited(10**6)

    def _visited(self, most: int) -> dict[State, list[tuple[str, State]]]:
        """What states lead to, for all that can be reached, or for one more than `most` of them."""
        found: dict[State, list[tuple[str, State]]] = {}
        waiting = [self.initial]
        for state in waiting:
            if state not in found and len(found) <= most:
                found[state] = [(a.name, a.after(state)) for a in self._possible if a.is_applicable(state)]
                waiting += [new for _, new in found[state]]
        return found

    def distance(self, start: State, without: str | None = None) -> int | None:
        """The length of a shortest plan that avoids an atom; None if there is no plan."""
        seen, layer, steps = {start}, [start], 0
        while layer:
            if any(self.goal <= state for state in layer):
                return steps
            new = {after for state in layer for _, after in self.after[state] if without not in after}
            layer, steps = list(new - seen), steps + 1
            seen |= new
        return None

    def landmarks(self) -> frozenset[str]:
        """The atoms outside start and goal that hold somewhere on every way to the goal."""
        outside = frozenset().union(*self.after) - self.initial - self.goal
        return frozenset(atom for atom in outside if self.distance(self.initial, without=atom) is None)

    def next_actions(self) -> frozenset[str]:
        """The actions with which a shortest plan begins."""
        here = self.distance(self.initial)
        return frozenset(
            name for name, after in self.after[self.initial] if here and self.distance(after) == here - 1
        )  # fmt: skip

    def first_refused(self, plan: Sequence[str]) -> int | None:
        """The place of the first action that cannot be carried out; None if all can."""
        state = self.initial
        for place, name in enumerate(plan):
            if name not in self.actions or not self.actions[name].is_applicable(state):
                return place
            state = self.actions[name].after(state)
        return None

    def is_plan(self, plan: Sequence[str]) -> bool:
        state = self.initial
        for name in plan:
            if name not in self.actions or not self.actions[name].is_applicable(state):
                return False
            state = self.actions[name].after(state)
        return self.goal <= state

    @cached_property
    def _possible(self) -> list[NaiveAction]:
        """The actions whose unchanging conditions hold."""

        def may_hold(choice: frozenset[str]) -> bool:
            return any(atom in self.initial or _predicate(atom) in self.changed for atom in choice)

        return [action for action in self.actions.values() if all(map(may_hold, action.choices))]

    def _of_type(self, wanted: str) -> list[str]:
        parents = dict(_typed(self.domain.get(":types", [])))
        return [name for name, kind in self.objects.items() if wanted in _line(kind, parents)]

    def _instances(self, schema: Mapping[str, Any]) -> Iterator[NaiveAction]:
        parameters = _typed(schema[":parameters"])
        add, delete = _effects(schema)
        for args in product(*(self._of_type(kind) for _, kind in parameters)):
            bound = dict(zip((name for name, _ in parameters), args, strict=True))
            conditions = [_bind(part, bound) for part in _parts(schema.get(":precondition", []))]
            yield NaiveAction(
                _text((schema["name"], *args)),
                tuple(_choice(condition) for condition in conditions if not _is_true(condition)),
                frozenset(_text(_bind(atom, bound)) for atom in add),
                frozenset(_text(_bind(atom, bound)) for atom in delete),
            )


def _is_true(condition: list[Any]) -> bool:
    """Whether a condition is a comparison of objects that holds."""
    match condition:
        case ["=", left, right]:
            return bool(left == right)
        case ["not", ["=", left, right]]:
            return bool(left != right)
    return False


def _choice(condition: list[Any]) -> frozenset[str]:
    """The atoms of which one has to hold; none for a comparison, which is false where this is asked."""
    match condition:
        case ["or", *atoms]:
            return frozenset(map(_text, atoms))
        case ["=" | "not", *_]:
            return frozenset()
    return frozenset([_text(condition)])


def _predicate(atom: str) -> str:
    return atom.strip("()").split()[0]


def _line(kind: str, parents: Mapping[str, str]) -> list[str]:
    """A type and those above it."""
    return [kind, *(_line(parents[kind], parents) if parents.get(kind, kind) != kind else ["object"])]


def _effects(schema: Mapping[str, Any]) -> tuple[list[Any], list[Any]]:
    parts = [part for part in _parts(schema.get(":effect", [])) if part[0] != "increase"]
    return [part for part in parts if part[0] != "not"], [part[1] for part in parts if part[0] == "not"]


def _parts(condition: list[Any]) -> list[Any]:
    """The members of a conjunction."""
    if not condition:
        return []
    return [part for inner in condition[1:] for part in _parts(inner)] if condition[0] == "and" else [condition]


def _bind(tree: Any, bound: Mapping[str, str]) -> Any:
    return bound.get(tree, tree) if isinstance(tree, str) else [_bind(part, bound) for part in tree]


def _text(atom: Iterable[str]) -> str:
    return f"({' '.join(atom)})"


def _typed(words: Sequence[str]) -> list[tuple[str, str]]:
    """Names with their types: `a b - c` has a and b of type c."""
    found, waiting = list[tuple[str, str]](), list[str]()
    rest = iter(words)
    for word in rest:
        if word == "-":
            kind = next(rest)
            found += [(name, kind) for name in waiting]
            waiting = []
        else:
            waiting.append(word)
    return found + [(name, "object") for name in waiting]


def _sections(text: str) -> dict[str, Any]:
    """The parts of a definition by their keywords; the actions are a list."""
    found: dict[str, Any] = {":action": []}
    for part in _tree(text)[1:]:
        if part[0] == ":action":
            pairs = dict(zip(part[2::2], part[3::2], strict=True))
            found[":action"].append({"name": part[1], **pairs})
        else:
            found[part[0]] = part[1:]
    return found


def _tree(text: str) -> Any:
    stack: list[list[Any]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text).lower()):
        if token == "(":
            stack.append([])
        elif token == ")":
            whole = stack.pop()
            stack[-1].append(whole)
        else:
            stack[-1].append(token)
    return stack[0][0]
