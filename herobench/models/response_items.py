"""Items of the Responses API: messages and tools as it takes them, and what a model said in the items of its output.

`responses_api` sends and reads them; surfaces exchange them with other tools.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from herobench.conversation import Message, Reply, Tool, ToolCall
from herobench.models.history import NO_TEXT, sendable_arguments, sendable_name, with_own_ids
from herobench.models.server_fields import Thoughts, is_json
from herobench.models.server_json import entries, mapping, text
from herobench.models.tool_calls import arguments_text, with_ids

_REASONING_ITEMS = "reasoning_items"
_OF_REASONING = ("summary", "content", "encrypted_content")
_SAID = ("message", "reasoning", "function_call")
"""The kinds of items that a model makes."""


def response_tool(tool: Tool) -> dict[str, Any]:
    """Return a tool as the API takes it."""
    # Without `strict: false` this API, unlike chat completions, makes all arguments of a tool required.
    return {"type": "function", **tool.as_row(), "strict": False}


def response_items(message: Message) -> Iterator[dict[str, Any]]:
    """Yield the items of `input` that a message makes: its text and each of its calls is one."""
    if message.role == "tool":
        yield {"type": "function_call_output", "call_id": message.call_id, "output": message.text}
        return
    if message.pictures:
        pictures = [{"type": "input_image", "image_url": url} for url in message.pictures]
        yield {"role": message.role, "content": [{"type": "input_text", "text": message.text}, *pictures]}
        return
    if message.text.strip() or not message.tool_calls:
        said = message.text if message.text.strip() or message.role != "assistant" else NO_TEXT
        yield {"role": message.role, "content": said}
    # The items go back without the server's own ids: it has kept none of them (`store`), and refuses an id that it does
    # not know.
    for call in message.tool_calls:
        yield {
            "type": "function_call",
            "call_id": call.id,
            "name": sendable_name(call.name),
            "arguments": sendable_arguments(call.arguments),
        }


def response_history(messages: Iterable[Message], thoughts: Thoughts) -> Iterator[dict[str, Any]]:
    """Yield the items of a conversation; each item of reasoning that came with a reply stands where it came."""
    for message in with_own_ids(messages):
        items = list(response_items(message))
        fields = message.reply.server_fields if message.reply is not None and thoughts != "none" else {}
        given = fields.get(_REASONING_ITEMS, ())
        for place in range(len(items) + 1):
            yield from (dict(one["item"]) for one in given if one["before"] == place)
            yield from items[place : place + 1]


def said_in(output: Iterable[Mapping[str, Any]]) -> Reply:
    """Return what the items of one turn say as a reply; an empty one where they say nothing."""
    output = list(output)
    content = "".join(_parts(output, "message", "output_text", "text"))
    refusal = "".join(_parts(output, "message", "refusal", "refusal"))
    thoughts = [*_parts(output, "reasoning", "summary_text", "text")]
    thoughts += _parts(output, "reasoning", "reasoning_text", "text")
    calls = with_ids(_call(item) for item in output if item.get("type") == "function_call")
    reasoning = list(_reasoning_items(output, has_text=bool((content or refusal).strip())))
    return Reply(
        text=content or refusal,
        tool_calls=calls,
        reasoning="\n\n".join(thoughts) or None,
        stop="refusal" if refusal and not (content or calls) else None,
        server_fields={_REASONING_ITEMS: reasoning} if reasoning else {},
    )


def _reasoning_items(output: Iterable[Mapping[str, Any]], *, has_text: bool) -> Iterator[dict[str, Any]]:
    """Yield the items of reasoning that go back, each with its place among the items of the message.

    They go back without their ids, as all items do. An item that then says nothing to the server stays out."""
    before = 0
    for item in output:
        kept = {name: item[name] for name in _OF_REASONING if item.get(name)}
        if item.get("type") == "function_call":
            before += 1
        elif item.get("type") == "message" and has_text:
            before, has_text = before + 1, False  # the texts of all messages are one item
        elif item.get("type") == "reasoning" and kept.keys() & {"encrypted_content", "content"} and is_json(kept):
            yield {"before": before, "item": {"type": "reasoning", "summary": [], **kept}}


def turns_in(output: object) -> Iterator[Reply]:
    """Yield the turns of a model in items: a turn ends where a result of a tool or a message of another follows."""
    turn: list[Mapping[str, Any]] = []
    for item in map(_whole, map(mapping, entries(output))):
        if item.get("type") in _SAID and item.get("role", "assistant") == "assistant":
            turn.append(item)
        elif turn:
            yield said_in(turn)
            turn = []
    if turn:
        yield said_in(turn)


def _whole(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an item in its long form: a message may leave out its type, and have a text for content."""
    if item.get("type", "message") != "message" or not isinstance(content := item.get("content"), str):
        return item
    return {**item, "type": "message", "content": [{"type": "output_text", "text": content}]}


def _parts(output: Iterable[Mapping[str, Any]], item: str, part: str, field: str) -> Iterator[str]:
    """Yield the texts of all parts of one kind, in the items of one kind."""
    for one in output:
        if one.get("type") == item:
            for inner in map(mapping, [*entries(one.get("summary")), *entries(one.get("content"))]):
                if inner.get("type") == part and (said := text(inner.get(field))):
                    yield said


def _call(item: Mapping[str, Any]) -> ToolCall:
    return ToolCall(
        id=text(item.get("call_id")) or text(item.get("id")) or "",
        name=text(item.get("name")) or "",
        arguments=arguments_text(item.get("arguments")),
    )
