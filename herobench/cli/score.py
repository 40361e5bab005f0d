"""Run the plans of an answers file on their tasks, and write a scored row for each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from herobench.cli.options import JobsOption, OutputOption, WorldOption, report

if TYPE_CHECKING:
    from herobench.answer_file import Answer
    from herobench.errors import Problem
    from herobench.task import Task


def score(
    tasks: Annotated[Path, typer.Argument(metavar="TASKS.jsonl", help="A tasks file.")],
    answers: Annotated[Path, typer.Argument(metavar="ANSWERS.jsonl", help="An answers file.")],
    output: OutputOption,
    rules: Annotated[str, typer.Option(help="The edition of the rules.")] = "standard",
    world: WorldOption = "classic",
    jobs: JobsOption = None,
) -> None:
    """Score a file."""
    from herobench.analysis.summary import Tally
    from herobench.batch import score_answers
    from herobench.cli.progress import progress
    from herobench.cli.table import print_tally
    from herobench.content import load_rules, load_world
    from herobench.rows import count_lines, write_rows
    from herobench.sandbox import Sandbox
    from herobench.task_file import read_tasks

    edition, place = load_rules(rules), load_world(world)
    workers = jobs or os.cpu_count() or 1
    tally = Tally()
    with Sandbox(place, edition, workers=workers) as sandbox:
        sandbox.warm_up()
        known, problems = read_tasks(tasks, place)
        good = _good_answers(answers, known, problems)
        with (
            closing(score_answers(sandbox, known, good, workers)) as scored,
            progress("scored", count_lines(answers)) as step,
        ):
            write_rows(output, _watched(scored, tally.add, step))
    wrong = report(problems)
    print_tally(tally, f"{answers.name} under {edition.name} rules")
    if wrong:
        raise typer.Exit(1)


def _watched(
    rows: Iterable[Mapping[str, Any]], add: Callable[[Mapping[str, Any]], None], step: Callable[[], None]
) -> Iterator[Mapping[str, Any]]:
    """The rows, each added up and shown as progress on its way."""
    for row in rows:
        add(row)
        step()
        yield row


def _good_answers(path: Path, tasks: Mapping[str, Task], problems: list[Problem]) -> Iterator[Answer]:
    """The answers that can be scored; what is wrong with the rest is added to the problems."""
    from herobench.answer_file import Answer, read_answers

    for found in read_answers(path, tasks):
        if isinstance(found, Answer):
            yield found
        else:
            problems.append(found)
