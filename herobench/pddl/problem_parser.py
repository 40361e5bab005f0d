"""Parses a problem of a domain: its objects, its initial state and its goal, a conjunction of atoms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from herobench.pddl.domain import Atom, Domain
from herobench.pddl.domain_parser import check_atom, conjuncts, definition, sections_by_head, typed_objects
from herobench.pddl.syntax import PddlForm, PddlText

_SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric")


@dataclass(frozen=True, slots=True)
class PddlProblem:
    """One problem. `objects` has the constants of the domain too, with the type of each."""

    name: str
    objects: Mapping[str, str]
    initial: tuple[Atom, ...]
    goal: tuple[Atom, ...]


def parse_problem(text: str, domain: Domain) -> PddlProblem:
    """Return the problem that a text defines; raises PddlError."""
    source = PddlText(text)
    name, forms = definition(source, "problem")
    sections = sections_by_head(source, forms, _SECTIONS)
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
    )


def _check_domain(source: PddlText, section: PddlForm, domain: Domain) -> None:
    named = section.items[1] if len(section.items) == 2 else section
    if source.name(named, "the name of the domain") != domain.name:
        raise source.error(named, f"the name of the domain, {domain.name}")


def _initial(source: PddlText, section: PddlForm, domain: Domain, objects: Mapping[str, str]) -> tuple[Atom, ...]:
    """Return the atoms that are true at the start, each once. Values of functions such as total-cost are ignored."""
    forms = [source.form(node, "an atom in parentheses") for node in section.items[1:]]
    atoms = (check_atom(source, form, domain, objects) for form in forms if form.head != "=")
    return tuple(dict.fromkeys(atoms))


def _goal(source: PddlText, section: PddlForm, domain: Domain, objects: Mapping[str, str]) -> tuple[Atom, ...]:
    if len(section.items) != 2:
        raise source.error(section, "one condition in :goal")
    parts = conjuncts(source, source.form(section.items[1], "a condition in parentheses"))
    return tuple(dict.fromkeys(check_atom(source, part, domain, objects) for part in parts))
