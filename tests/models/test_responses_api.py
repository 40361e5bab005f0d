"""The Responses API: what is sent, and what is read of a response and of its events."""

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from herobench.conversation import Message, Reply, Request, Tool, ToolCall, Usage
from herobench.models.model import Sampling
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.negotiation import Dialect
from herobench.models.responses_api import ResponsesReply, request_body, said_in, turns_in
from tests.loopback import responses_form as served
from tests.loopback.behaviour import Framing
from tests.loopback.model_output import ModelOutput as Said
from tests.loopback.model_output import OutputCall
from tests.loopback.model_output import TokenCounts as Counted
from tests.models.asked import JSON, lists, objects
from tests.sizes import for_each

MESSAGES = [Message("system", "Plan."), Message("user", "Beat the drake.")]


def body(sampling: Sampling, *, stream: bool = False) -> dict[str, Any]:
    return request_body("a-model", Request("t", 0, MESSAGES), sampling, stream=stream)


def message(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": list(parts)}


def said(text: Any) -> dict[str, Any]:
    return {"type": "output_text", "text": text}


def response(*output: Any, **more: Any) -> dict[str, Any]:
    return {"id": "resp_1", "model": "served", "status": "completed", "output": list(output), **more}


def ended(whole: Any, how: str = "completed") -> dict[str, Any]:
    """The last event of a stream."""
    return {"type": f"response.{how}", "response": whole}


def heard(events: Iterable[object], *, stream: bool = True, tools: bool = False) -> ResponsesReply:
    reply = ResponsesReply(stream=stream, tools=tools)
    for event in events:
        reply.add(event)
    return reply


def read(*events: object, stream: bool = True) -> Reply:
    return heard(events, stream=stream).reply()


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


MOVE = ToolCall("call_a", "move", '{"x": 1}')
LOOK = ToolCall("call_b", "look", "")
TOOL = Tool("move", "Go to a place.", {"type": "object", "properties": {}})


def test_tools_are_offered_flat_and_their_schema_is_not_changed_by_the_server() -> None:
    offered = request_body("m", Request("t", 0, MESSAGES, [TOOL]), Sampling(), stream=False)["tools"]
    parameters = {"type": "object", "properties": {}}
    flat = {"name": "move", "description": "Go to a place.", "parameters": parameters, "strict": False}
    assert offered == [{"type": "function", **flat}]
    assert "tools" not in body(Sampling())


def test_calls_and_their_results_are_items_without_the_ids_that_the_server_gave_to_items() -> None:
    talk = [
        Message("user", "Go."),
        Message("assistant", "", (MOVE, LOOK)),
        Message("tool", "moved", call_id="call_a"),
        Message("tool", "", call_id="call_b"),
        Message("assistant", "And now?", (MOVE,)),
        Message("tool", "moved", call_id="call_a"),
        Message("assistant", ""),
    ]
    move = {"type": "function_call", "call_id": "call_a", "name": "move", "arguments": '{"x": 1}'}
    moved = {"type": "function_call_output", "call_id": "call_a", "output": "moved"}
    sent = request_body("m", Request("t", 0, talk), Sampling(), stream=False)["input"]
    other = sent[-2]["call_id"]
    assert other != "call_a"
    assert sent == [
        {"role": "user", "content": "Go."},
        move,
        {"type": "function_call", "call_id": "call_b", "name": "look", "arguments": "{}"},
        moved,
        {"type": "function_call_output", "call_id": "call_b", "output": ""},
        {"role": "assistant", "content": "And now?"},
        {**move, "call_id": other},
        {**moved, "call_id": other},
        {"role": "assistant", "content": "(no text)"},
    ]


THINK_A = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAa", "status": "completed"}
THINK_B = {"type": "reasoning", "id": "rs_2", "summary": [], "encrypted_content": "gAAAb", "content": []}


def bare(item: dict[str, Any]) -> dict[str, Any]:
    """An item of reasoning as it goes back."""
    return {name: item[name] for name in ("type", "summary", "encrypted_content")}


def test_encrypted_reasoning_is_asked_for_and_goes_back_where_it_came_without_its_id() -> None:
    call = {"type": "function_call", "call_id": "a", "name": "look", "arguments": "{}"}
    other = {**call, "call_id": "b"}
    told = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hm."}]}
    empty = {"type": "reasoning", "id": "rs_3", "summary": [{"type": "summary_text", "text": "so"}]}
    reply = said_in([THINK_A, told, empty, call, THINK_B, other])
    talk = [Message("user", "Go."), reply.as_message()]
    body = request_body("m", Request("t", 0, talk, [TOOL]), Sampling(), stream=False)
    assert body["include"] == ["reasoning.encrypted_content"]
    text = {"role": "assistant", "content": "Hm."}
    assert body["input"][1:] == [bare(THINK_A), text, call, bare(THINK_B), other]
    for without in (
        request_body("m", Request("t", 0, talk), Sampling(), stream=False),
        request_body("m", Request("t", 0, talk, [TOOL]), Sampling(), stream=False, dialect=Dialect(thoughts="none")),
    ):
        assert "include" not in without
        assert without["input"][1:] == [text, call, other]


def test_reasoning_that_a_server_does_not_encrypt_goes_back_as_it_is() -> None:
    content = [{"type": "reasoning_text", "text": "so"}]
    reply = said_in([{"type": "reasoning", "id": "rs_1", "summary": [], "content": content}])
    talk = [Message("user", "Go."), reply.as_message()]
    sent = request_body("m", Request("t", 0, talk, [TOOL]), Sampling(), stream=False)["input"]
    assert sent[1:] == [
        {"type": "reasoning", "summary": [], "content": content},
        {"role": "assistant", "content": "(no text)"},
    ]


# -- what comes -------------------------------------------------------------------------------------------------------


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


@for_each("usage", [None, {}, "many", {"output_tokens": True}])
def test_usage_may_be_missing(usage: Any) -> None:
    assert read(ended(response(message(said("a")), usage=usage))).usage == Usage()
    assert read(response(message(said("a"))), stream=False).usage == Usage()


def test_a_refusal_is_the_reply_where_there_is_no_other() -> None:
    no = {"type": "refusal", "refusal": "I cannot."}
    refused = read(ended(response(message(no))))
    assert (refused.text, refused.stop) == ("I cannot.", "refusal")
    both = read(ended(response(message(no, said("a")))))
    assert (both.text, both.stop) == ("a", "stop")


@for_each(
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


def test_the_items_of_a_response_are_turns() -> None:
    call = {"type": "function_call", "call_id": "c", "name": "move", "arguments": "{}"}
    output = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I go."}]},
        call,
        {"type": "function_call_output", "call_id": "c", "output": "gone"},
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": "And now?"},
    ]
    first, second = turns_in(output)
    assert (first.text, first.reasoning, [one.name for one in first.tool_calls]) == ("I go.", "hm", ["move"])
    assert (second.text, second.tool_calls) == ("Done.", ())
    assert list(turns_in(None)) == []


# -- tool calls -------------------------------------------------------------------------------------------------------


def call(said: ToolCall, **more: Any) -> dict[str, Any]:
    item = {"id": f"fc_{said.id}", "call_id": said.id, "name": said.name, "arguments": said.arguments}
    return {"type": "function_call", **item, **more}


@for_each(
    ("more", "expected"),
    [
        ({"call_id": None}, ToolCall("fc_call_a", "move", '{"x": 1}')),
        ({"call_id": "", "id": None}, ToolCall("call_0", "move", '{"x": 1}')),
        ({"arguments": {"x": 1}}, MOVE),
        ({"arguments": '{"x": '}, ToolCall("call_a", "move", '{"x": ')),
        ({"arguments": None, "name": None}, ToolCall("call_a", "", "")),
    ],
)
def test_a_call_may_lack_its_id_and_have_any_arguments(more: dict[str, Any], expected: ToolCall) -> None:
    assert read(ended(response(call(MOVE, **more)))).tool_calls == (expected,)


# -- what is no reply -------------------------------------------------------------------------------------------------


@for_each("whole", [{}, response(), response(call(MOVE, type="other"))])
def test_a_response_with_nothing_in_it_is_none(whole: dict[str, Any]) -> None:
    assert fails(ended(whole)).kind is fails(whole, stream=False).kind is ErrorKind.EMPTY


@for_each("whole", [response(message()), response(message(said("")), usage={})])
def test_a_message_without_a_word_is_the_models_own_reply(whole: dict[str, Any]) -> None:
    assert [(reply.text, reply.stop) for reply in (read(ended(whole)), read(whole, stream=False))] == [("", "stop")] * 2


@for_each(
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


@for_each("event", [None, [], "a text", 7, ["x" * 10_000]])
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
            type=st.sampled_from(["message", "reasoning", "function_call"]),
            id=st.text(),
            call_id=st.text(),
            name=st.text(),
            arguments=st.text() | JSON,
            content=lists(objects(type=st.sampled_from(["output_text", "refusal"]), text=st.text(), refusal=st.text())),
            summary=lists(objects(type=st.just("summary_text"), text=st.text())),
        )
    ),
)
KINDS = st.sampled_from(
    "response.completed response.incomplete response.failed error response.output_item.added response.output_item.done "
    "response.function_call_arguments.delta response.function_call_arguments.done response.output_text.done".split()
)
EVENTS = objects(
    type=KINDS,
    response=WHOLE,
    code=st.text(),
    message=st.text(),
    output_index=st.integers(0, 2),
    item_id=st.text(),
    item=objects(type=st.sampled_from(["message", "function_call"]), name=st.text(), arguments=st.text() | JSON),
    arguments=st.text() | JSON,
    text=st.text(),
)


