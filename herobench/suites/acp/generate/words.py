"""The words of a domain: how its facts and actions are told in natural language.

The domains of ACPBench Hard have a file each in `prompts/acp_domains`. A folder of PDDL may have one of the same form,
`nl.json`. What a file leaves out is told plainly by the names of the PDDL.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from typing import Any

from herobench.documents import schema_problems
from herobench.errors import InputError, Problem
from herobench.pddl.domain import Domain, Parameter

_PLACE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Words:
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


def _plain(what: str, link: str, parameters: Sequence[Parameter]) -> str:
    named = [f"{parameter.name[1:]} {{{parameter.name[1:]}}}" for parameter in parameters]
    return f"{what}{link}{' and '.join(named)}" if named else what


def fill(wording: str, values: Mapping[str, str]) -> str:
    """Return a wording with its placeholders replaced."""
    return _PLACE.sub(lambda place: values[place[1]], wording)


def own_words(name: str, domain: Domain) -> Words:
    """Return the words of a domain of ACPBench Hard."""
    file = resources.files("herobench.prompts").joinpath("acp_domains", f"{name}.json")
    return Words(domain, json.loads(file.read_text(encoding="utf-8")))


def checked_words(document: Any, domain: Domain, file: str) -> Words:
    """Return words that a user wrote. Raise InputError with all that does not fit the domain."""
    problems = schema_problems(document, "acp-words", file) or list(_misfits(document, domain, file))
    if problems:
        raise InputError(problems)
    return Words(domain, document)


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
            yield from _unfilled(texts, predicate.parameters, file, f"{path}.{key}")
        if "over" in entry and f"?{entry['over']}" not in dict(predicate.parameters):
            yield Problem(file, f"{path}.over", "a parameter of the predicate", entry["over"])
    for name, texts in document.get("actions", {}).items():
        schema = domain.actions.get(name)
        if schema is None:
            yield Problem(file, f"$.actions.{name}", "an action of the domain")
        else:
            yield from _unfilled(texts, schema.parameters, file, f"$.actions.{name}")


def _unfilled(texts: Iterable[str], parameters: Sequence[Parameter], file: str, path: str) -> Iterator[Problem]:
    wanted = {parameter.name[1:] for parameter in parameters}
    for number, text in enumerate(texts):
        if set(_PLACE.findall(text)) != wanted:
            places = ", ".join(f"{{{name}}}" for name in sorted(wanted)) or "no placeholder"
            yield Problem(file, f"{path}[{number}]", f"a wording with {places} and no other placeholder", text)
