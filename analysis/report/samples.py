"""One attempt: the line of the table that stands for it, and all there is of it for whoever opens it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from herobench.analysis.causes.cause import Found
from herobench.analysis.report.replay import replay, start_of
from herobench.analysis.report.run import ReportRun, Row, measured
from herobench.analysis.summary import bracket_of
from herobench.rpg.plan import extract_code
from herobench.rpg.task import Task

COLUMNS = (
    "run",
    "task",
    "epoch",
    "status",
    "bracket",
    "kind",
    "outcome",
    "score",
    "progress",
    "failure",
    "cause",
    "error",
    "actions",
    "tokens",
    "cost",
    "given",
)
"""What the table knows of an attempt. `given` is the number of the block with its task, or null."""


def line_of(row: Row, run: int, found: Found | None, given: int | None) -> list[Any]:
    """The values of the columns."""
    status = "ok" if measured(row) else "unmeasured"
    return [
        run,
        row["task_id"],
        row.get("epoch", 0),
        status,
        bracket_of(row["task_id"]),
        row.get("kind"),
        row.get("outcome") or status,
        row.get("score"),
        row.get("progress_before_end"),
        row.get("failure"),
        found.cause if found else None,
        _error(row),
        row.get("actions"),
        row.get("tokens"),
        row.get("cost"),
        given,
    ]


def _error(row: Row) -> str | None:
    """What went wrong first, in a few words."""
    first, asking = row.get("first_error"), row.get("error")
    if asking:
        return str(asking["kind"])
    if first:
        return f"{first['action']} {first['code']}"
    return row.get("end_kind") or ("no_code" if row.get("ended") == "no_code" else None)


def sample_of(row: Row, run: ReportRun, found: Found | None) -> dict[str, Any]:
    """All of an attempt: its row as it is, its plan, why it was lost, and its replay or why there is none."""
    return {"row": dict(row), "plan": _plan(row), "found": asdict(found) if found else None, **_replay(row, run)}


def _plan(row: Row) -> str | None:
    answer: str | None = row.get("answer")
    plan: str | None = row.get("plan", row.get("code"))
    return extract_code(answer) if plan is None and answer is not None else plan


def _replay(row: Row, run: ReportRun) -> dict[str, Any]:
    task, trace = run.tasks.get(row["task_id"]), row.get("events")
    if trace is None:
        return {"no_replay": "This row has no events."}
    if task is None:
        return {"no_replay": "The task of this row is not among the tasks that the report was given."}
    if (row.get("world") or run.world.digest) != run.world.digest:
        return {"no_replay": "This row is of another world than the one that the report was given."}
    if (row.get("rules") or run.rules.name) != run.rules.name:
        return {"no_replay": "This row is of other rules than those that the report was given."}
    played = replay(run.world, task, run.rules, trace)
    return {"changes": played.changes, "differs_at": played.differs_at}


def given_of(task: Task, run: ReportRun) -> Mapping[str, Any]:
    """What all attempts at a task share."""
    return {
        "prompt": run.prompt(task),
        "start": start_of(run.world, task),
        "missing": dict(task.missing),
        "certificate": task.certificate.plan if task.certificate else None,
    }
