"""The words of a domain: how its facts and actions are told in natural language.

The domains of ACPBench Hard have a file each in `prompts/domains`. A folder of PDDL may have one of the same form,
`nl.json`. What a file leaves out is told plainly by the names of the PDDL.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from random import Random
from typing import Any, TypeVar

from herobench.data.documents import schema_problems
from herobench.data.errors import InputError, Problem
from herobench.pddl.task import Atom, Domain, GroundAction, PddlParameter, PddlTask
from herobench.suites.acp.questions.questions import offering, published

_PLACE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class DomainWords:
    """The words of one domain."""

    domain: Domain
    document: Mapping[str, Any]

    @cached_property
    def about(self) -> Sequence[str]:
        """The wordings of what the domain is about."""
        return self.document.get("domain") or [f"This is the planning domain {self.domain.name}."]

    def noun(self, kind: str, *, several: bool) -> str:
        """Return the noun for objects of a type."""
        one, many = self.document.get("objects", {}).get(kind, (f"object of type {kind}", f"objects of type {kind}"))
        return str(many if several else one)

    def facts(self, predicate: str) -> Sequence[str]:
        """Return the wordings of a single fact."""
        parameters = self.domain.predicates[predicate].parameters
        return self._predicate(predicate).get("one") or [_plain(f"'{predicate}' holds", " for ", parameters)]

    def together(self, predicate: str) -> tuple[str, Sequence[str]] | None:
        """Return the parameter in which facts told together differ, and their wordings; None for single facts only."""
        entry = self._predicate(predicate)
        return (entry["over"], entry["many"]) if "many" in entry else None

    def is_told(self, predicate: str) -> bool:
        """Return False for a predicate whose facts are left out."""
        return bool(self._predicate(predicate).get("told", True))

    def deeds(self, action: str) -> Sequence[str]:
        """Return the wordings of what an action does."""
        parameters = self.domain.actions[action].parameters
        wordings: Sequence[str] | None = self.document.get("actions", {}).get(action)
        return wordings or [_plain(f"do '{action}'", " with ", parameters)]

    def _predicate(self, name: str) -> Mapping[str, Any]:
        entry: Mapping[str, Any] = self.document.get("predicates", {}).get(name, {})
        return entry


def _plain(what: str, link: str, parameters: Sequence[PddlParameter]) -> str:
    phrases = [f"{parameter.name[1:]} {{{parameter.name[1:]}}}" for parameter in parameters]
    return f"{what}{link}{' and '.join(phrases)}" if phrases else what


def fill(wording: str, values: Mapping[str, str]) -> str:
    """Return a wording with its placeholders replaced."""
    return _PLACE.sub(lambda place: values[place[1]], wording)


def own_words(name: str, domain: Domain) -> DomainWords:
    """Return the words of a domain of ACPBench Hard."""
    file = resources.files("herobench.suites.acp").joinpath("prompts", "domains", f"{name}.json")
    return DomainWords(domain, json.loads(file.read_text(encoding="utf-8")))


def checked_words(document: Any, domain: Domain, file: str) -> DomainWords:
    """Return words that a user wrote. Raise InputError with everything that does not fit the domain."""
    problems = schema_problems(document, "acp-words", file) or list(_misfits(document, domain, file))
    if problems:
        raise InputError(problems)
    return DomainWords(domain, document)


def _misfits(document: Mapping[str, Any], domain: Domain, file: str) -> Iterator[Problem]:
    """Yield what names something that the domain does not have, or leaves out a parameter."""
    for kind in document.get("objects", {}).keys() - domain.spans.keys():
        yield Problem(file, f"$.objects.{kind}", "a type of the domain")
    for name, entry in document.get("predicates", {}).items():
        path, predicate = f"$.predicates.{name}", domain.predicates.get(name)
        if predicate is None:
            yield Problem(file, path, "a predicate of the domain")
            continue
        wordings = {"one": entry["one"], "many": entry.get("many", [])}
        for key, texts in wordings.items():
            yield from _bad_wordings(texts, predicate.parameters, file, f"{path}.{key}")
        if "over" in entry and f"?{entry['over']}" not in dict(predicate.parameters):
            yield Problem(file, f"{path}.over", "a parameter of the predicate", entry["over"])
    for name, texts in document.get("actions", {}).items():
        schema = domain.actions.get(name)
        if schema is None:
            yield Problem(file, f"$.actions.{name}", "an action of the domain")
        else:
            yield from _bad_wordings(texts, schema.parameters, file, f"$.actions.{name}")


def _bad_wordings(texts: Iterable[str], parameters: Sequence[PddlParameter], file: str, path: str) -> Iterator[Problem]:
    expected_names = {parameter.name[1:] for parameter in parameters}
    for number, text in enumerate(texts):
        if set(_PLACE.findall(text)) != expected_names:
            places = ", ".join(f"{{{name}}}" for name in sorted(expected_names)) or "no placeholder"
            yield Problem(file, f"{path}[{number}]", f"a wording with {places} and no other placeholder", text)


_Thing = TypeVar("_Thing")

WITH_GOAL = ("val", "just", "land", "nexta")
"""The tasks whose context tells the goal."""
_OF_PROPOSITIONS = ("prog", "reach", "land")
"""The tasks whose context lists the propositions. The others list the actions."""


class Voice:
    """One choice of wordings for a domain."""

    def __init__(self, words: DomainWords, chance: Random) -> None:
        self._words, self._chance = words, chance
        domain = words.domain
        self._one = {name: chance.choice(words.facts(name)) for name in domain.predicates}
        self._deeds = {name: chance.choice(words.deeds(name)) for name in domain.actions}
        self._about = chance.choice(words.about)

    def context(self, kind: str, task: PddlTask) -> str:
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

    def phrase(self, action: GroundAction) -> str:
        """Return an action in words."""
        parameters = self._words.domain.actions[action.name].parameters
        return fill(self._deeds[action.name], _values(parameters, action.args))

    def _objects(self, task: PddlTask) -> Iterator[str]:
        names_by_kind: dict[str, list[str]] = defaultdict(list)
        for name, kind in task.problem.objects.items():
            names_by_kind[kind].append(name)
        for kind in self._shuffle(names_by_kind):
            names = self._shuffle(names_by_kind[kind])
            noun = self._words.noun(kind, several=len(names) > 1)
            yield f"There {'are' if names[1:] else 'is'} {len(names) if names[1:] else 'one'} {noun}: {_series(names)}."

    def _facts(self, atoms: Iterable[Atom]) -> list[str]:
        """Return facts in words, those of one predicate one after the other."""
        by_name: dict[str, list[Atom]] = defaultdict(list)
        for atom in atoms:
            if self._words.is_told(atom.name):
                by_name[atom.name].append(atom)
        return [text for name in self._shuffle(by_name) for text in self._of_predicate(name, by_name[name])]

    def _of_predicate(self, name: str, atoms: Sequence[Atom]) -> Iterator[str]:
        parameters, together = self._words.domain.predicates[name].parameters, self._words.together(name)
        if together is None:
            yield from (fill(self._one[name], _values(parameters, atom.args)) for atom in self._shuffle(atoms))
            return
        over, wordings = together
        groups: dict[tuple[str, ...], list[Mapping[str, str]]] = defaultdict(list)
        for atom in self._shuffle(atoms):
            values = _values(parameters, atom.args)
            groups[tuple(value for key, value in values.items() if key != over)].append(values)
        wording = self._chance.choice(wordings)
        for group in groups.values():
            if len(group) == 1:
                yield fill(self._one[name], group[0])
            else:
                yield fill(wording, {**group[0], over: _series([values[over] for values in group])})

    def _propositions(self) -> str:
        domain = self._words.domain
        sentences = [
            _schema(name, domain.predicates[name].parameters, self._one[name]) for name in sorted(domain.fluents)
        ]
        return f"The propositions are: {'; '.join(self._shuffle(sentences))}."

    def _actions(self) -> str:
        domain = self._words.domain
        sentences = [_schema(name, schema.parameters, self._deeds[name]) for name, schema in domain.actions.items()]
        return f"The actions are: {'; '.join(self._shuffle(sentences))}."

    def _shuffle(self, things: Iterable[_Thing]) -> list[_Thing]:
        all_things = list(things)
        return self._chance.sample(all_things, len(all_things))


def question_words(kind: str, quote: str, offered: Iterable[Atom] = ()) -> str:
    """Return the published question of a kind, with a text of ours in its quotation marks, and what it offers."""
    return offering(re.sub('"[^"]*"', lambda _: f'"{quote}"', _published_words()[kind]), map(str, offered))


@cache
def _published_words() -> Mapping[str, str]:
    return {question.task: question.question for question in published().values()}


def _schema(name: str, parameters: Sequence[PddlParameter], wording: str) -> str:
    variables = [parameter.name for parameter in parameters]
    return f"({' '.join((name, *variables))}) - {fill(wording, _values(parameters, variables))}"


def _values(parameters: Sequence[PddlParameter], args: Sequence[str]) -> dict[str, str]:
    return {parameter.name[1:]: arg for parameter, arg in zip(parameters, args, strict=True)}


def _series(names: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
