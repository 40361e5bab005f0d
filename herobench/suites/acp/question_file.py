"""Questions files: JSON lines, one question each. Runs keep their questions in such a file."""

from __future__ import annotations

from pathlib import Path

from herobench.rows import read_named
from herobench.suites.acp.rows import AnyQuestion, any_question_of, schema_of


def read_questions(path: Path) -> dict[str, AnyQuestion]:
    """Return the questions of a file, by key. Raise InputError with all of its problems."""
    return read_named(path, schema_of, any_question_of, lambda question: question.key)
