"""Messages, tools and replies, between our form and that of Inspect."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ContentImage,
    ContentReasoning,
    ContentText,
)
from inspect_ai.solver import TaskState
from inspect_ai.tool import ToolCall as InspectCall
from inspect_ai.tool import ToolInfo, ToolParams

from herobench.conversation import Message, Reply, Tool, ToolCall
from herobench.data.files import real_path
from herobench.scorer import Scorer, TaskQuery, shared_scorer

_KEY = "herobench"


def as_metadata(group: str | None, knobs: dict[str, Any]) -> dict[str, Any]:
    """Return the metadata of a sample."""
    return {"group": group, _KEY: knobs}


def kept(suite: str, knobs: dict[str, Any]) -> dict[str, Any]:
    """Return the knobs that were given, as the log keeps them: a tasks file by its whole path."""
    given = {name: value for name, value in knobs.items() if value is not None}
    if "tasks" in given:
        given["tasks"] = str(real_path(given["tasks"]))
    return {**given, "suite": suite}


def scorer_of(state: TaskState) -> Scorer:
    """Return the scorer of a sample."""
    return shared_scorer(TaskQuery(**state.metadata[_KEY]))


def task_id_of(state: TaskState) -> str:
    """Return our name for the task of a sample."""
    return str(state.sample_id)


def epoch_of(state: TaskState) -> int:
    """Return our number of the epoch. Ours begin with 0, those of Inspect with 1."""
    return int(state.epoch) - 1


_CUT_OFF = ("max_tokens", "model_length")
"""Inspect's words for a reply that reached a limit. Ours is that of the chat API, `length`."""


def inspect_message(message: Message) -> ChatMessage:
    """Return a message as Inspect has it."""
    match message.role:
        case "system":
            return ChatMessageSystem(content=message.text)
        case "assistant":
            return ChatMessageAssistant(
                content=message.text, tool_calls=[*map(_inspect_call, message.tool_calls)] or None
            )
        case "tool":
            return ChatMessageTool(content=message.text, tool_call_id=message.call_id)
    if not message.pictures:
        return ChatMessageUser(content=message.text)
    pictures = [ContentImage(image=url) for url in message.pictures]
    return ChatMessageUser(content=[ContentText(text=message.text), *pictures])


def inspect_tool(tool: Tool) -> ToolInfo:
    """Return a tool as Inspect offers it to a model."""
    return ToolInfo(name=tool.name, description=tool.description, parameters=ToolParams(**tool.parameters))


def reply_of(message: ChatMessageAssistant, stop: str | None) -> Reply:
    """Return a message of the model as a reply. `stop` is why the model stopped, in the word of Inspect."""
    parts = [] if isinstance(message.content, str) else message.content
    thoughts = "".join(part.reasoning for part in parts if isinstance(part, ContentReasoning))
    calls = tuple(map(_our_call, message.tool_calls or ()))
    return Reply(message.text, calls, reasoning=thoughts or None, stop="length" if stop in _CUT_OFF else stop)


def with_stop(message: ChatMessageAssistant, stop: str | None) -> ChatMessageAssistant:
    """Return a message of the model that says why the model stopped, so that the log does."""
    return message.model_copy(update={"metadata": {**(message.metadata or {}), "stop": stop}})


def replies_in(messages: Iterable[ChatMessage], opening: Sequence[Message]) -> Iterator[Reply]:
    """Yield the replies of the model in a conversation. Examples that open it are not replies."""
    examples = sum(message.role == "assistant" for message in opening)
    said = [message for message in messages if isinstance(message, ChatMessageAssistant)]
    for message in said[examples:]:
        kept: Mapping[str, Any] = message.metadata or {}
        yield reply_of(message, kept.get("stop"))


def _inspect_call(call: ToolCall) -> InspectCall:
    try:
        arguments = json.loads(call.arguments)
    except ValueError as error:
        return InspectCall(id=call.id, function=call.name, arguments={}, parse_error=f"{call.arguments}: {error}")
    return InspectCall(id=call.id, function=call.name, arguments=arguments)


def _our_call(call: InspectCall) -> ToolCall:
    # Arguments that Inspect could not parse stay what they are: no JSON. The suite says what that costs.
    return ToolCall(call.id, call.function, call.parse_error or json.dumps(call.arguments))
