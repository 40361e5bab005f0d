"""For the tests of `herobench run`: small runs against a loopback server, and how to look at what they leave."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from herobench.suites.rpg.play.execution import as_answer
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.suites.rpg.worlds.task_file import load_tasks
from herobench.task_gen.rpg.oracle.planner import oracle_code
from tests.loopback import Loopback
from tests.program import Done, command, herobench, read_jsonl, surroundings

Row = dict[str, Any]
Attempt = tuple[str, int]

TASKS = Path(__file__).parents[2] / "world_data" / "examples" / "tasks.jsonl"
"""Five tasks of the classic world, each with a target of its own."""
KEY = r"\(code `(\w+)`\)"
"""Where a prompt names its target, by which a server knows the task."""
TARGETS = ("copper", "chicken", "copper_ring", "blue_slime", "green_slime")
TASK_IDS = tuple(row["id"] for row in read_jsonl(TASKS))
OF_THE_CLOCK = ("seconds", "started", "finished", "retries")
"""Columns of a sample that an undisturbed run and a disturbed one need not share."""


def run(*options: str | Path, cwd: Path | None = None) -> Done:
    """A run of the example tasks with one worker; options that come again count as they come last."""
    return herobench(*_words(options), cwd=cwd)


def ask(server: Loopback, *options: str | Path, cwd: Path | None = None) -> Done:
    """The same, of the model `m` that a server serves."""
    return run("--model", "m", "--base-url", server.url, *options, cwd=cwd)


class Started(subprocess.Popen[str]):
    """A program that is not waited for where the test fails: it may wait for a server that the test holds."""

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is not None:
            self.kill()
        super().__exit__(kind, error, trace)


def start(*options: str | Path, cwd: Path | None = None) -> Started:
    """A run that is not waited for. Use it in a `with` statement."""
    return Started(
        command(*_words(options)),
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=surroundings(),
    )


def start_asking(server: Loopback, *options: str | Path) -> Started:
    return start("--model", "m", "--base-url", server.url, *options)


def resume(folder: Path, *options: str | Path) -> Done:
    return herobench("run", "--resume", folder, *options)


def _words(options: tuple[str | Path, ...]) -> list[str | Path]:
    tasks: list[str | Path] = [] if {"--tasks", "--dataset"} & set(map(str, options)) else ["--tasks", TASKS]
    return ["run", *tasks, "--jobs", "1", *options]


def line_with(pipe: Any, words: str) -> str:
    """The next line of a pipe that has some words in it; fails where there is none."""
    seen = []
    for line in pipe:
        seen.append(line)
        if words in line:
            return str(line)
    raise AssertionError(f"no {words!r} in {seen}")


# -- what is left -----------------------------------------------------------------------------------------------------


def samples(folder: Path) -> list[Row]:
    return read_jsonl(folder / "samples.jsonl")


def said(row: Row) -> str:
    """The text of the one reply of a sample."""
    (reply,) = row["replies"]
    return str(reply["text"])


def calls(folder: Path) -> list[Row]:
    return read_jsonl(folder / "calls.jsonl")


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder, by name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def attempts(rows: list[Row]) -> Counter[Attempt]:
    """How often each attempt has a row."""
    return Counter((row["task_id"], row["epoch"]) for row in rows)


def everything(epochs: int = 1) -> Counter[Attempt]:
    """Each attempt once."""
    return Counter((task_id, epoch) for task_id in TASK_IDS for epoch in range(epochs))


def results(folder: Path) -> dict[Attempt, Row]:
    """The samples less what depends on the clock, by attempt."""
    return {
        (row["task_id"], row["epoch"]): {name: value for name, value in row.items() if name not in OF_THE_CLOCK}
        for row in samples(folder)
    }


def statuses(folder: Path) -> Counter[str]:
    return Counter(row["status"] for row in samples(folder))


@cache
def winning_answers() -> Mapping[str, str]:
    """To each target the answer that wins."""
    world, rules = load_world(), load_rules()
    return {task.target: as_answer(oracle_code(world, rules, task)) for task in load_tasks(TASKS, world).values()}


def some_win(key: str) -> str:
    """Answers of which three win and two do nothing."""
    return winning_answers()[key] if key not in ("chicken", "copper_ring") else "I cannot."


def only(bad: str, otherwise: Any = "ok") -> Callable[[str, int], Any]:
    """A script by which one target goes wrong in some way, and the others do not."""
    return lambda key, attempt: otherwise if key != bad else "bad_request"
