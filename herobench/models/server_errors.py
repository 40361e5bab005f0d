"""The HTTP client under the SDK, and what goes wrong with it: exceptions and errors in documents become ModelError.

They do so by status, code and words. `openai_api` and the readers of both APIs call this. The message is the server's
own, whole and as it came: `secrets` covers the key in it first, and only then does `shortened` put it on one line,
since a secret that was cut in two would not be found any more.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import openai

from herobench.models.messages import count, entries, mapping, text
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.pace import request_left

if TYPE_CHECKING:
    import httpx2 as httpx
else:  # the HTTP library of the SDK: its versions 2 and 3 have different ones
    httpx = import_module(openai.DefaultAsyncHttpxClient.__base__.__module__)

__all__ = ["httpx"]

_MOST_WORDS = 500
_TOO_LONG = re.compile(
    r"context[ _](length|window|size)|maximum context|too many (input )?tokens|prompt is too long|prompt too long"
    r"|reduce the length of the (messages|input|prompt)|length of all messages is too long"
    r"|input (token count|is too long|length)|prompt (token count|length|exceeds)|range of input length"
    r"|model token limit|token limit exceeded|inputs` (tokens|must have)|input tokens exceed|tokens_limit_reached"
    r"|prompt contains [\d,]+ tokens|max_seq_len|longer than the maximum model length|n_keep\b.{0,20}>=\s*n_ctx",
    re.I,
)
"""Messages of servers about a conversation that is longer than the context of the model. OpenAI, Groq and llama-server
send a code; vLLM, SGLang, TGI, Ollama, Gemini, Anthropic, Mistral, xAI, Moonshot, Bedrock and Zhipu send only text."""
_TOO_LONG_CODES = {
    "context_length_exceeded",
    "exceed_context_size_error",
    "request_too_large",
    "tokens_limit_reached",
}
_TOO_LONG_THOUGH_500 = re.compile(
    r"available context size|exceeded (max )?context length|longer than the maximum model length"
    r"|n_keep\b.{0,20}>=\s*n_ctx",
    re.I,
)
"""The same in the words of llama-server, Ollama, vLLM and LM Studio, of which some versions call it a failure of their
own."""
CONTEXT_IS_FULL = {"model_context_window_exceeded", "context_length_exceeded"}
"""The reasons to stop of servers that notice it while they reply."""
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


def as_model_error(error: Exception) -> ModelError:
    """Return any of these exceptions as a ModelError."""
    if isinstance(error, ModelError):
        return error
    if isinstance(error, TimeoutError):
        return ModelError(ErrorKind.TIMEOUT, "The server sent nothing new of its reply for too long.")
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
    told = _told_status(error.code)
    return ModelError(_kind(told, names, words), words, status=told)


def shortened(error: ModelError) -> ModelError:
    """Return the error with its message on one line of limited length."""
    line = " ".join(error.message.split()) or "The server does not say why."
    return error.reworded(line if len(line) <= _MOST_WORDS else line[: _MOST_WORDS - 3] + "...")


def failure_in(document: Mapping[str, Any], reply: str) -> ModelError | None:
    """Return the failure that a document with status 200 tells in place of its field `reply`, if it tells one."""
    if error := document.get("error"):
        return told_failure(error)
    # proxies also put the code and the message at the top
    bare = not document.get(reply) and (document.get("object") == "error" or _told_status(document.get("code")))
    return told_failure(document) if bare else None


def told_failure(error: object) -> ModelError:
    """Return the ModelError for an error that a server reports inside a document with status 200."""
    row = mapping(error)
    words = text(row.get("message")) or text(row.get("msg")) or text(error) or "the server does not say why"
    names = {text(row.get("code")), text(row.get("type"))}
    status = _told_status(row.get("code"))
    return ModelError(_kind(status, names, words), f"The server failed: {words}", status=status)


def _told_status(code: object) -> int | None:
    """Return a code that is the number of a failure in HTTP, as OpenRouter and vLLM have it inside of a document."""
    number = int(code) if isinstance(code, str) and re.fullmatch("[45][0-9]{2}", code) else count(code)
    return number if number is not None and 400 <= number < 600 else None


def _kind(status: int | None, names: set[str | None], words: str) -> ErrorKind:
    """Return the kind of a refusal, by its code, type and words. Without a status it came in the middle of a stream."""
    # Before the status: OpenAI sends 429 both for a rate limit, which passes, and for an empty account, which does not.
    if names & _QUOTA:
        return ErrorKind.QUOTA
    if "model_not_found" in names:
        return ErrorKind.NO_MODEL
    if _is_too_long(status, names, words):
        return ErrorKind.CONTEXT
    if status == 400 and "content_filter" in names:
        return ErrorKind.FILTERED
    if status == 429 or names & {"rate_limit_exceeded", "rate_limit_error"}:
        return ErrorKind.RATE_LIMIT
    if status is None or status >= 500:
        return ErrorKind.SERVER
    return _BY_STATUS.get(status, ErrorKind.REFUSED)


def _is_too_long(status: int | None, names: set[str | None], words: str) -> bool:
    """Say whether a refusal says that the conversation is longer than the context of the model."""
    # Before a rate limit, which speaks of too many tokens too.
    if status == 429 or names & {"rate_limit_exceeded", "rate_limit_error"}:
        return False
    if names & _TOO_LONG_CODES:
        return True
    said = _TOO_LONG_THOUGH_500 if status is not None and status >= 500 else _TOO_LONG
    return status in (400, 413, 422, None, 500) and bool(said.search(words))


def _words(error: openai.APIError) -> str:
    """Return the server's own words, without the SDK's frame where that is possible. Of an HTML page return none."""
    inner = mapping(next(iter(entries(error.body)), error.body))  # Gemini sends a list of one
    told = (inner.get("message"), mapping(inner.get("error")).get("message"), inner.get("detail"), error.body)
    words = (said for said in map(text, told) if said and said.strip() and not said.lstrip().startswith("<"))
    return next(words, None) or "; ".join(_faults(inner)) or error.message


def _faults(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield the entries of the list in which FastAPI tells what is wrong with a request: the place and the words."""
    message = body.get("message")
    listed = (*entries(body.get("detail")), *entries(message), *entries(mapping(message).get("detail")))
    for fault in map(mapping, listed):
        if words := text(fault.get("msg")):
            yield f"{'.'.join(map(str, entries(fault.get('loc'))))}: {words}"


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
    if told is None or not re.fullmatch(r"\s*[0-9]{1,40}(\.[0-9]{1,12})?\s*", told):
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


