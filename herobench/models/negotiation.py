"""Find the dialect of the chat API that a server takes, once for a run.

A dialect says what a server may refuse and how to say it otherwise.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any, Literal

from herobench.conversation import Reply
from herobench.models.messages import Thoughts, has_thoughts, mapping
from herobench.models.model_error import ModelError

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
_OF_SYSTEM = re.compile(r"\bsystem\b|developer instruction|only user and assistant roles|roles? must alternate")
_REFUSED = re.compile(r"not (support|allow|enabl|permit)|unsupported|unexpected|invalid|only user|must alternate")
_OF_NULL = re.compile(r"content\b.*(null|none|string|required|missing)|invalid type: null", re.DOTALL)


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
    system: bool = True
    """True if the server accepts messages of the system; else they stand before the first message of the user."""
    null: bool = True
    """True if the server accepts null as the text beside calls of tools; else the text is empty."""

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
    "system": lambda dialect: "The server takes no message of the system: its text stands in the first of the user.",
    "null": lambda dialect: "The server takes no null beside calls of tools: it gets an empty text from now on.",
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
    parts = refusable_parts(body)
    if "system" in parts and _OF_SYSTEM.search(words) and _REFUSED.search(words):
        yield replace(dialect, system=False)
    if "null" in parts and _OF_NULL.search(words):
        yield replace(dialect, null=False)
    # a server that wants the thoughts of all replies was sent a history without any
    if "reasoning_content" in words and _MISSING.search(words):
        yield replace(dialect, thoughts="all")
    if has_thoughts(body) and (_OF_THOUGHTS.search(words) or _SPEECHLESS.search(words)):
        yield replace(dialect, thoughts="none")
    yield replace(dialect, forms=False)


def refusable_parts(body: Body) -> set[str]:
    """Return the parts of a request that a server may refuse."""
    named = {name for name in (*_LIMITS, "stream_options", "response_format", "text", "include") if name in body}
    messages = [*map(mapping, body.get("messages", ()))]
    roles = [message.get("role") for message in messages]
    named |= {"system"} & {*map(str, roles)}
    named |= {"null" for message in messages if message.get("content", "") is None}
    # a history of calls is a part too: the server may want more with it than it was given
    turns = {" ".join(pair) for pair in pairwise(map(str, roles)) if pair in _TURNS}
    return named | turns | ({"thoughts"} if has_thoughts(body) else set())


_HEAD_START = 3.0
"""The longest that requests wait for one that tries something, in seconds. A refusal comes at once, a reply may not."""


class Negotiation:
    """Asks one server, and remembers the dialect that it takes. All requests of a model share it."""

    def __init__(self, dialect: Dialect, learned: Callable[[Dialect, str], None]) -> None:
        """Begin with a dialect. `learned` gets each new one, with a sentence that says what changed."""
        self._dialect = dialect
        self._learned = learned
        self._taken: set[str] = set()
        """The parts that the server has taken."""
        self._door = asyncio.Lock()

    async def ask(
        self,
        body_in: Callable[[Dialect], Body],
        once: Callable[[Body, Callable[[], None]], Awaitable[Reply]],
        charged: Callable[[ModelError], Awaitable[None]],
    ) -> Reply:
        """Ask, and ask again in another dialect as long as the server refuses a part that can be sent otherwise.

        `body_in` returns the body of the request in a dialect. `once` sends a body, calls the function that it gets
        when the server has taken it, and returns the reply. `charged` gets a refusal with a count of tokens before the
        request is sent again.
        """
        # loads the SDK, which takes longer than a short run of a player: only what asks a server needs it
        from herobench.models.server_errors import FAILURES, as_model_error

        dialect, held = self._dialect, False
        body = body_in(dialect)
        if refusable_parts(body) - self._taken:
            held = await self._head_start()
            if dialect != self._dialect:  # another request has learned meanwhile
                dialect = self._dialect
                body = body_in(dialect)
        before, tried = dialect, {dialect}

        def release() -> None:
            nonlocal held
            if held:
                held = False
                self._door.release()

        def take() -> None:
            self._take(body, before, dialect)
            release()

        if not refusable_parts(body) - self._taken:
            release()
        try:
            while True:
                try:
                    return await once(body, take)
                except FAILURES as error:
                    refusal = as_model_error(error)
                    made = ((other, body_in(other)) for other in other_dialects(dialect, body, refusal))
                    found = next((pair for pair in made if pair[0] not in tried and pair[1] != body), None)
                    if found is None:
                        raise
                    if refusal.reply is not None:
                        await charged(refusal)
                    dialect, body = found
                    tried.add(dialect)
        finally:
            release()

    async def _head_start(self) -> bool:
        """Wait until no other request tries anything, but not long. Return whether this one may try alone."""
        try:
            async with asyncio.timeout(_HEAD_START):
                return await self._door.acquire()
        except TimeoutError:
            return False

    def _take(self, body: Body, before: Dialect, dialect: Dialect) -> None:
        """Note that the server took a body. `before` is the dialect that was tried first."""
        self._taken |= refusable_parts(body)
        for name, value in dialect.as_row().items():
            if value != getattr(before, name) and value != getattr(self._dialect, name):
                self._dialect = replace(self._dialect, **{name: value})
                self._learned(self._dialect, LESSONS[name](self._dialect))
