"""The chat completions API: build a request's body, and read a reply from its chunks or its one document.

`openai_api` calls this, sends and receives, and says when a stream that broke off is a reply all the same. Servers
differ: reasoning comes under two names (`ServerFields`), content as text or as parts, usage in a last chunk or not at
all, tool calls in many framings (`ToolCallPieces`). All of it is taken as it comes.

The parts that the Responses API has in common with it come first.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from herobench.conversation import Reply, Request, Usage
from herobench.models.messages import (
    ServerFields,
    ToolCallPieces,
    chat_history,
    chat_tool,
    content_text,
    count,
    entries,
    mapping,
    text,
)
from herobench.models.model import MOST_CHARACTERS, Sampling
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.negotiation import USUAL, Dialect
from herobench.models.server_errors import CONTEXT_IS_FULL, failure_in


def full_body(name: str, sampling: Sampling, fields: Mapping[str, Any], *, stream: bool) -> dict[str, Any]:
    """Return the body of a request: the fields of its API and the common ones, without those that are None."""
    common = {
        "model": name,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "stream": True if stream else None,
    }
    # The user's own fields last: they may replace ours, but for those that `openai_api` reserves.
    return {name: value for name, value in {**common, **fields}.items() if value is not None} | sampling.extra_body


def strict_form(request: Request, dialect: Dialect) -> dict[str, Any] | None:
    """Return the wanted form of the answer, which the server has to keep to; None where it is not sent."""
    return {**request.form.as_row(), "strict": True} if request.form and dialect.forms else None


def read_usage(row: Mapping[str, Any], sent: str, said: str) -> Usage:
    """Return the counts of tokens. Each API has a name for those that were sent and for those that the model said."""
    input, output = count(row.get(f"{sent}_tokens")), count(row.get(f"{said}_tokens"))
    reasoning = count(mapping(row.get(f"{said}_tokens_details")).get("reasoning_tokens"))
    cached = count(mapping(row.get(f"{sent}_tokens_details")).get("cached_tokens"))
    if output is not None and reasoning:
        # xAI and some proxies of Gemini count the reasoning beside the output, and not in it
        beside = (input or 0) + output + reasoning == count(row.get("total_tokens"))
        output += reasoning if beside or reasoning > output else 0
    if cached is None:
        cached = count(row.get("prompt_cache_hit_tokens"))  # the word of DeepSeek
    return Usage(input, output, reasoning, cached)


class ReplyReader(ABC):
    """Reads one reply: from the documents of a stream, or from one document that comes whole."""

    noun = "reply"
    """The API's word for a reply."""

    def __init__(self, *, stream: bool, tools: bool = False) -> None:
        """Read a stream, or one document. `tools` says whether the model could call tools."""
        self._stream, self._tools = stream, tools
        self._heard = False
        self._counts: Mapping[str, Any] = {}
        """The latest usage that the server told, as it told it."""
        self.ended = False
        """True once the server has said that its stream is over."""

    def add(self, document: object) -> None:
        """Take in one document. Raises ModelError where it tells a failure."""
        if not isinstance(document, dict):
            told = f"The server sent a {type(document).__name__} where an object belongs."
            raise ModelError(ErrorKind.MALFORMED, told)
        self._heard = True
        counts = mapping(document.get("usage")) or mapping(mapping(document.get("response")).get("usage"))
        self._counts = counts or self._counts
        self._take(document)

    def reply(self) -> Reply:
        """Return the reply that all documents make. Raises ModelError where they make none, with what they say."""
        if not self._heard:
            raise ModelError(ErrorKind.MALFORMED, "The server sent no reply: is the base URL that of the API?")
        try:
            return self._reply()
        except ModelError as error:
            error.reply = self.so_far()
            raise

    def so_far(self) -> Reply | None:
        """Return what has come of a reply; None if nothing was said and no usage told, readable or not."""
        reply = self._said()
        said = reply.text or reply.reasoning or reply.tool_calls or self._counts
        return reply if said else None

    @property
    @abstractmethod
    def whole(self) -> bool:
        """True once the reply is complete, whatever happens to its connection afterwards."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The characters that the model has said so far. A document that comes whole has none before it is there."""

    @property
    def overlong(self) -> bool:
        """True once so much has come that the rest is not waited for."""
        return False

    @abstractmethod
    def _take(self, document: Mapping[str, Any]) -> None: ...

    @abstractmethod
    def _reply(self) -> Reply: ...

    @abstractmethod
    def _said(self) -> Reply:
        """Return what the documents say, whether it is a reply or not."""

    def _check(self, said: object, stop: str | None, *, answered: bool) -> None:
        """Raise ModelError for a reply that was filtered, or has nothing in it.

        Tokens without a text are a reply. So is a limit that was reached without one: the model used it up on thoughts
        that the server does not show. A model that stopped by itself without a word has replied too, if the server says
        so in an answer (`answered`).
        """
        if stop == "content_filter":
            raise ModelError(ErrorKind.FILTERED, f"The server's content filter stopped the {self.noun}.")
        if not said and stop in CONTEXT_IS_FULL:
            raise ModelError(ErrorKind.CONTEXT, f"The server stopped the {self.noun}: {stop}.")
        if not said and stop != "length" and not (answered and stop == "stop"):
            raise ModelError(ErrorKind.EMPTY, f"The server sent a {self.noun} with nothing in it.")


