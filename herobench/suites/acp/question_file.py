"""Questions files: JSON lines, one question each. Runs keep their questions in such a file."""

from __future__ import annotations

from pathlib import Path

from herobench.errors import InputError, Problem
from herobench.rows import read_lines
from herobench.suites.acp.rows import AnyQuestion, any_question_of, schema_of


def read_questions(path: Path) -> dict[str, AnyQuestion]:
    """Return the questions of a file, by key. Raise InputError with all of its problems."""
    questions: dict[str, AnyQuestion] = {}
    problems: list[Problem] = []
    for line in read_lines(path, schema_of):
        try:
            question = any_question_of(line.row, line.place) if not line.problems else None
        except InputError as error:
            problems += error.problems
            continue
        problems += line.problems
        if question and question.key in questions:
            problems.append(Problem(line.place, "$.id", "an id that no question of the task has before", question.id))
        elif question:
            questions[question.key] = question
    if problems:
        raise InputError(problems)
    return questions
