"""Plans without the engine: reads PDDL and tries out all states, with sets of texts. Slow, and nothing is clever."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

State = frozenset[str]


def read(text: str) -> Any:
    """Nested lists of the lower-case words of a text."""
    stack: list[list[Any]] = [[]]
    for word in re.findall(r"[()]|[^\s()]+", text.lower()):
        if word == "(":
            stack.append([])
        elif word == ")":
            form = stack.pop()
            stack[-1].append(form)
        else:
            stack[-1].append(word)
    return stack[0][0]


def typed(words: list[str]) -> dict[str, str]:
    found, waiting, rest = {}, [], iter(words)
    for word in rest:
        if word == "-":
            kind = next(rest)
            found |= dict.fromkeys(waiting, kind)
            waiting = []
        else:
            waiting.append(word)
    return {**found, **dict.fromkeys(waiting, "object")}


def conjuncts(form: Any) -> list[Any]:
    return [] if not form else form[1:] if form[0] == "and" else [form]


@dataclass(frozen=True)
class Deed:
    name: str
    needs: list[Any]
    add: State
    delete: State

    def can(self, state: State) -> bool:
        return all(holds(part, state) for part in self.needs)

    def do(self, state: State) -> State:
        return (state - self.delete) | self.add


def holds(part: Any, state: State) -> bool:
    if part[0] == "not":
        return not holds(part[1], state)
    if part[0] == "or":
        return any(holds(inner, state) for inner in part[1:])
    return part[1] == part[2] if part[0] == "=" else shown(part) in state


def shown(form: list[str]) -> str:
    return f"({' '.join(form)})"


def bound(form: Any, binding: dict[str, str]) -> Any:
    return [bound(part, binding) for part in form] if isinstance(form, list) else binding.get(form, form)


class Naive:
    """A domain and a problem."""

    def __init__(self, domain_text: str, problem_text: str) -> None:
        sections: dict[str, list[Any]] = {}
        for form in (*read(domain_text)[2:], *read(problem_text)[2:]):
            sections.setdefault(form[0], []).append(form)
        parents = typed(sections.get(":types", [[""]])[0][1:])
        objects = {**typed(sections.get(":constants", [[""]])[0][1:]), **typed(sections[":objects"][0][1:])}
        self.of_type: dict[str, list[str]] = {"object": sorted(objects)}
        for name, kind in sorted(objects.items()):
            while kind != "object":
                self.of_type.setdefault(kind, []).append(name)
                kind = parents.get(kind, "object")
        self.start = frozenset(shown(form) for form in sections[":init"][0][1:] if form[0] != "=")
        self.goal = frozenset(shown(form) for form in conjuncts(sections[":goal"][0][1]))
        self.predicates = {form[0]: typed(form[1:]) for form in sections[":predicates"][0][1:]}
        self.schemas = sections[":action"]
        effects = [part for schema in self.schemas for part in conjuncts(field(schema, ":effect"))]
        self.fluents = {part[1][0] if part[0] == "not" else part[0] for part in effects}

    @cached_property
    def deeds(self) -> dict[str, Deed]:
        """The well-typed actions by name, without those that a fact rules out that never changes."""
        return {deed.name: deed for schema in self.schemas for deed in self._ground(schema)}

    def well_typed(self) -> int:
        """How many actions are well typed."""
        kinds = [typed(field(schema, ":parameters")).values() for schema in self.schemas]
        return sum(prod(len(self.of_type.get(kind, [])) for kind in of_schema) for of_schema in kinds)

    def _ground(self, schema: Any) -> Iterator[Deed]:
        parameters = typed(field(schema, ":parameters"))
        needs, effects = conjuncts(field(schema, ":precondition")), conjuncts(field(schema, ":effect"))
        fixed = [part for part in needs if part[0] == "=" or part[0] in self.predicates.keys() - self.fluents]
        for binding in self._bindings(list(parameters.items()), fixed, {}):
            done = [bound(part, binding) for part in effects]
            add = frozenset(shown(part) for part in done if part[0] != "not")
            delete = frozenset(shown(part[1]) for part in done if part[0] == "not")
            yield Deed(shown([schema[1], *(binding[name] for name in parameters)]), bound(needs, binding), add, delete)

    def _bindings(self, open_: list[tuple[str, str]], fixed: list[Any], binding: dict[str, str]) -> Iterator[Any]:
        known = [bound(part, binding) for part in fixed]
        if not all(holds(part, self.start) for part in known if not any(word[0] == "?" for word in part)):
            return
        if not open_:
            yield binding
            return
        for name in self.of_type.get(open_[0][1], []):
            yield from self._bindings(open_[1:], fixed, {**binding, open_[0][0]: name})

    def atoms(self) -> set[str]:
        """All well-typed propositions that some action changes."""
        return {
            shown([name, *args])
            for name in self.fluents
            for args in product(*(self.of_type.get(kind, []) for kind in self.predicates[name].values()))
        }

    def able(self, state: State) -> list[Deed]:
        return [deed for deed in self.deeds.values() if deed.can(state)]

    def states(self, most: int, without: str = "") -> set[State] | None:
        """All states that can be reached without ever making a proposition true; None if there are more than `most`."""
        seen, waiting = {self.start}, [self.start]
        while waiting:
            state = waiting.pop()
            for deed in self.able(state):
                new = deed.do(state)
                if new not in seen and without not in new:
                    seen.add(new)
                    waiting.append(new)
            if len(seen) > most:
                return None
        return seen

    def distance(self, state: State) -> float:
        layer, seen, steps = {state}, {state}, 0
        while layer:
            if any(self.goal <= found for found in layer):
                return steps
            layer = {deed.do(found) for found in layer for deed in self.able(found)} - seen
            seen |= layer
            steps += 1
        return float("inf")

    def follow(self, plan: list[str]) -> int | None:
        """The position of the first action that cannot be carried out, the length if all can and miss the goal; None
        for a plan."""
        state = self.start
        for position, name in enumerate(plan):
            if not self.deeds[name].can(state):
                return position
            state = self.deeds[name].do(state)
        return None if self.goal <= state else len(plan)


def field(schema: Any, key: str) -> Any:
    return schema[schema.index(key) + 1] if key in schema else []
