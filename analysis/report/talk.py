"""The conversation of an attempt for its page: a tree of branches with sums, and the calls as its leaves.

Agents say the branch of each call: titles from the top down. Calls with equal titles stand together, in the order in
which they were asked. A call has its question and its answer. A question is what the model was asked last, and not the
whole conversation, which each call repeats. Texts and calls beyond the limits of a page are left out, but the sums
count them; calls.jsonl has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from herobench.analysis.samples.calls import Call, call_usage

_MOST_CALLS = 500
"""The most calls of a page."""
_LONGEST = 40_000
"""The most characters of one text."""
_MOST_TEXT = 400_000
"""The most characters of all texts of a page."""
_DEEPEST = 6
"""The most titles of a branch that are shown."""
_LONGEST_TITLE = 100
_SUMMED = ("input", "output", "cost", "seconds")


def talk_tree(calls: Iterable[Call]) -> dict[str, Any] | None:
    """Return the calls of an attempt as the page shows them, and how many it lacks; None if there are none."""
    root, room = _Branch(""), _Room()
    for number, call in enumerate(calls):
        call_facts, is_shown = _facts(call), number < _MOST_CALLS
        titles = [title[:_LONGEST_TITLE] for title in (call["branch"] or ())[:_DEEPEST]]
        branch = root.count(titles, call_facts, grow=is_shown)
        if is_shown:
            branch.items.append(call_facts | _texts(call, room))
    return {**root.as_row(), "more": max(0, root.calls - _MOST_CALLS)} if root.calls else None


class _Branch:
    """A branch of the conversation: the sums over its calls, and the items below it."""

    def __init__(self, title: str) -> None:
        self.calls = 0
        self.items: list[_Branch | Mapping[str, Any]] = []
        """Branches and calls, in the order in which they began."""
        self._title = title
        self._branches: dict[str, _Branch] = {}
        self._sums: dict[str, float | None] = dict.fromkeys(_SUMMED)

    def count(self, titles: Sequence[str], facts: Mapping[str, Any], *, grow: bool) -> _Branch:
        """Count a call here and in the branches below that its titles name. Return the last of them.

        Branches that do not exist are made only if the tree may grow."""
        self.calls += 1
        for name in _SUMMED:
            if facts[name] is not None:
                self._sums[name] = (self._sums[name] or 0) + facts[name]
        if not titles or not (grow or titles[0] in self._branches):
            return self
        return self._below(titles[0]).count(titles[1:], facts, grow=grow)

    def _below(self, title: str) -> _Branch:
        if title not in self._branches:
            self._branches[title] = _Branch(title)
            self.items.append(self._branches[title])
        return self._branches[title]

    def as_row(self) -> dict[str, Any]:
        """Return the branch as plain data. Only branches have `items`."""
        items = [item.as_row() if isinstance(item, _Branch) else item for item in self.items]
        return {"title": self._title, "calls": self.calls, **self._sums, "items": items}


class _Room:
    """The room that is left for texts."""

    def __init__(self) -> None:
        self._left = _MOST_TEXT

    def cut(self, text: str | None) -> list[Any] | None:
        """Return a text as far as there is room for it, and how many characters are left out; None for no text."""
        if not text:
            return None
        beginning = text[: min(_LONGEST, self._left)]
        self._left -= len(beginning)
        return [beginning, len(text) - len(beginning)]


def _facts(call: Call) -> dict[str, Any]:
    usage, error = call_usage(call), call["error"]
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
    }


def _texts(call: Call, room: _Room) -> dict[str, Any]:
    reply, messages = call["reply"] or {}, call["messages"] or ()
    question = _question(messages)
    return {
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
