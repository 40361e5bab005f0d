"""Convert files of the published benchmark for `herobench import`: tasks, and logs of answers (MODEL_code_logs.json).

They become files of tasks and of answers, and no runs: a published log has no verdicts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import typer

from herobench.cli.options import report
from herobench.cli.say import say
from herobench.data.errors import UsageError
from herobench.data.files import open_regular
from herobench.data.rows import write_rows

_BEGIN = re.compile(rb'\s*\{\s*"\d+"\s*:\s*[\[{]')
"""A published file is an object of brackets."""


def import_published(source: Path, output: Path, named: Sequence[str] = (), world_name: str = "classic") -> bool:
    """Convert a published file to the format of this program. Return False, and do nothing, for any other file.

    `named` are the options that the user gave for logs: none of them fits. End with 1 where tasks could not be read.
    """
    if not _is_published(source):
        return False
    if named:
        raise UsageError(f"{source} is of the published benchmark, and no log: leave out {', '.join(named)}.")
    from herobench.suites.rpg.worlds.content import load_world
    from herobench.task_gen.rpg.published import read_published

    rows, problems = read_published(source, load_world(world_name))
    count = write_rows(output, rows)
    say(f"{count} rows written to {output}", err=True)
    if report(problems):
        raise typer.Exit(1)
    return True


def _is_published(source: Path) -> bool:
    try:
        with open_regular(source) as file:
            return _BEGIN.match(file.read(1_000)) is not None
    except OSError:
        return False
