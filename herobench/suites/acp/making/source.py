"""Where questions come from: something that asks one proven question of a task at a time.

A source is found by the name of a domain. Each of the 13 domains is one, and so is a folder of PDDL files: domain.pddl,
problems beside it, and if wanted the words in nl.json. A domain of another kind joins by a source of its own in
`open_source`.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

from herobench.data.documents import read_document, read_text
from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.files import unreadable
from herobench.pddl.parser import parse_domain, parse_problem, read_task
from herobench.pddl.syntax import PddlError, TooLarge
from herobench.pddl.task import Domain, GroundAction, PddlTask
from herobench.suites.acp.making.just import ask_just
from herobench.suites.acp.making.makers import MAKERS
from herobench.suites.acp.making.scene import (
    Ask,
    Instance,
    PlannedTask,
    QuestionQuery,
    plan_scene,
    problem_text,
    task_at,
    walk_scene,
)
from herobench.suites.acp.making.states import (
    ask_app,
    ask_areach,
    ask_land,
    ask_nexta,
    ask_prog,
    ask_reach,
    ask_val,
)
from herobench.suites.acp.making.words import DomainWords, Voice, checked_words, own_words, question_words
from herobench.suites.acp.questions.questions import Question, by_task, published
from herobench.suites.acp.refusals import AcpFault

ASK: Mapping[str, Ask] = by_task(ask_app, ask_prog, ask_reach, ask_areach, ask_val, ask_just, ask_land, ask_nexta)
"""What asks the questions of each task."""


_OF_REACH = ("reach", "areach")
"""The tasks for which something may be missing in an instance, so that not all can be reached."""


class QuestionDomain(ABC):
    """A domain that questions are asked about."""

    def __init__(self, name: str, text: str, words: DomainWords) -> None:
        self.name = name
        """The domain in the rows of its questions."""
        self._text, self._words = text, words

    @abstractmethod
    def ask(self, task: str, chance: Random, query: QuestionQuery) -> Question | None:
        """Ask one question of a task, with its proof. Return None if the draw gives none: the caller draws again."""

    def _of_scene(self, scene: PlannedTask | None, task: str, chance: Random, query: QuestionQuery) -> Question | None:
        """Ask a question of a scene, tell it in words, and return it with its proof."""
        proven_question = scene and ASK[task](scene, chance, query)
        if not scene or not proven_question:
            return None
        here = task_at(
            scene if proven_question.goal is None else replace(scene, goal=proven_question.goal), proven_question.state
        )
        problem = problem_text(self._words.domain.name, _as_instance(here))
        voice = Voice(self._words, chance)
        question = question_words(task, _quote(task, proven_question.actions, voice), proven_question.offered)
        number = hashlib.sha256(f"{task}\0{self._text}\0{problem}\0{question}".encode()).digest()
        return Question(
            task=task,
            split="generated",
            domain=self.name,
            id=int.from_bytes(number[:8], "big", signed=True),
            context=voice.context(task, here),
            question=question,
            answer=proven_question.label,
            pddl_domain=self._text,
            pddl_problem=problem,
        ).with_proof(proven_question.sound)


class Published(QuestionDomain):
    """One of the 13 domains: instances of our own, in the published PDDL."""

    def __init__(self, name: str) -> None:
        texts = (question.pddl_domain for question in published().values() if question.domain == name)
        text = min(texts, key=len)  # of two texts the shorter one
        super().__init__(name, text, own_words(name, parse_domain(text)))

    def ask(self, task: str, chance: Random, query: QuestionQuery) -> Question | None:
        """Draw an instance and ask a question of its plan."""
        maker = MAKERS[self.name]
        instance = maker.make(chance, query.counts or chance.choice(maker.sizes))
        if task in _OF_REACH and maker.hurdle:
            instance = maker.hurdle(chance, instance)
        task_read = read_task(self._text, problem_text(self._words.domain.name, instance))
        scene = plan_scene(task_read, is_piecewise=bool(chance.randrange(2)))
        return self._of_scene(scene, task, chance, query)


def _quote(task: str, actions: tuple[GroundAction, ...], voice: Voice) -> str:
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
def open_source(domain: str) -> QuestionDomain:
    """Return the source of a domain by its name, or by the path of a folder. Raise UsageError for an unknown one."""
    if domain in MAKERS:
        return Published(domain)
    if "/" in domain or Path(domain).is_dir():
        return DomainFolder(Path(domain))
    raise UsageError(AcpFault.NO_DOMAIN, domain=domain, names=", ".join(MAKERS))


# -- a folder of PDDL -------------------------------------------------------------------------------------------------

_DOMAIN, _WORDS = "domain.pddl", "nl.json"
_WITHOUT_PLAN = ("app", "prog", "reach", "areach")
"""The tasks that ask about states, which a random walk reaches where no plan is found."""
_LONGEST_WALK = 12


class DomainFolder(QuestionDomain):
    """The domain of a folder."""

    def __init__(self, folder: Path) -> None:
        text = _text(folder / _DOMAIN)
        with _name_file_in_errors(folder / _DOMAIN):
            domain = parse_domain(text)
        paths = [path for path in sorted(folder.glob("*.pddl")) if path.name != _DOMAIN]
        self._problems = [(path, _task(path, domain)) for path in paths]
        if not self._problems:
            raise InputError([Problem(str(folder), "", f"a problem in PDDL beside {_DOMAIN}")])
        super().__init__(domain.name, text, _words(folder / _WORDS, domain))

    def ask(self, task: str, chance: Random, query: QuestionQuery) -> Question | None:
        """Walk at random from the start of a problem, and ask a question of a plan from there.

        Raise InputError for a problem with too many groundings.
        """
        path, start = chance.choice(self._problems)
        try:
            return self._ask(start, task, chance, query)
        except TooLarge as error:
            raise InputError(
                [Problem(str(path), "", str(error), advice="give fewer objects, or narrower types")]
            ) from error

    def _ask(self, start: PddlTask, task: str, chance: Random, query: QuestionQuery) -> Question | None:
        walk = walk_scene(start, chance, chance.choice([0, chance.randint(1, _LONGEST_WALK)]))
        scene = plan_scene(task_at(walk, walk.states[-1]), is_piecewise=bool(chance.randrange(2)))
        if scene is None and task in _WITHOUT_PLAN:
            scene = walk
        return self._of_scene(scene, task, chance, query)


def _text(path: Path) -> str:
    try:
        return read_text(path)
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError([Problem(f"{path}:{line}", "", "UTF-8 text")]) from error
    except OSError as error:
        raise InputError([unreadable(path, error)]) from error


def _task(path: Path, domain: Domain) -> PddlTask:
    text = _text(path)
    with _name_file_in_errors(path):
        return PddlTask(domain, parse_problem(text, domain))


@contextmanager
def _name_file_in_errors(path: Path) -> Iterator[None]:
    """Raise InputError with the place in a file in place of PddlError."""
    try:
        yield
    except PddlError as error:
        place = f"{path}:{error.line}:{error.column}"
        raise InputError([Problem(place, "", error.message.removeprefix("expected "))]) from error


def _words(path: Path, domain: Domain) -> DomainWords:
    if not path.exists():
        return DomainWords(domain, {})
    document, problems = read_document(path, str(path))
    if problems:
        raise InputError(problems)
    return checked_words(document, domain, str(path))
