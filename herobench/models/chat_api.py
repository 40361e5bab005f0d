"""The chat completions API: build a request's body, and read a reply from its chunks or its one document.

`openai_api` calls this, sends and receives, and says when a stream that broke off is a reply all the same. Servers
differ: reasoning comes under two names (`server_fields`), content as text or as parts, usage in a last chunk or not at
all, tool calls in many framings (`tool_calls`). All of it is taken as it comes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from herobench.conversation import Reply, Request, Usage
from herobench.models.messages import (
    ServerFields,
    ToolCallPieces,
    chat_history,
    chat_tool,
    content_of,
    count,
    entries,
    mapping,
    text,
)
from herobench.models.model import MOST_CHARACTERS
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.negotiation import USUAL, Dialect
from herobench.models.sampling import Sampling
from herobench.models.server_errors import CONTEXT_IS_FULL, failure_in

PATH = "/chat/completions"


def request_body(
    name: str, request: Request, sampling: Sampling, *, stream: bool, dialect: Dialect = USUAL
) -> dict[str, Any]:
    """Return the body of a request in the dialect of a server."""
    # without tools the next reply does not go on with the thoughts of the last one
    thoughts = dialect.thoughts if request.tools else "none"
    fields = {
        "model": name,
        "messages": list(chat_history(request.messages, thoughts, alternate=dialect.alternate)),
        "tools": [chat_tool(tool) for tool in request.tools] or None,
        dialect.limit: sampling.max_tokens,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "response_format": _response_format(request) if dialect.forms else None,
        "seed": sampling.seed_for(request),
        "reasoning_effort": sampling.reasoning_effort,
        "stream": True if stream else None,
        # Without it a stream tells no usage.
        "stream_options": {"include_usage": True} if stream and dialect.usage else None,
    }
    # The user's own fields last: they may replace ours, but for those that `openai_api` reserves.
    return {name: value for name, value in fields.items() if value is not None} | sampling.extra_body


def _response_format(request: Request) -> dict[str, Any] | None:
    if request.form is None:
        return None
    return {"type": "json_schema", "json_schema": {**request.form.as_row(), "strict": True}}


class ChatReply:
    """Adds up chunks to a reply; a document that comes whole is one chunk."""

    def __init__(self, *, stream: bool) -> None:
        self._stream = stream
        self._content: list[str] = []
        self._reasoning: list[str] = []
        self._refusal: list[str] = []
        self._server_fields = ServerFields()
        self._calls = ToolCallPieces()
        self._characters = 0
        self._stop: str | None = None
        self._usage = Usage()
        self._answered = False
        self._heard = False
        self._model: str | None = None
        self._id: str | None = None

    def add(self, chunk: object) -> None:
        """Take one chunk in."""
        if not isinstance(chunk, dict):
            raise ModelError(ErrorKind.MALFORMED, f"The server sent a {type(chunk).__name__} where an object belongs.")
        if failure := failure_in(chunk, "choices"):
            raise failure
        self._heard = True
        self._model = text(chunk.get("model")) or self._model
        self._id = text(chunk.get("id")) or self._id
        if usage := mapping(chunk.get("usage")):
            self._usage = _usage(usage)
        # `n` is reserved, so a second choice is a server's mistake; the last chunk, with the usage, has none at all.
        for choice in map(mapping, entries(chunk.get("choices"))[:1]):
            self._take(choice)

    def _take(self, choice: Mapping[str, Any]) -> None:
        if said := mapping(choice.get("delta")):
            self._characters += self._calls.add_delta(said)
        else:
            said = mapping(choice.get("message"))
            self._calls.add_message(said)
        self._answered = True
        self._content.append(content_of(said.get("content")))
        self._reasoning.append(self._server_fields.add(said))
        self._refusal.append(text(said.get("refusal")) or "")
        self._characters += sum(len(parts[-1]) for parts in (self._content, self._reasoning, self._refusal))
        self._stop = text(choice.get("finish_reason")) or self._stop  # later chunks may have null again

    @property
    def whole(self) -> bool:
        """True once the server gave a reason to stop: no text and no call comes after it."""
        return self._stop not in (None, "error")

    @property
    def overlong(self) -> bool:
        """True once so much has come that the rest is not waited for."""
        return self._characters + self._server_fields.characters > MOST_CHARACTERS

    def reply(self) -> Reply:
        """Return the reply that all chunks make. Raises ModelError where they make none."""
        content, refusal = "".join(self._content), "".join(self._refusal)
        reasoning, calls = "".join(self._reasoning), self._calls.calls()
        if not self._heard:
            raise ModelError(ErrorKind.MALFORMED, "The server sent no stream: is the base URL that of the API?")
        stop = self._stop or ("length" if self.overlong else None)
        if self._stream and stop is None:
            raise ModelError(ErrorKind.TRUNCATED, f"The stream ended in mid-reply, after {len(content):,} characters.")
        if stop == "content_filter":
            raise ModelError(ErrorKind.FILTERED, "The server's content filter stopped the reply.")
        if stop == "error":
            raise ModelError(ErrorKind.SERVER, "The server stopped the reply with an error.")
        said = self._answered and (content or refusal or reasoning or calls or self._usage.output)
        if not said and stop in CONTEXT_IS_FULL:
            raise ModelError(ErrorKind.CONTEXT, f"The server stopped the reply: {stop}.")
        # Tokens without a text are a reply, and so is a limit that was reached without one: the model used it up on
        # thoughts that the server does not show.
        if not said and not (self._answered and stop == "length"):
            raise ModelError(ErrorKind.EMPTY, "The server sent a reply with nothing in it.")
        return Reply(
            text=content or refusal,
            tool_calls=calls,
            reasoning=reasoning or None,
            stop="refusal" if refusal and not (content or calls) else stop,
            usage=self._usage,
            model=self._model,
            id=self._id,
            server_fields=self._server_fields.fields(self._calls.server_fields(), stream=self._stream),
        )


def _usage(row: Mapping[str, Any]) -> Usage:
    return Usage(
        input=count(row.get("prompt_tokens")),
        output=count(row.get("completion_tokens")),
        reasoning=count(mapping(row.get("completion_tokens_details")).get("reasoning_tokens")),
        cached=count(mapping(row.get("prompt_tokens_details")).get("cached_tokens")),
    )
