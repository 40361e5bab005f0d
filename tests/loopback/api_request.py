"""A request of either API, read as a model would see it: what was asked, of whom, and how the answer is wanted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from tests.loopback.behaviour import Json

CHAT = "/v1/chat/completions"
RESPONSES = "/v1/responses"


@dataclass(frozen=True)
class ApiRequest:
    path: str
    body: Json

    @property
    def is_chat(self) -> bool:
        return self.path == CHAT

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def streams(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def wants_usage(self) -> bool:
        """True where a stream of a chat must tell its usage. A response always does."""
        return bool((self.body.get("stream_options") or {}).get("include_usage"))

    @property
    def text(self) -> str:
        """All that was sent to be read, for the count of its tokens."""
        instructions = self.body.get("instructions") or ""
        tools = [json.dumps(self.body["tools"])] if self.body.get("tools") else []
        return "\n".join([str(instructions), *tools, *(_text(message) for message in self._messages())])

    @property
    def last_user_text(self) -> str:
        users = [message for message in self._messages() if message.get("role") == "user"]
        return _text(users[-1]) if users else ""

    @property
    def turns(self) -> int:
        """The number of answers in the conversation. Items of a response that stand together are one answer."""
        said = (item.get("role") == "assistant" or item.get("type") == "function_call" for item in self._messages())
        return sum(answered for answered, _ in groupby(said))

    @property
    def problem(self) -> str | None:
        """Why the genuine API would not take the request; it takes less than this, but so much must be right."""
        asked = "messages" if self.is_chat else "input"
        missing = [name for name in ("model", asked) if not self.body.get(name)]
        if missing:
            return f"Missing required parameter: '{missing[0]}'."
        if "stream_options" in self.body and not self.streams:
            return "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        if self.wants_usage and not self.is_chat:
            return "Unknown parameter: 'stream_options.include_usage'."
        return next(self._wrong_tools(), None) or next(self._wrong_calls(), None)

    def _wrong_tools(self) -> Iterator[str]:
        for place, tool in enumerate(self.body.get("tools") or []):
            function, where = (tool.get("function"), ".function") if self.is_chat else (tool, "")
            if tool.get("type") != "function" or not isinstance(function, dict) or not function.get("name"):
                yield f"Missing required parameter: 'tools[{place}]{where}.name'."

    def _wrong_calls(self) -> Iterator[str]:
        """Calls without a result, and results without a call. In a chat a result must follow its call at once."""
        open_calls: set[str] = set()
        for item in self._messages():
            if item.get("role") == "tool" or item.get("type") == "function_call_output":
                name = item.get("tool_call_id") if self.is_chat else item.get("call_id")
                if name not in open_calls:
                    yield f"No tool call found for the output with call id {name}."
                open_calls.discard(str(name))
            elif self.is_chat and open_calls:
                break
            open_calls |= {call["id"] for call in item.get("tool_calls") or []}
            if item.get("type") == "function_call":
                open_calls.add(item["call_id"])
        if open_calls:
            yield f"No tool output found for the call {min(open_calls)}."

    def key(self, pattern: re.Pattern[str] | None) -> str:
        """The first group of the pattern in the last user message; the whole of it where nothing is found."""
        text = self.last_user_text
        found = pattern.search(text) if pattern else None
        return found.group(1) if found else text

    def _messages(self) -> list[Json]:
        given = self.body.get("messages" if self.is_chat else "input") or []
        return [{"role": "user", "content": given}] if isinstance(given, str) else given


def _text(message: Json) -> str:
    """Return the text of a message, or of an item of a response."""
    content = message.get("content") or message.get("output") or message.get("arguments") or ""
    said = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    return said + "".join(call["function"]["arguments"] for call in message.get("tool_calls") or [])
