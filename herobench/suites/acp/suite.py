"""ACPBench Hard behind the contract of a suite: one prompt and one reply for each question, graded in two ways.

An attempt is won if the sound grading accepts the answer. An answer that this grading cannot decide is no win: it
scores 0 and has the failure `undecided`, because the reference grading may be wrong and would be a guess.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from herobench.conversation import Message, Reply
from herobench.data.columns import blank
from herobench.data.errors import UsageError
from herobench.data.options import Option, option_texts, read_options
from herobench.suite.contract import Attempt, FreshSuite, Suite, SuiteSetting, TaskInfo, Verdict
from herobench.suite.generating import TaskGenerator
from herobench.suite.validating import Certificates
from herobench.suites.acp.answers.grading import grade_response, removable
from herobench.suites.acp.answers.players import PLAYERS, AcpPlayer
from herobench.suites.acp.columns import DETAILS
from herobench.suites.acp.prompts.prompt import WORDS, QuestionStyle
from herobench.suites.acp.questions.questions import (
    DATASET,
    QUESTIONS,
    TASKS,
    Question,
    digest,
    published,
    stored_proof,
)
from herobench.suites.acp.refusals import AcpFault

ALL = "all"


@dataclass(frozen=True, slots=True)
class QuestionChoice:
    """Which questions are asked."""

    split: Annotated[
        Literal["dev", "test", "generated", "all"] | None,
        Option("Which part of the questions is asked: one, or all.", shown="test, or all of a file"),
    ] = None
    task: Annotated[str, Option("Which tasks are asked, such as app,prog.", metavar="NAMES")] = ALL
    domain: Annotated[str, Option("Which domains the questions are about, such as ferry,swap.", metavar="NAMES")] = ALL


def _several(option: str, values: str, choices: Collection[str]) -> tuple[str, ...]:
    """Return the values of a list with commas, each once and in the order of those that are allowed; or all of them."""
    if values == ALL:
        return tuple(choices)
    names = [value for value in values.split(",") if value]
    if foreign := [value for value in names or [""] if value not in choices]:
        raise UsageError(AcpFault.NO_CHOICE, option=option, choices=", ".join(choices), foreign=foreign[0])
    return tuple(value for value in choices if value in names)


class Acp(Suite):
    """The chosen questions and the way in which they are asked."""

    name = "acp"
    one_turn_mode = ""
    datasets, task_fields = (DATASET,), ("pddl_domain",)
    run_options = (QuestionChoice, QuestionStyle)
    players = PLAYERS

    @staticmethod
    def generator() -> TaskGenerator:
        """Return what makes new questions."""
        from herobench.suites.acp.making.generator import AcpGenerator  # a run does not need it

        return AcpGenerator()

    @staticmethod
    def certificates() -> Certificates:
        """Return what proves the answers of questions again."""
        from herobench.suites.acp.making.proof import find_faults  # a run does not need it

        return Certificates(QUESTIONS, find_faults)

    def __init__(self, setting: SuiteSetting, question_map: Mapping[str, Question] | None = None) -> None:
        """Choose questions: those that were made for this suite, or those of the setting."""
        self._setting = setting
        self.dataset = self.choose_dataset(setting)
        if question_map is None:
            question_map = published() if setting.tasks is None else QUESTIONS.in_file(setting.tasks)
        questions = question_map.values()
        choice = read_options(QuestionChoice, setting.options, "the suite acp")
        self._style = read_options(QuestionStyle, setting.options, "the suite acp")
        split = choice.split or ("test" if setting.tasks is None else ALL)
        tasks = _several("task", choice.task, TASKS)
        # a run keeps only the questions that it asks, and they may lack some of the domains that were chosen
        all_domains = {question.domain for question in (*published().values(), *questions)}
        domains = _several("domain", choice.domain, sorted(all_domains))
        restrictions = {
            "split": split,
            "task": ALL if tasks == TASKS else ",".join(tasks),
            "domain": choice.domain,
        }
        self.options = {**restrictions, **option_texts(self._style)}
        self._questions = {
            question.key: question
            for question in questions
            if split in (ALL, question.split) and question.task in tasks and question.domain in domains
        }
        if not self._questions:
            description = ", ".join(f"{name} {value}" for name, value in restrictions.items())
            raise UsageError(AcpFault.NO_QUESTION, description=description)

    def tasks(self) -> Iterator[TaskInfo]:
        """Yield the chosen questions, grouped by task."""
        for key, question in self._questions.items():
            yield TaskInfo(key, question.task, question.as_row())

    def identity(self, task_ids: Sequence[str]) -> Mapping[str, str]:
        """Return the digests of questions and words, and the way in which questions are asked."""
        return {"questions": digest(), "prompts": WORDS.digest(), **option_texts(self._style)}

    def open(self, task_id: str, epoch: int) -> QuestionAttempt:
        """Start an attempt of one turn. It does not depend on the epoch."""
        return QuestionAttempt(self._questions[task_id], self._style)

    def blank(self, task_id: str) -> Mapping[str, Any]:
        """Return the details of an attempt without a reply."""
        return known_details(self._questions[task_id], self._style)

    def player(self, name: str) -> AcpPlayer:
        """Return the oracle, or a player that guesses."""
        return AcpPlayer(name, self._questions)

    def fresh(self, seed: int, task_ids: Sequence[str]) -> FreshSuite:
        """Return the suite on private twins of these questions."""
        from herobench.suites.acp.making.generator import NOTES, make_twins

        originals = [self._questions[task_id] for task_id in task_ids]
        twins = make_twins(originals, seed, self._setting.workers)
        twins_by_key = {twin.key: twin for twin in twins}
        return FreshSuite(Acp(replace(self._setting, options=self.options), twins_by_key), NOTES)


class QuestionAttempt(Attempt):
    """One question and one reply."""

    def __init__(self, question: Question, style: QuestionStyle) -> None:
        self._question, self._style = question, style

    @property
    def messages(self) -> Sequence[Message]:
        """The examples and the question."""
        return list(self._style.messages(self._question))

    def step(self, reply: Reply) -> None:
        """Take the reply; the attempt is over."""
        self._reply = reply

    def grade(self) -> Verdict:
        """Grade the reply in both ways."""
        reply = self._reply
        grades = grade_response(self._question, self._style.answer_in(reply.final_text))
        details = {
            **known_details(self._question, self._style),
            "parsed": grades.parsed,
            "reference": grades.reference,
            "sound": grades.sound,
            "jaccard": grades.jaccard,
            "removed": grades.removed,
        }
        is_right = grades.sound == 1
        return Verdict(is_right, 100.0 if is_right else 0.0, failure=grades.fault, details=details)


def known_details(question: Question, style: QuestionStyle) -> dict[str, Any]:
    """Return the details that are known without a reply; null in the others."""
    proof = stored_proof(question)
    return {
        **blank(DETAILS),
        "task": question.task,
        "split": question.split,
        "domain": question.domain,
        **option_texts(style),
        "label_right": proof.agrees if proof else None,
        "removable": removable(question),
        "twin_of": question.twin_of,
    }