_STREAM = re.compile(rb"\s*(data|event|id|retry)?:")


def is_stream(begin: bytes) -> bool:
    """Return whether a body that begins with these bytes is a stream of events."""
    return bool(_STREAM.match(begin))


# -- the client -------------------------------------------------------------------------------------------------------


LARGEST_BODY = 128 << 20
"""The most bytes of a document, or of one line of a stream, that are read."""
_CONNECT_SECONDS = 10.0
_SENT = ("send_request_body.complete", "send_request_body.failed")
_AZURE_VERSION = "api-version"


def open_client(key: str, url: str, timeout: float, connections: int) -> openai.AsyncOpenAI:
    """Return a client for an address, which may have a query, as Azure's deployments do."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    return openai.AsyncOpenAI(
        api_key=key,
        base_url=urlunsplit((parts.scheme, parts.netloc, parts.path, "", "")),
        default_query=query,
        # Azure takes a key under this name only, and a token under the usual one.
        default_headers={"api-key": key} if _AZURE_VERSION in query else None,
        max_retries=0,  # `RetryPolicy` retries, and the run counts it
        timeout=httpx.Timeout(timeout, connect=min(timeout, _CONNECT_SECONDS), pool=None),
        http_client=openai.DefaultAsyncHttpxClient(
            limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
            event_hooks={"request": [_watch], "response": [_bound]},
        ),
    )


async def _watch(request: httpx.Request) -> None:
    """Tell the pace when a request has been sent."""

    async def trace(event: str, info: Mapping[str, Any]) -> None:
        if event.endswith(_SENT):
            request_left()

    request.extensions = {**request.extensions, "trace": trace}


async def _bound(response: httpx.Response) -> None:
    """Limit what is read of a response. The SDK reads refusals and streams itself, so the limit is put beneath it."""
    read = response.aiter_bytes

    async def bounded(chunk_size: int | None = None) -> AsyncGenerator[bytes, None]:
        size, by_line = 0, False
        async for part in read(chunk_size):
            by_line = by_line or (not size and is_stream(part))
            end = part.rfind(b"\n") + 1 if by_line else 0
            size = len(part) - end + (0 if end else size)
            if size > LARGEST_BODY:
                # asked again it would be paid for again
                told = f"The server's reply has more than {LARGEST_BODY >> 20} MiB"
                raise ModelError(ErrorKind.REFUSED, f"{told}: no more of it is read.", status=response.status_code)
            yield part

    response.aiter_bytes = bounded  # type: ignore[method-assign]
