"""The folder of a checkup, and its checkup.json.

checkup.json     what was asked for: the model with its settings, the sizes of the runs, the seed, the budget
questions        and such: ordinary runs, which every command takes
chance/...       the player that marks chance, at the tasks of a part
tasks/           the tasks that were made for it
reports/         a report for each part
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from herobench.checkup.price import Sizes
from herobench.data.call_rows import last_lines
from herobench.data.documents import MOST_EXACT, read_document, schema_problems
from herobench.data.errors import InputError, Problem, UsageError
from herobench.data.files import write_text
from herobench.runs.folder import RunFolder
from herobench.runs.journal import read_journal
from herobench.suite.checkup_parts import Part, Row, load_parts

FILE = "checkup.json"
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Checkup:
    """A checkup as its checkup.json has it, with the parts that its suites declare."""

    folder: Path
    model: str
    seed: int | None
    """The seed of its private tasks; None for public ones."""
    sizes: Sizes
    """The number of tasks of each run, in the order in which they are asked."""
    parts: Sequence[Part]
    budget: float | None = None
    settings: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The run.json that a run of this model would begin with. A checkup of an older version has none."""

    @property
    def rows(self) -> dict[str, tuple[Part, Row]]:
        """The part and the row of each run that asks the model."""
        rows = {run: (part, row) for part in self.parts for run, row in part.runs.items()}
        return {run: rows[run] for run in self.sizes}

    @property
    def chance_runs(self) -> dict[str, Part]:
        """The parts of the runs that mark chance."""
        parts = {part.name: part for part, _ in self.rows.values()}
        return {part.chance_run: part for part in parts.values() if part.chance_run}

    @property
    def runs(self) -> list[str]:
        """All runs in their order: a run that marks chance comes last."""
        return [*self.sizes, *self.chance_runs]

    def write(self) -> None:
        """Write the checkup.json. Raise InputError if it cannot be written."""
        row = {"schema": SCHEMA, "model": self.model, "seed": self.seed, "budget": self.budget}
        row |= {"sizes": dict(self.sizes), "settings": dict(self.settings)}
        path = self.folder / FILE
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_text(path, json.dumps(row, indent=2, ensure_ascii=False) + "\n")
        except OSError as error:
            raise InputError([Problem(str(path), "", f"a file that can be written ({error.strerror})")]) from error


def read_checkup(folder: Path, parts: Sequence[Part] | None = None) -> Checkup:
    """Return the checkup in a folder. The parts are those of all installed suites, if none are named.

    Raise UsageError if there is none, or one with a link that leads out; InputError if its file is wrong.
    """
    path = folder / FILE
    if not path.is_file():
        raise UsageError(f"{folder} is no checkup: there is no {FILE} in it.")
    row, problems = read_document(path, str(path))
    parts = load_parts() if parts is None else parts
    problems = problems or _unknown_runs(row, parts, path) or schema_problems(row, "checkup", str(path))
    problems = problems or _too_many_tasks(row["sizes"], parts, path)
    if settings := {} if problems else row.get("settings") or {}:
        problems = schema_problems(settings, "run", f"{path}: settings")
    if problems:
        raise InputError(problems)
    _refuse_links_out(folder)
    return Checkup(folder, row["model"], row["seed"], row["sizes"], parts, row["budget"], settings)


def _unknown_runs(row: Any, parts: Sequence[Part], path: Path) -> list[Problem]:
    """Return a problem for the first run of a checkup.json that no suite declares, as in one of an older version.

    A checkup.json with such runs differs in other places too, which would hide that.
    """
    sizes = row.get("sizes") if isinstance(row, Mapping) else None
    runs = {run for part in parts for run in part.runs}
    unknown = [run for run in sizes if run not in runs] if isinstance(sizes, Mapping) else []
    advice = (
        "another version made it, or a suite that is not installed: begin a new checkup, or use `herobench analyze` "
        "on its runs"
    )
    expected = f"one of the runs {', '.join(sorted(runs))}"
    return [Problem(str(path), f"$.sizes.{run}", expected, advice=advice) for run in unknown[:1]]


def _too_many_tasks(sizes: Sizes, parts: Sequence[Part], path: Path) -> list[Problem]:
    """Return a problem for each run that asks more tasks than its suite declares: each task may be made first."""
    most = {run: row.most for part in parts for run, row in part.runs.items()}
    return [
        Problem(str(path), f"$.sizes.{run}", f"at most {most[run]} tasks", size)
        for run, size in sizes.items()
        if size > most[run]
    ]


def _refuse_links_out(folder: Path) -> None:
    """Raise UsageError if a link in a folder leads out of it, or if a folder in it cannot be listed."""

    def refuse_unlisted(error: OSError) -> NoReturn:
        raise UsageError(f"Cannot list {error.filename}: {error.strerror}. A link in it might lead out of {folder}.")

    inside = os.path.realpath(folder)
    for path, folders, files in os.walk(folder, onerror=refuse_unlisted):
        for entry in (Path(path, name) for name in (*folders, *files)):
            if entry.is_symlink() and not Path(os.path.realpath(entry)).is_relative_to(inside):
                raise UsageError(f"{entry} leads out of {folder}: all of a checkup has to be in its folder.")


def new_seed() -> int:
    """Return a seed that nobody knows before."""
    return secrets.randbelow(MOST_EXACT + 1)


def is_complete(folder: Path) -> bool:
    """Return whether a run owes nothing."""
    run = RunFolder(folder)
    if not run.begun:
        return False
    manifest = run.read_manifest()
    last = manifest["sessions"][-1] if manifest["sessions"] else {}
    return bool(last.get("finished")) and not manifest["totals"]["owed"]


def cost_so_far(folder: Path) -> float:
    """Return the money that a run has cost so far."""
    run = RunFolder(folder)
    if not run.begun:
        return 0.0
    manifest = run.read_manifest()
    if manifest["sessions"] and manifest["sessions"][-1].get("finished"):
        return manifest["totals"]["cost"] or 0.0
    return sum(row["cost"] or 0.0 for row in last_lines(read_journal(run.calls)))
