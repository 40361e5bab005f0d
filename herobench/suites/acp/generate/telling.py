"""Tells a state in natural language, in words of our own: what there is, what holds, the goal, and what can be said.

A voice takes one of the wordings of each fact and action, and keeps it. Objects and facts come in a random order, and
facts that differ in one object are told together. What is told is all that holds, so the text decides every question.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import TypeVar

from herobench.pddl.domain import Atom, Parameter
from herobench.pddl.simulation import Action
from herobench.pddl.task import Task
from herobench.suites.acp.generate.words import Words, fill
from herobench.suites.acp.questions import published

_Thing = TypeVar("_Thing")

WITH_GOAL = ("val", "just", "land", "nexta")
"""The tasks whose context tells the goal."""
_OF_PROPOSITIONS = ("prog", "reach", "land")
"""The tasks whose context lists the propositions. The others list the actions."""


class Voice:
    """One choice of wordings for a domain."""

    def __init__(self, words: Words, chance: Random) -> None:
        self._words, self._chance = words, chance
        domain = words.domain
        self._one = {name: chance.choice(words.facts(name)) for name in domain.predicates}
        self._deeds = {name: chance.choice(words.deeds(name)) for name in domain.actions}
        self._about = chance.choice(words.about)

    def context(self, kind: str, task: Task) -> str:
        """Return the context of a question of some kind about the initial state of a task."""
        initial = task.problem.initial
        fixed = self._facts(atom for atom in initial if atom.name not in task.fluents)
        moving = self._facts(atom for atom in initial if atom.name in task.fluents)
        parts = [self._about, *self._objects(task)]
        if fixed:
            parts.append(f"What never changes: {'; '.join(fixed)}.")
        parts.append(f"What holds now: {'; '.join(moving) or 'none of the propositions that can change'}.")
        parts.append("Whatever is not said does not hold.")
        if kind in WITH_GOAL:
            parts.append(
                f"The goal is reached as soon as all of this holds: {'; '.join(self._facts(task.problem.goal))}."
            )
        parts.append(self._propositions() if kind in _OF_PROPOSITIONS else self._actions())
        return " ".join(parts)

    def phrase(self, action: Action) -> str:
        """Return an action in words."""
        parameters = self._words.domain.actions[action.name].parameters
        return fill(self._deeds[action.name], _values(parameters, action.args))

    def _objects(self, task: Task) -> Iterator[str]:
        named: dict[str, list[str]] = defaultdict(list)
        for name, kind in task.problem.objects.items():
            named[kind].append(name)
        for kind in self._shuffled(named):
            names = self._shuffled(named[kind])
            noun = self._words.noun(kind, several=len(names) > 1)
            yield f"There {'are' if names[1:] else 'is'} {len(names) if names[1:] else 'one'} {noun}: {_listed(names)}."

    def _facts(self, atoms: Iterable[Atom]) -> list[str]:
        """Return facts in words, those of one predicate one after the other."""
        by_name: dict[str, list[Atom]] = defaultdict(list)
        for atom in atoms:
            if self._words.is_told(atom.name):
                by_name[atom.name].append(atom)
        return [text for name in self._shuffled(by_name) for text in self._of_predicate(name, by_name[name])]

    def _of_predicate(self, name: str, atoms: Sequence[Atom]) -> Iterator[str]:
        parameters, together = self._words.domain.predicates[name].parameters, self._words.together(name)
        if together is None:
            yield from (fill(self._one[name], _values(parameters, atom.args)) for atom in self._shuffled(atoms))
            return
        over, wordings = together
        groups: dict[tuple[str, ...], list[Mapping[str, str]]] = defaultdict(list)
        for atom in self._shuffled(atoms):
            values = _values(parameters, atom.args)
            groups[tuple(value for key, value in values.items() if key != over)].append(values)
        wording = self._chance.choice(wordings)
        for group in groups.values():
            if len(group) == 1:
                yield fill(self._one[name], group[0])
            else:
                yield fill(wording, {**group[0], over: _listed([values[over] for values in group])})

    def _propositions(self) -> str:
        domain = self._words.domain
        told = [_schema(name, domain.predicates[name].parameters, self._one[name]) for name in sorted(domain.fluents)]
        return f"The propositions are: {'; '.join(self._shuffled(told))}."

    def _actions(self) -> str:
        domain = self._words.domain
        told = [_schema(name, schema.parameters, self._deeds[name]) for name, schema in domain.actions.items()]
        return f"The actions are: {'; '.join(self._shuffled(told))}."

    def _shuffled(self, things: Iterable[_Thing]) -> list[_Thing]:
        listed = list(things)
        return self._chance.sample(listed, len(listed))


def question_words(kind: str, quoted: str) -> str:
    """Return the published question of a kind, with a text of ours in its quotation marks."""
    return re.sub('"[^"]*"', lambda _: f'"{quoted}"', _published_words()[kind])


@cache
def _published_words() -> Mapping[str, str]:
    return {question.task: question.question for question in published().values()}


def _schema(name: str, parameters: Sequence[Parameter], wording: str) -> str:
    variables = [parameter.name for parameter in parameters]
    return f"({' '.join((name, *variables))}) - {fill(wording, _values(parameters, variables))}"


def _values(parameters: Sequence[Parameter], args: Sequence[str]) -> dict[str, str]:
    return {parameter.name[1:]: arg for parameter, arg in zip(parameters, args, strict=True)}


def _listed(names: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
