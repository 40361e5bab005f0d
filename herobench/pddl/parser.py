"""Parses domains and problems: typing, constants, `=`, `(not (= ...))`, `or` over static atoms, action costs.

Of costs only whole numbers are read. Nothing else of PDDL is: no negative preconditions, conditional effects,
quantifiers or numeric conditions. A text that uses them is refused, because a plan would mean something else without
them.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping

from herobench.pddl.syntax import Node, PddlForm, PddlText, Symbol
from herobench.pddl.task import (
    ROOT_TYPE,
    AnyOf,
    Atom,
    Condition,
    Domain,
    PddlParameter,
    PddlProblem,
    PddlTask,
    Predicate,
    Schema,
    Unequal,
)

_DOMAIN_SECTIONS = (":requirements", ":types", ":constants", ":predicates", ":functions")


def parse_domain(text: str) -> Domain:
    """Return the domain that a text defines; raises PddlError."""
    return _DomainParser(PddlText(text)).parse()


def definition(source: PddlText, kind: str) -> tuple[Symbol, list[PddlForm]]:
    """Return the name and the sections of `(define (kind name) section...)`."""
    form = source.read()
    title = form.items[1] if len(form.items) > 1 else form
    if form.head != "define":
        raise source.error(form, "'(define ...)'")
    if not (isinstance(title, PddlForm) and title.head == kind and len(title.items) == 2):
        raise source.error(title, f"'({kind} NAME)'")
    name = title.items[1]
    source.name(name, f"the name of the {kind}")
    assert isinstance(name, Symbol)
    return name, [source.form(node, "a section such as '(:init ...)'") for node in form.items[2:]]


def sections_by_head(source: PddlText, sections: list[PddlForm], heads: tuple[str, ...]) -> dict[str, PddlForm]:
    """Return each section under its keyword; every keyword has to be known and may occur once."""
    by_head: dict[str, PddlForm] = {}
    for section in sections:
        if section.head not in heads:
            raise source.error(section.items[0] if section.items else section, f"one of {', '.join(heads)}")
        if section.head in by_head:
            raise source.error(section, f"one section {section.head}")
        by_head[section.head] = section
    return by_head


def check_atom(source: PddlText, form: PddlForm, domain: Domain, types: Mapping[str, str]) -> Atom:
    """Return a well-typed atom over names whose types are given."""
    name = source.name(form.items[0] if form.items else form, "a predicate")
    predicate = domain.predicates.get(name)
    if predicate is None:
        raise source.error(form.items[0], "a declared predicate")
    if len(form.items) - 1 != len(predicate.parameters):
        raise source.error(form, f"{len(predicate.parameters)} arguments of {name}")
    args = []
    for node, parameter in zip(form.items[1:], predicate.parameters, strict=True):
        arg = term(source, node, types)
        if not domain.is_subtype(types[arg], parameter.type):
            raise source.error(node, f"an argument of type {parameter.type}")
        args.append(arg)
    return Atom(name, tuple(args))


def term(source: PddlText, node: Node, types: Mapping[str, str]) -> str:
    """Return a declared object or variable."""
    name = node.word if isinstance(node, Symbol) else ""
    if name not in types:
        raise source.error(node, "a declared object or variable")
    return name


def typed_objects(
    source: PddlText, section: PddlForm, domain: Domain, other_names: Mapping[str, str]
) -> dict[str, str]:
    """Return the type of each object that a section declares. No object may be declared twice."""
    types_by_name: dict[str, str] = {}
    for node, kind in source.typed_list(section.items[1:]):
        name = source.name(node, "the name of an object")
        if name in types_by_name or name in other_names:
            raise source.error(node, "an object that is not declared yet")
        types_by_name[name] = _type(source, kind, domain)
    return types_by_name


def _type(source: PddlText, kind: Symbol | None, domain: Domain) -> str:
    name = kind.word if kind else ROOT_TYPE
    if kind and name != ROOT_TYPE and name not in domain.types:
        raise source.error(kind, "a declared type")
    return name


class _DomainParser:
    """Holds the source and what has been declared so far."""

    def __init__(self, source: PddlText) -> None:
        self.source = source
        self.predicates: dict[str, Predicate] = {}
        self.actions: dict[str, Schema] = {}
        self.choices: list[tuple[PddlForm, Atom]] = []
        """The atoms under `or`, each with its place; they have to be static."""
        self.domain = Domain("", {}, {}, self.predicates, self.actions)

    def parse(self) -> Domain:
        """Return the domain of the whole text."""
        name, forms = definition(self.source, "domain")
        actions = [form for form in forms if form.head == ":action"]
        sections = sections_by_head(
            self.source, [form for form in forms if form.head != ":action"], (*_DOMAIN_SECTIONS, ":action")
        )
        types = self._types(sections[":types"]) if ":types" in sections else {}
        self.domain = Domain(name.word, types, {}, self.predicates, self.actions)
        constants: dict[str, str] = {}
        if ":constants" in sections:
            constants = typed_objects(self.source, sections[":constants"], self.domain, {})
        self.domain = Domain(name.word, types, constants, self.predicates, self.actions)
        for node in sections[":predicates"].items[1:] if ":predicates" in sections else []:
            self._predicate(self.source.form(node, "a predicate such as '(at ?x)'"))
        for action in actions:
            self._action(action)
        for form, atom in self.choices:
            if atom.name in self.domain.fluents:
                raise self.source.error(form, "a predicate that no action changes, because it is under 'or'")
        return self.domain

    def _types(self, section: PddlForm) -> dict[str, str]:
        """Return the parent of each type."""
        parents: dict[str, str] = {}
        nodes: dict[str, Node] = {}
        entries = self.source.typed_list(section.items[1:])
        for node, kind in entries:
            name, parent = self.source.name(node, "the name of a type"), kind.word if kind else ROOT_TYPE
            if name in parents or (name == ROOT_TYPE and parent != ROOT_TYPE):
                raise self.source.error(node, "a type that is not declared yet")
            if name != ROOT_TYPE:
                parents[name], nodes[name] = parent, node
        type_names = {ROOT_TYPE, *parents}
        for _, kind in entries:
            if kind and kind.word not in type_names:
                raise self.source.error(kind, "a declared type")
        sound = {ROOT_TYPE}
        for name in parents:
            line: dict[str, None] = {}
            while name not in sound:
                if name in line:
                    raise self.source.error(nodes[name], "a type that is no subtype of itself")
                line[name] = None
                name = parents[name]
            sound.update(line)
        return parents

    def _parameters(self, nodes: list[Node]) -> tuple[PddlParameter, ...]:
        parameters: dict[str, PddlParameter] = {}
        for node, kind in self.source.typed_list(nodes):
            name = self.source.variable(node)
            if name in parameters:
                raise self.source.error(node, "a variable that is not declared yet")
            parameters[name] = PddlParameter(name, _type(self.source, kind, self.domain))
        return tuple(parameters.values())

    def _predicate(self, form: PddlForm) -> None:
        name = self.source.name(form.items[0] if form.items else form, "the name of a predicate")
        if name in self.predicates or name in ("and", "or", "not"):
            raise self.source.error(form.items[0], "a predicate that is not declared yet")
        self.predicates[name] = Predicate(name, self._parameters(form.items[1:]))

    def _action(self, form: PddlForm) -> None:
        title = form.items[1] if len(form.items) > 1 else form
        name = self.source.name(title, "the name of an action")
        if name in self.actions:
            raise self.source.error(title, "an action that is not declared yet")
        fields = self._fields(form)
        parameters = self._parameters(fields[":parameters"].items if ":parameters" in fields else [])
        types = ChainMap(dict(parameters), dict(self.domain.constants))
        parts = conjuncts(self.source, fields.get(":precondition"))
        precondition = tuple(self._condition(part, types) for part in parts)
        add, delete, costs = self._effect(fields.get(":effect"), types)
        spelling = title.text if isinstance(title, Symbol) else name
        self.actions[name] = Schema(name, spelling, parameters, precondition, add, delete, costs)

    def _fields(self, form: PddlForm) -> dict[str, PddlForm]:
        fields: dict[str, PddlForm] = {}
        rest = iter(form.items[2:])
        for key in rest:
            word = key.word if isinstance(key, Symbol) else ""
            if word not in (":parameters", ":precondition", ":effect") or word in fields:
                raise self.source.error(key, ":parameters, :precondition or :effect, each once")
            fields[word] = self.source.form(next(rest, key), f"a form after {word}")
        return fields

    def _condition(self, form: PddlForm, types: Mapping[str, str]) -> Condition:
        if form.head == "=":
            return Atom("=", self._equals(form, types))
        if form.head == "not":
            inner = form.items[1] if len(form.items) == 2 else form
            if not (isinstance(inner, PddlForm) and inner.head == "="):
                raise self.source.error(inner, "'(= ...)' as the only condition under 'not'")
            return Unequal(*self._equals(inner, types))
        if form.head == "or":
            forms = [self.source.form(node, "an atom") for node in form.items[1:]]
            atoms = tuple(check_atom(self.source, inner, self.domain, types) for inner in forms)
            self.choices += zip(forms, atoms, strict=True)
            return AnyOf(atoms)
        return check_atom(self.source, form, self.domain, types)

    def _equals(self, form: PddlForm, types: Mapping[str, str]) -> tuple[str, str]:
        if len(form.items) != 3:
            raise self.source.error(form, "two arguments of '='")
        return term(self.source, form.items[1], types), term(self.source, form.items[2], types)

    def _effect(
        self, form: PddlForm | None, types: Mapping[str, str]
    ) -> tuple[tuple[Atom, ...], tuple[Atom, ...], tuple[int | Atom, ...]]:
        add, delete, costs = list[Atom](), list[Atom](), list[int | Atom]()
        for part in conjuncts(self.source, form):
            if part.head == "not":
                inner = self.source.form(part.items[1] if len(part.items) == 2 else part, "'(not (ATOM))'")
                if inner is part:
                    raise self.source.error(part, "'(not (ATOM))'")
                delete.append(check_atom(self.source, inner, self.domain, types))
            elif part.head == "increase":
                costs += _costs(part)
            else:
                add.append(check_atom(self.source, part, self.domain, types))
        return tuple(add), tuple(delete), tuple(costs)


def _costs(form: PddlForm) -> Iterator[int | Atom]:
    """Yield what an `increase` adds to `total-cost`. Other functions are not looked at."""
    match form.items:
        case [_, PddlForm(head="total-cost"), PddlForm() as function]:
            yield _function(function)
        case [_, PddlForm(head="total-cost"), Symbol(text) as number] if _WHOLE.fullmatch(text):
            yield int(number.text)


def _function(form: PddlForm) -> Atom:
    """Return a function with its arguments, which are objects or variables."""
    return Atom(form.head, tuple(item.word for item in form.items[1:] if isinstance(item, Symbol)))


def _values(section: PddlForm) -> Iterator[tuple[Atom, int]]:
    """Yield the functions of `:init` whose values are whole numbers."""
    for form in section.items[1:]:
        match form:
            case PddlForm(items=[Symbol("="), PddlForm() as function, Symbol(text)]) if _WHOLE.fullmatch(text):
                yield _function(function), int(text)


def conjuncts(source: PddlText, form: PddlForm | None) -> list[PddlForm]:
    """Return the parts of a conjunction in their order, nested ones too. No form, and `()`, have no parts."""
    if form is None or not form.items:
        return []
    if form.head != "and":
        return [form]
    parts = [source.form(node, "a form in parentheses") for node in form.items[1:]]
    return [inner for part in parts for inner in conjuncts(source, part)]


_WHOLE = re.compile(r"[0-9]{1,9}")
_PROBLEM_SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric")


def read_task(domain_text: str, problem_text: str) -> PddlTask:
    """Return the task of two texts; raises PddlError."""
    domain = parse_domain(domain_text)
    return PddlTask(domain, parse_problem(problem_text, domain))


def parse_problem(text: str, domain: Domain) -> PddlProblem:
    """Return the problem that a text defines; raises PddlError."""
    source = PddlText(text)
    name, forms = definition(source, "problem")
    sections = sections_by_head(source, forms, _PROBLEM_SECTIONS)
    for needed in (":domain", ":init", ":goal"):
        if needed not in sections:
            raise source.error(len(text), f"a section {needed} of the problem")
    _check_domain(source, sections[":domain"], domain)
    objects = dict(domain.constants)
    if ":objects" in sections:
        objects |= typed_objects(source, sections[":objects"], domain, objects)
    return PddlProblem(
        name.word,
        objects,
        _initial(source, sections[":init"], domain, objects),
        _goal(source, sections[":goal"], domain, objects),
        dict(_values(sections[":init"])),
    )


def _check_domain(source: PddlText, section: PddlForm, domain: Domain) -> None:
    domain_name = section.items[1] if len(section.items) == 2 else section
    if source.name(domain_name, "the name of the domain") != domain.name:
        raise source.error(domain_name, f"the name of the domain, {domain.name}")


def _initial(source: PddlText, section: PddlForm, domain: Domain, objects: Mapping[str, str]) -> tuple[Atom, ...]:
    """Return the atoms that are true at the start, each once."""
    forms = [source.form(node, "an atom in parentheses") for node in section.items[1:]]
    atoms = (check_atom(source, form, domain, objects) for form in forms if form.head != "=")
    return tuple(dict.fromkeys(atoms))


def _goal(source: PddlText, section: PddlForm, domain: Domain, objects: Mapping[str, str]) -> tuple[Atom, ...]:
    if len(section.items) != 2:
        raise source.error(section, "one condition in :goal")
    parts = conjuncts(source, source.form(section.items[1], "a condition in parentheses"))
    return tuple(dict.fromkeys(check_atom(source, part, domain, objects) for part in parts))
