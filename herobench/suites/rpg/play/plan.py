"""The plan in an answer, in the replies of an attempt, and in the rows of answers files.

As published, the plan is the last fenced block; else the text between `<code>` tags; else the text after the first
"final answer". Surrounding angle brackets are removed. Line ends are made uniform first. The thoughts of a reasoning
model, between tags, are searched only if the rest of its answer has no plan. In the edition `standard` the thoughts of
an answer that was cut off are not searched at all: a draft in them is not what the model would have answered. An answer
may be hostile, so every step reads the text once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from herobench.conversation import Reply, ToolCall, is_cut_off, without_thoughts
from herobench.data.errors import UsageError
from herobench.suite.given_options import GivenOptions
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.rules import CutThoughts, Rules
from herobench.suites.rpg.game.task import TOLD, Told

_FENCE = "```"
# Possessive quantifiers (`*+`) never give back what they took, so no answer can make the match slow.
_LANGUAGE = re.compile(r"[^\S\n]*+[\w+.-]*+[^\S\n]*+\n|(?:python|py)\b", re.IGNORECASE)
_CODE_BEGINS = re.compile(r"<code>", re.IGNORECASE)
_CODE_ENDS = re.compile(r"</code>", re.IGNORECASE)
_CALL = re.compile(r"(?:^|[:;=])[^\S\n]*+\w++\(", re.MULTILINE)
_FINAL_ANSWER = re.compile(r"final answer[^\S\n]*:?", re.IGNORECASE)


def extract_code(answer: str, cut_thoughts: CutThoughts = "searched", stop: str | None = None) -> str | None:
    """Return the plan in an answer, or None if nothing is marked as one. An empty plan does nothing.

    `cut_thoughts` is a switch of the edition, by default as in the paper; `stop` is why the model stopped.
    """
    text = answer.replace("\r\n", "\n").replace("\r", "\n")
    said, unclosed = without_thoughts(text)
    if cut_thoughts == "ignored" and is_cut_off(text, stop):
        return _marked_code(said[:unclosed])
    return _marked_code(said) or _marked_code(text)


def as_answer(code: str) -> str:
    """Return a plan as an answer with nothing else in it."""
    return f"{_FENCE}python\n{code}\n{_FENCE}"


def marked(text: str) -> str:
    """Return a plan without a fence as an answer with one; any other text unchanged.

    Other tools remove the fence around a plan. A plan is known by a line with a call, which prose does not have.
    """
    alone = _FENCE not in text and _CALL.search(text) and extract_code(text) is None
    return as_answer(text) if alone else text


def _marked_code(text: str) -> str | None:
    fenced = text.split(_FENCE)
    # Texts between fences have odd numbers; an opened fence that is never closed does not count.
    if len(fenced) > 2:
        last = fenced[(len(fenced) - 1) // 2 * 2 - 1]
        language = _LANGUAGE.match(last)
        return _bare(last[language.end() :] if language else last)
    begin = _CODE_BEGINS.search(text)
    end = _CODE_ENDS.search(text, begin.end()) if begin else None
    if begin and end:
        return _bare(text[begin.end() : end.start()])
    final = _FINAL_ANSWER.search(text)
    return _bare(text[final.end() :]) if final else None


def _bare(code: str) -> str:
    """Return the code without surrounding blanks and angle brackets."""
    text = code.strip()
    return text[1:-1].strip() if text.startswith("<") and text.endswith(">") else text


Mode = Literal["plan", "feedback", "tools"]
"""How a plan is given: whole in one reply; in parts, each followed by its result; or as calls of tools."""
MODES: tuple[Mode, ...] = ("plan", "feedback", "tools")


def told_mode(told: Mapping[str, Any]) -> str:
    """Return the mode in the details of a sample, or in the identity of a run."""
    # identities do not name the usual mode, and neither do rows from before there were modes
    return told.get("mode") or MODES[0]


def lane_in(options: Mapping[str, str]) -> Told:
    """Return what the settings of the suite have a prompt tell. Raise UsageError for another text or a wrong mode."""
    lane = cast("Told", GivenOptions("rpg", options).one_of("lane", TOLD[0], TOLD))
    if lane != TOLD[0] and told_mode(options) != MODES[0]:
        raise UsageError(f"The lane {lane} is asked in the mode {MODES[0]} only: in others the game tells more.")
    return lane


def plan_in(reply: Reply, rules: Rules) -> str | None:
    """Return the plan of a reply under some rules; None if nothing in it is marked as one."""
    # A recording may have kept only the plan, and an empty text is a plan too.
    return extract_code(reply.text, rules.cut_thoughts, reply.stop) if reply.answer is None else reply.answer


def attempt_plan(mode: str, replies: Sequence[Reply], rules: Rules) -> str | None:
    """Return the plan of an attempt as one text; None if there is none."""
    if mode == "tools":
        return "\n".join(call_line(call) for reply in replies for call in reply.tool_calls) or None
    if mode == "feedback":
        return joined_parts([plan_in(reply, rules) or "" for reply in replies])
    return plan_in(replies[-1], rules) if replies else None


def joined_parts(parts: Sequence[str]) -> str:
    """Return parts of a plan as one text, with a comment above each."""
    return "\n".join(f"# part {number}\n{part}" for number, part in enumerate(parts, 1))


def first_lines(parts: Sequence[str]) -> Iterator[int]:
    """Yield the number of lines above each part in the text of `joined_parts`."""
    above = 0
    for part in parts:
        yield above + 1
        above += 1 + len(part.split("\n"))


def call_line(call: ToolCall) -> str:
    """Return a call of a tool as one line of a plan: a call of an action if its arguments can be read."""
    try:
        arguments = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        arguments = None
    if isinstance(arguments, dict):
        named = [f"{name}={json.dumps(value)}" for name, value in arguments.items()]
        line = f"{call.name}({', '.join([json.dumps(NAME), *named])})"
    else:
        line = f"# {call.name}: {call.arguments}"
    # a model may write line ends anywhere, but each call is one line
    return " ".join(line.split())


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """One answer with its plan; None if the answer has no plan."""

    task_id: str
    epoch: int
    plan: str | None
    model: str | None
    tokens: int | None

    @classmethod
    def from_row(cls, row: Mapping[str, Any], rules: Rules) -> FileAnswer:
        """Build from a row that the schema accepts. The rules decide what counts as a plan."""
        tokens = row.get("tokens")
        return cls(
            task_id=row["task_id"],
            epoch=int(row.get("epoch", 0)),
            plan=_plan(row, rules),
            model=row.get("model"),
            tokens=None if tokens is None else int(tokens),
        )


def _plan(row: Mapping[str, Any], rules: Rules) -> str | None:
    """Return the plan of a row. A sample of a run is an answer too: its last reply has the plan."""
    stop: str | None = None
    if "replies" in row:
        last = row["replies"][-1] if row["replies"] else {}
        row, stop = {"answer": last.get("text"), "plan": last.get("answer")}, last.get("stop")
    plan: str | None = row.get("code", row.get("plan"))
    text: str | None = row.get("answer")
    return extract_code(text, rules.cut_thoughts, stop) if plan is None and text is not None else plan
