"""The published benchmark: its tasks, the answers of models, and what becomes of them here.

Replays are made once a session and in-process, which is fast; that the sandbox gives the same is tested with one run.
"""

from __future__ import annotations

import json
from functools import cache
from typing import NamedTuple

from herobench.data.documents import read_document
from herobench.suites.rpg.game.episode import Episode
from herobench.suites.rpg.game.events import SIGNATURES, Action
from herobench.suites.rpg.game.game import Game
from herobench.suites.rpg.game.responses import response
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.play.execution import JudgedEpisode, judge
from herobench.suites.rpg.sandbox import Limits, Sandbox
from herobench.suites.rpg.sandbox.worker import play
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.task_gen.rpg.published import published_tasks
from tests.builders import SHARED, Json, shared_rows

REFERENCE = SHARED / "reference" / "herobench"
RUNS: dict[str, Json] = json.loads((REFERENCE / "runs.json").read_text("utf-8"))["runs"] if REFERENCE.is_dir() else {}


class Replayed(NamedTuple):
    """One published episode, and what it is here."""

    row: Json
    task: Task
    result: JudgedEpisode


def runs_with(*fields: str) -> list[str]:
    """The runs of which something was published."""
    return [name for name, run in RUNS.items() if run.keys() >= set(fields)]


@cache
def world() -> World:
    return load_world()


@cache
def tasks(source: str) -> dict[str, Task]:
    """The tasks of a published file, by id."""
    document, problems = read_document(REFERENCE / source, source)
    assert not problems
    found = list(published_tasks(document, world(), source))
    assert [thing for thing in found if not isinstance(thing, Task)] == []
    return {task.id: task for task in found if isinstance(task, Task)}


@cache
def replay(run: str, edition: str = "edition") -> list[Replayed]:
    """The episodes of a run that can be replayed, under the rules that its `edition` or `failure_edition` names."""
    about = RUNS[run]
    rules, known = load_rules(about[edition]), tasks(about["tasks"])
    found = []
    for row in shared_rows(about):
        if row["task"] not in about.get("unreproducible", []):
            task = known[row["task"]]
            found.append(Replayed(row, task, judge(world(), task, rules, _episode(task, row["code"], rules))))
    return found


def _episode(task: Task, code: str | None, rules: Rules) -> Episode:
    if code is None or not code.strip():
        with Sandbox(world(), rules) as sandbox:  # which starts no process for it
            return sandbox.execute(task, code)
    game = Game(world(), rules, task.hero, task.seed)

    def act(action: Action, looks: bool) -> object:
        event = game.act(action)
        return response(game, event) if looks else None

    played = play(code, dict.fromkeys(SIGNATURES, act), Limits())
    return Episode(tuple(game.events), played.ending, played.output)
