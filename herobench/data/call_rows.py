"""Writes each message of an attempt into calls.jsonl once, and puts the lines of an attempt together again.

A conversation grows, and every call sends all of it. The line of a call has each new message whole. For a message of an
earlier line it has a reference: {"role": "user", "ref": "3/1"} is message 1 of call 3, and "3/reply" is the reply of
call 3, sent back as a message. Tools have references too: {"name": "look", "ref": "0/0"}. A suite may end the newest
message with words that it leaves out later: {"role": "user", "ref": "3/1", "until": 812} is the message with the first
812 characters of its text. Most of a call stands in the line before it: {"refs": "3/2-19"} are the messages 2 to 19 of
call 3, in their order.

A reference leads to an earlier line of the same attempt, which the same session wrote. So a reader that takes the lines
of an attempt in the order of the file finds every message, whatever was torn, merged or appended. If two lines have one
number, the last one before the reference counts. Runs write with `SentParts`, and `whole` reads.

A call has a line before its last one for each try in vain that the server may charge for, with all tries so far. Lines
of one call have the same `started`: the last one replaces the others.

`refuse_improper` looks at a message or a reply once, where a package of others hands it over, and costs a microsecond.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from operator import eq
from types import NoneType
from typing import Any, get_args

from herobench.conversation import Form, Message, Reply, Role, Tool, ToolCall, Usage
from herobench.data.errors import InputError, Problem, abbreviate
from herobench.data.rows import dump_row

SCHEMA = 4

Row = Mapping[str, Any]
_CHARACTERS_A_PICTURE = 3_000
"""A guess: about what servers count for a picture of some hundred pixels."""
_COLUMNS = ("messages", "tools")
"""The columns whose entries may be references."""
_FEWEST_IN_A_ROW = 3
"""The fewest messages that one reference names together."""
_MOST_SENT = 10_000_000
"""The most messages and tools that the calls of one attempt are read with. Few bytes may refer to very many."""


@dataclass(slots=True)
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
        self._latest: tuple[int, Sequence[SentPart], Sequence[str]] = 0, (), ()
        """The call of the latest line, its messages, and their digests."""

    def columns(
        self, call: int, messages: Sequence[SentPart], tools: Sequence[SentPart], reply: Row | None
    ) -> dict[str, Any]:
        """Return the columns `messages` and `tools` for the line of a call. It must be the next line of the attempt."""
        digests = [part.digest for part in messages]
        columns = {
            "messages": self._message_entries(messages, digests, call),
            "tools": [self._entry(tool, "name", f"{call}/{place}") for place, tool in enumerate(tools)],
        }
        self._latest = call, messages, digests
        if reply is not None:
            message = _reply_message(reply)
            self._refs.setdefault(_digest(message), {"role": message["role"], "ref": f"{call}/reply"})
        return columns

    def _message_entries(self, messages: Sequence[SentPart], digests: Sequence[str], call: int) -> list[Row]:
        """Return the entries for messages: one for several that stand one after the other in the latest line too."""
        latest, _, earlier = self._latest
        entries: list[Row] = []
        place = 0
        while place < len(messages):
            count = 0
            if digests[place] in earlier:
                begin = earlier.index(digests[place])
                count = sum(takewhile(bool, map(eq, digests[place:], earlier[begin:])))
            if count >= _FEWEST_IN_A_ROW:
                entries.append({"refs": f"{latest}/{begin}-{begin + count - 1}"})
                place += count
            else:
                entries.append(self._entry(messages[place], "role", f"{call}/{place}"))
                place += 1
        return entries

    def _entry(self, part: SentPart, label: str, place: str) -> Row:
        """Return a new part whole, and a reference for any other."""
        entry = self._refs.get(part.digest)
        if entry is None:
            self._refs[part.digest] = {label: part.row[label], "ref": place}
            entry = self._beginning(part) or part.row
        return entry

    def _beginning(self, part: SentPart) -> Row | None:
        """Return a reference for a message that is the latest one without its end; None for any other."""
        text, before = part.row.get("content", ""), self._latest[1]
        # halves of a surrogate pair are read as one character, so only the length of ASCII is sure
        if not before or not text or not text.isascii():
            return None
        newest = before[-1]
        if not newest.row["content"].startswith(text) or {**newest.row, "content": text} != part.row:
            return None
        return {**self._refs[newest.digest], "until": len(text)}


def whole(rows: Iterable[Row], name: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of one attempt, given in the order of the file, with messages and tools in place of references.

    Raise InputError for a reference to something that no earlier line holds, and for lines that grow by references
    beyond what an attempt sends; `name` is the name of the file.
    """
    parts_by_column: dict[str, dict[str, list[Row]]] = {column: {} for column in _COLUMNS}
    replies: dict[str, Row] = {}
    count = 0
    for row in rows:
        full, call = dict(row), str(row["call"])
        for column, calls in parts_by_column.items():
            if row.get(column) is not None:
                # over the parts of an earlier line of the call, to which this line may refer
                parts, size = calls.setdefault(call, []), 0
                for entry in row[column]:
                    more = _parts(entry, calls, replies, name)
                    parts[size : size + len(more)] = more
                    size += len(more)
                    if count + size > _MOST_SENT:
                        limit = f"at most {_MOST_SENT:,} messages and tools in the calls of an attempt"
                        raise InputError([Problem(name, f"$.{column}", limit)])
                count += size
                del parts[size:]
                full[column] = [*parts]
        if row.get("reply") is not None:
            replies[call] = _reply_message(row["reply"])
        yield full


