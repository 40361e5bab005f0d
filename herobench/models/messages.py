"""Messages, tools and calls in the form of the chat completions API, and reading them out of what a server sent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count as numbers
from typing import Any, Literal

from herobench.conversation import Message, Reply, Tool, ToolCall
from herobench.data.documents import json_object
from herobench.models.history import (
    NO_TEXT,
    sendable_arguments,
    sendable_name,
    with_alternating_roles,
    with_own_ids,
    without_system_role,
)


def chat_history(
    messages: Sequence[Message], thoughts: Thoughts, *, alternate: bool, system: bool = True, null: bool = True
) -> Iterator[dict[str, Any]]:
    """Yield the messages of a conversation as the API takes them, the assistant's with their thoughts.

    The flags are those of a dialect. With `alternate`, no message of the user follows the result of a tool."""
    messages = messages if system else [*without_system_role(messages)]
    empty = None if thoughts == "none" else place_of_thoughts(messages, thoughts)
    if any(message.tool_calls for message in messages):
        messages = [*with_own_ids(with_alternating_roles(messages) if alternate else messages)]
    for message in messages:
        row = chat_message(message)
        if message.role == "assistant" and thoughts != "none":
            give_back(row, message.reply, empty)
        if row["content"] is None and not null:
            row["content"] = ""
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


def chat_messages(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Return messages as the API takes them."""
    return [chat_message(message) for message in messages]


def chat_tool(tool: Tool) -> dict[str, Any]:
    """Return a tool as the API takes it."""
    return {"type": "function", "function": tool.as_row()}


def chat_reply(message: Mapping[str, Any], stop: str | None = None) -> Reply:
    """Return a whole message of the assistant as a reply. `stop` is why the model stopped, where that is known."""
    pieces = ToolCallPieces()
    pieces.add_message(message)
    reasoning = text(message.get("reasoning_content")) or text(message.get("reasoning"))
    return Reply(content_text(message.get("content")), pieces.calls(), reasoning=reasoning, stop=stop)


CHARACTERS_OF_A_CALL = 60
"""Those that a row has for a call beside its texts."""


def arguments_text(value: object) -> str:
    """Return arguments as text. Some servers send the JSON value itself in place of its text."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def with_ids(calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    """Give each call without an id one that no other call of the reply has: `call_0`, `call_1`, ..."""
    listed = list(calls)
    taken = {call.id for call in listed}
    free = (name for name in map("call_{}".format, numbers()) if name not in taken)
    return tuple(call if call.id else replace(call, id=next(free)) for call in listed)


@dataclass(slots=True)
class _Piece:
    """One entry of `tool_calls` in a delta, or the parts of a call so far."""

    index: int | None
    id: str
    name: str
    arguments: str
    own: dict[str, Any] = field(default_factory=dict)
    """Fields of the server's own that go back with the call."""

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> _Piece:
        function = mapping(entry.get("function"))
        return cls(
            index=count(entry.get("index")),
            id=text(entry.get("id")) or "",
            name=text(function.get("name")) or "",
            arguments=arguments_text(function.get("arguments")),
            own=fields_of_call(entry),
        )

    def shares_index(self, piece: _Piece) -> bool:
        """Say whether a piece has the index of this call, or one of them has none."""
        return None in (self.index, piece.index) or self.index == piece.index

    def is_continued_by(self, piece: _Piece) -> bool:
        """Say whether a piece belongs to this call, as far as the server's framing tells."""
        # The id is a surer sign than the index: some servers give all calls the index 0. But each of these has a name,
        # and vLLM may give each piece of one call a new id.
        if piece.id and self.id and piece.id != self.id:
            return not piece.name and piece.index is not None and piece.index == self.index
        # But some give all calls one id, and a name with another index begins a call.
        if piece.name and not self.shares_index(piece):
            return False
        if not piece.name or not self.name:
            return True
        if piece.index is None and piece.name != self.name:
            return False
        # A name after complete arguments: nothing can follow those, so either a call begins or the server only repeats.
        framed = bool(piece.id) or piece.index is not None
        begins = piece.name != self.name or bool(piece.arguments) or not framed
        return not (begins and self._is_complete())

    def extend(self, piece: _Piece) -> None:
        """Take a further piece of the call in."""
        self.id = self.id or piece.id
        if piece.name != self.name:  # a name may come in pieces; an equal one is only repeated
            self.name += piece.name
        self.arguments += piece.arguments
        self.own |= piece.own

    def repeats(self, piece: _Piece) -> bool:
        """Say whether a piece is this whole call again, as some servers send it at the end of a stream."""
        same = bool(piece.id) and (piece.id, piece.name, piece.arguments) == (self.id, self.name, self.arguments)
        return same and self.shares_index(piece) and self._is_complete()

    def _is_complete(self) -> bool:
        return json_object(self.arguments) is not None


