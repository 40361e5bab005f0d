"""Writes the report: one pass over the rows, one file, which appears only when it is complete.

The file is the page, then a block for each sample and each task, deflated, which the browser opens when it is asked to.
The index comes first, so that the page stands while the blocks are still being read; the blocks wait in a temporary
file until it is known. The same runs give the same bytes: there is no date in it.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from herobench.analysis.causes.cause import Cause
from herobench.analysis.report.embed import packed
from herobench.analysis.report.figures import Figures
from herobench.analysis.report.notes import Described, notes_on, rules_of
from herobench.analysis.report.page_text import END, page_before_blocks
from herobench.analysis.report.place import drawn
from herobench.analysis.report.run import ReportRun, cause_of
from herobench.analysis.report.samples import COLUMNS, given_of, line_of, sample_of
from herobench.errors import InputError, Problem, UsageError
from herobench.rpg.world import World

SCHEMA = 1


def write_report(path: str | os.PathLike[str], runs: Sequence[ReportRun]) -> int:
    """Write the report on some runs; how many samples are in it comes back.

    Raises UsageError where two runs have one name, InputError where the file cannot be written.
    """
    _refuse_one_name_twice(runs)
    target = Path(path)
    part = target.with_name(f"{target.name}.part{os.getpid()}")
    try:
        with TemporaryFile("w+", encoding="ascii") as blocks, part.open("w", encoding="utf-8", newline="\n") as file:
            index = _Collected(blocks).index(runs)
            file.write(page_before_blocks(index))
            blocks.seek(0)
            shutil.copyfileobj(blocks, file, 1 << 20)
            file.write(END)
        part.replace(target)
    except OSError as error:
        raise InputError([Problem(str(path), "", f"a file that can be written ({error.strerror})")]) from error
    finally:
        part.unlink(missing_ok=True)
    return len(index["samples"])


def _refuse_one_name_twice(runs: Sequence[ReportRun]) -> None:
    for name, times in Counter(run.name for run in runs).items():
        if times > 1:
            raise UsageError(f"{times} runs of a report are called {name!r}: links to their samples would be the same.")


class _Collected:
    """What the index says, while the blocks are written one after the other."""

    def __init__(self, blocks: IO[str]) -> None:
        self._blocks = blocks
        self._described: list[Described] = []
        self._worlds: list[World] = []
        self._given: dict[str, int] = {}
        self._samples: list[list[Any]] = []

    def index(self, runs: Sequence[ReportRun]) -> dict[str, Any]:
        """Go through all rows."""
        return {
            "schema": SCHEMA,
            "runs": [self._run(number, run) for number, run in enumerate(runs)],
            "notes": notes_on(self._described),
            "causes": self._causes(),
            "worlds": [drawn(world) for world in self._worlds],
            "columns": COLUMNS,
            "samples": self._samples,
        }

    def _run(self, number: int, run: ReportRun) -> dict[str, Any]:
        figures, given = Figures(), dict[str, int]()
        for row in run.rows:
            found = cause_of(row)
            figures.add(row, found)
            self._block(f"sample{len(self._samples)}", packed(sample_of(row, run, found)))
            self._samples.append(line_of(row, number, found, self._given_to(row["task_id"], run, given)))
        self._described.append((run, figures))
        about = {"name": run.name, "rules": rules_of(run, figures), "world": self._world(run.world)}
        return {**about, "figures": figures.as_row()}

    def _causes(self) -> dict[str, str]:
        """The definitions of the causes that occur."""
        occurring = set().union(*(figures.causes for _, figures in self._described))
        return {str(cause): cause.definition for cause in Cause if cause in occurring}

    def _given_to(self, task_id: str, run: ReportRun, given: dict[str, int]) -> int | None:
        """The block of a task, written when it is first met; runs that were told the same share it."""
        if task_id not in given and task_id in run.tasks:
            text = packed(given_of(run.tasks[task_id], run))
            if text not in self._given:
                self._block(f"given{len(self._given)}", text)
            given[task_id] = self._given.setdefault(text, len(self._given))
        return given.get(task_id)

    def _world(self, world: World) -> int:
        if world not in self._worlds:
            self._worlds.append(world)
        return self._worlds.index(world)

    def _block(self, name: str, text: str) -> None:
        self._blocks.write(f'<script type="application/octet-stream" id="{name}">{text}</script>\n')
