import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from herobench.conversation import Message, Reply, Request, Tool, ToolCall, Usage
from herobench.models.chat_api import ChatReply, request_body
from herobench.models.model import Sampling
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.negotiation import USUAL, Dialect
from tests.models.asked import JSON, lists, objects
from tests.sizes import for_each

MESSAGES = [Message("system", "Plan."), Message("user", "Beat the drake.")]
ALL = Sampling(1000, 0.5, 0.9, 7, "high", {"top_k": 20})
COUNTED = {
    "prompt_tokens": 10,
    "completion_tokens": 7,
    "prompt_tokens_details": {"cached_tokens": 4},
    "completion_tokens_details": {"reasoning_tokens": 3},
}


def body(
    sampling: Sampling,
    epoch: int = 0,
    *,
    stream: bool = False,
    dialect: Dialect = USUAL,
    talk: Sequence[Message] = MESSAGES,
) -> dict[str, Any]:
    return request_body("a-model", Request("t", epoch, talk), sampling, stream=stream, dialect=dialect)


def delta(stop: Any = None, **said: Any) -> dict[str, Any]:
    """One chunk of a stream."""
    return {"id": "chatcmpl-1", "model": "served", "choices": [{"delta": said, "finish_reason": stop}]}


def whole(stop: Any = "stop", **said: Any) -> dict[str, Any]:
    """A document that comes whole."""
    return {"id": "chatcmpl-1", "model": "served", "choices": [{"message": said, "finish_reason": stop}]}


def read(*chunks: object, stream: bool | None = None) -> Reply:
    """Read chunks as a reply. By default several chunks are a stream, and one is a document."""
    reply = ChatReply(stream=len(chunks) > 1 if stream is None else stream)
    for chunk in chunks:
        reply.add(chunk)
    return reply.reply()


def fails(*chunks: object, stream: bool | None = None) -> ModelError:
    with pytest.raises(ModelError) as raised:
        read(*chunks, stream=stream)
    return raised.value


# -- what is sent -----------------------------------------------------------------------------------------------------


def test_what_nobody_chose_is_left_to_the_server() -> None:
    assert body(Sampling()) == {
        "model": "a-model",
        "messages": [{"role": "system", "content": "Plan."}, {"role": "user", "content": "Beat the drake."}],
    }


def test_what_was_chosen_is_sent_under_the_names_of_the_api() -> None:
    sent = body(ALL)
    assert {name: value for name, value in sent.items() if name not in ("model", "messages")} == {
        "max_tokens": 1000,
        "temperature": 0.5,
        "top_p": 0.9,
        "seed": 7,
        "reasoning_effort": "high",
        "top_k": 20,
    }


def test_the_limit_goes_under_the_name_that_the_server_takes() -> None:
    sent = body(ALL, dialect=Dialect(limit="max_completion_tokens"))
    assert sent["max_completion_tokens"] == 1000
    assert "max_tokens" not in sent


def test_a_stream_is_asked_to_tell_its_usage_and_nothing_else_is() -> None:
    sent = body(Sampling(), stream=True)
    assert (sent["stream"], sent["stream_options"]) == (True, {"include_usage": True})
    assert not body(Sampling()).keys() & {"stream", "stream_options"}
    assert "stream_options" not in body(Sampling(), stream=True, dialect=Dialect(usage=False))


def test_each_epoch_has_the_next_seed() -> None:
    assert [body(Sampling(seed=7), epoch)["seed"] for epoch in range(3)] == [7, 8, 9]
    assert "seed" not in body(Sampling(), 3)


def test_extra_fields_have_the_last_word() -> None:
    sent = body(Sampling(100, extra_body={"max_tokens": 5, "guided": {"a": None}}))
    assert (sent["max_tokens"], sent["guided"]) == (5, {"a": None})


MOVE = ToolCall("call_a", "move", '{"x": 1}')
LOOK = ToolCall("call_b", "look", "")
TALK = [
    Message("user", "Go."),
    Message("assistant", "", (MOVE, LOOK)),
    Message("tool", "moved", call_id="call_a"),
    Message("tool", "", call_id="call_b"),
    Message("assistant", "And now?", (MOVE,)),
    Message("tool", "moved", call_id="call_a"),
    Message("assistant", ""),
]
TOOL = Tool("move", "Go to a place.", {"type": "object", "properties": {"x": {"type": "integer"}}})


