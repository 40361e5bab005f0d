"""Conversations with a model: messages, tools, requests and replies.

A suite opens a conversation, an agent carries it on, a model answers. These types know nothing of any API: the modules
of `models` translate them to what a server speaks.

Some servers send the thoughts of a reasoning model in the text of its reply, between tags such as `<think>`. They are
told from the rest here, and replies that were cut off from whole ones: the tokens ran out, or a thought never closes.
Here suites also find the fenced blocks of an answer.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

Role = Literal["system", "user", "assistant", "tool"]
NOTES_ROLE = "notes"
"""The role of a request in which a model writes notes for itself and plays no turn."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that the model may call."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """The arguments as a JSON Schema: `{"type": "object", "properties": {...}}`."""

    def as_row(self) -> dict[str, Any]:
        """Return the tool as plain data."""
        return {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool, as the model wrote it."""

    id: str
    """The server's name for the call. The message with the result refers to it."""
    name: str
    arguments: str
    """JSON as the model wrote it. It may be malformed: the suite decides what that means."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    """Only in messages of the assistant."""
    call_id: str | None = None
    """Only in messages of a tool: the id of the call that the text answers."""
    pictures: tuple[str, ...] = ()
    """Pictures below the text, as data URLs such as `data:image/png;base64,...`. Only in messages of the user."""
    reply: Reply | None = field(default=None, compare=False, repr=False)
    """The reply that the message repeats: servers may want its thoughts back. No row has it: the call's row does."""
    facts: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)
    """Holds the facts of the text for a page at which people play. No row keeps it, and no model is sent it."""

    def as_row(self) -> dict[str, Any]:
        """Return the message as plain data, without the fields that it does not use."""
        row: dict[str, Any] = {"role": self.role, "content": self.text}
        if self.tool_calls:
            row["tool_calls"] = [asdict(call) for call in self.tool_calls]
        if self.call_id is not None:
            row["call_id"] = self.call_id
        if self.pictures:
            row["pictures"] = list(self.pictures)
        return row


@dataclass(frozen=True, slots=True)
class Form:
    """The form in which an agent wants an answer: JSON that fits a schema. Servers that can hold a model to it."""

    name: str
    schema: Mapping[str, Any]
    """A JSON Schema of an object that has exactly the named properties, as strict servers demand."""

    def as_row(self) -> dict[str, Any]:
        """Return the form as plain data."""
        return {"name": self.name, "schema": dict(self.schema)}


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a model: the attempt that it belongs to, the conversation so far, and the tools on offer."""

    task_id: str
    epoch: int
    messages: Sequence[Message]
    tools: Sequence[Tool] = ()
    role: str | None = None
    """The part that the model plays for the agent, such as critic. It is kept with the call and not sent."""
    form: Form | None = None
    """None where the model may answer as it likes."""
    repeat: int = 0
    """The number of equal requests before this one in the attempt: each of them wants a reply of its own."""
    refused: Callable[[Any], Awaitable[None]] | None = field(default=None, compare=False, repr=False)
    """Gets the ModelError of each refusal that the server may charge for, before the model asks in another dialect."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the server counted them; None where it did not say."""

    input: int | None = None
    output: int | None = None
    reasoning: int | None = None
    """The part of the output that is reasoning."""
    cached: int | None = None
    """The part of the input that the server had in its cache."""

    def as_row(self) -> dict[str, int | None]:
        """Return the usage as plain data."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __add__(self, other: Usage) -> Usage:
        """Add the counts of two requests. A count that neither of them has stays None."""
        if other is _UNCOUNTED or other == _UNCOUNTED:
            return self
        return Usage(
            _sum(self.input, other.input),
            _sum(self.output, other.output),
            _sum(self.reasoning, other.reasoning),
            _sum(self.cached, other.cached),
        )


_UNCOUNTED = Usage()


def _sum(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return other if one is None else one
    return one + other


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply of a model, with what the server said about it."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    answer: str | None = None
    """The final answer, where it is known apart from the text, as in a recording that kept only the plan."""
    reasoning: str | None = None
    stop: str | None = None
    """Why the model stopped, in the server's word: `stop`, `length`, `tool_calls`, `refusal`."""
    usage: Usage = _UNCOUNTED
    model: str | None = None
    """The model as the server named it."""
    id: str | None = None
    """The reply as the server named it."""
    from_cache: bool = False
    """True when the reply came out of the cache file and cost nothing now."""
    server_fields: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Fields of the server's own, as JSON, that it may want back with the reply, such as signatures of thoughts."""

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Reply:
        """Build from a row that `as_row` made."""
        calls = tuple(ToolCall(**call) for call in row["tool_calls"])
        return cls(**{**row, "tool_calls": calls, "usage": Usage(**row["usage"])})

    def as_row(self) -> dict[str, Any]:
        """Return the reply as plain data."""
        # written out, because asdict would take ten times as long
        row = {
            "text": self.text,
            "tool_calls": [asdict(call) for call in self.tool_calls],
            "answer": self.answer,
            "reasoning": self.reasoning,
            "stop": self.stop,
            "usage": self.usage.as_row(),
            "model": self.model,
            "id": self.id,
            "from_cache": self.from_cache,
        }
        # few servers have such fields
        return {**row, "server_fields": self.server_fields} if self.server_fields else row

    def named(self, model: str | None) -> Reply:
        """Return a copy under the name of a model."""
        # written out too: `replace` would take three times as long
        return Reply(
            self.text,
            self.tool_calls,
            self.answer,
            self.reasoning,
            self.stop,
            self.usage,
            model,
            self.id,
            self.from_cache,
            self.server_fields,
        )

    @property
    def final_text(self) -> str:
        """The final answer where it is known apart; else the text without thoughts, also without one never closed."""
        if self.answer is not None:
            return self.answer
        said, unclosed = without_thoughts(self.text)
        return said[:unclosed]

    def as_message(self) -> Message:
        """Return the reply as the assistant's message of a conversation that goes on."""
        return Message("assistant", self.text, self.tool_calls, reply=self)