class ToolCallPieces:
    """Adds up the pieces of tool calls, in the order in which the calls began."""

    def __init__(self) -> None:
        self._calls: list[_Piece] = []

    def add_delta(self, delta: Mapping[str, Any]) -> int:
        """Take in what one delta of a stream says of tool calls. Return how many characters it adds to a row."""
        added = 0
        for piece in _pieces(delta):
            added += len(piece.arguments)
            known = self._known(piece)
            if known is not None and known.repeats(piece):
                known.own |= piece.own
            elif known is not None and known.is_continued_by(piece):
                known.extend(piece)
            else:
                self._calls.append(piece)
                added += CHARACTERS_OF_A_CALL
        return added

    def add_message(self, message: Mapping[str, Any]) -> None:
        """Take in the tool calls of a whole message, each entry a call."""
        self._calls += _pieces(message)

    def calls(self) -> tuple[ToolCall, ...]:
        """Return the calls as far as they have come."""
        return with_ids(ToolCall(call.id, call.name, call.arguments) for call in self._said())

    def server_fields(self) -> list[dict[str, Any]]:
        """Return for each call the fields of the server's own."""
        return [call.own for call in self._said()]

    def _said(self) -> Iterable[_Piece]:
        """Return the calls without entries that say nothing at all."""
        return (call for call in self._calls if call.id or call.name or call.arguments)

    def _known(self, piece: _Piece) -> _Piece | None:
        """Return the call that a piece may continue: by its id and index, else by one of them, else the last one."""
        latest = self._calls[::-1]
        if piece.id and (same := [call for call in latest if call.id == piece.id]):
            return next((call for call in same if call.shares_index(piece)), same[0])
        if piece.index is not None:
            return next((call for call in latest if call.index == piece.index), None)
        return latest[0] if latest else None


def _pieces(said: Mapping[str, Any]) -> list[_Piece]:
    """Return the entries of `tool_calls`, or of the older `function_call`, which can hold one call only."""
    listed = [_Piece.of(mapping(entry)) for entry in entries(said.get("tool_calls"))]
    if not listed and (older := mapping(said.get("function_call"))):
        return [_Piece.of({"index": 0, "function": older})]
    return listed


_LARGEST_COUNT = 10**12


def mapping(value: object) -> Mapping[str, Any]:
    """Return an object, or an empty one."""
    return value if isinstance(value, dict) else {}


def entries(value: object) -> list[Any]:
    """Return a list, or an empty one."""
    return value if isinstance(value, list) else []


def text(value: object) -> str | None:
    """Return a text that is not empty, or None."""
    return value if isinstance(value, str) and value else None


def count(value: object) -> int | None:
    """Return a number of things, or None. A number beyond all reason counts as absent too."""
    # To Python, true is a 1.
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= _LARGEST_COUNT:
        return None
    return int(value) if value == int(value) else None


def content_text(content: object, kind: str = "text") -> str:
    """Return the text of content. Where content is a list of parts, only the parts of this kind count."""
    if isinstance(content, str):
        return content if kind == "text" else ""
    parts = (part for part in map(mapping, entries(content)) if part.get("type") == kind)
    return "".join(content_text(part.get(kind)) for part in parts)


Thoughts = Literal["given", "all", "none"]
"""The messages of the assistant that are sent back with thoughts: those that had some, all, or none."""

_NAMES = ("reasoning_content", "reasoning")
_PARTS = "content"
"""The place of thoughts that came as parts of the content, as Mistral has it."""
_PLACE = "thoughts_in"
_LISTS = ("reasoning_details", "thinking_blocks")
_OBJECTS = ("extra_content",)
_OF_A_CALL = ("extra_content", "provider_specific_fields")
_CALLS = "calls"
_TEXTS = ("text", "summary", "thinking")
"""The fields of an entry of such a list that come in pieces."""
_LONG = (*_TEXTS, "data", "signature")


