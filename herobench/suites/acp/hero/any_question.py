"""Rows of questions files: a question about PDDL, or one about the hero's world. The domain tells which."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from pathlib import Path
from typing import Any

from herobench.data.rows import NamedRows
from herobench.suites.acp.hero.columns import HERO
from herobench.suites.acp.hero.question import HeroQuestion, hero_question_of
from herobench.suites.acp.questions.questions import Question, question_of

AnyQuestion = Question | HeroQuestion


def schema_of(row: Any) -> str:
    """Return the name of the schema that a row has to fit."""
    return "hero-question" if isinstance(row, Mapping) and row.get("domain") == HERO else "acp-question"


def any_question_of(row: Mapping[str, Any], place: str = "the question") -> AnyQuestion:
    """Return the question of a row. Raise InputError with what is wrong with it."""
    return hero_question_of(row, place) if schema_of(row) == "hero-question" else question_of(row, place)


QUESTIONS: NamedRows[AnyQuestion] = NamedRows(schema_of, any_question_of, attrgetter("key"))


def read_questions(path: Path) -> dict[str, AnyQuestion]:
    """Return the questions of a file, by key. Raise InputError with all of its problems."""
    return QUESTIONS.in_file(path)
