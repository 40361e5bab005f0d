"""Messages and tools in the form of the chat completions API, which other tools speak too.

`chat_api` sends them to servers; surfaces exchange them with other tools.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from herobench.conversation import Message, Reply, Tool
from herobench.models.server_json import entries, mapping, text
from herobench.models.tool_calls import ToolCallPieces


def chat_message(message: Message) -> dict[str, Any]:
    """Return a message as the API takes it."""
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call_id, "content": message.text}
    if message.pictures:
        pictures = [{"type": "image_url", "image_url": {"url": url}} for url in message.pictures]
        return {"role": message.role, "content": [{"type": "text", "text": message.text}, *pictures]}
    if not message.tool_calls:
        return {"role": message.role, "content": message.text}
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in message.tool_calls
    ]
    # Some servers refuse an empty text; null is what the API itself says beside calls.
    return {"role": message.role, "content": message.text or None, "tool_calls": calls}


def chat_tool(tool: Tool) -> dict[str, Any]:
    """Return a tool as the API takes it."""
    return {"type": "function", "function": tool.as_row()}


def content_of(content: object, kind: str = "text") -> str:
    """Return the text of content. Where content is a list of parts, only the parts of this kind count."""
    if isinstance(content, str):
        return content if kind == "text" else ""
    parts = (part for part in map(mapping, entries(content)) if part.get("type") == kind)
    return "".join(content_of(part.get(kind)) for part in parts)


def chat_reply(message: Mapping[str, Any], stop: str | None = None) -> Reply:
    """Return a whole message of the assistant as a reply. `stop` is why the model stopped, where that is known."""
    pieces = ToolCallPieces()
    pieces.add_message(message)
    reasoning = text(message.get("reasoning_content")) or text(message.get("reasoning"))
    return Reply(content_of(message.get("content")), pieces.calls(), reasoning=reasoning, stop=stop)
