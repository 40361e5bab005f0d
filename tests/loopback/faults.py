"""The answers that are no replies: errors in the words of the providers, pages of proxies, and broken heads.

Each is a row of a table, by the kind of the behaviour.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from math import ceil
from typing import NamedTuple

from tests.loopback.api_request import ApiRequest
from tests.loopback.behaviour import Behaviour, Json, Kind

NO_ANSWERS = {
    Kind.CLOSED: b"",
    Kind.SILENCE: b"",
    Kind.CUT_HEAD: b"HTTP/1.1 200 OK\r\nContent-",
    Kind.BAD_CHUNK: b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nHello, this is no chunk.\r\n",
}
"""What comes before the connection is closed."""
PAGE = b"<!DOCTYPE html>\n<html><head><title>%b</title></head><body><h1>%b</h1><hr>nginx</body></html>\n"
PAGES = {
    Kind.HTML: (200, b"Welcome"),
    Kind.HTML_502: (502, b"502 Bad Gateway"),
    Kind.HTML_504: (504, b"504 Gateway Time-out"),
}
"""The status and the title of pages."""


class Error(NamedTuple):
    """An error in the form of OpenAI."""

    status: int
    message: str
    """May have `{model}` and `{key}` in it."""
    type: str
    code: str | int | None = None
    param: str | None = None

    def document(self, message: str | None = None) -> Json:
        told = {"message": message or self.message, "type": self.type, "param": self.param, "code": self.code}
        return {"error": told}


_WRONG = "invalid_request_error"
_TOO_LONG = "context_length_exceeded"
_REDUCE = "Please reduce the length of the"
_CONTEXT = "This model's maximum context length is 4096 tokens. However, "
_CONTEXT_CHAT = Error(
    400, f"{_CONTEXT}your messages resulted in 5000 tokens. {_REDUCE} messages.", _WRONG, _TOO_LONG, "messages"
)
_CONTEXT_RESPONSE = Error(
    400,
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    _WRONG,
    _TOO_LONG,
    "input",
)
_CONTEXT_VLLM_OLD = Error(
    400,
    f"{_CONTEXT}you requested 5000 tokens (4000 in the messages, 1000 in the completion). "
    f"{_REDUCE} messages or completion.",
    "BadRequestError",
    400,
)
_RATE_LIMIT = Error(
    429,
    "Rate limit reached for {model} on requests per min (RPM): Limit 3, Used 3, Requested 1.",
    "requests",
    "rate_limit_exceeded",
)
_ERRORS: dict[Kind, Error] = {
    Kind.RATE_LIMIT: _RATE_LIMIT,
    Kind.RATE_LIMIT_SECONDS: _RATE_LIMIT,
    Kind.RATE_LIMIT_DATE: _RATE_LIMIT,
    Kind.RATE_LIMIT_MS: _RATE_LIMIT,
    Kind.RATE_LIMIT_ABSURD: _RATE_LIMIT,
    Kind.QUOTA: Error(
        429,
        "You exceeded your current quota, please check your plan and billing details.",
        "insufficient_quota",
        "insufficient_quota",
    ),
    Kind.PAYMENT: Error(402, "Insufficient Balance", "unknown_error", _WRONG),
    Kind.CONFLICT: Error(409, "The request conflicts with another one.", "conflict"),
    Kind.TOO_LARGE: Error(413, "Request exceeds the maximum size", "request_too_large"),
    Kind.NOT_ALLOWED: Error(405, "Method Not Allowed", "method_not_allowed"),
    Kind.OVERLOADED: Error(529, "Overloaded", "overloaded_error"),
    Kind.SERVER_ERROR: Error(
        500, "The server had an error while processing your request. Sorry about that!", "server_error"
    ),
    Kind.UNAVAILABLE: Error(503, "That model is currently overloaded with other requests.", "server_error"),
    Kind.TIMEOUT: Error(408, "Request timed out.", "timeout"),
    Kind.CONTEXT_VLLM: Error(
        400, f"{_CONTEXT}your request has 5000 input tokens. {_REDUCE} input messages.", "BadRequestError", 400
    ),
    Kind.BAD_REQUEST: Error(
        400,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        _WRONG,
        "unsupported_parameter",
        "max_tokens",
    ),
    Kind.UNAUTHORIZED: Error(401, "Incorrect API key provided: {key}.", _WRONG, "invalid_api_key"),
    Kind.FORBIDDEN: Error(
        403, "Country, region, or territory not supported", "request_forbidden", "unsupported_country_region_territory"
    ),
    Kind.NO_MODEL: Error(
        404, "The model `{model}` does not exist or you do not have access to it.", _WRONG, "model_not_found"
    ),
}
_RETRY_AFTER: Mapping[Kind, Callable[[float], dict[str, str]]] = {
    Kind.RATE_LIMIT_SECONDS: lambda seconds: {"Retry-After": f"{seconds:g}"},
    Kind.RATE_LIMIT_DATE: lambda seconds: {"Retry-After": formatdate(ceil(time.time() + seconds), usegmt=True)},
    Kind.RATE_LIMIT_MS: lambda seconds: {"retry-after-ms": f"{seconds * 1000:.0f}"},
    Kind.RATE_LIMIT_ABSURD: lambda _: {"Retry-After": "86400000"},
}
_IN_BODY: dict[Kind, tuple[str, str | int]] = {
    Kind.CODE_401: ("No auth credentials found", 401),
    Kind.CODE_402: ("Insufficient credits", 402),
    Kind.CODE_429: ("Provider returned error", 429),
    Kind.CODE_503: ("No instances available", "503"),
}
"""The words and the code of errors that come with status 200."""


@dataclass(frozen=True)
class ErrorAnswer:
    status: int
    document: Json | list[Json]
    headers: dict[str, str] = field(default_factory=dict)


def refused(behaviour: Behaviour, request: ApiRequest, key_sent: str) -> ErrorAnswer | None:
    """Return the error that a behaviour is, where it is one."""
    kind = behaviour.kind
    if error := _ERRORS.get(kind):
        told = behaviour.message or error.message.format(model=request.model, key=key_sent)
        if behaviour.echo and key_sent not in told:
            told = f"{told} You are {key_sent}."
        headers = _RETRY_AFTER[kind](behaviour.seconds) if kind in _RETRY_AFTER else {}
        return ErrorAnswer(error.status, error.document(told), headers)
    match kind:
        case Kind.UNPROCESSABLE:
            wrong = {"type": "missing", "loc": ["body", "messages"], "msg": "Field required", "input": key_sent}
            return ErrorAnswer(422, {"detail": [wrong]})
        case Kind.BARE_CODE:
            return ErrorAnswer(200, {"code": 500, "msg": f"upstream error {behaviour.echo and key_sent}"})
        case Kind.CONTEXT:
            return ErrorAnswer(400, (_CONTEXT_CHAT if request.is_chat else _CONTEXT_RESPONSE).document())
        case Kind.CONTEXT_VLLM_OLD:
            return ErrorAnswer(400, {"object": "error", **_CONTEXT_VLLM_OLD.document()["error"]})
    return None


def in_body(behaviour: Behaviour, key_sent: str) -> Json | None:
    """Return the error that a behaviour tells with status 200, where it does."""
    if behaviour.kind not in _IN_BODY:
        return None
    message, code = _IN_BODY[behaviour.kind]
    return {"message": f"{message} {key_sent}" if behaviour.echo else message, "code": code}


def overloaded(echo: str | None = None) -> Json:
    """Return the error that is told in the middle of a reply, with what is to be echoed."""
    told: Json = _ERRORS[Kind.SERVER_ERROR].document(None if echo is None else f"Overloaded, {echo}")["error"]
    return told


def bad_request(message: str) -> ErrorAnswer:
    """Return the error for a request that no behaviour is asked about, because nothing in it can be understood."""
    return ErrorAnswer(400, Error(400, message, _WRONG).document())
