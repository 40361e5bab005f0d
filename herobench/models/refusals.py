"""Translate exceptions of the SDK, and errors in a server's documents, to ModelError: by status, code and words.

`openai_api` and the readers of both APIs call this. The message is the server's own, whole and as it came: `secrets`
covers the key in it first, and only then does `shortened` put it on one line, since a secret that was cut in two would
not be found any more.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import openai

from herobench.models.http_library import httpx
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.server_json import mapping, text

_MOST_WORDS = 500
_TOO_LONG = re.compile(
    r"context[ _](length|window|size)|maximum context|too many (input )?tokens|prompt is too long", re.I
)
_BY_STATUS = {
    401: ErrorKind.AUTH,
    402: ErrorKind.QUOTA,
    403: ErrorKind.AUTH,
    404: ErrorKind.NO_MODEL,
    408: ErrorKind.TIMEOUT,
    409: ErrorKind.SERVER,
    413: ErrorKind.CONTEXT,
}
_QUOTA = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}


FAILURES = (ModelError, openai.APIError, httpx.HTTPError, ValueError, RecursionError)
"""The exceptions that a request may raise. Malformed JSON and UTF-8 raise the last two. The SDK lets those of httpx
through while it reads a refusal."""


def failure_of(error: Exception) -> ModelError:
    """Return any of these exceptions as a ModelError."""
    if isinstance(error, ModelError):
        return error
    if isinstance(error, openai.APITimeoutError | httpx.TimeoutException):
        return ModelError(ErrorKind.TIMEOUT, "The server said nothing for too long.")
    if isinstance(error, openai.APIConnectionError):
        cause = f" ({error.__cause__})" if error.__cause__ and str(error.__cause__) else ""
        return ModelError(ErrorKind.CONNECTION, f"The connection failed or broke off{cause}.")
    if isinstance(error, httpx.HTTPError):
        return ModelError(ErrorKind.CONNECTION, f"The connection broke off ({error}).")
    if isinstance(error, openai.APIError):
        return _refusal(error)
    return ModelError(ErrorKind.MALFORMED, f"The server sent what is not JSON: {error}")


def _refusal(error: openai.APIError) -> ModelError:
    words = _words(error)
    names = {text(error.code), text(error.type)}  # the SDK does not check that the server sent texts
    if isinstance(error, openai.APIStatusError):
        status = error.status_code
        return ModelError(_kind(status, names, words), words, status=status, retry_after=_retry_after(error))
    if isinstance(error, openai.APIResponseValidationError):
        return ModelError(ErrorKind.MALFORMED, words, status=error.status_code)
    return ModelError(_kind(None, names, words), words)


def shortened(error: ModelError) -> ModelError:
    """Return the error with its message on one line of limited length."""
    line = " ".join(error.message.split()) or "The server does not say why."
    words = line if len(line) <= _MOST_WORDS else line[: _MOST_WORDS - 3] + "..."
    return ModelError(error.kind, words, status=error.status, retry_after=error.retry_after)


def told_failure(error: object) -> ModelError:
    """Return the ModelError for an error that a server reports inside a document with status 200."""
    row = mapping(error)
    words = text(row.get("message")) or text(error) or "the server does not say why"
    names = {text(row.get("code")), text(row.get("type"))}
    return ModelError(_kind(None, names, words), f"The server failed: {words}")


def _kind(status: int | None, names: set[str | None], words: str) -> ErrorKind:
    """Return the kind of a refusal, by its code, type and words. Without a status it came in the middle of a stream."""
    # Before the status: OpenAI sends 429 both for a rate limit, which passes, and for an empty account, which does not.
    if names & _QUOTA:
        return ErrorKind.QUOTA
    if "model_not_found" in names:
        return ErrorKind.NO_MODEL
    # The words count too: vLLM and others give no code of their own for a prompt that is too long.
    if status in (400, 422, None) and ("context_length_exceeded" in names or _TOO_LONG.search(words)):
        return ErrorKind.CONTEXT
    if status == 400 and "content_filter" in names:
        return ErrorKind.FILTERED
    if status == 429 or names & {"rate_limit_exceeded", "rate_limit_error"}:
        return ErrorKind.RATE_LIMIT
    if status is None or status >= 500:
        return ErrorKind.SERVER
    return _BY_STATUS.get(status, ErrorKind.REFUSED)


def _words(error: openai.APIError) -> str:
    """Return the server's own words, without the SDK's frame where that is possible. Of an HTML page return none."""
    inner = mapping(error.body)
    told = (inner.get("message"), mapping(inner.get("error")).get("message"), inner.get("detail"), error.body)
    words = (said for said in map(text, told) if said and said.strip() and not said.lstrip().startswith("<"))
    return next(words, error.message)


def _retry_after(error: openai.APIStatusError) -> float | None:
    """Return how many seconds the server asks for: as milliseconds, seconds or a date."""
    headers = error.response.headers
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    told = headers.get("retry-after")
    seconds = _number(told)
    return seconds if seconds is not None or told is None else _until(told, headers.get("date"))


def _number(told: str | None) -> float | None:
    if told is None or not re.fullmatch(r"\s*[0-9]{1,12}(\.[0-9]{1,12})?\s*", told):
        return None
    return float(told)


def _until(date: str, sent: str | None) -> float | None:
    """Return the seconds from when the answer was sent to a date: both by the server's clock, as ours may be wrong."""
    then = _moment(date)
    now = (_moment(sent) if sent else None) or datetime.now(UTC)
    return None if then is None else max(0.0, (then - now).total_seconds())


def _moment(date: str) -> datetime | None:
    try:
        then = parsedate_to_datetime(date)
    except (ValueError, OverflowError):
        return None
    return then if then.tzinfo else then.replace(tzinfo=UTC)
