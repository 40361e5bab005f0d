"""Run folders without a run: real plans, scored as they are, stored as samples, for tests of what reads run folders."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from herobench.analysis.reading.contract import Found
from herobench.analysis.suites.rpg.reading import account_for, sample_of_scored
from herobench.data.columns import SAMPLE, blank, names
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.columns import DETAILS
from herobench.suites.rpg.play.execution import FileAnswer, as_answer, score_answer
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.suites.rpg.worlds.task_file import load_tasks
from herobench.task_gen.rpg.datasets import dataset_path
from herobench.task_gen.rpg.players import player
from tests.program import write_jsonl

Json = dict[str, Any]
Player = Callable[[World, Rules, Task], str | None]

ASKED: Mapping[str, Any] = {"calls": 1, "retries": 0, "seconds": 1.5}
UNMEASURED = {"kind": "no_answer", "message": "There is no answer to this task.", "status": None}


PLAYERS: Mapping[str, Player] = {name: player(name) for name in ("greedy", "noop", "shortcut")}


def sample_row(scored: Mapping[str, Any], answer: str | None, **changes: Any) -> Json:
    """The sample of an answer that was scored; a change of one of the RPG's own columns is one of its details."""
    details = {**{name: scored.get(name) for name in names(DETAILS)}, "schema": 1}
    reply = {"text": answer, "tool_calls": [], "answer": None, "reasoning": None, "stop": "stop"}
    row: Json = {
        **blank(SAMPLE),
        "suite": "rpg",
        "task_id": scored["task_id"],
        "group": scored["task_id"].partition("/")[0],
        "epoch": scored.get("epoch", 0),
        "status": "ok",
        "model": scored.get("model") or "someone",
        "won": scored["outcome"] == "win",
        "score": scored["score"],
        "progress": scored["progress_before_end"],
        "failure": scored["failure"],
        **ASKED,
        "replies": None if answer is None else [reply],
        "details": details,
        "events": scored["events"],
    }
    return changed(row, **changes)


def changed(row: Json, **changes: Any) -> Json:
    """A sample with other values, of its own columns or of its details."""
    own = {name: value for name, value in changes.items() if name in row}
    details = {name: value for name, value in changes.items() if name not in row}
    return {**row, **own, "details": {**row["details"], **details}}


def unmeasured_row(row: Json, error: Mapping[str, Any] = UNMEASURED) -> Json:
    """The sample of the same attempt without a reply."""
    task = {name: row["details"][name] for name in names(DETAILS)[names(DETAILS).index("difficulty") :]}
    nothing = dict.fromkeys(("won", "score", "progress", "failure", "replies", "events"))
    details = {**blank(DETAILS), **task}
    return {**row, **nothing, "status": "unmeasured", "error": dict(error), "details": details}


@cache
def play_tasks(player: str, difficulty: tuple[int, ...], limit: int) -> Sequence[Json]:
    """The samples of a player on the base dataset, which he plays once, and its tasks of some difficulties."""
    world, rules = load_world(), load_rules()
    tasks = chosen_tasks(difficulty, limit)
    with Sandbox(world, rules) as sandbox:
        samples = []
        for task in tasks:
            plan = PLAYERS[player](world, rules, task)
            scored = score_answer(sandbox, task, FileAnswer(task.id, 0, plan, player, None))
            samples.append(sample_row(scored, "There is no plan." if plan is None else as_answer(plan)))
    return samples


def chosen_tasks(difficulty: Iterable[int], limit: int) -> list[Task]:
    """The first tasks of the base dataset in some brackets."""
    brackets = {str(bracket) for bracket in difficulty}
    tasks = load_tasks(Path(str(dataset_path("base"))), load_world()).values()
    return [task for task in tasks if task.id.partition("/")[0] in brackets][:limit]


def make_run(
    folder: Path, player: str, difficulty: Iterable[int] = range(1, 10), limit: int = 40, measured: bool = True
) -> Path:
    """A run's folder."""
    difficulty = tuple(difficulty)
    samples = play_tasks(player, difficulty, limit)
    if not measured:
        samples = [unmeasured_row(row) for row in samples]
    return write_run(folder, samples, chosen_tasks(difficulty, limit), load_world())


def write_run(folder: Path, samples: Iterable[Json], tasks: Iterable[Task], world: World, suite: str = "rpg") -> Path:
    """The folder of a run with these samples."""
    folder.mkdir(parents=True)
    identity = {"world": world.digest, "rules": "standard"}
    manifest = {"schema": 2, "id": "0123abcd", "config": {"suite": suite, "dataset": "base", "identity": identity}}
    (folder / "run.json").write_text(json.dumps(manifest), "utf-8")
    (folder / "world.json").write_text(f"{world.source}\n", "utf-8")
    write_jsonl(folder / "tasks.jsonl", (task.as_row() for task in tasks))
    write_jsonl(folder / "samples.jsonl", samples)
    (folder / "calls.jsonl").touch()
    return folder


def cause_in(scored: Mapping[str, Any]) -> Found | None:
    """The cause of the loss of a scored row; None for a win."""
    account = account_for(sample_of_scored({"task_id": "", **scored}))
    assert account is not None, "the events can be followed"
    return account.found


_MINUTES = [2**k for k in range(10)] * 6
"""The lengths of sixty tasks."""


def metr_runs(file: Path) -> None:
    """Runs in the form of METR's, of two models: the second one reaches lengths that are 16 times as long."""
    with file.open("w") as out:
        for alias, reach in (("Model A", 8), ("Model B", 128)):
            for number, minutes in enumerate(_MINUTES):
                won = int(minutes < reach or (minutes == reach and number % 4 < 2))
                row = {
                    "task_family": f"family_{number}", "task_id": f"family_{number}/main", "run_id": number,
                    "alias": alias, "model": "secret", "score_binarized": won, "score_cont": won,
                    "fatal_error_from": None, "human_minutes": float(minutes), "task_source": "HCAST",
                }  # fmt: skip
                out.write(json.dumps(row) + "\n")
