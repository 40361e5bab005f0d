"""Where questions come from: something that asks one proven question of a task at a time.

A source is found by the name of a domain. Each of the 13 domains is one, and so is a folder of PDDL files. A domain of
another kind joins by a source of its own in `source_of`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Protocol

from herobench.data.errors import UsageError
from herobench.pddl.parser import parse_domain, read_task
from herobench.pddl.simulation import GroundAction
from herobench.pddl.task import PddlTask
from herobench.suites.acp.questions.questions import Question, published
from herobench.task_gen.acp.asked import Ask, ProvenQuestion, QuestionQuery, task_at
from herobench.task_gen.acp.makers import MAKERS
from herobench.task_gen.acp.of_states import (
    ask_app,
    ask_areach,
    ask_just,
    ask_land,
    ask_nexta,
    ask_prog,
    ask_reach,
    ask_val,
)
from herobench.task_gen.acp.scene import Instance, PlannedTask, problem_text, scene_of
from herobench.task_gen.acp.words import DomainWords, Voice, own_words, question_words

ASK: Mapping[str, Ask] = MappingProxyType(
    {
        "app": ask_app,
        "prog": ask_prog,
        "reach": ask_reach,
        "areach": ask_areach,
        "val": ask_val,
        "just": ask_just,
        "land": ask_land,
        "nexta": ask_nexta,
    }
)
"""What asks the questions of each task."""


class QuestionDomain(Protocol):
    """A domain of which questions are asked."""

    @property
    def name(self) -> str:
        """The domain in the rows of its questions."""
        ...

    def ask(self, task: str, chance: Random, wanted: QuestionQuery) -> Question | None:
        """Ask one question of a task, with its proof. Return None if the draw gives none: the caller draws again."""
        ...


class Published:
    """One of the 13 domains: instances of our own, in the published PDDL."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._text = _domain_text(name)
        self._words = own_words(name, parse_domain(self._text))

    def ask(self, task: str, chance: Random, wanted: QuestionQuery) -> Question | None:
        """Draw an instance and ask a question of its plan."""
        maker = MAKERS[self.name]
        instance = maker.make(chance, wanted.counts or chance.choice(maker.sizes))
        drawn = read_task(self._text, problem_text(self._words.domain.name, instance))
        scene = scene_of(drawn, is_piecewise=bool(chance.randrange(2)))
        asked = scene and ASK[task](scene, chance, wanted)
        return (
            question_from(self.name, self._text, self._words, task, scene, asked, chance) if scene and asked else None
        )


def _domain_text(name: str) -> str:
    """Return the published PDDL of a domain: of two texts the shorter one."""
    return min((question.pddl_domain for question in published().values() if question.domain == name), key=len)


def question_from(
    domain: str, text: str, words: DomainWords, task: str, scene: PlannedTask, asked: ProvenQuestion, chance: Random
) -> Question:
    """Tell what was asked in words, and return the question with its proof."""
    here = task_at(scene, asked.state)
    problem = problem_text(words.domain.name, _as_instance(here))
    voice = Voice(words, chance)
    question = question_words(task, _quoted(task, asked.actions, voice))
    number = hashlib.sha256(f"{task}\0{text}\0{problem}\0{question}".encode()).digest()
    return Question(
        task=task,
        split="generated",
        domain=domain,
        id=int.from_bytes(number[:8], "big", signed=True),
        context=voice.context(task, here),
        question=question,
        answer=asked.label,
        pddl_domain=text,
        pddl_problem=problem,
    ).proven(asked.sound)


def _quoted(task: str, actions: tuple[GroundAction, ...], voice: Voice) -> str:
    """Return what the question quotes: an action in words, or a plan."""
    return voice.phrase(actions[0]) if task == "prog" else " ".join(map(str, actions))


def _as_instance(task: PddlTask) -> Instance:
    objects: dict[str, list[str]] = {}
    for name, kind in task.problem.objects.items():
        if name not in task.domain.constants:
            objects.setdefault(kind, []).append(name)
    initial, goal = ([str(atom)[1:-1] for atom in atoms] for atoms in (task.problem.initial, task.problem.goal))
    return Instance(task.problem.name, objects, initial, goal)


@cache
def source_of(domain: str) -> QuestionDomain:
    """Return the source of a domain by its name, or by the path of a folder. Raise UsageError for an unknown one."""
    if domain in MAKERS:
        return Published(domain)
    if "/" in domain or Path(domain).is_dir():
        from herobench.task_gen.acp.folder import DomainFolder  # it builds on this module

        return DomainFolder(Path(domain))
    known = ", ".join(MAKERS)
    raise UsageError(f"--domain is {domain!r}: give some of {known}, or folders of PDDL files such as ./towers.")