def fields_of_call(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an entry of `tool_calls` that go back with the call."""
    return {name: entry[name] for name in _OF_A_CALL if mapping(entry.get(name)) and is_json(entry[name])}


class ServerFields:
    """Collects the fields of one reply, from a whole message or from the deltas of a stream."""

    def __init__(self) -> None:
        self._place: str | None = None
        self._lists: dict[str, list[Mapping[str, Any]]] = {name: [] for name in _LISTS}
        self._objects: dict[str, dict[str, Any]] = {}
        self.characters = 0
        """The length of the texts in lists, which come beside the thoughts."""

    def add(self, said: Mapping[str, Any]) -> str:
        """Take the fields of a message or a delta in. Return the thoughts in it."""
        for name in _LISTS:
            pieces = [piece for piece in entries(said.get(name)) if mapping(piece) and is_json(piece)]
            self._lists[name] += pieces
            self.characters += sum(len(text(piece.get(long)) or "") for piece in pieces for long in _LONG)
        for name in _OBJECTS:
            if mapping(said.get(name)) and is_json(said[name]):
                self._objects.setdefault(name, {}).update(said[name])
        # some servers send the same thoughts under both names: only one of them counts
        named = next(((name, thoughts) for name in _NAMES if (thoughts := text(said.get(name)))), None)
        parts = content_text(said.get("content"), "thinking")
        if named or parts:
            self._place = self._place or (named[0] if named else _PARTS)
        return (named[1] if named else "") + parts

    def fields(self, of_calls: Sequence[Mapping[str, Any]], *, stream: bool) -> dict[str, Any]:
        """Return all fields, including the calls. In a stream, pieces of one entry are put together."""
        lists = {name: _joined(pieces) if stream else pieces for name, pieces in self._lists.items() if pieces}
        place = {} if self._place in (None, _NAMES[0]) else {_PLACE: self._place}
        return {**place, **lists, **self._objects, **({_CALLS: list(of_calls)} if any(of_calls) else {})}


def _joined(pieces: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the entries that pieces make: one of the same kind and number continues the text of the one before."""
    groups: list[list[Mapping[str, Any]]] = []
    for piece in pieces:
        last = groups[-1][-1] if groups else {}
        same = all(piece.get(name) == last.get(name) for name in ("type", "index"))
        if same and not last.get("signature") and any(name in groups[-1][0] for name in _TEXTS):
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return [_entry(group) for group in groups]


def _entry(pieces: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the entry that its pieces make: the texts are added up, and of all else the last one counts."""
    rest = {name: value for piece in pieces for name, value in piece.items() if value is not None}
    texts = {name: "".join(text(piece.get(name)) or "" for piece in pieces) for name in _TEXTS if name in pieces[0]}
    return dict(pieces[0]) if len(pieces) == 1 else {**pieces[0], **rest, **texts}


def is_json(value: Any) -> bool:
    """Say whether a value can be kept: Python reads numbers that are no JSON, and any depth."""
    try:
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):
        return False
    return True


# -- the history ------------------------------------------------------------------------------------------------------


def place_of_thoughts(messages: Iterable[Message], thoughts: Thoughts) -> str | None:
    """Return the field for the thoughts of messages that had none, where servers want it in every message."""
    places = (_place(message.reply) for message in messages if message.reply is not None)
    return next((place for place in places if place in _NAMES), _NAMES[0] if thoughts == "all" else None)


def _place(reply: Reply) -> str | None:
    return str(reply.server_fields.get(_PLACE, _NAMES[0])) if reply.reasoning else None


def give_back(row: dict[str, Any], reply: Reply | None, empty: str | None) -> None:
    """Put what came with a reply into its message. `empty` is the field that is there also without thoughts."""
    place = None if reply is None else _place(reply)
    if empty is not None:
        row[empty] = ""
    if reply is None:
        return
    if place in _NAMES:
        row[place] = reply.reasoning
    elif place == _PARTS:
        thinking = {"type": "thinking", "thinking": [{"type": "text", "text": reply.reasoning}]}
        row["content"] = [thinking, *([{"type": "text", "text": reply.text}] if reply.text.strip() else [])]
    row.update({name: reply.server_fields[name] for name in (*_LISTS, *_OBJECTS) if name in reply.server_fields})
    for call, fields in zip(row.get("tool_calls", ()), reply.server_fields.get(_CALLS, ()), strict=False):
        call.update(fields)


def has_thoughts(body: Mapping[str, Any]) -> bool:
    """Say whether the body of a request, of either API, takes thoughts back or asks for them in a form to take back."""
    names = {*_NAMES, *_LISTS, *_OBJECTS}
    rows = [*entries(body.get("messages")), *entries(body.get("input"))]
    told = any(names & row.keys() or row.get("type") == "reasoning" for row in rows)
    calls = (call for row in rows for call in entries(row.get("tool_calls")))
    parts = (mapping(part) for row in rows for part in entries(row.get("content")))
    return (
        told
        or bool(body.get("include"))
        or any(call.keys() & set(_OF_A_CALL) for call in calls)
        or any(part.get("type") == "thinking" for part in parts)
    )