@given(st.lists(JSON | WHOLE | EVENTS | EVENTS, max_size=4), st.booleans())
@example([{"type": []}], True)
@example([{"type": {}}], True)
@example([{"type": "error", "code": [], "message": {}}], True)
def test_whatever_events_come_they_are_a_reply_or_a_failure(events: list[Any], stream: bool) -> None:
    try:
        reply = read(*events, stream=stream)
    except ModelError:
        return
    assert Reply.from_row(reply.as_row()) == reply
    assert reply.text or reply.reasoning or reply.usage.output or reply.tool_calls or reply.stop == "stop"


# -- a stream that breaks off ------------------------------------------------------------------------------------------

TEXT = "first\nand then this, ünd so on"


def events(said: Said) -> list[dict[str, Any]]:
    """Return the events of a server as documents."""
    return [json.loads(event.partition("data: ")[2]) for event in served.events(said)]


def announced(number: int, kind: str = "message") -> dict[str, Any]:
    return {"type": "response.output_item.added", "output_index": number, "item": {"type": kind}}


def item_done(number: int, kind: str = "message", **more: Any) -> dict[str, Any]:
    return {"type": "response.output_item.done", "output_index": number, "item": {"type": kind, **more}}


def done(text: Any, item: int = 0, part: int = 0) -> dict[str, Any]:
    return {"type": "response.output_text.done", "output_index": item, "content_index": part, "text": text}


