"""Keeps what a server gave with a reply of chat completions and may want back, and puts it into the history.

Models that think between two calls of tools need their thoughts in the next turn. DeepSeek and Moonshot refuse a
history without the `reasoning_content` that they gave, Gemini 3 without the `thought_signature` in the `extra_content`
of a call; OpenRouter wants `reasoning_details`, LiteLLM `thinking_blocks`. Other servers refuse what they never gave:
Groq and Cerebras give and take `reasoning`, and refuse `reasoning_content`. So each reply goes back with the fields
that came with it, under their own names. `dialect` knows what to do for a server that refuses even that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from herobench.conversation import Message, Reply
from herobench.models.server_json import content_of, entries, mapping, text

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
        parts = content_of(said.get("content"), "thinking")
        if named or parts:
            self._place = self._place or (named[0] if named else _PARTS)
        return (named[1] if named else "") + parts

    def fields(self, of_calls: Sequence[Mapping[str, Any]], *, stream: bool) -> dict[str, Any]:
        """Return all fields, with those of the calls. In a stream, pieces of one entry are put together."""
        lists = {name: _joined(pieces) if stream else pieces for name, pieces in self._lists.items() if pieces}
        place = {} if self._place in (None, _NAMES[0]) else {_PLACE: self._place}
        return {**place, **lists, **self._objects, **({_CALLS: list(of_calls)} if any(of_calls) else {})}


def _joined(pieces: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the entries that pieces make: one of the same kind and number goes on with the text of the one before."""
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
