"""Put the tool calls of a reply together, from one message or from the deltas of a stream.

`chat_api` and `responses_api` call this. Servers differ in the framing: they leave out the id or the index, give all
calls the same index or the same id, repeat the name in each delta, or send a call in one piece. The arguments are never
parsed for the caller nor repaired: the suite decides what malformed JSON means.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count as numbers
from typing import Any

from herobench.conversation import ToolCall
from herobench.models.server_fields import fields_of_call
from herobench.models.server_json import count, entries, mapping, text

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
    """One entry of `tool_calls` in a delta, or all that is known of a call so far."""

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

    def has_index_of(self, piece: _Piece) -> bool:
        """Say whether a piece has the index of this call, or one of them has none."""
        return None in (self.index, piece.index) or self.index == piece.index

    def is_continued_by(self, piece: _Piece) -> bool:
        """Say whether a piece belongs to this call, as far as the server's framing tells."""
        # The id is a surer sign than the index: some servers give all calls the index 0.
        if piece.id and self.id and piece.id != self.id:
            return False
        # But some give all calls one id, and a name with another index begins a call.
        if piece.name and not self.has_index_of(piece):
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
        return same and self.has_index_of(piece) and self._is_complete()

    def _is_complete(self) -> bool:
        try:
            return isinstance(json.loads(self.arguments), dict)
        except (ValueError, RecursionError):
            return False


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
            return next((call for call in same if call.has_index_of(piece)), same[0])
        if piece.index is not None:
            return next((call for call in latest if call.index == piece.index), None)
        return latest[0] if latest else None


def _pieces(said: Mapping[str, Any]) -> list[_Piece]:
    """Return the entries of `tool_calls`, or of the older `function_call`, which can hold one call only."""
    listed = [_Piece.of(mapping(entry)) for entry in entries(said.get("tool_calls"))]
    if not listed and (older := mapping(said.get("function_call"))):
        return [_Piece.of({"index": 0, "function": older})]
    return listed