def test_tools_are_offered_and_nothing_is_said_of_them_where_there_are_none() -> None:
    offered = request_body("m", Request("t", 0, MESSAGES, [TOOL]), Sampling(), stream=False)["tools"]
    parameters = {"type": "object", "properties": {"x": {"type": "integer"}}}
    function = {"name": "move", "description": "Go to a place.", "parameters": parameters}
    assert offered == [{"type": "function", "function": function}]
    assert "tools" not in body(Sampling())


def test_calls_and_their_results_are_sent_back_as_strict_servers_want_them() -> None:
    sent = request_body("m", Request("t", 0, TALK), Sampling(), stream=False)["messages"]
    move = {"id": "call_a", "type": "function", "function": {"name": "move", "arguments": '{"x": 1}'}}
    look = {"id": "call_b", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    other = sent[4]["tool_calls"][0]["id"]
    assert re.fullmatch("[0-9a-f]{9}", other)
    assert sent == [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": None, "tool_calls": [move, look]},
        {"role": "tool", "tool_call_id": "call_a", "content": "moved"},
        {"role": "tool", "tool_call_id": "call_b", "content": ""},
        {"role": "assistant", "content": "And now?", "tool_calls": [{**move, "id": other}]},
        {"role": "tool", "tool_call_id": other, "content": "moved"},
        {"role": "assistant", "content": "(no text)"},
    ]


# -- what comes -------------------------------------------------------------------------------------------------------


@given(st.lists(st.text()), st.lists(st.text()))
def test_a_text_is_the_same_however_it_is_cut(pieces: list[str], thoughts: list[str]) -> None:
    chunks = [delta(reasoning_content=thought) for thought in thoughts] + [delta(content=piece) for piece in pieces]
    counted = {"choices": [], "usage": COUNTED}
    reply = read(*chunks, delta("stop"), counted, stream=True)
    assert (reply.text, reply.reasoning) == ("".join(pieces), "".join(thoughts) or None)


@for_each("name", ["reasoning_content", "reasoning"])
def test_reasoning_comes_under_two_names(name: str) -> None:
    assert read(whole(content="a", **{name: "so"})).reasoning == "so"
    assert read(delta(**{name: "s"}), delta(**{name: "o"}), delta("stop", content="a")).reasoning == "so"


def test_reasoning_under_both_names_is_the_same_and_told_once() -> None:
    assert read(whole(content="a", reasoning="so", reasoning_content="so")).reasoning == "so"


def test_content_may_come_as_parts_with_thoughts_among_them() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "so "}, {"type": "text", "text": "then"}]},
        {"type": "text", "text": "a"},
        {"type": "image_url", "image_url": {"url": "x"}, "text": "no"},
        {"type": "text", "text": "b"},
    ]
    reply = read(whole(content=parts))
    assert (reply.text, reply.reasoning) == ("ab", "so then")
    assert read(whole(content=[{"type": "thinking", "thinking": "so"}])).reasoning == "so"


def test_of_usage_that_grows_the_last_counts() -> None:
    growing = [{**delta(content="a"), "usage": {"prompt_tokens": 5, "completion_tokens": count}} for count in (1, 2)]
    assert read(*growing, delta("stop")).usage == Usage(5, 2)


@for_each("missing", [{}, {"usage": None}, {"usage": {}}, {"usage": "10"}, {"usage": []}])
def test_usage_may_be_missing(missing: dict[str, Any]) -> None:
    assert read({**whole(content="a"), **missing}).usage == Usage()


@for_each("count", [None, True, -1, 7.5, float("inf"), "7", [7]])
def test_a_count_that_is_none_is_not_known_and_not_nought(count: Any) -> None:
    usage = {"prompt_tokens": count, "completion_tokens": 0, "completion_tokens_details": count}
    assert read({**whole(content="a"), "usage": usage}).usage == Usage(None, 0)


@for_each(
    ("usage", "expected"),
    [
        # xAI counts the reasoning beside the output
        ({"completion_tokens": 9, "reasoning": 5, "total_tokens": 24}, Usage(10, 14, 5)),
        ({"completion_tokens": 3, "reasoning": 5}, Usage(10, 8, 5)),
        ({"completion_tokens": 9, "reasoning": 5, "total_tokens": 19}, Usage(10, 9, 5)),
        ({"completion_tokens": 9, "reasoning": 5}, Usage(10, 9, 5)),
        ({"completion_tokens": 9, "reasoning": 0, "total_tokens": 19}, Usage(10, 9, 0)),
        ({"completion_tokens": 12.0, "reasoning": None, "prompt_cache_hit_tokens": 4.0}, Usage(10, 12, None, 4)),
    ],
)
def test_usage_is_read_as_servers_count_it(usage: dict[str, Any], expected: Usage) -> None:
    details = {"completion_tokens_details": {"reasoning_tokens": usage.pop("reasoning")}}
    assert read({**whole(content="a"), "usage": {"prompt_tokens": 10, **usage, **details}}).usage == expected


