"""The trace of one game, from its run's folder: each prompt, each reply, and the result of each turn.

A step is a turn of the game. In the mode `tools`, the reply of call number N is step N, if the agent makes one call for
each reply. In the mode `plan`, all steps come from one call. Where another agent called more often, calls and steps
stand side by side without numbers of each other. In Markdown, texts of models stand in fences that they cannot close.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from herobench.analysis.samples.calls import Call, Calls, call_usage
from herobench.analysis.samples.frame import frame
from herobench.analysis.samples.samples import Sample
from herobench.analysis.samples.sources import Source
from herobench.analysis.samples.table_text import markdown
from herobench.data.errors import UsageError
from herobench.suites.epoch.game.columns import PLAN
from herobench.suites.epoch.reading.figures import game_row, records
from herobench.suites.epoch.refusals import EpochFault

SUITE = "epoch"
SCHEMA = 1
_PARAMETERS = ("model", "base_url", "api", "sampling", "agent", "limits")

Trace = Mapping[str, Any]


def read_trace(source: Source, level: str, epoch: int) -> Trace:
    """Return the trace of a game as plain data. Raise UsageError if the source is no run, or lacks the game."""
    if source.manifest is None or source.calls_file is None:
        raise UsageError(EpochFault.NO_CALLS, path=source.path)
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
        "row": game_row(records(own)[0]),
    }


def _sample(source: Source, level: str, epoch: int) -> Sample:
    """Return the sample of a game. Raise UsageError with what there is if the run lacks it."""
    levels: dict[str, set[int]] = {}
    for sample in source.samples():
        if sample["suite"] != SUITE:
            raise UsageError(EpochFault.OTHER_SUITE, name=source.name, suite=sample["suite"], own=SUITE)
        if (sample["task_id"], sample["epoch"]) == (level, epoch):
            return sample
        levels.setdefault(sample["task_id"], set()).add(sample["epoch"])
    if level in levels:
        epochs = ", ".join(map(str, sorted(levels[level])))
        raise UsageError(EpochFault.NO_EPOCH, name=source.name, level=level, epoch=epoch, epochs=epochs)
    names = ", ".join(sorted(levels)[:12]) or "none yet"
    raise UsageError(EpochFault.NO_GAME, name=source.name, level=level, levels=names)


def _call(call: Call) -> dict[str, Any]:
    """Return what was sent in one call, and its reply."""
    reply = call["reply"] or {}
    usage = call_usage(call)
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


_TICKS = re.compile(r"`+")


def trace_as_markdown(trace: Trace) -> str:
    """Return the trace as Markdown."""
    return "\n".join(_lines(trace))


def _lines(trace: Trace) -> Iterator[str]:
    yield f"# {_inline(trace['level'])}, epoch {trace['epoch']}, {_inline(trace['model'])}\n"
    end = trace["stop_reason"] or ("not measured" if trace["status"] != "ok" else "not over")
    yield f"Run {_inline(trace['run'])}. {len(trace['steps'])} steps, {len(trace['calls'])} calls. Ended: {end}.\n"
    yield "## Parameters\n"
    yield _fence(_json(trace["parameters"]), "json")
    yield "## Prompts\n"
    for message in trace["prompts"]:
        yield from _message(message)
    yield "## Tools\n"
    for tool in trace["tools"]:
        yield f"- {_inline(tool['name'])}: {_inline(tool['description'])}"
    yield "\n## Calls and steps\n"
    by_call: dict[int | None, list[Mapping[str, Any]]] = {}
    for step in trace["steps"]:
        by_call.setdefault(step["call"], []).append(step)
    for call in trace["calls"]:
        yield from _call_text(call, by_call.get(call["number"], ()))
    for step in by_call.get(None, ()):
        yield from _step(step)
    yield "## Figures\n"
    yield markdown(("Column", "Value"), [(name, _value_text(value)) for name, value in trace["row"].items()])


def _call_text(call: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    tokens = ", ".join(f"{count} {name}" for name, count in call["tokens"].items() if count is not None)
    about = [
        f"{len(call['messages'])} messages sent",
        f"tokens: {tokens}" if tokens else "",
        f"{call['seconds']:.1f} s" if call["seconds"] is not None else "",
        f"{call['retries']} retries" if call["retries"] else "",
    ]
    yield f"### Call {call['number']}{' (' + _inline(call['role']) + ')' if call['role'] else ''}\n"
    yield ", ".join(filter(None, about)) + ".\n"
    if call["error"]:
        yield f"No reply: {_inline(call['error']['kind'])}. {_inline(call['error']['message'])}\n"
    if reply := call["reply"]:
        for title in ("reasoning", "text"):
            if reply[title]:
                yield f"**{title.capitalize()}**\n\n{_fence(reply[title])}"
        for call_row in reply["tool_calls"] or ():
            yield f"**Call of a tool:** {_inline(call_row['name'])}\n\n{_fence(str(call_row['arguments']), 'json')}"
    for step in steps:
        yield from _step(step, told=len(steps) == 1)


def _step(step: Mapping[str, Any], *, told: bool = False) -> Iterator[str]:
    """Yield the result of a turn, and the turn itself unless its reply is printed above (`told`)."""
    feedback = step["feedback"]
    fields = {name: value for name, value in feedback.items() if value not in (None, [], {}) and name != "kind"}
    yield f"#### Step {step['step']}: {_inline(feedback.get('kind'))}\n"
    if not told:
        yield _fence(_json(step["turn"]), "json")
    if fields:
        yield _fence(_json(fields), "json")


def _message(message: Mapping[str, Any]) -> Iterator[str]:
    yield f"**{_inline(message['role'])}**\n\n{_fence(message['content'] or '')}"


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)


def _fence(text: str, kind: str = "text") -> str:
    """Return a text in a fence that is longer than any in the text."""
    longest = max(map(len, _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{kind}\n{text}\n{fence}\n"


def _inline(text: Any) -> str:
    """Return a short text as code on one line."""
    flat = " ".join(str(text).split())
    ticks = "`" * (max(map(len, _TICKS.findall(flat)), default=0) + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{ticks}{pad}{flat}{pad}{ticks}"


def _value_text(value: Any) -> str:
    return "" if value is None else str(value)
