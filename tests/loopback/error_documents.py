"""The answers that are errors from their first line on: status, headers, and the document in the provider's words."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from email.utils import formatdate
from math import ceil

from tests.loopback.api_request import ApiRequest
from tests.loopback.behaviour import Behaviour, Json, Kind

OVERLOADED: Json = {
    "message": "The server had an error while processing your request. Sorry about that!",
    "type": "server_error",
    "param": None,
    "code": None,
}


def overloaded(echo: str | None = None) -> Json:
    """The error that is told in the middle of a reply, with what is to be echoed."""
    return OVERLOADED if echo is None else {**OVERLOADED, "message": f"Overloaded, {echo}"}


_CONTEXT_CHAT = (
    "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens. "
    "Please reduce the length of the messages."
)
_CONTEXT_RESPONSE = "Your input exceeds the context window of this model. Please adjust your input and try again."
_VLLM = (
    "This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens. "
    "Please reduce the length of the input messages."
)
_VLLM_OLD = (
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, "
    "1000 in the completion). Please reduce the length of the messages or completion."
)
_RATE = "Rate limit reached for {model} on requests per min (RPM): Limit 3, Used 3, Requested 1."
_RATE_LIMIT = (429, _RATE, "requests", None, "rate_limit_exceeded")
_WRONG = "invalid_request_error"

# Status, message, type, param and code.
_SIMPLE: dict[Kind, tuple[int, str, str, str | None, str | int | None]] = {
    Kind.RATE_LIMIT: _RATE_LIMIT,
    Kind.RATE_LIMIT_SECONDS: _RATE_LIMIT,
    Kind.RATE_LIMIT_DATE: _RATE_LIMIT,
    Kind.RATE_LIMIT_MS: _RATE_LIMIT,
    Kind.QUOTA: (
        429,
        "You exceeded your current quota, please check your plan and billing details.",
        "insufficient_quota",
        None,
        "insufficient_quota",
    ),
    Kind.RATE_LIMIT_ABSURD: _RATE_LIMIT,
    Kind.PAYMENT: (402, "Insufficient Balance", "unknown_error", None, "invalid_request_error"),
    Kind.CONFLICT: (409, "The request conflicts with another one.", "conflict", None, None),
    Kind.TOO_LARGE: (413, "Request exceeds the maximum size", "request_too_large", None, None),
    Kind.NOT_ALLOWED: (405, "Method Not Allowed", "method_not_allowed", None, None),
    Kind.OVERLOADED: (529, "Overloaded", "overloaded_error", None, None),
    Kind.SERVER_ERROR: (500, OVERLOADED["message"], "server_error", None, None),
    Kind.UNAVAILABLE: (503, "That model is currently overloaded with other requests.", "server_error", None, None),
    Kind.TIMEOUT: (408, "Request timed out.", "timeout", None, None),
    Kind.CONTEXT_VLLM: (400, _VLLM, "BadRequestError", None, 400),
    Kind.BAD_REQUEST: (
        400,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        _WRONG,
        "max_tokens",
        "unsupported_parameter",
    ),
    Kind.UNAUTHORIZED: (401, "Incorrect API key provided: {key}.", _WRONG, None, "invalid_api_key"),
    Kind.FORBIDDEN: (
        403,
        "Country, region, or territory not supported",
        "request_forbidden",
        None,
        "unsupported_country_region_territory",
    ),
    Kind.NO_MODEL: (
        404,
        "The model `{model}` does not exist or you do not have access to it.",
        _WRONG,
        None,
        "model_not_found",
    ),
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
    """The error that a behaviour is, where it is one."""
    simple = _SIMPLE.get(behaviour.kind)
    if simple:
        status, message, sort, param, code = simple
        told = behaviour.message or message.format(model=request.model, key=key_sent)
        if behaviour.echo and key_sent not in told:
            told = f"{told} You are {key_sent}."
        return ErrorAnswer(status, _error(told, sort, param, code), _retry_after(behaviour))
    if behaviour.kind is Kind.UNPROCESSABLE:
        wrong = {"type": "missing", "loc": ["body", "messages"], "msg": "Field required", "input": key_sent}
        return ErrorAnswer(422, {"detail": [wrong]})
    if behaviour.kind is Kind.BARE_CODE:
        return ErrorAnswer(200, {"code": 500, "msg": f"upstream error {behaviour.echo and key_sent}"})
    if behaviour.kind is Kind.CONTEXT:
        return ErrorAnswer(400, _context(request))
    if behaviour.kind is Kind.CONTEXT_VLLM_OLD:
        return ErrorAnswer(400, {"object": "error", **_error(_VLLM_OLD, "BadRequestError", None, 400)["error"]})
    return None


def in_body(behaviour: Behaviour, key_sent: str) -> Json | None:
    """The error that a behaviour tells with status 200, where it does."""
    if behaviour.kind not in _IN_BODY:
        return None
    message, code = _IN_BODY[behaviour.kind]
    return {"message": f"{message} {key_sent}" if behaviour.echo else message, "code": code}


def bad_request(message: str) -> ErrorAnswer:
    """For requests that no behaviour is asked about, because nothing in them can be understood."""
    return ErrorAnswer(400, _error(message, _WRONG, None, None))


def _error(message: str, sort: str, param: str | None, code: str | int | None) -> Json:
    return {"error": {"message": message, "type": sort, "param": param, "code": code}}


def _context(request: ApiRequest) -> Json:
    if request.is_chat:
        return _error(_CONTEXT_CHAT, _WRONG, "messages", "context_length_exceeded")
    return _error(_CONTEXT_RESPONSE, _WRONG, "input", "context_length_exceeded")


def _retry_after(behaviour: Behaviour) -> dict[str, str]:
    match behaviour.kind:
        case Kind.RATE_LIMIT_SECONDS:
            return {"Retry-After": f"{behaviour.seconds:g}"}
        case Kind.RATE_LIMIT_DATE:
            return {"Retry-After": formatdate(ceil(time.time() + behaviour.seconds), usegmt=True)}
        case Kind.RATE_LIMIT_MS:
            return {"retry-after-ms": f"{behaviour.seconds * 1000:.0f}"}
        case Kind.RATE_LIMIT_ABSURD:
            return {"Retry-After": "86400000"}
        case _:
            return {}
