"""Runs in the tiny world for reports: real plays, scored as they are, with what belongs to the asking made up."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from herobench.analysis.report import ReportRun
from herobench.rpg.content import load_rules
from herobench.rpg.episode import FINISHED, Ending
from herobench.rpg.execution import judge, scored_row
from herobench.rpg.plan import as_answer
from herobench.rpg.task import Task
from tests.builders import Json, tiny_world
from tests.plays import WINNING, as_plan, drake_task, played

HOSTILE = (
    "</script><script>document.title='x'</script><img src=x onerror=\"document.title='x'\"><!--<script>\ud800 $index"
)
"""What a model may write that wants to be more than text."""
REFUSED = "move 1 0; fight; fight; move 1 1; gather 8; craft bar 2; move 2 1; gather 1; move 2 0; fight"
"""Lost by the craft in its sixth line, away from the workshop. The gather in the eighth is refused as well."""
ASTRAY = "move 1 0; move 1 0; fight; craft bar 2; fight"
"""Lost by the craft in its fourth line; what is refused first, the second move, does no harm."""
LAZY = "move 1 0; fight"
UNMEASURED = {"kind": "rate_limit", "message": f"Too many requests {HOSTILE}", "status": 429}


@cache
def world() -> Any:
    return tiny_world()


def task(number: int, bracket: str = "1") -> Task:
    return drake_task(world(), id=f"{bracket}/{number}_Frost Drake_kill")


def sample(of: Task, play: str, ending: Ending = FINISHED, **changes: Any) -> Json:
    """The sample of a play."""
    rules = load_rules()
    result = judge(world(), of, rules, played(world(), of, play, rules, ending))
    asked: Json = {
        "schema": 1,
        "task_id": of.id,
        "epoch": 0,
        "status": "ok",
        "error": None,
        "model": "someone",
        "tokens": 100 + len(play),
        "answer": as_answer(as_plan(play)),
        "plan": None,
        "cost": 0.01,
        "seconds": 1.5,
    }
    return {**asked, **scored_row(world(), of, rules, result), **changes}


def on_one_line(row: Json) -> Json:
    """A row whose plan did everything in its first line, as a loop does."""
    return {**row, "events": [[entry[0], 1, *entry[2:]] for entry in row["events"]]}


def without_events(row: Json) -> Json:
    """A row as published ones are: what the plan did is not known, nor by which rules and where."""
    return {**row, **dict.fromkeys(("events", "failure", "rules", "world", "first_error"))}


def unmeasured(of: Task) -> Json:
    """The sample of an attempt without a reply."""
    nothing = dict.fromkeys(sample(of, LAZY))
    known = {name: sample(of, LAZY)[name] for name in ("schema", "task_id", "epoch", "kind", "target", "world")}
    return {**nothing, **known, "status": "unmeasured", "error": UNMEASURED, "model": "someone"}


def run(name: str, rows: Iterable[Json], tasks: Iterable[Task], prompt: str = "Beat the drake.") -> ReportRun:
    return ReportRun(name, rows, {one.id: one for one in tasks}, world(), load_rules(), lambda of: f"{prompt} {of.id}")


def mixed_run(name: str, brackets: int = 3, tasks: int = 6) -> ReportRun:
    """Wins, refusals and idleness in turn, harder brackets with fewer wins."""
    plays = [WINNING, REFUSED, LAZY]
    chosen = [
        (task(number, str(bracket + 1)), number + bracket) for bracket in range(brackets) for number in range(tasks)
    ]
    rows = [sample(of, plays[0 if turn < 3 else turn % 3]) for of, turn in chosen]
    return run(name, rows, [of for of, _ in chosen])