class Api(NamedTuple):
    """One of the APIs that servers speak."""

    path: str
    request_body: Callable[..., dict[str, Any]]
    reader: type[ReplyReader]


# -- chat completions -------------------------------------------------------------------------------------------------


def request_body(
    name: str, request: Request, sampling: Sampling, *, stream: bool, dialect: Dialect = USUAL
) -> dict[str, Any]:
    """Return the body of a request in the dialect of a server."""
    # without tools the next reply does not continue the thoughts of the last one
    thoughts, form = dialect.thoughts if request.tools else "none", strict_form(request, dialect)
    fields = {
        "messages": list(
            chat_history(
                request.messages,
                thoughts,
                alternate=dialect.alternate,
                system=dialect.system,
                null=dialect.null,
            )
        ),
        "tools": [chat_tool(tool) for tool in request.tools] or None,
        dialect.limit: sampling.max_tokens,
        "response_format": form and {"type": "json_schema", "json_schema": form},
        "seed": sampling.seed_for(request),
        "reasoning_effort": sampling.reasoning_effort,
        # Without it a stream tells no usage.
        "stream_options": {"include_usage": True} if stream and dialect.usage else None,
    }
    return full_body(name, sampling, fields, stream=stream)


class ChatReply(ReplyReader):
    """Adds up chunks to a reply; a document that comes whole is one chunk."""

    def __init__(self, *, stream: bool, tools: bool = False) -> None:
        super().__init__(stream=stream, tools=tools)
        self._content: list[str] = []
        self._reasoning: list[str] = []
        self._refusal: list[str] = []
        self._server_fields = ServerFields()
        self._calls = ToolCallPieces()
        self._characters = 0
        self._stop: str | None = None
        self._answered = False
        self._model: str | None = None
        self._id: str | None = None

    def _take(self, document: Mapping[str, Any]) -> None:
        self._model = text(document.get("model")) or self._model
        self._id = text(document.get("id")) or self._id
        if failure := failure_in(document, "choices"):
            raise failure
        # `n` is reserved, so a second choice is a server's mistake; the last chunk, with the usage, has none at all.
        for choice in map(mapping, entries(document.get("choices"))[:1]):
            self._take_choice(choice)

    def _take_choice(self, choice: Mapping[str, Any]) -> None:
        if said := mapping(choice.get("delta")):
            self._characters += self._calls.add_delta(said)
        else:
            said = mapping(choice.get("message"))
            self._calls.add_message(said)
        self._answered = True
        self._content.append(content_text(said.get("content")))
        self._reasoning.append(self._server_fields.add(said))
        self._refusal.append(text(said.get("refusal")) or "")
        self._characters += sum(len(parts[-1]) for parts in (self._content, self._reasoning, self._refusal))
        self._stop = text(choice.get("finish_reason")) or self._stop  # later chunks may have null again

    @property
    def whole(self) -> bool:
        """True once the server gave a reason to stop: no text and no call comes after it."""
        return self._stop not in (None, "error")

    @property
    def size(self) -> int:
        """The characters that the model has said so far."""
        return self._characters + self._server_fields.characters

    @property
    def overlong(self) -> bool:
        """True once so much has come that the rest is not waited for."""
        return self.size > MOST_CHARACTERS

    def _reply(self) -> Reply:
        reply, stop = self._said(), self._stop or ("length" if self.overlong else None)
        # some servers give no reason to stop, but count the tokens and mark the end
        ended = self.ended and reply.usage != Usage()
        if self._stream and stop is None and not ended:
            characters = sum(map(len, self._content))
            raise ModelError(ErrorKind.TRUNCATED, f"The stream ended in mid-reply, after {characters:,} characters.")
        if stop == "error":
            raise ModelError(ErrorKind.SERVER, "The server stopped the reply with an error.")
        said = reply.text or reply.reasoning or reply.tool_calls or reply.usage.output
        self._check(self._answered and said, stop, answered=self._answered)
        return replace(reply, stop=reply.stop or stop)

    def _said(self) -> Reply:
        content, refusal = "".join(self._content), "".join(self._refusal)
        calls = self._calls.calls()
        return Reply(
            text=content or refusal,
            tool_calls=calls,
            reasoning="".join(self._reasoning) or None,
            stop="refusal" if refusal and not (content or calls) else self._stop,
            usage=read_usage(self._counts, "prompt", "completion"),
            model=self._model,
            id=self._id,
            server_fields=self._server_fields.fields(self._calls.server_fields(), stream=self._stream),
        )


API = Api("/chat/completions", request_body, ChatReply)