def delta(text: str, item: int = 0, part: int = 0) -> dict[str, Any]:
    return {"type": "response.output_text.delta", "output_index": item, "content_index": part, "delta": text}


@for_each("reasoning", ["", "hm, hm"])
@for_each("refusal", [None, "I would rather not."])
def test_a_stream_cut_anywhere_is_the_whole_reply_or_none(reasoning: str, refusal: str | None) -> None:
    text = "" if refusal else TEXT
    said = Said("7", "served", text, reasoning=reasoning, refusal=refusal, usage=Counted(4, 2, 5, 1))
    sent = events(said)
    whole = heard(sent).reply()
    taken = []
    for number in range(1, len(sent)):
        reply = heard(sent[:number])
        if reply.whole:
            found = reply.reply()
            assert (found.text, found.reasoning, found.model, found.id) == (refusal or TEXT, whole.reasoning, *NAMES)
            assert found.usage == Usage()
            taken.append(sent[number - 1]["type"].partition(".")[2])
    name = "refusal" if refusal else "output_text"
    assert taken == [f"{name}.done", "content_part.done", "output_item.done"]


NAMES = ("served", "resp_7")


def test_a_stream_that_breaks_off_has_the_usage_that_any_event_told() -> None:
    begun = {"type": "response.in_progress", "response": {"usage": {"input_tokens": 9, "output_tokens": 1}}}
    reply = heard([begun, {"type": "response.in_progress", "response": {"usage": None}}, delta("a")]).so_far()
    assert reply is not None
    assert reply.usage == Usage(9, 1)


def test_why_it_stopped_is_known_from_the_end_of_the_message_alone() -> None:
    assert heard([done("a")]).reply().stop is None
    assert heard([done("a"), item_done(0, content=[{"type": "output_text", "text": "a"}])]).reply().stop == "stop"


@for_each(
    "unfinished",
    [
        [done("a"), delta("b", part=1)],
        [done("a"), delta("b", item=1)],
        [done("a"), announced(1)],
        [done("a"), announced(1, "reasoning")],
        [announced(0, "reasoning"), done("a", 1)],
        [item_done(0, content=[{"type": "output_text", "text": "a"}]), announced(1)],
        [item_done(0, status="incomplete", content=[{"type": "output_text", "text": "a"}])],
        [done("a"), {"type": "response.content_part.added", "content_index": 1, "part": {"type": "output_text"}}],
        [delta("a")],
        [item_done(0, "reasoning", summary=[{"type": "summary_text", "text": "hm"}])],
        [{"type": "response.reasoning_summary_text.done", "text": "hm"}],
    ],
)
def test_nothing_is_whole_while_something_is_still_to_come(unfinished: list[dict[str, Any]]) -> None:
    assert not heard(unfinished).whole


