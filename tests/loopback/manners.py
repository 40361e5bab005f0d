"""The manners of servers that read a conversation strictly: what they give with a reply, and what they refuse.

Every one of them refuses a history that some server is known to refuse: arguments that are no JSON object, a name that
no function may have, an id that comes twice, a message of the assistant without content, two messages of the user in a
row, a call without its result. Beyond that each wants its own fields, and some refuse those of others. The words are
those of the servers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import pairwise
from typing import Any

from tests.loopback.api_request import ApiRequest
from tests.loopback.behaviour import Json
from tests.loopback.faults import ErrorAnswer
from tests.loopback.model_output import ModelOutput

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
VERSION = "2024-10-21"
AZURE = "/openai/deployments/m"
"""Where Azure has a model, before the path of the API."""


class Manner(StrEnum):
    OPENAI = "openai"
    """In the Responses API: reasoning comes encrypted where it was asked for, and a call is refused without its own."""
    VLLM = "vllm"
    DEEPSEEK = "deepseek"
    """Gives `reasoning_content`, and wants it back with every message that has calls."""
    KIMI = "kimi"
    """Wants `reasoning_content` with every message that has calls, also if it gave none."""
    R1 = "r1"
    """Gives `reasoning_content`, and refuses it in a history, as Cerebras and the first DeepSeek R1."""
    GROQ = "groq"
    """Gives and takes `reasoning`, and refuses `reasoning_content`."""
    GEMINI = "gemini"
    """Gives a signature with the first call of a reply, and wants it back."""
    MISTRAL = "mistral"
    """Gives thoughts as parts of the content. Knows no `stream_options`, and no message of the user behind a tool's."""
    GEMMA = "gemma"
    """Refuses messages of the system."""
    TEXTS = "texts"
    """Refuses null as the content of a message."""
    AZURE = "azure"
    """Has a query, takes the key under a name of its own, and refuses `max_tokens`."""


@dataclass
class Given:
    """What a server gave, by the id of the first call of the reply."""

    thoughts: dict[str, str] = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)

    def note(self, reply: ModelOutput) -> None:
        for call in reply.calls[:1]:
            self.thoughts[call.id] = reply.reasoning
            self.signatures[call.id] = reply.signature or ""


@dataclass(frozen=True)
class Asked:
    """A request, with what the checks need of it."""

    request: ApiRequest
    headers: Mapping[str, str]
    given: Given

    @property
    def messages(self) -> list[Json]:
        return list(self.request.body.get("messages" if self.request.is_chat else "input") or [])

    @property
    def replies(self) -> Iterator[Json]:
        """The messages of the assistant that have calls."""
        return (message for message in self.messages if message.get("tool_calls"))


THOUGHTS_IN = {
    Manner.DEEPSEEK: "reasoning_content",
    Manner.R1: "reasoning_content",
    Manner.GROQ: "reasoning",
    Manner.MISTRAL: "content",
    Manner.OPENAI: "reasoning_content",
}
"""Who gives thoughts with every reply, and the field of a chat that has them."""
SIGNATURES = {Manner.GEMINI: "sign-", Manner.OPENAI: "gAAA"}
"""Who gives signatures, and how they begin."""


def in_manner(manner: Manner, reply: ModelOutput) -> ModelOutput:
    """Return a reply with the fields that a server of this manner gives."""
    if not (reply.text or reply.calls or reply.reasoning):
        return reply
    if place := THOUGHTS_IN.get(manner):
        reply = replace(reply, reasoning=reply.reasoning or f"I thought of {reply.id}.", thoughts_in=place)
    return replace(reply, signature=f"{SIGNATURES[manner]}{reply.id}") if manner in SIGNATURES else reply


def refusal(manner: Manner, asked: Asked) -> ErrorAnswer | None:
    """Return why a server of this manner does not take a request; none where it does."""
    own = OWN[manner](asked) if manner in OWN else ()
    found = next(iter([*_wrong_history(asked), *own]), None)
    if found is None:
        return None
    status = 422 if manner is Manner.MISTRAL and "Extra inputs" in found else 400
    if manner is Manner.GEMINI:
        return ErrorAnswer(status, [{"error": {"code": status, "message": found, "status": "INVALID_ARGUMENT"}}])
    if status == 422:
        place, _, words = found.partition(": ")
        wrong = {"type": "extra_forbidden", "loc": ["body", *place.split(".")], "msg": words, "input": "..."}
        return ErrorAnswer(status, {"object": "error", "message": {"detail": [wrong]}, "type": "invalid_request_error"})
    return ErrorAnswer(status, {"error": {"message": found, "type": "invalid_request_error", "code": None}})


# -- what all refuse --------------------------------------------------------------------------------------------------


def _wrong_history(asked: Asked) -> Iterator[str]:
    yield from _wrong_calls(asked)
    turns = [message for message in asked.messages if message.get("role") not in (None, "system")]
    for before, message in pairwise([{}, *turns]):
        if asked.request.is_chat and message["role"] == before.get("role") == "user":
            yield "After the optional system message, conversation roles must alternate user/assistant."
        content = message.get("content")
        said = content.strip() if isinstance(content, str) else content
        if message["role"] == "assistant" and not said and not message.get("tool_calls"):
            yield "Assistant message must have either content or tool_calls, but not none."
        if message["role"] == "user" and not said:
            yield "messages: text content blocks must be non-empty"


