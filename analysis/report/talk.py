"""The conversation of an attempt for its page: each call with its question and its answer, as long as a page can hold.

A question is what the model was asked last, and not the whole conversation, which each call repeats. Texts and calls
beyond the limits are left out and counted; calls.jsonl has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from herobench.analysis.calls import Call
from herobench.analysis.roles import usage_of

_MOST_CALLS = 500
"""The most calls of a page."""
_LONGEST = 40_000
"""The most characters of one text."""
_MOST_TEXT = 400_000
"""The most characters of all texts of a page."""


def talk_of(calls: Iterable[Call]) -> dict[str, Any] | None:
    """Return the calls of an attempt as the page shows them, and how many it lacks; None if there are none."""
    calls, room = iter(calls), _Room()
    shown = [_shown(call, room) for call in islice(calls, _MOST_CALLS)]
    return {"calls": shown, "more": sum(1 for _ in calls)} if shown else None


class _Room:
    """The room that is left for texts."""

    def __init__(self) -> None:
        self._left = _MOST_TEXT

    def cut(self, text: str | None) -> list[Any] | None:
        """Return a text as far as there is room for it, and how many characters are left out; None for no text."""
        if not text:
            return None
        kept = text[: min(_LONGEST, self._left)]
        self._left -= len(kept)
        return [kept, len(text) - len(kept)]


def _shown(call: Call, room: _Room) -> dict[str, Any]:
    usage, reply, error = usage_of(call), call["reply"] or {}, call["error"]
    messages = call["messages"] or ()
    question = _question(messages)
    return {
        "number": call["call"],
        "role": call["role"],
        "form": call["form"],
        "input": usage.input,
        "output": usage.output,
        "cost": call["cost"],
        "seconds": call["seconds"],
        "retries": len(call["retries"] or ()),
        "error": error and [error["kind"], error["message"]],
        "before": len(messages) - len(question),
        "question": room.cut("\n".join(message["content"] or "" for message in question)),
        "reasoning": room.cut(reply.get("reasoning")),
        "answer": room.cut(_answer(reply)),
    }


def _question(messages: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return the last message, or the results of all tools that were called last."""
    count = 0
    while count < len(messages) and messages[-count - 1]["role"] == "tool":
        count += 1
    return messages[-max(count, 1) :]


def _answer(reply: Mapping[str, Any]) -> str:
    """Return the text of a reply and the calls of tools in it."""
    calls = (f"→ {call['name']}({call['arguments']})" for call in reply.get("tool_calls") or ())
    return "\n".join(filter(None, [reply.get("text"), *calls]))
