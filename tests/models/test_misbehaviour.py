"""The outcome of each misbehaviour of the loopback server: one table for all ways of asking, and the differences."""

from typing import NamedTuple

import pytest

from herobench.conversation import Reply
from herobench.models.model_error import ErrorKind
from tests.loopback import Behaviour, Loopback, default_answer
from tests.loopback import Kind as Wrong
from tests.models.asked import (
    CHAT,
    KEY,
    MODEL,
    PAID,
    RESPONSE,
    RESPONSE_STREAM,
    WAYS,
    Outcome,
    Way,
    ask,
    every_way,
    expect_failure,
    expect_reply,
    setting,
    told,
)
from tests.sizes import for_each


class Expected(NamedTuple):
    """The expected outcome. The kind is None where a reply is expected."""

    kind: ErrorKind | None
    status: int | None = None
    words: str = ""
    """Some that must be told."""


GOOD = Expected(None)
RATE = Expected(ErrorKind.RATE_LIMIT, 429, f"Rate limit reached for {MODEL}")
LONG = Expected(ErrorKind.CONTEXT, 400, "context")
BROKEN = Expected(ErrorKind.CONNECTION)
TORN = Expected(ErrorKind.MALFORMED)
CUT_OFF = Expected(ErrorKind.TRUNCATED)
EMPTY = Expected(ErrorKind.EMPTY)

EVERYWHERE = {
    Wrong.OK: GOOD,
    Wrong.REFUSAL: GOOD,
    Wrong.LENGTH: GOOD,
    Wrong.RATE_LIMIT: RATE,
    Wrong.RATE_LIMIT_SECONDS: RATE,
    Wrong.RATE_LIMIT_DATE: RATE,
    Wrong.RATE_LIMIT_MS: RATE,
    Wrong.RATE_LIMIT_ABSURD: Expected(ErrorKind.RATE_LIMIT, 429, "It asks to wait 86,400,000 seconds"),
    Wrong.PAYMENT: Expected(ErrorKind.QUOTA, 402, "Insufficient Balance"),
    Wrong.QUOTA: Expected(ErrorKind.QUOTA, 429, "exceeded your current quota"),
    Wrong.SERVER_ERROR: Expected(ErrorKind.SERVER, 500, "had an error"),
    Wrong.UNAVAILABLE: Expected(ErrorKind.SERVER, 503, "overloaded"),
    Wrong.TIMEOUT: Expected(ErrorKind.TIMEOUT, 408, "timed out"),
    Wrong.HTML_502: Expected(ErrorKind.SERVER, 502, "502"),
    Wrong.HTML_504: Expected(ErrorKind.SERVER, 504, "504"),
    Wrong.OVERLOADED: Expected(ErrorKind.SERVER, 529, "Overloaded"),
    Wrong.CONFLICT: Expected(ErrorKind.SERVER, 409, "conflicts"),
    Wrong.CODE_401: Expected(ErrorKind.AUTH, 401, "No auth credentials"),
    Wrong.CODE_402: Expected(ErrorKind.QUOTA, 402, "Insufficient credits"),
    Wrong.CODE_429: Expected(ErrorKind.RATE_LIMIT, 429, "Provider returned error"),
    Wrong.CODE_503: Expected(ErrorKind.SERVER, 503, "No instances"),
    Wrong.BARE_CODE: Expected(ErrorKind.SERVER, 500, "upstream error"),
    Wrong.CONTEXT_STOP: Expected(ErrorKind.CONTEXT),
    Wrong.TOO_LARGE: Expected(ErrorKind.CONTEXT, 413, "exceeds the maximum size"),
    Wrong.UNPROCESSABLE: Expected(ErrorKind.REFUSED, 422, "Field required"),
    Wrong.NOT_ALLOWED: Expected(ErrorKind.REFUSED, 405, "Method Not Allowed"),
    Wrong.CONTEXT: LONG,
    Wrong.CONTEXT_VLLM: LONG,
    Wrong.CONTEXT_VLLM_OLD: LONG,
    Wrong.BAD_REQUEST: Expected(ErrorKind.REFUSED, 400, "Use 'max_completion_tokens' instead."),
    Wrong.UNAUTHORIZED: Expected(ErrorKind.AUTH, 401, "Incorrect API key provided: [key]."),
    Wrong.FORBIDDEN: Expected(ErrorKind.AUTH, 403, "not supported"),
    Wrong.NO_MODEL: Expected(ErrorKind.NO_MODEL, 404, f"The model `{MODEL}` does not exist"),
    Wrong.CUT_HEAD: BROKEN,
    Wrong.BAD_CHUNK: BROKEN,
    Wrong.CLOSED: BROKEN,
    Wrong.SILENCE: BROKEN,
    Wrong.RESET: BROKEN,
    Wrong.CUT: BROKEN,
    Wrong.TRUNCATED: CUT_OFF,
    Wrong.NO_DONE: GOOD,
    Wrong.RESET_AT_END: GOOD,
    Wrong.CUT_AT_END: GOOD,
    Wrong.STALL_AT_END: GOOD,
    Wrong.GARBAGE_AT_END: GOOD,
    Wrong.ERROR_AT_END: GOOD,
    Wrong.MALFORMED_CHUNK: TORN,
    Wrong.MALFORMED_BODY: TORN,
    Wrong.EMPTY_BODY: TORN,
    Wrong.NOT_UTF8: TORN,
    Wrong.PINGS: GOOD,
    Wrong.WRONG_USAGE: GOOD,
    Wrong.THOUGHTS_ONLY: GOOD,
    Wrong.EMPTY_LENGTH: GOOD,
    Wrong.HTML: TORN,
    Wrong.STREAM_ERROR: Expected(ErrorKind.SERVER, None, "had an error"),
    Wrong.EMPTY_CHOICES: EMPTY,
    Wrong.EMPTY_CONTENT: GOOD,
    Wrong.NO_FINISH: GOOD,
    Wrong.CONTENT_FILTER: Expected(ErrorKind.FILTERED),
}
ELSEWHERE = {
    (CHAT, Wrong.TRUNCATED): TORN,
    (RESPONSE, Wrong.TRUNCATED): TORN,
}
UNCOUNTED = {(RESPONSE_STREAM, wrong) for wrong in (Wrong.NO_DONE, Wrong.ERROR_AT_END, Wrong.GARBAGE_AT_END)}
"""Cases in which the usage was in the event that never came."""


