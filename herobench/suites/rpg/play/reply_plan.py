"""The plan that the replies of an attempt make, in each mode: one text, in whose lines its events stand.

Attempts use it to number the lines, and reports to show the plan.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from herobench.conversation import Reply, ToolCall
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.play.plan import extract_code

Mode = Literal["plan", "feedback", "tools"]
"""The plan as a whole in one reply; in parts, each with what came of it; or as calls of tools."""
MODES: tuple[Mode, ...] = ("plan", "feedback", "tools")


def mode_of(told: Mapping[str, Any]) -> str:
    """Return the mode that the details of a sample tell, or the identity of a run."""
    # the usual mode is not named in identities, nor in rows from before there were modes
    return told.get("mode") or MODES[0]


def plan_in(reply: Reply, rules: Rules) -> str | None:
    """Return the plan of a reply under some rules; None if nothing in it is marked as one."""
    # A recording may have kept the plan alone, and an empty text is a plan too.
    return extract_code(reply.text, rules.cut_thoughts, reply.stop) if reply.answer is None else reply.answer


def plan_of(mode: str, replies: Sequence[Reply], rules: Rules) -> str | None:
    """Return the plan of an attempt as one text; None if there is none."""
    if mode == "tools":
        return "\n".join(call_line(call) for reply in replies for call in reply.tool_calls) or None
    if mode == "feedback":
        return joined_parts([plan_in(reply, rules) or "" for reply in replies])
    return plan_in(replies[-1], rules) if replies else None


def joined_parts(parts: Sequence[str]) -> str:
    """Return parts of a plan as one text. A comment stands above each."""
    return "\n".join(f"# part {number}\n{part}" for number, part in enumerate(parts, 1))


def first_lines(parts: Sequence[str]) -> Iterator[int]:
    """Yield how many lines stand above each part in the text that `joined_parts` makes."""
    above = 0
    for part in parts:
        yield above + 1
        above += 1 + len(part.split("\n"))


def call_line(call: ToolCall) -> str:
    """Return a call of a tool as one line of a plan: as a call of an action, if its arguments can be read."""
    try:
        arguments = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        arguments = None
    if isinstance(arguments, dict):
        named = [f"{name}={json.dumps(value)}" for name, value in arguments.items()]
        line = f"{call.name}({', '.join([json.dumps(NAME), *named])})"
    else:
        line = f"# {call.name}: {call.arguments}"
    # a model may put line ends anywhere, and each call has one line
    return " ".join(line.split())
