"""Messages and tools in the form of the chat completions API, which other tools speak too.

`chat_api` sends them to servers; surfaces exchange them with other tools.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from herobench.conversation import Message, Reply, Tool
from herobench.models.history import (
    NO_TEXT,
    sendable_arguments,
    sendable_name,
    with_alternating_roles,
    with_own_ids,
)
from herobench.models.server_fields import Thoughts, give_back, place_of_thoughts
from herobench.models.server_json import content_of, text
from herobench.models.tool_calls import ToolCallPieces


def chat_history(messages: Sequence[Message], thoughts: Thoughts, *, alternate: bool) -> Iterator[dict[str, Any]]:
    """Yield the messages of a conversation as the API takes them, the assistant's with their thoughts.

    With `alternate`, no message of the user follows the result of a tool."""
    empty = None if thoughts == "none" else place_of_thoughts(messages, thoughts)
    for message in with_own_ids(with_alternating_roles(messages) if alternate else messages):
        row = chat_message(message)
        if message.role == "assistant" and thoughts != "none":
            give_back(row, message.reply, empty)
        yield row


def chat_message(message: Message) -> dict[str, Any]:
    """Return a message as the API takes it."""
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call_id, "content": message.text}
    if message.pictures:
        pictures = [{"type": "image_url", "image_url": {"url": url}} for url in message.pictures]
        return {"role": message.role, "content": [{"type": "text", "text": message.text}, *pictures]}
    # Some servers refuse an empty text; null is what the API itself says beside calls.
    said = message.text if message.text.strip() else None
    if not message.tool_calls:
        return {"role": message.role, "content": said or (NO_TEXT if message.role == "assistant" else message.text)}
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": sendable_name(call.name), "arguments": sendable_arguments(call.arguments)},
        }
        for call in message.tool_calls
    ]
    return {"role": message.role, "content": said, "tool_calls": calls}


def chat_tool(tool: Tool) -> dict[str, Any]:
    """Return a tool as the API takes it."""
    return {"type": "function", "function": tool.as_row()}


def chat_reply(message: Mapping[str, Any], stop: str | None = None) -> Reply:
    """Return a whole message of the assistant as a reply. `stop` is why the model stopped, where that is known."""
    pieces = ToolCallPieces()
    pieces.add_message(message)
    reasoning = text(message.get("reasoning_content")) or text(message.get("reasoning"))
    return Reply(content_of(message.get("content")), pieces.calls(), reasoning=reasoning, stop=stop)
