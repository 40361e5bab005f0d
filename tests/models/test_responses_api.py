from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from herobench.conversation import Message, Reply, Request, Usage
from herobench.models.model import Sampling
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.responses_api import ResponsesReply, request
from tests.models.odd_values import JSON, lists, objects

MESSAGES = [Message("system", "Plan."), Message("user", "Beat the drake.")]
COUNTED = {
    "input_tokens": 10,
    "output_tokens": 7,
    "input_tokens_details": {"cached_tokens": 4},
    "output_tokens_details": {"reasoning_tokens": 3},
}


def body(sampling: Sampling, *, stream: bool = False) -> dict[str, Any]:
    return request("a-model", Request("t", 0, MESSAGES), sampling, stream=stream)


def message(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": list(parts)}


def said(text: Any) -> dict[str, Any]:
    return {"type": "output_text", "text": text}


def response(*output: Any, **more: Any) -> dict[str, Any]:
    return {"id": "resp_1", "model": "served", "status": "completed", "output": list(output), **more}


def ended(whole: Any, how: str = "completed") -> dict[str, Any]:
    """The last event of a stream."""
    return {"type": f"response.{how}", "response": whole}


def read(*events: object, stream: bool = True) -> Reply:
    reply = ResponsesReply(stream=stream)
    for event in events:
        reply.add(event)
    return reply.reply()


def fails(*events: object, stream: bool = True) -> ModelError:
    with pytest.raises(ModelError) as raised:
        read(*events, stream=stream)
    return raised.value


# -- what is sent -----------------------------------------------------------------------------------------------------


def test_what_nobody_chose_is_left_to_the_server_but_it_is_to_keep_nothing() -> None:
    assert body(Sampling()) == {
        "model": "a-model",
        "input": [{"role": "system", "content": "Plan."}, {"role": "user", "content": "Beat the drake."}],
        "store": False,
    }


def test_what_was_chosen_is_sent_under_the_names_of_the_api() -> None:
    sent = body(Sampling(1000, 0.0, 0.9, None, "high", {"truncation": "auto", "store": True}), stream=True)
    assert {name: value for name, value in sent.items() if name not in ("model", "input")} == {
        "max_output_tokens": 1000,
        "temperature": 0.0,
        "top_p": 0.9,
        "reasoning": {"effort": "high", "summary": "auto"},
        "store": True,
        "stream": True,
        "truncation": "auto",
    }


# -- what comes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stream", [False, True])
def test_the_whole_response_is_the_reply(stream: bool) -> None:
    thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}
    whole = response(thought, message(said("a"), said("b")), usage=COUNTED)
    expected = Reply("ab", reasoning="hm", stop="stop", usage=Usage(10, 7, 3, 4), model="served", id="resp_1")
    assert read(ended(whole) if stream else whole, stream=stream) == expected


def test_events_before_the_last_only_repeat_it() -> None:
    deltas: list[dict[str, Any]] = [
        {"type": "response.created", "response": response(status="in_progress")},
        {"type": "response.output_text.delta", "delta": "a"},
        {"type": "response.output_text.done", "text": "a"},
        {"type": "something.new"},
        {},
    ]
    assert read(*deltas, ended(response(message(said("a"))))).text == "a"


def test_reasoning_comes_as_summaries_and_in_full() -> None:
    thoughts = {
        "type": "reasoning",
        "summary": [{"type": "summary_text", "text": "one"}, {"type": "summary_text", "text": "two"}],
        "content": [{"type": "reasoning_text", "text": "three"}],
    }
    reply = read(ended(response(thoughts, message(said("a")))))
    assert (reply.text, reply.reasoning) == ("a", "one\n\ntwo\n\nthree")


def test_only_texts_of_messages_are_the_text() -> None:
    others = [
        {"type": "function_call", "content": [said("no")]},
        message({"type": "input_text", "text": "no"}, said("a")),
        message(said(""), said(None), said("b")),
        {"type": "reasoning", "content": [said("no")]},
    ]
    assert read(ended(response(*others))).text == "ab"


@pytest.mark.parametrize("usage", [None, {}, "many", {"output_tokens": True}])
def test_usage_may_be_missing(usage: Any) -> None:
    assert read(ended(response(message(said("a")), usage=usage))).usage == Usage()
    assert read(response(message(said("a"))), stream=False).usage == Usage()


def test_a_refusal_is_the_reply_where_there_is_no_other() -> None:
    no = {"type": "refusal", "refusal": "I cannot."}
    refused = read(ended(response(message(no))))
    assert (refused.text, refused.stop) == ("I cannot.", "refusal")
    both = read(ended(response(message(no, said("a")))))
    assert (both.text, both.stop) == ("a", "stop")


