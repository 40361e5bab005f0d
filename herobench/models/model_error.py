"""Why a reply could not be had: a closed set of kinds, and for each whether asking again can help.

None of these says anything about what the model can do: an attempt that ends in one is unmeasured, not lost.
"""

from __future__ import annotations

from enum import StrEnum

from herobench.errors import HeroBenchError


class ErrorKind(StrEnum):
    """What went wrong between us and a model."""

    RATE_LIMIT = "rate_limit"
    """The server asks for patience (429)."""
    SERVER = "server"
    """The server failed (5xx, or an error in mid-stream)."""
    CONNECTION = "connection"
    """No connection, or one that broke."""
    TIMEOUT = "timeout"
    """Nothing came for too long (408 too)."""
    MALFORMED = "malformed"
    """What came is not the protocol."""
    TRUNCATED = "truncated"
    """The stream ended before the reply did."""
    EMPTY = "empty"
    """A reply without content."""
    AUTH = "auth"
    """The key is missing or refused (401, 403)."""
    NO_MODEL = "no_model"
    """There is no such model or address (404)."""
    QUOTA = "quota"
    """The account has nothing left."""
    REFUSED = "refused"
    """The server does not take the request (other 4xx)."""
    CONTEXT = "context"
    """The prompt is too long for the model."""
    FILTERED = "filtered"
    """A filter of the server took the reply away."""
    NO_ANSWER = "no_answer"
    """A recording has no answer to this task."""
    PLAYER = "player"
    """A model of ours, or of a plugin, failed."""


_PASSING = {
    ErrorKind.RATE_LIMIT,
    ErrorKind.SERVER,
    ErrorKind.CONNECTION,
    ErrorKind.TIMEOUT,
    ErrorKind.MALFORMED,
    ErrorKind.TRUNCATED,
    ErrorKind.EMPTY,
}
_EVERYWHERE = {ErrorKind.CONNECTION, ErrorKind.AUTH, ErrorKind.NO_MODEL, ErrorKind.QUOTA}


class ModelError(HeroBenchError):
    """Raised when a model gives no reply."""

    def __init__(
        self, kind: ErrorKind, message: str, *, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.status = status
        self.retry_after = retry_after
        """How many seconds the server wants us to wait."""

    @property
    def passing(self) -> bool:
        """Whether asking again can help."""
        return self.kind in _PASSING

    @property
    def everywhere(self) -> bool:
        """Whether it is likely to meet every other attempt as well."""
        return self.kind in _EVERYWHERE

    def as_row(self) -> dict[str, str | int | None]:
        """The failure as a row says it."""
        return {"kind": str(self.kind), "message": self.message, "status": self.status}