@runtime_checkable
class Model(Protocol):
    """Replies to requests."""

    async def reply(self, request: Request) -> Reply:
        """Return one reply. Raise ModelError when there is none."""
        ...

    async def close(self) -> None:
        """Release the connections and files that the model holds."""
        ...


_TAG = re.compile(r"<(/?)(think|thinking|reasoning)>", re.IGNORECASE)
_OUT_OF_TOKENS = "length"
"""The word of servers for a reply whose tokens ran out. The models of this package use it for all APIs."""


def without_thoughts(text: str) -> tuple[str, int | None]:
    """Return a text without its thoughts, and where in it a thought begins that never closes; None if all close.

    If only the end of a thought is tagged, all text before it was thought. A thought that never closes is not left out.
    """
    texts: list[str] = []
    rest = 0
    opening: re.Match[str] | None = None
    for tag in _TAG.finditer(text):
        ends, kind = bool(tag[1]), tag[2].lower()
        if opening is None and not ends:
            opening = tag
        # Some models send the end tag only: the begin tag was part of their prompt.
        elif ends and opening is None:
            texts.clear()
            rest = tag.end()
        elif ends and opening is not None and opening[2].lower() == kind:
            texts.append(text[rest : opening.start()])
            rest = tag.end()
            opening = None
    before = "".join(texts)
    return before + text[rest:], None if opening is None else len(before) + opening.start() - rest


def is_cut_off(text: str, stop: str | None) -> bool:
    """Return whether a reply ended before it was whole, by its text and the reason to stop that the server gave."""
    return stop == _OUT_OF_TOKENS or without_thoughts(text)[1] is not None


_JSON_FENCED = re.compile(r"```(?:json)?[^\S\n]*\n(.*?)```", re.DOTALL)
_WIDE_JSON_FENCED = re.compile(r"^(`{4,8}+|~{3,8}+)(?:json)?[^\S\n]*\n(.*?)^\1", re.DOTALL | re.MULTILINE)


def json_blocks(text: str) -> list[str]:
    """Return the fenced blocks of a text that are said to be JSON, or nothing, from the last one back.

    Blocks between wider fences or tildes come after all others.
    """
    wide = [block[1] for block in _WIDE_JSON_FENCED.findall(text)]
    return [*reversed(_JSON_FENCED.findall(text)), *reversed(wide)]
