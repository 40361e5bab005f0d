"""Questions files: JSON lines, one question each. Runs keep their questions in such a file."""

from __future__ import annotations

from operator import attrgetter
from pathlib import Path

from herobench.rows import NamedRows
from herobench.suites.acp.rows import AnyQuestion, any_question_of, schema_of

QUESTIONS: NamedRows[AnyQuestion] = NamedRows(schema_of, any_question_of, attrgetter("key"))


def read_questions(path: Path) -> dict[str, AnyQuestion]:
    """Return the questions of a file, by key. Raise InputError with all of its problems."""
    return QUESTIONS.in_file(path)
