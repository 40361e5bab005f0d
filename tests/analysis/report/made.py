"""Runs in the tiny world for reports: real plays, scored as they are, with what belongs to the asking made up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from herobench.analysis.report import ReportRun
from herobench.analysis.suites.rpg.panel import PlanPanel
from herobench.suites.rpg.game.episode import FINISHED, Ending
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.play.execution import as_answer, judge, scored_row
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import Json, tiny_world
from tests.made_runs import changed, sample_row, unmeasured_row
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
    result = judge(world(), of, rules, played(world(), of, play, of.rules(rules), ending))
    scored = {"task_id": of.id, **scored_row(world(), of, rules, result)}
    asked = {"output_tokens": 100 + len(play), "cost": 0.01, "seconds": 1.5}
    answer = changes.pop("answer", as_answer(as_plan(play)))
    return sample_row(scored, answer, **{**asked, **changes})


def on_one_line(row: Json) -> Json:
    """A sample whose plan did everything in its first line, as a loop does."""
    actions = [{**entry, "line": 1} for entry in row["events"]["actions"]]
    return {**row, "events": {**row["events"], "actions": actions}}


def without_events(row: Json) -> Json:
    """A sample as published ones are: what the plan did is not known, nor by which rules and where."""
    return changed(row, **dict.fromkeys(("events", "failure", "rules", "world", "first_error")))


def unmeasured(of: Task) -> Json:
    """The sample of an attempt without a reply."""
    row = unmeasured_row(sample(of, LAZY), UNMEASURED)
    return {**row, "model": "someone", "output_tokens": None, "cost": None}


@dataclass(frozen=True)
class PromptedPanel(PlanPanel):
    """A panel with other prompts."""

    words: str = ""

    def task(self, task_id: str) -> Mapping[str, Any] | None:
        told = super().task(task_id)
        return told and {**told, "prompt": f"{self.words} {task_id}"}


def run(name: str, rows: Iterable[Json], tasks: Iterable[Task], prompt: str = "Beat the drake.") -> ReportRun:
    panel = PromptedPanel(world(), load_rules(), {one.id: one for one in tasks}, words=prompt)
    return ReportRun(name, rows, lambda reading: panel)


def mixed_run(name: str, brackets: int = 3, tasks: int = 6) -> ReportRun:
    """Wins, refusals and idleness in turn, harder brackets with fewer wins."""
    plays = [WINNING, REFUSED, LAZY]
    chosen = [
        (task(number, str(bracket + 1)), number + bracket) for bracket in range(brackets) for number in range(tasks)
    ]
    rows = [sample(of, plays[0 if turn < 3 else turn % 3]) for of, turn in chosen]
    return run(name, rows, [of for of, _ in chosen])
