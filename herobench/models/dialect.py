"""Describes the dialect of the API that a server takes, and reads from a refusal which other one to try.

Servers differ in names and in what they want back with a history, and no list of servers stays true. So a request is
first sent as most servers take it, and a refusal says what this one does not take. `negotiation` tries it out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any, Literal

from herobench.models.model_error import ModelError
from herobench.models.server_fields import Thoughts, has_thoughts
from herobench.models.server_json import mapping

Body = Mapping[str, Any]

_REFUSALS = (400, 422, 501)
"""The statuses of servers that do not take a part of a request. For forms they are reason enough, whatever is said."""
_LIMITS: Mapping[str, Literal["max_tokens", "max_completion_tokens"]] = {
    "max_tokens": "max_completion_tokens",
    "max_completion_tokens": "max_tokens",
}
_UNKNOWN = re.compile(r"unsupported|not supported|unrecogni[sz]ed|unknown|not permitted|not allowed|extra|deprecated")
_OF_THOUGHTS = re.compile(r"reasoning|thinking|thought|encrypted|extra_content|extra inputs|\binclude\b")
_MISSING = re.compile(r"missing|passed back|pass back|must be (passed|provided|included|present)|required")
_SPEECHLESS = re.compile(r"\(no body\)|^error code: \d+$|does not say why")
_TURNS = {("assistant", "tool"), ("tool", "user")}
_ROLES = re.compile(r"role '?user'? after role '?tool|roles? must alternate")


@dataclass(frozen=True, slots=True)
class Dialect:
    """The parts of a request that servers take or refuse."""

    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """The name of the limit of a reply: OpenAI's newer models refuse the older name."""
    usage: bool = True
    """True if the server accepts `stream_options`, which ask a stream for its usage."""
    thoughts: Thoughts = "given"
    """The replies whose thoughts are sent back. With "none", encrypted thoughts are not requested either."""
    alternate: bool = False
    """True if the server requires a message of the assistant between a tool's result and a message of the user."""
    forms: bool = True
    """True if the server accepts a JSON Schema for the answer."""

    def as_row(self) -> dict[str, Any]:
        """Return the dialect as plain data."""
        return asdict(self)


USUAL = Dialect()
"""The dialect that most servers take."""

LESSONS: Mapping[str, Callable[[Dialect], str]] = {
    "limit": lambda dialect: f"The server wants the limit of a reply as {dialect.limit}: it gets it so from now on.",
    "usage": lambda dialect: (
        "The server refuses stream_options, so its streams tell no tokens and costs are guessed: "
        "add --no-stream to have them counted."
    ),
    "thoughts": lambda dialect: (
        "The server refuses the thoughts that came with earlier replies: they are left out from now on."
        if dialect.thoughts == "none"
        else "The server wants reasoning_content with every reply of the history: it gets it from now on."
    ),
    "alternate": lambda dialect: "The server takes no message of the user behind a tool's result: a word goes between.",
    "forms": lambda dialect: "The server takes no JSON Schema: answers are asked for without one from now on.",
}
"""The sentence that tells the user about each learned field."""


def other_dialects(dialect: Dialect, body: Body, error: ModelError) -> Iterator[Dialect]:
    """Yield the dialects in which to send a refused request again, the likeliest first."""
    if error.status not in _REFUSALS:
        return
    words = error.message.lower()
    sent = next((name for name in _LIMITS if name in body), None)
    wanted = sent is not None and re.search(rf"use [`'\"]?{sent}", words)
    if sent and sent in words and not wanted and (_LIMITS[sent] in words or _UNKNOWN.search(words)):
        yield replace(dialect, limit=_LIMITS[sent])
    if "stream_options" in body and "stream_options" in words:
        yield replace(dialect, usage=False)
    if _ROLES.search(words):
        yield replace(dialect, alternate=True)
    # a server that wants the thoughts of all replies was sent a history without any
    if "reasoning_content" in words and _MISSING.search(words):
        yield replace(dialect, thoughts="all")
    if has_thoughts(body) and (_OF_THOUGHTS.search(words) or _SPEECHLESS.search(words)):
        yield replace(dialect, thoughts="none")
    yield replace(dialect, forms=False)


def parts_of(body: Body) -> set[str]:
    """Return the parts of a request that a server may refuse."""
    named = {name for name in (*_LIMITS, "stream_options", "response_format", "text", "include") if name in body}
    roles = [mapping(message).get("role") for message in body.get("messages", ())]
    # a history of calls is a part too: the server may want more with it than it was given
    turns = {" ".join(pair) for pair in pairwise(map(str, roles)) if pair in _TURNS}
    return named | turns | ({"thoughts"} if has_thoughts(body) else set())
