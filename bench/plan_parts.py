"""Measures each part of scoring a published plan alone, from its text to the line of its score."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict
from typing import TypeVar

from bench.published import published
from herobench.data.rows import dump_row
from herobench.suites.rpg.game.events import SIGNATURES
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.play.execution import judge, scored_row
from herobench.suites.rpg.sandbox import Limits
from herobench.suites.rpg.sandbox.bounds import Rejected
from herobench.suites.rpg.sandbox.language import read_plan
from herobench.suites.rpg.sandbox.wire import HEAD, Scene, decode, enact, frame, played_from, played_message
from herobench.suites.rpg.sandbox.worker import play_request
from herobench.suites.rpg.worlds.content import load_rules, load_world
from herobench.task_gen.rpg.published import published_tasks
from tests.builders import SHARED

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


def measure() -> dict[str, float]:
    """Milliseconds of processor time of a plan, by part; nothing where the published plans are missing."""
    source = SHARED / "reference" / "herobench" / "tasks.json"
    if not source.is_file():
        return {}
    world, rules, limits = load_world(), load_rules("paper-early"), Limits()
    document = json.loads(source.read_text("utf-8"))
    tasks = {task.id: task for task in published_tasks(document, world, source.name) if isinstance(task, Task)}
    plans = [(tasks[row["task"]], row["code"]) for row in published() if (row["code"] or "").strip()]
    figures: dict[str, float] = {"plans": len(plans)}

    def timed(part: str, work: Callable[[_Given], _Made], things: Iterable[_Given]) -> list[_Made]:
        things = list(things)
        began = time.process_time()
        made = [work(thing) for thing in things]
        figures[f"milliseconds, {part}"] = (time.process_time() - began) / len(plans) * 1e3
        return made

    gc.freeze()
    scenes = timed("begin the game", lambda plan: Scene(world, rules, plan[0]), plans)
    requests = [
        {"plan": code, "track": "program", "limits": asdict(limits), **scene.request()}
        for (_, code), scene in zip(plans, scenes, strict=True)
    ]
    sent = timed("wire, to the worker", frame, requests)
    timed("wire, in the worker", lambda message: decode(message[HEAD:]), sent)
    timed("parse and compile", lambda request: _read(str(request["plan"])), requests)
    played = timed("parse, compile and run", lambda request: play_request(world, request), requests)
    answers = timed("wire, from the worker", lambda done: frame(played_message(done)), played)
    received = timed("wire, in the parent", lambda message: played_from(decode(message[HEAD:])), answers)
    episodes = timed("replay", lambda pair: enact(pair[0].game, pair[1], limits), zip(scenes, received, strict=True))
    judged = timed("judge", lambda pair: judge(world, pair[0][0], rules, pair[1]), zip(plans, episodes, strict=True))
    rows = timed(
        "trace and row", lambda pair: scored_row(world, pair[0][0], rules, pair[1]), zip(plans, judged, strict=True)
    )
    timed("JSON", dump_row, rows)
    return figures


def _read(plan: str) -> None:
    with suppress(Rejected):
        read_plan(plan, SIGNATURES)
