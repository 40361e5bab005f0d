"""Chooses questions by the options of a run: a split, tasks and domains."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast, get_args

from herobench.data.errors import UsageError
from herobench.prompts.acp.prompt import Form, QuestionStyle, Shots, Thought
from herobench.suite.contract import Option
from herobench.suite.given_options import GivenOptions
from herobench.suites.acp.hero.any_question import AnyQuestion
from herobench.suites.acp.hero.columns import HERO
from herobench.suites.acp.questions.questions import SPLITS, TASKS, published

ALL = "all"
_SPLIT, _TASK, _DOMAIN, _FORM, _SHOTS, _THOUGHT = "split", "task", "domain", "form", "shots", "thought"
RUN_OPTIONS = (
    Option(_SPLIT, "Which part of the questions is asked: one, or all.", "test, or all of a file", "NAME"),
    Option(_TASK, "Which tasks are asked, such as app,prog.", ALL, "NAMES"),
    Option(_DOMAIN, "Which domains the questions are about, such as ferry,swap.", ALL, "NAMES"),
    Option(
        _FORM,
        "How a question is worded: in English, in PDDL, or in both.",
        QuestionStyle().form,
        "|".join(get_args(Form)),
    ),
    Option(_SHOTS, "Whether examples come before the question.", QuestionStyle().shots, "|".join(get_args(Shots))),
    Option(
        _THOUGHT, "Whether the model may think before it answers.", QuestionStyle().thought, "|".join(get_args(Thought))
    ),
)
"""The settings of a run of the suite, as `herobench run` has them."""


@dataclass(frozen=True, slots=True)
class AcpOptions:
    """The options of the suite."""

    split: str
    tasks: tuple[str, ...]
    domains: tuple[str, ...]
    """The domains; empty for all."""
    style: QuestionStyle

    @classmethod
    def of(cls, options: Mapping[str, str], split: str) -> AcpOptions:
        """Read options. `split` is the default split. Raise UsageError for a value that does not exist."""
        tasks, given = options.get(_TASK, ALL), GivenOptions("acp", options)
        return cls(
            split=given.one_of(_SPLIT, split, (*SPLITS, ALL)),
            tasks=TASKS if tasks == ALL else _several(_TASK, tasks, TASKS),
            domains=() if options.get(_DOMAIN, ALL) == ALL else tuple(options[_DOMAIN].split(",")),
            style=QuestionStyle(
                cast("Form", given.one_of(_FORM, QuestionStyle().form, get_args(Form))),
                cast("Shots", given.one_of(_SHOTS, QuestionStyle().shots, get_args(Shots))),
                cast("Thought", given.one_of(_THOUGHT, QuestionStyle().thought, get_args(Thought))),
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


def _several(option: str, values: str, allowed: Iterable[str]) -> tuple[str, ...]:
    """Return the values of a list with commas, each once and in the order of those that are allowed."""
    given = [value for value in values.split(",") if value]
    if foreign := [value for value in given or [""] if value not in allowed]:
        known = ", ".join(allowed)
        raise UsageError(
            f"The option {option} of the suite acp is some of {known}, and {foreign[0]!r} is none of them."
        )
    return tuple(value for value in allowed if value in given)
