"""The page for any suite: a person reads what a model is told, calls the tools that it has, and writes its answers.

So nothing of a suite is made for people: the sample of a person compares with those of models, and its seconds are the
time that the person took.
"""

from __future__ import annotations

import json
from secrets import token_hex
from typing import Any

from herobench.conversation import Message, Reply, Request, ToolCall
from herobench.page.server import Page


class ConversationPage(Page):
    """The page with the conversation, a map, and a form for each tool."""

    package = "herobench.page"
    longest = 500_000

    def view(self, request: Request) -> Any:
        """Return the conversation and the tools on offer."""
        return {
            "task": request.task_id,
            "messages": [_shown(message) for message in request.messages],
            "tools": [tool.as_row() for tool in request.tools],
        }

    def reply(self, answer: object) -> Reply | None:
        """Return a call, `{"name": ..., "arguments": {...}}`, or a text as a reply; None for anything else."""
        match answer:
            case str():
                return Reply(answer, stop="stop")
            case {"name": str(name), "arguments": dict(arguments), **more} if not more:
                call = ToolCall(f"call-{token_hex(4)}", name, json.dumps(arguments))
                return Reply("", (call,), stop="tool_calls")
        return None


def _shown(message: Message) -> dict[str, Any]:
    calls = [[call.name, call.arguments] for call in message.tool_calls]
    return {"role": message.role, "text": message.text, "calls": calls, "pictures": list(message.pictures)}
