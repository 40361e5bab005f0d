"""The SDK's exceptions, made as the SDK makes them, and what is read out of them."""

from typing import Any

import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.models.http_library import httpx
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.refusals import failure_of, shortened
from herobench.models.secrets import Secrets
from tests.models.asked import KEY
from tests.models.odd_values import JSON, objects

REQUEST = httpx.Request("POST", "http://localhost/v1/chat/completions")


def refused(status: int | None, body: object, headers: dict[str, str] | None = None) -> ModelError:
    """A refusal with a status, or without one as it comes in mid-stream."""
    if status is None:
        return told(openai.APIError("An error occurred during streaming", REQUEST, body=body))
    response = httpx.Response(status, headers=headers, request=REQUEST)
    return told(openai.APIStatusError(f"Error code: {status}", response=response, body=body))


def told(error: Exception) -> ModelError:
    """The failure as it is told."""
    return shortened(Secrets([KEY]).failure(failure_of(error)))


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, ErrorKind.REFUSED),
        (401, ErrorKind.AUTH),
        (402, ErrorKind.QUOTA),  # as OpenRouter, DeepSeek and others have it
        (403, ErrorKind.AUTH),
        (404, ErrorKind.NO_MODEL),
        (405, ErrorKind.REFUSED),
        (408, ErrorKind.TIMEOUT),
        (409, ErrorKind.SERVER),
        (413, ErrorKind.CONTEXT),
        (422, ErrorKind.REFUSED),
        (429, ErrorKind.RATE_LIMIT),
        (500, ErrorKind.SERVER),
        (503, ErrorKind.SERVER),
        (529, ErrorKind.SERVER),
        (None, ErrorKind.SERVER),
    ],
)
def test_a_status_alone_says_what_kind_of_refusal_it_is(status: int | None, kind: ErrorKind) -> None:
    error = refused(status, None)
    assert (error.kind, error.status) == (kind, status)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (429, {"code": "insufficient_quota"}, ErrorKind.QUOTA),
        (429, {"type": "insufficient_quota"}, ErrorKind.QUOTA),
        (400, {"code": "billing_hard_limit_reached"}, ErrorKind.QUOTA),
        (None, {"code": "insufficient_quota"}, ErrorKind.QUOTA),
        (400, {"code": "model_not_found"}, ErrorKind.NO_MODEL),
        (400, {"code": "content_filter"}, ErrorKind.FILTERED),
        (400, {"code": "context_length_exceeded"}, ErrorKind.CONTEXT),
        (None, {"code": "context_length_exceeded"}, ErrorKind.CONTEXT),
        (None, {"code": "rate_limit_exceeded"}, ErrorKind.RATE_LIMIT),
        (None, {"type": "rate_limit_error"}, ErrorKind.RATE_LIMIT),
        (None, {"code": "server_error"}, ErrorKind.SERVER),
        (500, {"message": "prompt is too long"}, ErrorKind.SERVER),
    ],
)
def test_a_code_or_a_type_says_more_than_the_status(status: int | None, body: object, kind: ErrorKind) -> None:
    assert refused(status, body).kind is kind


@pytest.mark.parametrize(
    "words",
    [
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
        "Your input exceeds the context window of this model.",
        "the request exceeds the available context size, try increasing it",
        "prompt is too long: 5000 tokens > 4096 maximum",
        "Too many input tokens.",
    ],
)
@pytest.mark.parametrize("status", [400, 422, None])
def test_servers_without_codes_say_in_words_that_a_prompt_is_too_long(status: int | None, words: str) -> None:
    error = refused(status, {"message": words, "code": 400})
    assert (error.kind, error.passing, error.message) == (ErrorKind.CONTEXT, False, words)


def test_other_words_about_tokens_are_no_such_thing() -> None:
    error = refused(400, {"message": "max_tokens is too large: 100000. This model supports at most 16384 tokens."})
    assert error.kind is ErrorKind.REFUSED


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "2"}, 2.0),
        ({"Retry-After": " 2.5 "}, 2.5),
        ({"Retry-After": "0"}, 0.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "Retry-After": "60"}, 1.5),
        ({"retry-after-ms": "soon", "Retry-After": "60"}, 60.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": ""}, None),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00"}, 0.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:09 GMT", "Date": "Wed, 21 Oct 2015 07:28:00 GMT"}, 9.0),
        ({"Retry-After": "Wed, 21 Oct 2055 07:28:09 GMT", "Date": "Wed, 21 Oct 2055 07:28:30 GMT"}, 0.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT", "Date": "yesterday"}, 0.0),
    ],
)
@pytest.mark.parametrize("status", [429, 503])
def test_the_wait_that_a_server_asks_for_is_read(status: int, headers: dict[str, str], seconds: float | None) -> None:
    assert refused(status, None, headers).retry_after == seconds


@pytest.mark.parametrize("cause", [None, OSError(111, "Connection refused"), OSError(f"with {KEY}"), OSError()])
def test_a_connection_that_failed_says_why_where_that_is_known(cause: Exception | None) -> None:
    error = openai.APIConnectionError(request=REQUEST)
    error.__cause__ = cause
    failure = told(error)
    assert (failure.kind, KEY in failure.message) == (ErrorKind.CONNECTION, False)
    assert ("(" in failure.message) == bool(cause and str(cause))


def test_a_timeout_is_one_though_the_sdk_calls_it_a_failed_connection() -> None:
    assert told(openai.APITimeoutError(REQUEST)).kind is ErrorKind.TIMEOUT


BODIES = JSON | objects(message=st.text(), code=st.text(), type=st.text(), error=objects(message=st.text()))
HEADERS = st.dictionaries(
    st.sampled_from(["retry-after", "retry-after-ms"]),
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=40) | st.integers().map(str),
)


@given(st.none() | st.integers(300, 599), BODIES, HEADERS)
def test_any_refusal_becomes_one_failure_on_one_line(status: int | None, body: Any, headers: dict[str, str]) -> None:
    error = refused(status, body, headers)
    assert error.status == status
    assert error.message == " ".join(error.message.split())
    assert 0 < len(error.message) <= 500
    assert error.retry_after is None or error.retry_after >= 0.0


@given(st.text(), st.text())
def test_no_words_around_the_key_keep_it_from_being_blotted_out(before: str, after: str) -> None:
    assert KEY not in refused(400, {"message": f"{before}{KEY}{after}"}).message