def test_parts_and_items_are_put_together_in_their_order() -> None:
    parts = [done("d", 2), done("b", 1, 1), done("a", 1), item_done(0, "reasoning", content=[]), done("c", 1, 2)]
    assert heard(parts).reply().text == "abcd"


def test_an_item_that_came_whole_counts_and_not_its_parts_again() -> None:
    item = item_done(0, content=[{"type": "output_text", "text": "a"}, {"type": "output_text", "text": "b"}])
    assert heard([done("a"), item]).reply().text == "ab"


def test_a_last_event_without_its_output_has_that_of_the_events_before_it() -> None:
    last = {"type": "response.completed", "response": {"output": [], "usage": {"output_tokens": 3}, "model": "m"}}
    reply = heard([done("a"), last]).reply()
    assert (reply.text, reply.usage.output, reply.model, reply.stop) == ("a", 3, "m", "stop")


def test_a_response_that_failed_is_no_reply_whatever_came_before_it() -> None:
    reply = heard([done("a"), {"type": "response.failed", "response": {"status": "failed", "error": {"code": "x"}}}])
    with pytest.raises(Exception, match="The server failed"):
        reply.reply()


# -- calls in a stream that breaks off ---------------------------------------------------------------------------------

CALLS = (OutputCall("a", "move", '{"x": 1, "y": 2}'), OutputCall("b", "look", ""), OutputCall("c", "move", "{}"))


def pairs(reply: Reply) -> list[tuple[str, str, str]]:
    return [(call.id, call.name, call.arguments) for call in reply.tool_calls]


@for_each("text", ["", TEXT])
@for_each("framing", [Framing.USUAL, Framing.NO_INDEX])
def test_a_stream_of_calls_cut_anywhere_has_whole_calls_or_is_none(text: str, framing: Framing) -> None:
    sent = events(Said("7", "served", text, CALLS, framing, "hm", usage=Counted(4, 2, 5, 1)))
    all_of_them = [(call.id, call.name, call.arguments) for call in CALLS]
    taken = []
    for number in range(1, len(sent)):
        reply = heard(sent[:number], tools=True)
        if reply.whole:
            found = reply.reply()
            assert (found.text, found.reasoning, found.stop, found.usage) == (text, "hm", "tool_calls", Usage())
            assert sent[number - 1]["type"] == "response.output_item.done"
            taken.append(pairs(found))
    assert taken == [all_of_them[:1], all_of_them[:2], all_of_them]
    assert pairs(heard(sent, tools=True).reply()) == all_of_them


def test_a_text_is_not_the_whole_reply_where_a_call_may_follow() -> None:
    sent = [done("a"), item_done(0, content=[{"type": "output_text", "text": "a"}])]
    assert (heard(sent).whole, heard(sent, tools=True).whole) == (True, False)
    last = {"type": "response.completed", "response": {"status": "completed", "output": []}}
    assert heard([*sent, last], tools=True).reply().text == "a"


def arguments_delta(item: int) -> dict[str, Any]:
    return {"type": "response.function_call_arguments.delta", "output_index": item, "delta": "{}"}


def arguments_done(arguments: Any, item: int = 0) -> dict[str, Any]:
    return {"type": "response.function_call_arguments.done", "output_index": item, "arguments": arguments}


@for_each(
    "unfinished",
    [
        [announced(0, "function_call")],
        [arguments_done("{}")],
        [arguments_delta(0)],
        [item_done(0, "function_call", name="move"), announced(1, "function_call")],
        [
            item_done(0, "function_call", name="move"),
            {"type": "response.function_call_arguments.delta", "output_index": 1},
        ],
        [item_done(0, "function_call", name="move"), delta("a", 1)],
        [item_done(0, "function_call", name="move", status="incomplete")],
    ],
)
def test_no_call_is_taken_before_its_end_nor_while_something_else_is_to_come(unfinished: list[dict[str, Any]]) -> None:
    assert not heard(unfinished, tools=True).whole


def test_arguments_that_came_apart_from_their_item_are_its_own() -> None:
    (call,) = heard([arguments_done("{}"), item_done(0, "function_call", name="move", call_id="a")]).reply().tool_calls
    assert call == ToolCall("a", "move", "{}")
    added = {**announced(0), "item": {"type": "function_call", "name": "move", "call_id": "a", "arguments": ""}}
    last = {"type": "response.completed", "response": {"output": []}}
    assert heard([added, arguments_done("{}"), last]).reply().tool_calls == (call,)
