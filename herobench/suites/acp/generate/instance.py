"""A planning problem that was drawn: objects, the facts that hold at first, and a goal.

Makers draw instances. An instance is written as PDDL and read again by the engine, so a maker cannot get round a check.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Counts = Mapping[str, int]
"""How many objects of each type an instance has."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A problem before it is text. Facts are texts such as `at c0 l0`."""

    name: str
    objects: Mapping[str, Iterable[str]]
    """The objects by their type."""
    initial: Iterable[str]
    goal: Iterable[str]
    """In an order in which the facts can be reached one after the other, where the domain has such an order."""


def problem_text(domain: str, instance: Instance) -> str:
    """Return an instance as the text of a PDDL problem."""
    objects = " ".join(f"{' '.join(names)} - {kind}" for kind, names in sorted(instance.objects.items()) if names)
    return (
        f"(define (problem {instance.name})\n"
        f"    (:domain {domain})\n"
        f"    (:objects {objects})\n"
        f"    (:init {_listed(sorted(instance.initial))})\n"
        f"    (:goal (and {_listed(instance.goal)}))\n"
        ")\n"
    )


def _listed(facts: Iterable[str]) -> str:
    return " ".join(f"({fact})" for fact in facts)
