"""The trace of one game, from its run's folder: what the model was sent, what it replied, and what came of each turn.

A step is a turn of the game. In the mode `tools`, the reply of call number N is step N, if the agent makes one call for
each reply. In the mode `plan`, all steps come from one call. Where another agent called more often, calls and steps
stand side by side without numbers of each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from herobench.analysis.samples.calls import Call, Calls
from herobench.analysis.samples.frame import frame
from herobench.analysis.samples.samples import Sample
from herobench.analysis.samples.sources import Source
from herobench.analysis.statistics.roles import usage_of
from herobench.analysis.suites.epoch.figures import records, row_of
from herobench.data.errors import UsageError
from herobench.suites.epoch.game.options import PLAN

SUITE = "epoch"
SCHEMA = 1
_PARAMETERS = ("model", "base_url", "api", "sampling", "agent", "limits")

Trace = Mapping[str, Any]


def trace_of(source: Source, level: str, epoch: int) -> Trace:
    """Return the trace of a game as plain data. Raise UsageError if the source is no run, or lacks the game."""
    if source.manifest is None or source.calls_file is None:
        raise UsageError(f"{source.path} is no run: a trace needs the calls in a run's folder.")
    sample = _sample(source, level, epoch)
    config, details = source.manifest["config"], sample["details"]
    calls = list(Calls(source.calls_file).of(sample["task_id"], epoch, sample["calls"]))
    table = frame([source])
    own = table[(table.task_id == sample["task_id"]) & (table.epoch == epoch)]
    return {
        "schema": SCHEMA,
        "run": source.name,
        "level": sample["task_id"],
        "epoch": epoch,
        "model": sample["model"],
        "status": sample["status"],
        "stop_reason": details["stop_reason"],
        "failure": sample["failure"],
        "parameters": {**{name: config.get(name) for name in _PARAMETERS}, "suite": config["identity"]},
        "prompts": [message for message in calls[0]["messages"] or () if message["role"] != "assistant"]
        if calls
        else [],
        "tools": (calls[0].get("tools") or []) if calls else [],
        "calls": [_call(call) for call in calls],
        "steps": _steps(sample, calls),
        "row": row_of(records(own)[0]),
    }


def _sample(source: Source, level: str, epoch: int) -> Sample:
    """Return the sample of a game. Raise UsageError with what there is if the run lacks it."""
    levels: dict[str, set[int]] = {}
    for sample in source.samples():
        if sample["suite"] != SUITE:
            raise UsageError(f"{source.name} is a run of the suite {sample['suite']}, and not of {SUITE}.")
        if (sample["task_id"], sample["epoch"]) == (level, epoch):
            return sample
        levels.setdefault(sample["task_id"], set()).add(sample["epoch"])
    if level in levels:
        epochs = ", ".join(map(str, sorted(levels[level])))
        raise UsageError(f"{source.name} has no game of {level} in epoch {epoch}: it has epochs {epochs}.")
    shown = ", ".join(sorted(levels)[:12]) or "none yet"
    raise UsageError(f"{source.name} has no game of the level {level!r}. Its levels: {shown}.")


def _call(call: Call) -> dict[str, Any]:
    """Return what belongs to one call: all that was sent, and all that came."""
    reply = call["reply"] or {}
    usage = usage_of(call)
    return {
        "number": call["call"],
        "role": call["role"],
        "messages": list(call["messages"] or ()),
        "reply": {name: reply.get(name) for name in ("text", "tool_calls", "reasoning", "stop")} if reply else None,
        "error": call["error"],
        "retries": len(call["retries"] or ()),
        "tokens": {"in": usage.input, "out": usage.output, "reasoning": usage.reasoning, "cached": usage.cached},
        "seconds": call["seconds"],
    }


def _steps(sample: Sample, calls: Sequence[Call]) -> list[dict[str, Any]]:
    turns = (sample["events"] or {}).get("turns", [])
    numbers: list[int | None] = [None] * len(turns)
    if sample["details"]["mode"] == PLAN and len(calls) == 1:
        numbers = [calls[0]["call"]] * len(turns)
    elif len(calls) == len(turns):
        numbers = [call["call"] for call in calls]
    return [
        {"step": step, "call": number, **turn}
        for step, (number, turn) in enumerate(zip(numbers, turns, strict=True), 1)
    ]
