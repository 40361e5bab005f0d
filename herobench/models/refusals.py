"""What the SDK's exceptions say, as the project's own failures: read by status, code and words, in one place."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import openai

from herobench.models.failure import Kind, ModelError
from herobench.models.fields import mapping, text

_MOST_WORDS = 500
_BLOT = "[key]"
_TOO_LONG = re.compile(
    r"context[ _](length|window|size)|maximum context|too many (input )?tokens|prompt is too long", re.I
)
_BY_STATUS = {
    401: Kind.AUTH,
    403: Kind.AUTH,
    404: Kind.NO_MODEL,
    408: Kind.TIMEOUT,
    409: Kind.SERVER,
    413: Kind.CONTEXT,
}
_QUOTA = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}


def failure_of(error: openai.APIError, key: str) -> ModelError:
    """An exception of the SDK as a ModelError that does not tell the key."""
    if isinstance(error, openai.APITimeoutError):
        return ModelError(Kind.TIMEOUT, "The server said nothing for too long.")
    if isinstance(error, openai.APIConnectionError):
        cause = f" ({error.__cause__})" if error.__cause__ and str(error.__cause__) else ""
        return ModelError(Kind.CONNECTION, _safe(f"The connection failed or broke off{cause}.", key))
    words = _safe(_words(error), key)
    if isinstance(error, openai.APIStatusError):
        status = error.status_code
        return ModelError(_kind(status, error, words), words, status=status, retry_after=_retry_after(error))
    if isinstance(error, openai.APIResponseValidationError):
        return ModelError(Kind.MALFORMED, words, status=error.status_code)
    return ModelError(_kind(None, error, words), words)


def _kind(status: int | None, error: openai.APIError, words: str) -> Kind:
    """The kind of a refusal; without a status it came in mid-stream."""
    names = {error.code, error.type}
    if names & _QUOTA:
        return Kind.QUOTA
    if error.code == "model_not_found":
        return Kind.NO_MODEL
    if status in (400, 422, None) and (error.code == "context_length_exceeded" or _TOO_LONG.search(words)):
        return Kind.CONTEXT
    if status == 400 and "content_filter" in names:
        return Kind.FILTERED
    if status == 429 or names & {"rate_limit_exceeded", "rate_limit_error"}:
        return Kind.RATE_LIMIT
    if status is None or status >= 500:
        return Kind.SERVER
    return _BY_STATUS.get(status, Kind.REFUSED)


def _words(error: openai.APIError) -> str:
    """What the server says, without the SDK's own frame where it can be had."""
    inner = mapping(error.body)
    said = text(inner.get("message")) or text(mapping(inner.get("error")).get("message"))
    return said or error.message


def _safe(words: str, key: str) -> str:
    """Words without the key, on one line, of a bearable length."""
    line = " ".join(words.replace(key, _BLOT).split()) if len(key) > 4 else " ".join(words.split())
    return line if len(line) <= _MOST_WORDS else line[: _MOST_WORDS - 3] + "..."


def _retry_after(error: openai.APIStatusError) -> float | None:
    """How many seconds the server asks for: as milliseconds, seconds or a date."""
    headers = error.response.headers
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    told = headers.get("retry-after")
    seconds = _number(told)
    return seconds if seconds is not None or told is None else _until(told)


def _number(told: str | None) -> float | None:
    if told is None or not re.fullmatch(r"\s*[0-9]{1,12}(\.[0-9]{1,12})?\s*", told):
        return None
    return float(told)


def _until(date: str) -> float | None:
    try:
        then = parsedate_to_datetime(date)
    except ValueError:
        return None
    aware = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())