def test_a_server_need_not_name_itself() -> None:
    unnamed = {"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}
    assert read(unnamed) == Reply("a", stop="stop")


def test_of_several_choices_the_first_is_the_reply() -> None:
    document = whole(content="first")
    document["choices"].append({"message": {"content": "second"}, "finish_reason": "length"})
    assert (read(document).text, read(document).stop) == ("first", "stop")


def test_a_refusal_is_the_reply_where_there_is_no_other() -> None:
    refused = read(whole(content=None, refusal="I cannot."))
    assert (refused.text, refused.stop) == ("I cannot.", "refusal")
    both = read(whole(content="a", refusal="I cannot."))
    assert (both.text, both.stop) == ("a", "stop")
    bit_by_bit = read(delta(refusal="I "), delta(refusal="cannot."), delta("stop"))
    assert (bit_by_bit.text, bit_by_bit.stop) == ("I cannot.", "refusal")


def test_thoughts_alone_are_a_reply_and_so_is_nothing_that_was_counted() -> None:
    thought = read(whole("length", content=None, reasoning_content="hm"))
    assert (thought.text, thought.reasoning, thought.stop) == ("", "hm", "length")
    silent = read({**whole("length", content=""), "usage": {"completion_tokens": 5}})
    assert (silent.text, silent.usage.output) == ("", 5)


def test_the_reason_to_stop_stands_whatever_follows() -> None:
    reply = read(delta("length", content="a"), delta(content=""), {"choices": [], "usage": COUNTED})
    assert (reply.text, reply.stop) == ("a", "length")


# -- tool calls -------------------------------------------------------------------------------------------------------


def called(*calls: ToolCall) -> list[dict[str, Any]]:
    return [{"id": call.id, "function": {"name": call.name, "arguments": call.arguments}} for call in calls]


def test_text_thoughts_and_calls_stand_side_by_side_and_the_word_of_the_server_stays() -> None:
    reply = read(whole("stop", content="Go!", reasoning="hm", tool_calls=called(MOVE)))
    assert (reply.text, reply.reasoning, reply.tool_calls, reply.stop) == ("Go!", "hm", (MOVE,), "stop")
    assert read(whole("stop", refusal="No.", tool_calls=called(MOVE))).stop == "stop"


def test_a_stream_that_ends_inside_the_arguments_was_cut_off() -> None:
    begun = {"index": 0, "id": "call_a", "function": {"name": "move", "arguments": '{"x": 1}'}}
    assert fails(delta(tool_calls=[begun]), stream=True).kind is ErrorKind.TRUNCATED
    cut = read(delta(tool_calls=[begun]), delta("length", tool_calls=[{"index": 1, "function": {"name": "look"}}]))
    assert [call.id for call in cut.tool_calls] == ["call_a", "call_0"], "the server itself says that this is the end"


# -- what is no reply -------------------------------------------------------------------------------------------------


def test_a_stream_that_gives_no_reason_to_stop_was_cut_off() -> None:
    error = fails(delta(content="a" * 1234), stream=True)
    assert (error.kind, error.passing) == (ErrorKind.TRUNCATED, True)
    assert "1,234 characters" in error.message
    assert fails(delta(content="a"), {"choices": [], "usage": COUNTED}).kind is ErrorKind.TRUNCATED


def test_a_document_that_comes_whole_needs_no_reason() -> None:
    assert read(whole(None, content="a")).stop is None


def test_a_server_that_stops_with_an_error_failed() -> None:
    assert fails(delta(content="ha"), delta("error")).kind is ErrorKind.SERVER


@for_each(
    "document",
    [
        {},
        {"choices": []},
        {"choices": None, "usage": COUNTED},
        {"choices": [], "usage": COUNTED},
        {"choices": [{}]},
        whole(None, content=""),
        whole("tool_calls", content=None),
    ],
)
def test_a_reply_with_nothing_in_it_is_none(document: dict[str, Any]) -> None:
    error = fails(document)
    assert (error.kind, error.passing) == (ErrorKind.EMPTY, True)


@for_each(
    "document",
    [
        whole(content=""),
        whole(content=None, refusal=None),
        {**whole(content=""), "usage": {"completion_tokens": 0}},
        whole(content=[{"type": "text"}]),
    ],
)
def test_a_model_that_stopped_without_a_word_has_replied(document: dict[str, Any]) -> None:
    reply = read(document)
    assert (reply.text, reply.tool_calls, reply.stop) == ("", (), "stop")


def test_a_stream_that_was_counted_and_has_its_end_is_whole_without_a_reason_to_stop() -> None:
    reader = ChatReply(stream=True)
    for chunk in (delta(content="a"), {"choices": [], "usage": COUNTED}):
        reader.add(chunk)
    assert reader.so_far() == replace(reader.so_far() or Reply(""), text="a", stop=None)
    with pytest.raises(ModelError) as cut:
        reader.reply()
    assert (cut.value.kind, cut.value.reply) == (ErrorKind.TRUNCATED, reader.so_far())
    reader.ended = True
    reply = reader.reply()
    assert (reply.text, reply.stop, reply.usage.output) == ("a", None, 7)


@for_each("stream", [False, True])
@for_each(
    "chunk",
    [
        delta("content_filter", content="a"),
        delta("error", content="a"),
        {"error": {"message": "No."}, "id": "chatcmpl-1"},
        {"choices": []},
    ],
)
def test_a_failure_has_what_was_counted_and_said(chunk: dict[str, Any], stream: bool) -> None:
    reader = ChatReply(stream=stream)
    with suppress(ModelError):  # an error in place of choices is raised at once
        reader.add({**chunk, "usage": COUNTED})
    reply = reader.so_far()
    assert reply is not None
    assert (reply.usage, reply.id in ("chatcmpl-1", None)) == (Usage(10, 7, 3, 4), True)
    assert fails(delta("content_filter"), stream=stream).reply is None, "nothing was said or counted"


@for_each("count", [-1, 1e30, float("nan"), "7"])
def test_a_failure_whose_count_is_no_number_of_tokens_is_charged_for_at_an_unknown_price(count: Any) -> None:
    error = fails({"choices": [], "usage": {"prompt_tokens": count, "completion_tokens": count}}, stream=False)
    assert error.reply == Reply("")


@for_each("stream", [False, True])
def test_an_error_in_place_of_choices_is_told_in_its_own_words(stream: bool) -> None:
    error = fails({"error": {"message": "The engine is on fire.", "code": None}}, stream=stream)
    assert (error.kind, "The engine is on fire." in error.message) == (ErrorKind.SERVER, True)


@for_each("chunk", [None, [], "a text", 7, True, ["x" * 10_000]])
def test_what_is_no_object_is_told_in_short(chunk: object) -> None:
    error = fails(chunk)
    assert error.kind is ErrorKind.MALFORMED
    assert len(error.message) < 300


FUNCTION = objects(name=st.text(), arguments=st.text() | JSON)
CALL = objects(index=st.integers(0, 2), id=st.text(), function=FUNCTION)
CHUNKS = objects(
    id=st.just("chatcmpl-1"),
    model=st.just("served"),
    usage=objects(
        prompt_tokens=st.integers(),
        completion_tokens=st.integers(),
        prompt_tokens_details=objects(cached_tokens=st.integers()),
        completion_tokens_details=objects(reasoning_tokens=st.integers()),
    ),
    error=objects(message=st.text(), code=st.text(), type=st.text()),
    choices=lists(
        objects(
            finish_reason=st.sampled_from(["stop", "length", "content_filter", "error"]),
            delta=objects(
                content=st.text() | lists(objects(type=st.sampled_from(["text", "thinking"]), text=st.text())),
                reasoning=st.text(),
                reasoning_content=st.text(),
                refusal=st.text(),
                tool_calls=lists(CALL),
                function_call=FUNCTION,
            ),
            message=objects(content=st.text(), reasoning=st.text(), tool_calls=lists(CALL), function_call=FUNCTION),
        )
    ),
)


@given(st.lists(JSON | CHUNKS | CHUNKS, max_size=4), st.booleans())
@example([{"choices": [{"finish_reason": []}]}], True)
@example([{"error": {"message": {}, "code": [], "type": {}}}], False)
def test_whatever_chunks_come_they_are_a_reply_or_a_failure(chunks: list[Any], stream: bool) -> None:
    try:
        reply = read(*chunks, stream=stream)
    except ModelError:
        return
    assert Reply.from_row(reply.as_row()) == reply
    assert isinstance(reply.text, str)
    assert reply.text or reply.reasoning or reply.usage.output or reply.tool_calls or reply.stop == "stop"