@pytest.mark.parametrize(
    ("details", "stop"),
    [
        ({"reason": "max_output_tokens"}, "length"),
        ({"reason": "something_new"}, "something_new"),
        ({"reason": None}, "incomplete"),
        (None, "incomplete"),
    ],
)
def test_an_incomplete_response_is_a_reply_and_says_why_it_ended(details: Any, stop: str) -> None:
    whole = response(message(said("half")), status="incomplete", incomplete_details=details)
    for reply in (read(ended(whole, "incomplete")), read(whole, stream=False)):
        assert (reply.text, reply.stop) == ("half", stop)


def test_thoughts_alone_are_a_reply_and_so_is_nothing_that_was_counted() -> None:
    thought = read(ended(response({"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]})))
    assert (thought.text, thought.reasoning) == ("", "hm")
    assert read(ended(response(usage={"output_tokens": 5}))).usage.output == 5


# -- what is no reply -------------------------------------------------------------------------------------------------


def test_a_stream_without_its_last_event_was_cut_off() -> None:
    error = fails({"type": "response.created", "response": response(message(said("a")))})
    assert (error.kind, error.passing) == (ErrorKind.TRUNCATED, True)


def test_a_stream_without_one_event_is_none() -> None:
    assert fails().kind is ErrorKind.MALFORMED


def test_what_a_filter_stopped_is_no_reply() -> None:
    details = {"reason": "content_filter"}
    error = fails(ended(response(message(said("ha")), status="incomplete", incomplete_details=details), "incomplete"))
    assert (error.kind, error.passing) == (ErrorKind.FILTERED, False)


@pytest.mark.parametrize("whole", [{}, response(), response(message()), response(message(said("")), usage={})])
def test_a_response_with_nothing_in_it_is_none(whole: dict[str, Any]) -> None:
    assert fails(ended(whole)).kind is fails(whole, stream=False).kind is ErrorKind.EMPTY


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("server_error", ErrorKind.SERVER),
        ("rate_limit_exceeded", ErrorKind.RATE_LIMIT),
        ("context_length_exceeded", ErrorKind.CONTEXT),
        ("insufficient_quota", ErrorKind.QUOTA),
        ("model_not_found", ErrorKind.NO_MODEL),
        ("something_new", ErrorKind.SERVER),
        (None, ErrorKind.SERVER),
    ],
)
def test_a_failure_is_of_its_code_wherever_it_is_told(code: str | None, kind: ErrorKind) -> None:
    error = {"code": code, "message": "It did not work."}
    for found in (
        fails(ended(response(status="failed", error=error), "failed")),
        fails({"type": "error", **error}),
        fails(response(status="failed", error=error), stream=False),
        fails({"error": error}, stream=False),
    ):
        assert (found.kind, "It did not work." in found.message) == (kind, True)


def test_a_failure_that_gives_no_reason_says_so() -> None:
    assert "does not say why" in fails(ended(response(status="failed", error=None), "failed")).message


@pytest.mark.parametrize("event", [None, [], "a text", 7, ["x" * 10_000]])
def test_what_is_no_object_is_told_in_short(event: object) -> None:
    for stream in (False, True):
        error = fails(event, stream=stream)
        assert error.kind is ErrorKind.MALFORMED
        assert len(error.message) < 300


WHOLE = objects(
    id=st.just("resp_1"),
    model=st.just("served"),
    status=st.sampled_from(["completed", "incomplete", "failed"]),
    incomplete_details=objects(reason=st.sampled_from(["max_output_tokens", "content_filter"])),
    error=st.none() | objects(code=st.text(), message=st.text()),
    usage=objects(input_tokens=st.integers(), output_tokens=st.integers(), output_tokens_details=JSON),
    output=lists(
        objects(
            type=st.sampled_from(["message", "reasoning"]),
            content=lists(objects(type=st.sampled_from(["output_text", "refusal"]), text=st.text(), refusal=st.text())),
            summary=lists(objects(type=st.just("summary_text"), text=st.text())),
        )
    ),
)
LAST = st.sampled_from(["response.completed", "response.incomplete", "response.failed", "error"])
EVENTS = objects(type=LAST, response=WHOLE, code=st.text(), message=st.text())


@given(st.lists(JSON | WHOLE | EVENTS, max_size=3), st.booleans())
@example([{"type": []}], True)
@example([{"type": {}}], True)
@example([{"type": "error", "code": [], "message": {}}], True)
def test_whatever_events_come_they_are_a_reply_or_a_failure(events: list[Any], stream: bool) -> None:
    try:
        reply = read(*events, stream=stream)
    except ModelError:
        return
    assert Reply.from_row(reply.as_row()) == reply
    assert reply.text or reply.reasoning or reply.usage.output
