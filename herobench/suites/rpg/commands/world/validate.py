"""Check worlds: list everything that is wrong, and everything odd, such as items that nobody can get."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from herobench.cli.say import progress, say, say_json
from herobench.data.errors import Problem, UsageError
from herobench.data.options import Option
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.worlds.content import load_rules, read_world

if TYPE_CHECKING:
    from herobench.task_gen.rpg.worlds.survey import Survey


def validate(
    worlds: Annotated[list[str], Option("Shipped worlds or folders.", metavar="WORLD...", is_argument=True)],
    strict: Annotated[bool, Option("Count an oddity as a problem.", "strict")] = False,
    as_json: Annotated[bool, Option("Print JSON.", "json")] = False,
) -> None:
    """Check worlds: list everything that is wrong, and everything odd, such as items that nobody can get."""
    rows, sound = [], True
    for name in worlds:
        documents, problems = _read(name)
        survey = None if problems else _survey(documents, str(Path(name)))
        sound = sound and survey is not None and not (strict and survey.oddities)
        rows.append(_row(name, problems, survey))
        if not as_json:
            for finding in (*problems, *(survey.oddities if survey else ())):
                say(str(finding))
            say(_summary(name, problems, survey))
    if as_json:
        say_json(rows)
    if not sound:
        raise typer.Exit(2)


def _read(name: str) -> tuple[Any, list[Problem]]:
    """Read a world. A missing world is a problem and no error, so that the other worlds are still checked."""
    try:
        return read_world(name)
    except UsageError as error:
        return {}, [Problem(name, "", "a world", advice=str(error))]


def _survey(documents: Any, name: str) -> Survey:
    from herobench.task_gen.rpg.worlds.survey import survey, survey_steps

    world = World.from_documents(documents)
    with progress("looked at", survey_steps(world)) as step:
        return survey(world, load_rules(), name, step)


def _row(name: str, problems: Sequence[Problem], survey: Survey | None) -> dict[str, Any]:
    return {
        "world": name,
        "valid": not problems,
        "problems": [problem.as_row() for problem in problems],
        "oddities": [oddity.as_row() for oddity in survey.oddities] if survey else None,
        "brackets": list(survey.brackets) if survey else None,
    }


def _summary(name: str, problems: Sequence[Problem], survey: Survey | None) -> str:
    if survey is None:
        return f"{name}: {_count_words(len(problems), 'problem', 'problems')}"
    odd = _count_words(len(survey.oddities), "oddity", "oddities") if survey.oddities else "nothing odd"
    tasks = f"tasks of difficulty {_spans(survey.brackets)}" if survey.brackets else "no tasks"
    return f"{name}: valid, {odd}, {tasks}"


def _count_words(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _spans(numbers: Sequence[int]) -> str:
    """Return numbers in order as spans, such as 1-3, 5."""
    # In a run of consecutive numbers, each number minus its index is the same.
    runs = groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])
    spans = ([number for _, number in run] for _, run in runs)
    return ", ".join(f"{span[0]}-{span[-1]}" if len(span) > 1 else str(span[0]) for span in spans)
