"""Prove the certificates of a tasks file again, and name each fault."""

# The docstring above is the help text of the command.

from __future__ import annotations

import os
from collections import deque
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import typer

from herobench.cli.commands import with_suite_options
from herobench.cli.options import JobsOption, SuiteOption, report
from herobench.cli.say import progress, say, say_json, watch_each
from herobench.data.errors import InputError
from herobench.data.options import Option
from herobench.data.rows import count_lines, unread_lines
from herobench.suite.checked import run_tables, telling_foreign
from herobench.suite.contract import SuiteSetting
from herobench.suite.validating import ProofFacts, proof_work
from herobench.work.engine import Local
from herobench.work.rows import FileOfRows


@with_suite_options(run_tables)
def validate(
    tasks: Annotated[
        str, Option("A tasks file, or the name of a shipped set.", metavar="TASKS.jsonl", is_argument=True)
    ],
    as_json: Annotated[bool, Option("Print JSON: what is wrong, by task.", "json")] = False,
    settings: Mapping[str, str] = MappingProxyType({}),
    jobs: JobsOption = None,
    suite: SuiteOption = "",
) -> None:
    """Prove certificates."""
    work = proof_work(suite, SuiteSetting(tasks=Path(tasks), options=settings))
    with work.file(Path(tasks)) as path:
        file = FileOfRows(work, ProofFacts, Local(jobs or os.cpu_count() or 1))
        with closing(file.make_lines(unread_lines(path))) as proofs, progress("looked at", count_lines(path)) as step:
            deque(watch_each(proofs, step), maxlen=0)
        if file.bad and not file.good:  # nothing is known of the certificates
            with telling_foreign(suite, path):
                raise InputError(work.gather(file.problems, str(path)))
    _tell(file, as_json=as_json)


def _tell(file: FileOfRows[ProofFacts], *, as_json: bool) -> None:
    """Print what is wrong with tasks. A line that is no task, or a certificate that does not hold, is bad input."""
    report(file.problems)
    wrong = file.facts.faults
    if as_json:
        say_json({"tasks": file.good, "unread": file.bad, "faults": wrong})
    else:
        for task_id, faults in wrong.items():
            say(*(f"{task_id}: {fault}" for fault in faults))
        say(f"{file.good - len(wrong)} of {file.good + file.bad} tasks hold")
    if wrong or file.bad:
        raise typer.Exit(2)
