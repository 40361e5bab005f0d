"""The chat completions API: build a request's body, and read a reply from its chunks or its one document.

`openai_api` calls this, sends and receives, and says when a stream that broke off is a reply all the same. Servers
differ: reasoning comes under two names, content as text or as parts, usage in a last chunk or not at all, tool calls in
many framings (`tool_calls`). All of it is taken as it comes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from herobench.conversation import Reply, Request, Usage
from herobench.models.chat_messages import chat_message, chat_tool, content_of
from herobench.models.model import Sampling
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.refusals import told_failure
from herobench.models.server_json import count, entries, mapping, text
from herobench.models.tool_calls import ToolCallPieces

PATH = "/chat/completions"


def request_body(name: str, request: Request, sampling: Sampling, *, stream: bool, newest: bool) -> dict[str, Any]:
    """Return the body of a request.

    OpenAI's own models (`newest`) take `max_completion_tokens` and refuse the older name of the limit, which is all
    that some other servers know.
    """
    limit = "max_completion_tokens" if newest else "max_tokens"
    fields = {
        "model": name,
        "messages": [chat_message(message) for message in request.messages],
        "tools": [chat_tool(tool) for tool in request.tools] or None,
        limit: sampling.max_tokens,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "response_format": _response_format(request),
        "seed": sampling.seed_for(request),
        "reasoning_effort": sampling.reasoning_effort,
        "stream": True if stream else None,
        # Without it a stream tells no usage.
        "stream_options": {"include_usage": True} if stream else None,
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
        self._calls = ToolCallPieces()
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
        if error := chunk.get("error"):
            raise told_failure(error)
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
            self._calls.add_delta(said)
        else:
            said = mapping(choice.get("message"))
            self._calls.add_message(said)
        self._answered = True
        self._content.append(content_of(said.get("content")))
        # Some servers send the same thoughts under both names: only one of them counts.
        self._reasoning.append(text(said.get("reasoning_content")) or text(said.get("reasoning")) or "")
        self._reasoning.append(content_of(said.get("content"), "thinking"))
        self._refusal.append(text(said.get("refusal")) or "")
        self._stop = text(choice.get("finish_reason")) or self._stop  # later chunks may have null again

    @property
    def whole(self) -> bool:
        """True once the server gave a reason to stop: no text and no call comes after it."""
        return self._stop not in (None, "error")

    def reply(self) -> Reply:
        """Return the reply that all chunks make. Raises ModelError where they make none."""
        content, refusal = "".join(self._content), "".join(self._refusal)
        reasoning, calls = "".join(self._reasoning), self._calls.calls()
        if not self._heard:
            raise ModelError(ErrorKind.MALFORMED, "The server sent no stream: is the base URL that of the API?")
        if self._stream and self._stop is None:
            raise ModelError(ErrorKind.TRUNCATED, f"The stream ended in mid-reply, after {len(content):,} characters.")
        if self._stop == "content_filter":
            raise ModelError(ErrorKind.FILTERED, "The server's content filter stopped the reply.")
        if self._stop == "error":
            raise ModelError(ErrorKind.SERVER, "The server stopped the reply with an error.")
        # Tokens without a text are a reply: the model used up its limit on thoughts that the server does not show.
        if not self._answered or not (content or refusal or reasoning or calls or self._usage.output):
            raise ModelError(ErrorKind.EMPTY, "The server sent a reply with nothing in it.")
        return Reply(
            text=content or refusal,
            tool_calls=calls,
            reasoning=reasoning or None,
            stop="refusal" if refusal and not (content or calls) else self._stop,
            usage=self._usage,
            model=self._model,
            id=self._id,
        )


def _usage(row: Mapping[str, Any]) -> Usage:
    return Usage(
        input=count(row.get("prompt_tokens")),
        output=count(row.get("completion_tokens")),
        reasoning=count(mapping(row.get("completion_tokens_details")).get("reasoning_tokens")),
        cached=count(mapping(row.get("prompt_tokens_details")).get("cached_tokens")),
    )
