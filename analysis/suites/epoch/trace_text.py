"""A trace as Markdown. Texts of models stand in fences that they cannot close."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from herobench.analysis.plots.typeset import markdown
from herobench.analysis.suites.epoch.trace import Trace

_TICKS = re.compile(r"`+")


def markdown_of(trace: Trace) -> str:
    """Return the trace as Markdown."""
    return "\n".join(_lines(trace))


def _lines(trace: Trace) -> Iterator[str]:
    yield f"# {_inline(trace['level'])}, epoch {trace['epoch']}, {_inline(trace['model'])}\n"
    ended = trace["stop_reason"] or ("not measured" if trace["status"] != "ok" else "not over")
    yield f"Run {_inline(trace['run'])}. {len(trace['steps'])} steps, {len(trace['calls'])} calls. Ended: {ended}.\n"
    yield "## Parameters\n"
    yield _fenced(_json(trace["parameters"]), "json")
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
        yield from _call(call, by_call.get(call["number"], ()))
    for step in by_call.get(None, ()):
        yield from _step(step)
    yield "## Figures\n"
    yield markdown(("Column", "Value"), [(name, _told(value)) for name, value in trace["row"].items()])


def _call(call: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> Iterator[str]:
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
                yield f"**{title.capitalize()}**\n\n{_fenced(reply[title])}"
        for made in reply["tool_calls"] or ():
            yield f"**Call of a tool:** {_inline(made['name'])}\n\n{_fenced(str(made['arguments']), 'json')}"
    for step in steps:
        yield from _step(step, told=len(steps) == 1)


def _step(step: Mapping[str, Any], *, told: bool = False) -> Iterator[str]:
    """Yield what came of a turn, and the turn itself if its reply does not stand above it (`told`)."""
    feedback = step["feedback"]
    known = {name: value for name, value in feedback.items() if value not in (None, [], {}) and name != "kind"}
    yield f"#### Step {step['step']}: {_inline(feedback.get('kind'))}\n"
    if not told:
        yield _fenced(_json(step["turn"]), "json")
    if known:
        yield _fenced(_json(known), "json")


def _message(message: Mapping[str, Any]) -> Iterator[str]:
    yield f"**{_inline(message['role'])}**\n\n{_fenced(message['content'] or '')}"


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)


def _fenced(text: str, kind: str = "text") -> str:
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


def _told(value: Any) -> str:
    return "" if value is None else str(value)