def _parts(entry: Row, calls: Mapping[str, list[Row]], replies: Mapping[str, Row], name: str) -> list[Row]:
    """Return what an entry is or refers to."""
    key = "refs" if "refs" in entry else "ref"
    if key not in entry:
        return [entry]
    call, _, place = entry[key].partition("/")
    if place == "reply":
        parts = [replies[call]] if call in replies else []
    else:
        first, _, last = place.partition("-")
        span = slice(int(first), int(last or first) + 1)
        parts = calls.get(call, [])[span]
        parts = parts if len(parts) == span.stop - span.start else []
    if not parts:
        advice = "lines were removed or moved: calls.jsonl must keep the order in which it was written"
        raise InputError([Problem(name, f"$.{key}", "a place in an earlier line of the attempt", entry[key], advice)])
    return [{**parts[0], "content": parts[0]["content"][: entry["until"]]}] if "until" in entry else parts


def replies_in(call: Row) -> Iterator[Row]:
    """Yield all replies of a call: those that came with its failures, in order, then the one that was taken."""
    for failure in (*(call["retries"] or ()), call.get("error")):
        if failure is not None and failure.get("reply") is not None:
            yield failure["reply"]
    if call["reply"] is not None:
        yield call["reply"]


def last_lines(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the last line of each call; lines without a reply come at the end if the server may charge for them."""
    tries: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        key = row["task_id"], row["epoch"], row["call"], row["started"]
        tries.pop(key, None)
        if row["reply"] is None and any(replies_in(row)):
            tries[key] = row
        else:
            yield row
    yield from tries.values()


def _length(part: Row) -> int:
    """Return the length of a message or a tool."""
    if "content" not in part:
        return len(dump_row(part))
    calls = sum([len(call["arguments"]) for call in part.get("tool_calls", ())])
    return len(part["content"]) + calls + len(part.get("pictures", ())) * _CHARACTERS_A_PICTURE


def _reply_message(reply: Row) -> Row:
    """Return a reply as the message that later calls send."""
    message = {"role": "assistant", "content": reply.get("text") or ""}
    return message | {"tool_calls": reply["tool_calls"]} if reply.get("tool_calls") else message


def request_digest(messages: Iterable[SentPart], tools: Iterable[SentPart], form: Row | None) -> str:
    """Return the digest by which calls know a request: the SHA-256 of the JSON of the digests of its parts."""
    # digests need no escapes, so their JSON is put together here: that is five times as fast
    lists = ['", "'.join([part.digest for part in parts]) for parts in (messages, tools)]
    # left out where there is none: earlier runs kept their calls by the digest of messages and tools
    texts = [*(f'["{digests}"]' if digests else "[]" for digests in lists), *([_json(form)] if form else [])]
    return hashlib.sha256(f"[{', '.join(texts)}]".encode()).hexdigest()


def _digest(row: Row) -> str:
    """Return a digest of a message or a tool. A long text is hashed as it is: its JSON would take longer to make."""
    text: str = row.get("content", "")
    return hashlib.sha256(_without_content(row) + text.encode("utf-8", "surrogatepass")).hexdigest()


def _without_content(row: Row) -> bytes:
    """Return the JSON of a row whose text is left out. Most messages have a role and a text only."""
    if len(row) == 2 and "content" in row:
        return b'{"role": "%s", "content": null}' % row["role"].encode()
    return _json({**row, "content": None}).encode()


_json = json.JSONEncoder(allow_nan=False).encode


# -- parts of conversations that packages of others hand over ----------------------------------------------------------

_TEXT, _TEXT_OR_NONE, _LISTED = (str,), (str, NoneType), (tuple, list)
_FIELDS: Mapping[type, Mapping[str, tuple[type, ...]]] = {
    ToolCall: dict.fromkeys(("id", "name", "arguments"), _TEXT),
    Tool: {"name": _TEXT, "description": _TEXT, "parameters": (Mapping,)},
    Form: {"name": _TEXT, "schema": (Mapping,)},
    Message: {"role": _TEXT, "text": _TEXT, "tool_calls": _LISTED, "call_id": _TEXT_OR_NONE, "pictures": _LISTED},
    Reply: {
        "text": _TEXT,
        "tool_calls": _LISTED,
        **dict.fromkeys(("answer", "reasoning", "stop", "model", "id"), _TEXT_OR_NONE),
        "usage": (Usage,),
        "from_cache": (bool,),
        "server_fields": (Mapping,),
    },
}
_ROLES = frozenset(get_args(Role))


def refuse_improper(value: object, kind: type, what: str) -> None:
    """Raise TypeError for a part of a conversation that no row could keep."""
    if not isinstance(value, kind):
        raise TypeError(f"{what} is a {type(value).__name__}, not a {kind.__name__}")
    for name, kinds in _FIELDS[kind].items():
        if not isinstance(getattr(value, name), kinds):
            words = " or ".join("None" if each is NoneType else each.__name__ for each in kinds)
            raise TypeError(f"the {name} of {what} is {abbreviate(getattr(value, name))}, not {words}")
    if isinstance(value, Message):
        if value.role not in _ROLES:
            raise TypeError(f"the role of {what} is {abbreviate(value.role)}, not one of {', '.join(sorted(_ROLES))}")
        if not all(isinstance(picture, str) for picture in value.pictures):
            raise TypeError(f"the pictures of {what} are not all texts")
    if isinstance(value, Message | Reply):
        for call in value.tool_calls:
            refuse_improper(call, ToolCall, f"a tool call of {what}")
