"""Writes each message of an attempt into calls.jsonl once, and puts the lines of an attempt together again.

A conversation grows, and every call sends all of it. The line of a call has each new message whole. For a message of an
earlier line it has a reference: {"role": "user", "ref": "3/1"} is message 1 of call 3, and "3/reply" is the reply of
call 3, sent back as a message. Tools have references too: {"name": "look", "ref": "0/0"}. A suite may end the newest
message with words that it leaves out later: {"role": "user", "ref": "3/1", "until": 812} is the message with the first
812 characters of its text.

A reference leads to an earlier line of the same attempt, which the same session wrote. So a reader that takes the lines
of an attempt in the order of the file finds every message, whatever was torn, merged or appended. If two lines have one
number, the last one before the reference counts. Runs write with `SentParts`, and `whole` reads.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from herobench.conversation import Message, Tool
from herobench.data.errors import InputError, Problem
from herobench.data.rows import dump_row

SCHEMA = 3

Row = Mapping[str, Any]
_CHARACTERS_A_PICTURE = 3_000
"""A guess: about what servers count for a picture of some hundred pixels."""
_COLUMNS = ("messages", "tools")
"""The columns whose entries may be references."""


@dataclass(frozen=True, slots=True)
class SentPart:
    """A message or a tool of a request. It is made once, because a conversation sends it many times."""

    value: Any
    """The message or the tool."""
    row: Row
    digest: str
    """SHA-256 of its JSON."""
    characters: int

    @classmethod
    def of(cls, value: Message | Tool) -> SentPart:
        """Return the part for a message or a tool."""
        row = value.as_row()
        return cls(value, row, _digest(row), _length(row))


class SentParts:
    """Remembers which messages and tools this session has written for an attempt."""

    def __init__(self) -> None:
        self._refs: dict[str, Row] = {}
        """References by the digests of what they refer to."""
        self._newest: tuple[SentPart, Row] | None = None
        """The last message of the latest line, and the reference to it."""

    def columns(
        self, call: int, messages: Sequence[SentPart], tools: Sequence[SentPart], reply: Row | None
    ) -> dict[str, Any]:
        """Return the columns `messages` and `tools` for the line of a call. It must be the next line of the attempt."""
        columns = {
            "messages": self._entries(messages, "role", call),
            "tools": self._entries(tools, "name", call),
        }
        if messages:
            self._newest = messages[-1], self._refs[messages[-1].digest]
        if reply is not None:
            said = _said(reply)
            self._refs.setdefault(_digest(said), {"role": said["role"], "ref": f"{call}/reply"})
        return columns

    def _entries(self, parts: Sequence[SentPart], label: str, call: int) -> list[Row]:
        """Return each new part whole, and a reference for any other."""
        entries: list[Row] = []
        for place, part in enumerate(parts):
            entry = self._refs.get(part.digest)
            if entry is None:
                self._refs[part.digest] = {label: part.row[label], "ref": f"{call}/{place}"}
                entry = self._beginning(part) or part.row
            entries.append(entry)
        return entries

    def _beginning(self, part: SentPart) -> Row | None:
        """Return a reference for a message that is the newest one without its end; None for any other."""
        text = part.row.get("content", "")
        # halves of a surrogate pair are read as one character, so only the length of ASCII is sure
        if self._newest is None or not text or not text.isascii():
            return None
        newest, ref = self._newest
        if not newest.row["content"].startswith(text) or {**newest.row, "content": text} != part.row:
            return None
        return {**ref, "until": len(text)}


def whole(rows: Iterable[Row], name: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of one attempt, given in the order of the file, with messages and tools in place of references.

    Raise InputError for a reference to something that no earlier line holds; `name` is the name of the file.
    """
    held: dict[str, dict[str, Row]] = {column: {} for column in _COLUMNS}
    for row in rows:
        full = dict(row)
        for column, places in held.items():
            if row.get(column) is not None:
                full[column] = [_entry(part, f"{row['call']}/{n}", places, name) for n, part in enumerate(row[column])]
        if row.get("reply") is not None:
            held["messages"][f"{row['call']}/reply"] = _said(row["reply"])
        yield full


def _entry(part: Row, place: str, places: dict[str, Row], name: str) -> Row:
    """Return the part that an entry is or refers to, and note it under its place."""
    found = places.get(part["ref"]) if "ref" in part else part
    if found is None:
        advice = "lines were removed or moved: calls.jsonl must keep the order in which it was written"
        raise InputError([Problem(name, "$.ref", "a place in an earlier line of the attempt", part["ref"], advice)])
    if "until" in part:
        found = {**found, "content": found["content"][: part["until"]]}
    places[place] = found
    return found


def _length(part: Row) -> int:
    """Return the length of a message or a tool."""
    if "content" not in part:
        return len(dump_row(part))
    calls = sum(len(call["arguments"]) for call in part.get("tool_calls", ()))
    return len(part["content"]) + calls + len(part.get("pictures", ())) * _CHARACTERS_A_PICTURE


def _said(reply: Row) -> Row:
    """Return a reply as the message that later calls send."""
    message = {"role": "assistant", "content": reply.get("text") or ""}
    return message | {"tool_calls": reply["tool_calls"]} if reply.get("tool_calls") else message


def request_digest(messages: Iterable[SentPart], tools: Iterable[SentPart], form: Row | None) -> str:
    """Return the digest by which calls know a request: the SHA-256 of the JSON of the digests of its parts."""
    # digests need no escapes, so their JSON is put together here: that is five times as fast
    listed = [", ".join([f'"{part.digest}"' for part in parts]) for parts in (messages, tools)]
    # left out where there is none: earlier runs kept their calls by the digest of messages and tools
    told = [*(f"[{digests}]" for digests in listed), *([_json(form)] if form else [])]
    return hashlib.sha256(f"[{', '.join(told)}]".encode()).hexdigest()


def _digest(row: Row) -> str:
    """Return a digest of a message or a tool. A long text is hashed as it is: its JSON would take longer to make."""
    digest = hashlib.sha256(_without_content(row))
    digest.update(row.get("content", "").encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _without_content(row: Row) -> bytes:
    """Return the JSON of a row whose text is left out. Most messages have a role and a text only."""
    if len(row) == 2 and "content" in row:
        return b'{"role": "%s", "content": null}' % row["role"].encode()
    return _json({**row, "content": None}).encode()


_json = json.JSONEncoder(allow_nan=False).encode
