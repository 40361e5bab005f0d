"""The error of a model that gives no reply, and the retries after it.

All models raise this error and nothing else. It says nothing about what a model can do: an attempt that ends in such an
error is unmeasured, not lost.

Only this module retries, since the SDK's own retries are off. Waits grow, and each is drawn from its whole range (full
jitter), so that attempts that failed together do not return together. A server that says how long to wait is obeyed.
Errors that a retry cannot help are raised at once.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import TypeVar

from herobench.conversation import Reply
from herobench.data.errors import Fault, HeroBenchError


class ErrorKind(StrEnum):
    """The ways in which a request to a model can fail."""

    RATE_LIMIT = "rate_limit"
    """The server asks to slow down (429)."""
    SERVER = "server"
    """The server failed (5xx, or an error in mid-stream)."""
    CONNECTION = "connection"
    """No connection, or one that broke."""
    TIMEOUT = "timeout"
    """The server sent nothing for too long, or answered 408."""
    MALFORMED = "malformed"
    """The server's answer does not follow the protocol."""
    TRUNCATED = "truncated"
    """The stream ended before the reply did."""
    EMPTY = "empty"
    """A reply without content."""
    AUTH = "auth"
    """The key is missing or refused (401, 403)."""
    NO_MODEL = "no_model"
    """The server has no such model or address (404)."""
    QUOTA = "quota"
    """The account has no money or quota left."""
    REFUSED = "refused"
    """The server does not accept the request (other 4xx)."""
    CONTEXT = "context"
    """The prompt is too long for the model."""
    FILTERED = "filtered"
    """A content filter of the server removed the reply."""
    NO_ANSWER = "no_answer"
    """The recording has no answer to this task, or no further reply."""
    PLAYER = "player"
    """A player of ours, or a model of a plugin, failed."""


# A filter is not among these: it would stop the same reply again, and each try is paid for.
_PASSING = {
    ErrorKind.RATE_LIMIT,
    ErrorKind.SERVER,
    ErrorKind.CONNECTION,
    ErrorKind.TIMEOUT,
    ErrorKind.MALFORMED,
    ErrorKind.TRUNCATED,
    ErrorKind.EMPTY,
}
# After such errors a run stops: it would only collect more unmeasured attempts.
_EVERYWHERE = {ErrorKind.CONNECTION, ErrorKind.AUTH, ErrorKind.NO_MODEL, ErrorKind.QUOTA}
LONGEST_WAIT = 3600.0
"""The longest wait, in seconds, that a server may ask for. One that asks for more refuses for now."""
_OF_ONE_REQUEST = re.compile(r"\S*[0-9]\S*")


class ModelError(HeroBenchError):
    """Raised when a model gives no reply."""

    def __init__(
        self,
        kind: ErrorKind,
        message: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        reply: Reply | None = None,
        is_page: bool = False,
    ) -> None:
        super().__init__(message)
        # packages of others raise this error too, and what it says is written to calls.jsonl
        if not isinstance(status, int | None) or not isinstance(retry_after, int | float | None):
            raise TypeError(f"the status and the wait of a ModelError are numbers, not {status!r} and {retry_after!r}")
        self.kind = ErrorKind(kind)
        self.message = str(message)
        self.status = status
        self.retry_after = retry_after
        """The seconds that the server asks to wait, where it says so."""
        self.reply = reply
        """The part of a reply that came before the failure or with it, if any: the server may charge for it."""
        self.is_page = is_page
        """True if the answer was an HTML page: whoever sent it is most likely no server of models."""

    def reworded(self, message: str) -> ModelError:
        """Return the error with another message."""
        return ModelError(
            self.kind,
            message,
            status=self.status,
            retry_after=self.retry_after,
            reply=self.reply,
            is_page=self.is_page,
        )

    @property
    def passing(self) -> bool:
        """True where a retry can help."""
        return self.kind in _PASSING

    @property
    def everywhere(self) -> bool:
        """True where every other attempt is likely to fail in the same way."""
        return self.kind in _EVERYWHERE or (self.retry_after or 0.0) > LONGEST_WAIT

    @property
    def shape(self) -> tuple[ErrorKind, int | None, str]:
        """The parts that equal refusals share: kind, status, and the message without its numbers and names."""
        return self.kind, self.status, _OF_ONE_REQUEST.sub("", self.message)

    def as_row(self) -> dict[str, str | int | None]:
        """Return the error as plain data."""
        return {"kind": str(self.kind), "message": self.message, "status": self.status}


