"""The error of a model that gives no reply: a closed set of kinds, and for each whether a retry can help.

All models raise it and nothing else; `patience` and `runs` read it. It says nothing about what a model can do: an
attempt that ends in such an error is unmeasured, not lost.
"""

from __future__ import annotations

import re
from enum import StrEnum

from herobench.data.errors import HeroBenchError


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
# After such errors a run stops: to go on would only collect unmeasured attempts.
_EVERYWHERE = {ErrorKind.CONNECTION, ErrorKind.AUTH, ErrorKind.NO_MODEL, ErrorKind.QUOTA}
LONGEST_WAIT = 3600.0
"""The longest wait, in seconds, that a server may ask for. One that asks for more refuses for now."""


_OF_ONE_REQUEST = re.compile(r"\S*[0-9]\S*")


class ModelError(HeroBenchError):
    """Raised when a model gives no reply."""

    def __init__(
        self, kind: ErrorKind, message: str, *, status: int | None = None, retry_after: float | None = None
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
