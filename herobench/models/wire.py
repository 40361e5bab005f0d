"""Builds requests and reads replies, in the parts that chat completions and the Responses API have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from herobench.conversation import Reply, Request, Usage
from herobench.models.messages import count, mapping
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.negotiation import Dialect
from herobench.models.sampling import Sampling
from herobench.models.server_errors import CONTEXT_IS_FULL


def body_of(name: str, sampling: Sampling, fields: Mapping[str, Any], *, stream: bool) -> dict[str, Any]:
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


def read_usage(value: object, sent: str, said: str) -> Usage:
    """Return the counts of tokens. Each API has a name for those that were sent and for those that the model said."""
    row = mapping(value)
    return Usage(
        input=count(row.get(f"{sent}_tokens")),
        output=count(row.get(f"{said}_tokens")),
        reasoning=count(mapping(row.get(f"{said}_tokens_details")).get("reasoning_tokens")),
        cached=count(mapping(row.get(f"{sent}_tokens_details")).get("cached_tokens")),
    )


class ReplyReader(ABC):
    """Reads one reply: from the documents of a stream, or from one document that comes whole."""

    noun = "reply"
    """The API's word for a reply."""

    def __init__(self, *, stream: bool, tools: bool = False) -> None:
        """Read a stream, or one document. `tools` says whether the model could call tools."""
        self._stream, self._tools = stream, tools
        self._heard = False

    def add(self, document: object) -> None:
        """Take in one document. Raises ModelError where it tells a failure."""
        if not isinstance(document, dict):
            told = f"The server sent a {type(document).__name__} where an object belongs."
            raise ModelError(ErrorKind.MALFORMED, told)
        self._heard = True
        self._take(document)

    def reply(self) -> Reply:
        """Return the reply that all documents make. Raises ModelError where they make none."""
        if not self._heard:
            raise ModelError(ErrorKind.MALFORMED, "The server sent no stream: is the base URL that of the API?")
        return self._reply()

    @property
    @abstractmethod
    def whole(self) -> bool:
        """True once the reply is complete, whatever happens to its connection afterwards."""

    @property
    def overlong(self) -> bool:
        """True once so much has come that the rest is not waited for."""
        return False

    @abstractmethod
    def _take(self, document: Mapping[str, Any]) -> None: ...

    @abstractmethod
    def _reply(self) -> Reply: ...

    def _check(self, said: object, stop: str | None) -> None:
        """Raise ModelError for a reply that was filtered, or has nothing in it.

        Tokens without a text are a reply. So is a limit that was reached without one: the model used it up on thoughts
        that the server does not show.
        """
        if stop == "content_filter":
            raise ModelError(ErrorKind.FILTERED, f"The server's content filter stopped the {self.noun}.")
        if not said and stop in CONTEXT_IS_FULL:
            raise ModelError(ErrorKind.CONTEXT, f"The server stopped the {self.noun}: {stop}.")
        if not said and stop != "length":
            raise ModelError(ErrorKind.EMPTY, f"The server sent a {self.noun} with nothing in it.")


class Api(NamedTuple):
    """One of the APIs that servers speak."""

    path: str
    request_body: Callable[..., dict[str, Any]]
    reader: type[ReplyReader]
