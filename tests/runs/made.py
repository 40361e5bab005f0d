"""Runs in the tiny world by the library: the spec, the session, and the rows that it leaves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from herobench.data.documents import schema_problems
from herobench.models.model import Price
from herobench.runs.folder import RunFolder, open_run
from herobench.runs.journal import read_journal
from herobench.runs.options import RunRequest
from herobench.runs.session import RunResult, Session
from herobench.runs.spec import RunSpec, make_spec
from herobench.runs.standing import News
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from tests.builders import TINY, craft_task
from tests.plays import WINNING, as_plan, drake_task
from tests.program import write_jsonl

Json = dict[str, Any]
WIN = f"I will.\n```python\n{as_plan(WINNING)}```\n"
"""Wins the tasks whose ids begin with `drake`."""
LOSE = "```python\nundefined\n```"


def tiny_tasks(world: World, drakes: int = 2) -> dict[str, Task]:
    """Tasks of the drake, and one that his plan does not solve."""
    tasks = [*(drake_task(world, id=f"drake-{number}") for number in range(drakes)), craft_task(world, "brick")]
    return {task.id: task for task in tasks}


class TinySpecs:
    """Makes specifications of new runs in the tiny world, and closes their suites in the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: list[RunSpec] = []

    def __call__(self, tasks: dict[str, Task], price: Price | None = None, **wishes: Any) -> RunSpec:
        """Make a specification; `connections` and the like are in its conduct."""
        file = write_jsonl(self._folder / "tiny.jsonl", (task.as_row() for task in tasks.values()))
        conduct = {"jobs": 2, "retries": 1, **wishes.pop("conduct", {})}
        told = RunRequest(tasks=file, options={"world": str(TINY)}, conduct=conduct, **wishes)
        spec = make_spec(told)
        self._made.append(spec if price is None else replace(spec, price=price))
        return self._made[-1]

    def close(self) -> None:
        for spec in self._made:
            spec.suite.close()


def work(path: Path, spec: RunSpec, news: list[News] | None = None) -> RunResult:
    """One session, all of whose rows fit their schemas."""
    told: list[News] = [] if news is None else news
    with RunFolder(path) as folder:
        ending = Session(spec, ["herobench", "run"]).work(folder, told.append, lambda standing: None)
    assert problems(path) == []
    return ending


def problems(path: Path) -> list[Any]:
    """What the schemas find wrong with the files of a run."""
    found = schema_problems(open_run(path).read_manifest(), "run", "run.json")
    for file, schema in (("samples", "sample"), ("calls", "call")):
        for row in rows(path, file):
            found += schema_problems(row, schema, file)
    return found


def rows(path: Path, file: str = "samples") -> list[Json]:
    return list(read_journal(path / f"{file}.jsonl"))


def manifest(path: Path) -> Json:
    return open_run(path).read_manifest()


def contents(path: Path) -> dict[str, bytes]:
    """All files below a folder, by name; but the lock, which is empty."""
    files = (file for file in path.rglob("*") if file.is_file() and file.name != "lock")
    return {str(file.relative_to(path)): file.read_bytes() for file in files}
