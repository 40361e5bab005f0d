"""Chooses questions by the options of a run: a split, tasks and domains."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast, get_args

from herobench.errors import UsageError
from herobench.suites.acp.hero.columns import HERO
from herobench.suites.acp.prompt import Form, Shots, Style, Thought
from herobench.suites.acp.questions import SPLITS, TASKS, published
from herobench.suites.acp.rows import AnyQuestion

ALL = "all"
_SPLIT, _TASK, _DOMAIN, _FORM, _SHOTS, _THOUGHT = OPTIONS = ("split", "task", "domain", "form", "shots", "thought")


@dataclass(frozen=True, slots=True)
class Choice:
    """The options of the suite."""

    split: str
    tasks: tuple[str, ...]
    domains: tuple[str, ...]
    """The domains; empty for all."""
    style: Style

    @classmethod
    def of(cls, options: Mapping[str, str], split: str) -> Choice:
        """Read options. `split` is the default split. Raise UsageError for one that does not exist."""
        if foreign := sorted(options.keys() - set(OPTIONS)):
            raise UsageError(f"The suite acp has no option {foreign[0]!r}: its options are {', '.join(OPTIONS)}.")
        tasks = options.get(_TASK, ALL)
        return cls(
            split=_one(_SPLIT, options.get(_SPLIT, split), (*SPLITS, ALL)),
            tasks=TASKS if tasks == ALL else _several(_TASK, tasks, TASKS),
            domains=() if options.get(_DOMAIN, ALL) == ALL else tuple(options[_DOMAIN].split(",")),
            style=Style(
                cast("Form", _one(_FORM, options.get(_FORM, Style().form), get_args(Form))),
                cast("Shots", _one(_SHOTS, options.get(_SHOTS, Style().shots), get_args(Shots))),
                cast("Thought", _one(_THOUGHT, options.get(_THOUGHT, Style().thought), get_args(Thought))),
            ),
        )

    def as_options(self) -> dict[str, str]:
        """Return the options as texts."""
        return {
            _SPLIT: self.split,
            _TASK: ALL if self.tasks == TASKS else ",".join(self.tasks),
            _DOMAIN: ",".join(self.domains) or ALL,
            _FORM: self.style.form,
            _SHOTS: self.style.shots,
            _THOUGHT: self.style.thought,
        }

    def of_questions(self, questions: Collection[AnyQuestion]) -> Iterator[AnyQuestion]:
        """Yield the chosen questions in their order. Raise UsageError for a domain that no question has."""
        # a run keeps only the questions that it asks, and they may lack some of the domains that were chosen
        known = {HERO, *(question.domain for question in (*published().values(), *questions))}
        if self.domains:
            _several(_DOMAIN, ",".join(self.domains), sorted(known))
        for question in questions:
            in_split = self.split in (ALL, question.split)
            if in_split and question.task in self.tasks and question.domain in (self.domains or (question.domain,)):
                yield question


def _one(option: str, value: str, allowed: Iterable[str]) -> str:
    if value not in allowed:
        raise UsageError(f"The option {option} of the suite acp is one of {', '.join(allowed)}, and not {value!r}.")
    return value


def _several(option: str, values: str, allowed: Iterable[str]) -> tuple[str, ...]:
    """Return the values of a list with commas, each once and in the order of those that are allowed."""
    given = [value for value in values.split(",") if value]
    if foreign := [value for value in given or [""] if value not in allowed]:
        known = ", ".join(allowed)
        raise UsageError(
            f"The option {option} of the suite acp is some of {known}, and {foreign[0]!r} is none of them."
        )
    return tuple(value for value in allowed if value in given)