def expected(way: Way, wrong: Wrong) -> Expected:
    return ELSEWHERE.get((way, wrong), EVERYWHERE[wrong])


def outcomes(way: Way) -> dict[Wrong, Outcome]:
    """Ask for each behaviour once, one after the other; return the outcomes."""
    with Loopback(lambda key, attempt: Behaviour(Wrong(key), seconds=0.02)) as server:
        found = ask(setting(server.url, way), list(Wrong))
        assert [record.key for record in server.records()] == list(Wrong), "none is asked again by the SDK"
        server.wait_until(lambda now: now.in_flight == now.connections == 0)
    return dict(zip(Wrong, found, strict=True))


@pytest.fixture(scope="module")
def all_outcomes() -> dict[Way, dict[Wrong, Outcome]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", KEY)
        return {way: outcomes(way) for way in WAYS}


@every_way
@for_each("wrong", Wrong)
def test_each_misbehaviour_is_a_failure_of_its_kind_or_a_reply(
    all_outcomes: dict[Way, dict[Wrong, Outcome]], way: Way, wrong: Wrong
) -> None:
    outcome = all_outcomes[way][wrong]
    kind, status, words = expected(way, wrong)
    if isinstance(outcome, Reply):
        assert kind is None
        return
    assert (outcome.kind, outcome.status) == (kind, status), outcome.message
    assert outcome.message
    assert words in outcome.message
    assert "\n" not in outcome.message


@every_way
@for_each("wrong", PAID)
def test_what_goes_wrong_after_the_reply_loses_nothing_of_it(
    all_outcomes: dict[Way, dict[Wrong, Outcome]], way: Way, wrong: Wrong
) -> None:
    good, found = (expect_reply(all_outcomes[way][one]) for one in (Wrong.OK, wrong))
    assert (found.text, found.stop, found.model) == (default_answer(wrong), "stop", good.model)
    counted = (way, wrong) not in UNCOUNTED
    assert (found.usage.output is not None, found.usage.input is not None) == (counted, counted)


@every_way
def test_a_server_that_says_no_more_after_the_reply_is_waited_for_and_loses_nothing(way: Way) -> None:
    with Loopback({"default": {"kind": "stall_at_end", "seconds": 1000}}) as server:
        (outcome,) = ask(setting(server.url, way, timeout=0.2))
    assert expect_reply(outcome).text == default_answer("k")


@every_way
def test_no_failure_tells_the_key(all_outcomes: dict[Way, dict[Wrong, Outcome]], way: Way) -> None:
    failures = [one for one in all_outcomes[way].values() if not isinstance(one, Reply)]
    assert len(failures) > 20
    assert [error for error in failures if KEY in told(error)] == []


@every_way
def test_only_who_was_told_when_to_come_again_says_so(all_outcomes: dict[Way, dict[Wrong, Outcome]], way: Way) -> None:
    told_when = {
        wrong: one.retry_after
        for wrong, one in all_outcomes[way].items()
        if not isinstance(one, Reply) and one.retry_after is not None
    }
    date = told_when.pop(Wrong.RATE_LIMIT_DATE)
    assert 0.0 <= date <= 1.02
    absurd = {Wrong.RATE_LIMIT_ABSURD: 86_400_000.0}
    assert told_when == {Wrong.RATE_LIMIT_SECONDS: 0.02, Wrong.RATE_LIMIT_MS: 0.02, **absurd}


@pytest.mark.slow
@every_way
def test_after_any_misbehaviour_the_next_request_is_answered(way: Way) -> None:
    with Loopback(lambda key, attempt: Wrong.OK if key == "good" else Behaviour(Wrong(key), seconds=0.01)) as server:
        prompts = [prompt for wrong in Wrong for prompt in (wrong.value, "good")]
        good = ask(setting(server.url, way, connections=1), prompts)[1::2]
    assert {expect_reply(one).text for one in good} == {default_answer("good")}


def test_a_server_that_is_not_there_is_a_connection_that_failed() -> None:
    with Loopback() as server:
        gone = server.url
    for way in WAYS:
        error = expect_failure(ask(setting(gone, way))[0])
        assert (error.kind, error.everywhere) == (ErrorKind.CONNECTION, True)
