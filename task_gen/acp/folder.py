"""A folder of PDDL files as a domain: domain.pddl, problems beside it, and if wanted the words in nl.json."""

from __future__ import annotations

from pathlib import Path
from random import Random

from herobench.data.documents import read_document, read_text
from herobench.data.errors import InputError, Problem
from herobench.data.files import unreadable
from herobench.pddl.parser import parse_domain, parse_problem
from herobench.pddl.syntax import PddlError, TooLarge
from herobench.pddl.task import Domain, PddlTask
from herobench.suites.acp.questions.questions import Question
from herobench.task_gen.acp.asked import QuestionQuery, task_at
from herobench.task_gen.acp.scene import scene_of, walk_of
from herobench.task_gen.acp.source import ASK, question_from
from herobench.task_gen.acp.words import DomainWords, checked_words

_DOMAIN, _WORDS = "domain.pddl", "nl.json"
_WITHOUT_PLAN = ("app", "prog", "reach", "areach")
"""The tasks that ask about states, which a random walk reaches where no plan is found."""
_LONGEST_WALK = 12


class DomainFolder:
    """The domain of a folder."""

    def __init__(self, folder: Path) -> None:
        self._text = _text(folder / _DOMAIN)
        domain = _parsed(folder / _DOMAIN, self._text)
        self.name = domain.name
        paths = [path for path in sorted(folder.glob("*.pddl")) if path.name != _DOMAIN]
        self._problems = [(path, _task(path, domain)) for path in paths]
        if not self._problems:
            raise InputError([Problem(str(folder), "", f"a problem in PDDL beside {_DOMAIN}")])
        self._words = _words(folder / _WORDS, domain)

    def ask(self, task: str, chance: Random, wanted: QuestionQuery) -> Question | None:
        """Walk at random from the start of a problem, and ask a question of a plan from there.

        Raise InputError for a problem with too many groundings.
        """
        path, start = chance.choice(self._problems)
        try:
            return self._ask(start, task, chance, wanted)
        except TooLarge as error:
            raise InputError(
                [Problem(str(path), "", str(error), advice="give fewer objects, or narrower types")]
            ) from error

    def _ask(self, start: PddlTask, task: str, chance: Random, wanted: QuestionQuery) -> Question | None:
        walk = walk_of(start, chance, chance.choice([0, chance.randint(1, _LONGEST_WALK)]))
        scene = scene_of(task_at(walk, walk.states[-1]), is_piecewise=bool(chance.randrange(2)))
        if scene is None and task in _WITHOUT_PLAN:
            scene = walk
        asked = scene and ASK[task](scene, chance, wanted)
        return (
            question_from(self.name, self._text, self._words, task, scene, asked, chance) if scene and asked else None
        )


def _text(path: Path) -> str:
    try:
        return read_text(path)
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError([Problem(f"{path}:{line}", "", "UTF-8 text")]) from error
    except OSError as error:
        raise InputError([unreadable(path, error)]) from error


def _parsed(path: Path, text: str) -> Domain:
    try:
        return parse_domain(text)
    except PddlError as error:
        raise _located(path, error) from error


def _task(path: Path, domain: Domain) -> PddlTask:
    try:
        return PddlTask(domain, parse_problem(_text(path), domain))
    except PddlError as error:
        raise _located(path, error) from error


def _located(path: Path, error: PddlError) -> InputError:
    place = f"{path}:{error.line}:{error.column}"
    return InputError([Problem(place, "", error.message.removeprefix("expected "))])


def _words(path: Path, domain: Domain) -> DomainWords:
    if not path.exists():
        return DomainWords(domain, {})
    document, problems = read_document(path, str(path))
    if problems:
        raise InputError(problems)
    return checked_words(document, domain, str(path))