def _wrong_calls(asked: Asked) -> Iterator[str]:
    seen: set[str] = set()
    for name, arguments, call_id in _calls(asked):
        if call_id in seen:
            yield "tool_use ids must be unique"
        seen.add(call_id)
        if not NAME.fullmatch(name):
            yield f"Invalid function name: string does not match pattern. Expected a string like {NAME.pattern}."
        try:
            if not isinstance(json.loads(arguments, parse_constant=_refuse), dict):
                yield "Tool call arguments must be a JSON object."
        except ValueError as error:
            yield f"Failed to parse tool call arguments as JSON: {error}"


def _calls(asked: Asked) -> Iterator[tuple[str, str, str]]:
    for item in asked.messages:
        if item.get("type") == "function_call":
            yield item["name"], item["arguments"], item["call_id"]
        for call in item.get("tool_calls") or []:
            yield call["function"]["name"], call["function"]["arguments"], call["id"]


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


# -- what one refuses -------------------------------------------------------------------------------------------------


def _lacking(asked: Asked, name: str, told: str) -> Iterator[str]:
    """Refuse messages with calls that lack the thoughts which came with them."""
    for message in asked.replies:
        given = asked.given.thoughts.get(message["tool_calls"][0]["id"])
        if given is not None and message.get(name) != given:
            yield told


def _deepseek(asked: Asked) -> Iterator[str]:
    told = "The `reasoning_content` in the thinking mode must be passed back to the API."
    return _lacking(asked, "reasoning_content", told)


def _kimi(asked: Asked) -> Iterator[str]:
    for number, message in enumerate(asked.messages):
        if message.get("tool_calls") and "reasoning_content" not in message:
            where = f"assistant tool call message at index {number}"
            yield f"thinking is enabled but reasoning_content is missing in {where}"


def _r1(asked: Asked) -> Iterator[str]:
    for number, message in enumerate(asked.messages):
        if "reasoning_content" in message:
            place = f"messages.{number}.assistant.reasoning_content"
            yield f"{place}: property '{place}' is unsupported"


def _groq(asked: Asked) -> Iterator[str]:
    for number, message in enumerate(asked.messages):
        if unknown := sorted(message.keys() - {"role", "content", "tool_calls", "tool_call_id", "reasoning"}):
            place = f"'messages.{number}'"
            must = f"({place} : property {unknown[0]!r} is unsupported)"
            yield f"{place} : for 'role:assistant' the following must be satisfied[{must}]"
    yield from _lacking(asked, "reasoning", "The reasoning was lost.")


def _gemini(asked: Asked) -> Iterator[str]:
    for message in asked.replies:
        first, *others = message["tool_calls"]
        given = asked.given.signatures.get(first["id"])
        sent = [call.get("extra_content", {}).get("google", {}).get("thought_signature") for call in (first, *others)]
        if given is not None and sent != [given, *[None] * len(others)]:
            yield "Function call is missing a thought_signature in functionCall parts."


def _mistral(asked: Asked) -> Iterator[str]:
    if "stream_options" in asked.request.body:
        yield "stream_options.include_usage: Extra inputs are not permitted"
    for number, message in enumerate(asked.messages):
        if unknown := sorted(message.keys() - {"role", "content", "tool_calls", "tool_call_id", "name", "prefix"}):
            yield f"messages.{number}.{message['role']}.{unknown[0]}: Extra inputs are not permitted"
    if ("tool", "user") in pairwise(message.get("role") for message in asked.messages):
        yield "Unexpected role 'user' after role 'tool'"


def _gemma(asked: Asked) -> Iterator[str]:
    if "system" in [message.get("role") for message in asked.messages]:
        yield "System role not supported"


def _texts(asked: Asked) -> Iterator[str]:
    for number, message in enumerate(asked.messages):
        if message.get("content", "") is None:
            yield f"messages.{number}.content: Input should be a valid string"


def _azure(asked: Asked) -> Iterator[str]:
    if "api-key" not in asked.headers:
        yield "Access denied due to missing subscription key."
    if "max_tokens" in asked.request.body:
        told = "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        yield f"Unsupported parameter: {told}"


def _openai(asked: Asked) -> Iterator[str]:
    kept = [item["id"] for item in asked.messages if item.get("id")]
    if kept:
        yield f"Item with id '{kept[0]}' not found. Items are not persisted when `store` is set to false."
    if asked.request.body.get("store") is not False:
        yield "The loopback keeps nothing."
    known = {item.get("encrypted_content") for item in asked.messages if item.get("type") == "reasoning"}
    for item in asked.messages:
        given = asked.given.signatures.get(item.get("call_id", "")) if item.get("type") == "function_call" else None
        if given and given not in known:
            yield "Item of type 'function_call' was provided without its required 'reasoning' item."


OWN: Mapping[Manner, Callable[[Asked], Iterator[str]]] = {
    Manner.DEEPSEEK: _deepseek,
    Manner.KIMI: _kimi,
    Manner.R1: _r1,
    Manner.GROQ: _groq,
    Manner.GEMINI: _gemini,
    Manner.MISTRAL: _mistral,
    Manner.AZURE: _azure,
    Manner.GEMMA: _gemma,
    Manner.TEXTS: _texts,
    Manner.OPENAI: _openai,
}
