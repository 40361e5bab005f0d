"""The SDK's exceptions, made as the SDK makes them, and what is read out of them."""

from typing import Any

import openai
from hypothesis import given
from hypothesis import strategies as st

from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.secrets import Secrets
from herobench.models.server_errors import as_model_error, failure_in, httpx, shortened
from tests.models.asked import JSON, KEY, objects
from tests.sizes import for_each

REQUEST = httpx.Request("POST", "http://localhost/v1/chat/completions")


def refused(status: int | None, body: object, headers: dict[str, str] | None = None) -> ModelError:
    """A refusal with a status, or without one as it comes in mid-stream."""
    if status is None:
        return told(openai.APIError("An error occurred during streaming", REQUEST, body=body))
    response = httpx.Response(status, headers=headers, request=REQUEST)
    return told(openai.APIStatusError(f"Error code: {status}", response=response, body=body))


def told(error: Exception) -> ModelError:
    """The failure as it is told."""
    return shortened(Secrets([KEY]).failure(as_model_error(error)))


@for_each(
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


@for_each(
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


@for_each(
    "words",
    [
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
        "Your input exceeds the context window of this model.",
        "the request exceeds the available context size, try increasing it",
        "prompt is too long: 5000 tokens > 4096 maximum",
        "Too many input tokens.",
    ],
)
@for_each("status", [400, 422, None])
def test_servers_without_codes_say_in_words_that_a_prompt_is_too_long(status: int | None, words: str) -> None:
    error = refused(status, {"message": words, "code": 400})
    assert (error.kind, error.passing, error.message) == (ErrorKind.CONTEXT, False, words)


@for_each(
    "words",
    [
        "This model's maximum context length is 4096 tokens. However, you requested 0 output tokens and your prompt "
        "contains at least 5000 input tokens.",
        "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
        "Unable to submit request because the input token count is 32825 but model only supports up to 32768.",
        "Input length (265330) exceeds model's maximum context length (262144).",
        "Input length 131393 exceeds the maximum allowed input length of 131040 tokens.",
        "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
        "Please reduce the length of the messages or completion.",
        "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
        "Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)",
        "invalid params, context window exceeds limit (2013)",
        "Input is too long for requested model.",
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens",
        "prompt token count of 5000 exceeds the limit of 4096",
        "prompt too long; exceeded max context length by 904 tokens",
        "Range of input length should be [1, 129024]",
        "Prompt exceeds max length",
        "Input tokens exceed the configured limit of 272000 tokens.",
        "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
        "Cannot truncate prompt with n_keep (5000) >= n_ctx (4096)",
        "The sum of prompt length (5000) and output tokens (1) should not exceed max_seq_len (4096)",
        "tokens_limit_reached: Request body too large for gpt-4o model.",
        "Your prompt contains 140,000 tokens, exceeding the maximum allowed 131,072 tokens.",
    ],
)
def test_each_server_says_in_words_of_its_own_that_a_conversation_is_too_long(words: str) -> None:
    assert refused(400, {"message": words}).kind is ErrorKind.CONTEXT
    assert refused(429, {"message": words}).kind is ErrorKind.RATE_LIMIT


def test_some_call_it_a_failure_of_their_own() -> None:
    assert refused(500, {"message": "the request exceeds the available context size"}).kind is ErrorKind.CONTEXT
    words = "The decoder prompt (length 5000) is longer than the maximum model length of 4096."
    assert refused(500, {"message": words}).kind is ErrorKind.CONTEXT
    assert refused(413, {"message": "Too large.", "code": "tokens_limit_reached"}).kind is ErrorKind.CONTEXT
    assert refused(500, {"message": "max_seq_len is not set"}).kind is ErrorKind.SERVER
    assert refused(400, {"message": "Too long.", "type": "exceed_context_size_error"}).kind is ErrorKind.CONTEXT
    assert refused(500, {"message": "Too long.", "type": "exceed_context_size_error"}).kind is ErrorKind.CONTEXT


@for_each(
    ("status", "words", "kind"),
    [
        (400, "max_tokens is too large: 100000. This model supports at most 16384 tokens.", ErrorKind.REFUSED),
        (429, "Request too large for model on tokens per minute (TPM): too many tokens.", ErrorKind.RATE_LIMIT),
        (503, "Too many tokens, please wait before trying again.", ErrorKind.SERVER),
    ],
)
def test_other_words_about_tokens_are_no_such_thing(status: int, words: str, kind: ErrorKind) -> None:
    assert refused(status, {"message": words}).kind is kind
    assert refused(None, {"message": "too many tokens", "code": "rate_limit_exceeded"}).kind is ErrorKind.RATE_LIMIT


@for_each(
    ("code", "kind"),
    [
        (400, ErrorKind.REFUSED),
        (401, ErrorKind.AUTH),
        ("402", ErrorKind.QUOTA),
        (403, ErrorKind.AUTH),
        (404, ErrorKind.NO_MODEL),
        (429, ErrorKind.RATE_LIMIT),
        (502, ErrorKind.SERVER),
    ],
)
def test_the_number_of_a_failure_counts_as_its_status_wherever_it_stands(code: object, kind: ErrorKind) -> None:
    amid = refused(None, {"message": "No.", "code": code})
    inside = failure_in({"error": {"message": "No.", "code": code}}, "choices")
    bare = failure_in({"code": code, "msg": "No."}, "choices")
    for error in (amid, inside, bare):
        assert error is not None
        assert (error.kind, error.status) == (kind, int(str(code)))
        assert "No." in error.message


@for_each("code", [0, 200, 399, 600, 1113, "1302", 40.0, True, None, "4e2", [401]])
def test_other_codes_are_no_status(code: object) -> None:
    error = failure_in({"error": {"message": "No.", "code": code}}, "choices")
    assert error is not None
    assert (error.kind, error.status) == (ErrorKind.SERVER, None)
    assert failure_in({"code": code, "choices": []}, "choices") is None
    assert failure_in({"code": 500, "choices": [{}]}, "choices") is None


def test_a_list_of_what_is_wrong_is_told_with_the_places() -> None:
    wrong = [{"loc": ["body", "messages", 3, "name"], "msg": "Extra inputs are not permitted", "input": "x"}, 7]
    for body in ({"detail": wrong}, {"message": {"detail": wrong}}, {"message": wrong}):
        assert refused(422, body).message == "body.messages.3.name: Extra inputs are not permitted"
    gemini = [{"error": {"code": 400, "message": "It is missing a thought_signature.", "status": "INVALID_ARGUMENT"}}]
    assert refused(400, gemini).message == "It is missing a thought_signature."


@for_each(
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
        ({"Retry-After": "1e3"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": "9" * 400}, None),
        ({"Retry-After": "Wed, 99999999999999999999 Oct 2015 07:28:00 GMT"}, None),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 +99999999999999999999"}, None),
        ({"Retry-After": "Wed, 21 Oct 99999 07:28:00 GMT"}, None),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00"}, 0.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:09 GMT", "Date": "Wed, 21 Oct 2015 07:28:00 GMT"}, 9.0),
        ({"Retry-After": "Wed, 21 Oct 2055 07:28:09 GMT", "Date": "Wed, 21 Oct 2055 07:28:30 GMT"}, 0.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT", "Date": "yesterday"}, 0.0),
    ],
)
@for_each("status", [429, 503])
def test_the_wait_that_a_server_asks_for_is_read(status: int, headers: dict[str, str], seconds: float | None) -> None:
    assert refused(status, None, headers).retry_after == seconds


@for_each("cause", [None, OSError(111, "Connection refused"), OSError(f"with {KEY}"), OSError()])
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
    assert error.status == status or (status is None and 400 <= (error.status or 0) < 600)
    assert error.message == " ".join(error.message.split())
    assert 0 < len(error.message) <= 500
    assert error.retry_after is None or error.retry_after >= 0.0


@given(st.text(), st.text())
def test_no_words_around_the_key_keep_it_from_being_blotted_out(before: str, after: str) -> None:
    assert KEY not in refused(400, {"message": f"{before}{KEY}{after}"}).message