# -- retries ----------------------------------------------------------------------------------------------------------

_Made = TypeVar("_Made")

_SPREAD = 0.1
"""The share of the jitter added to a wait that the server asked for: it asks all requests for the same wait."""


@dataclass(frozen=True, slots=True)
class Retry:
    """One failed try, and the wait before the next."""

    error: ModelError
    waited: float

    def as_row(self) -> dict[str, object]:
        """Return the retry as plain data."""
        return {**self.error.as_row(), "waited": round(self.waited, 3)}


@dataclass
class RetryPolicy:
    """The number of retries, and the waits between them."""

    retries: int = 5
    first: float = 2.0
    """The longest first wait, in seconds. Each further wait may be twice as long."""
    longest: float = 120.0
    """The longest wait of our own choice, in seconds."""
    most_told: float = LONGEST_WAIT
    """The longest wait that a server may ask for. If it asks for more, the error is raised."""
    chance: Random = field(default_factory=Random)
    """Draws the waits. No result depends on them, so it needs no seed."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def ask(self, once: Callable[[], Awaitable[_Made]], note: Callable[[Retry], Awaitable[None]]) -> _Made:
        """Try until one try succeeds, and return its result. Raises the last ModelError. Notes each retry first."""
        for tries in range(self.retries):
            try:
                return await once()
            except ModelError as error:
                wait = self.wait_after(error, tries)
                if wait is None:
                    raise
                await note(Retry(error, wait))
            await self.sleep(wait)
        return await once()  # the last try: its error is the caller's

    def wait_after(self, error: ModelError, tries: int) -> float | None:
        """Return the seconds to wait before the next try, after this many retries; None where a retry cannot help."""
        if not error.passing or (error.retry_after or 0.0) > self.most_told:
            return None
        drawn = self.chance.uniform(0.0, min(self.longest, self.first * 2.0**tries))
        return drawn if error.retry_after is None else error.retry_after + drawn * _SPREAD


class ModelFault(Fault):
    """The kinds of errors of models and servers."""

    BAD_CACHE = "The cache {path} cannot be used: {error}. Name another file."
    BAD_CONTEXT = "The context of {path} is 256 to {most:,} tokens, not {context:,}: correct the number behind the @."
    BAD_KEY = "{told}: it has a line break, a space or a character that is not ASCII. Set it again."
    BAD_URL = "A base URL is like http://localhost:8000/v1, and {url!r} is not: correct --base-url."
    BROKEN_GGUF = "llama.cpp cannot serve {path}: {told}. Fetch the file again, or name another one."
    NO_GGUF = "{path} is no whole GGUF file: {told}. Name another one, such as local:/models/some.gguf."
    NO_KEY = "The environment variable {key_name}, which should hold the key, is not set: set it."
    NO_LLAMA = "A model on this machine needs llama.cpp's server: pip install 'herobench[local]', or xllamacpp."
    NO_LOCAL_NAME = "The model local names no model: write --model local:FILE.gguf, or a name such as {names}."
    NO_MEMORY = (
        "{name} needs about {needed:,} MiB of memory for a context of {context:,} tokens, and {free:,} are free: name "
        "a smaller one behind an @, such as @4096, or a smaller model."
    )
    NO_MODEL = (
        "There is no model {name!r}: is {near} meant? To ask the server for a model of this name, write openai:{name}."
    )
    NO_RECORDING = "The model replay names no recording: write --model replay:ANSWERS.jsonl."
    NO_SEED = "The Responses API takes no seed: leave --seed out, or use --api chat."
    NO_SERVER = "Set {key_name}, or name a server by --base-url{players}."
    NOT_FETCHED = "The model {name} was not fetched: {told}. With a file that you have, write local:FILE.gguf."
    RESERVED_FIELDS = "--extra-body cannot set {fields}: the run sets that itself. Leave it out."
    UNUSED_OPTIONS = "The model {name} takes no {options}: leave the option out."
