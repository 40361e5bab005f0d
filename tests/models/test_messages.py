"""Tool calls as they come, and what goes back in the history."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.conversation import Message, Reply, Request, Tool, ToolCall
from herobench.models.chat_api import ChatReply, request_body
from herobench.models.history import sendable_arguments, sendable_name, with_alternating_roles, with_own_ids
from herobench.models.messages import ToolCallPieces, arguments_text, chat_history, with_ids
from herobench.models.model import Sampling
from herobench.models.negotiation import USUAL, Dialect
from tests.models.asked import JSON
from tests.sizes import for_each

MOVE, NOTHING = '{"x": 1, "y": -2}', "{}"


def piece(arguments: Any = None, index: int | None = None, id: str | None = None, name: str | None = None) -> Any:
    function = {"name": name, "arguments": arguments}
    entry = {"index": index, "id": id, "function": {key: said for key, said in function.items() if said is not None}}
    return {key: said for key, said in entry.items() if said is not None}


def calls_streamed(*entries: Any) -> list[tuple[str, str, str]]:
    """Return the calls of a stream that has each entry in a delta of its own."""
    pieces = ToolCallPieces()
    for entry in entries:
        pieces.add_delta({"tool_calls": entry if isinstance(entry, list) else [entry]})
    return [(call.id, call.name, call.arguments) for call in pieces.calls()]


def calls_whole(message: dict[str, Any]) -> list[tuple[str, str, str]]:
    pieces = ToolCallPieces()
    pieces.add_message(message)
    return [(call.id, call.name, call.arguments) for call in pieces.calls()]


TWO = [("a", "move", MOVE), ("b", "look", NOTHING)]
SAME_TOOL = [("a", "move", MOVE), ("b", "move", NOTHING)]


@pytest.mark.parametrize("calls", [TWO, SAME_TOOL])
@given(st.data())
def test_calls_in_pieces_are_the_calls_however_they_are_cut_and_mixed(
    calls: list[tuple[str, str, str]], data: st.DataObject
) -> None:
    cuts = [data.draw(st.lists(st.integers(0, len(arguments)), max_size=4)) for _, _, arguments in calls]
    ways = []
    for index, ((id, name, arguments), places) in enumerate(zip(calls, cuts, strict=True)):
        ends = sorted({0, *places, len(arguments)})
        pieces = [arguments[begin:end] for begin, end in pairwise(ends)]
        ways.append([piece("", index, id, name), *(piece(part, index) for part in pieces)])
    mixed = [ways[0].pop(0), ways[1].pop(0)]
    while any(ways):
        mixed.append(data.draw(st.sampled_from([way for way in ways if way])).pop(0))
    assert calls_streamed(*mixed) == calls


@for_each(
    "entries",
    [
        [piece(MOVE, 0, "a", "move"), piece(NOTHING, 1, "b", "look")],
        [[piece(MOVE, 0, "a", "move"), piece(NOTHING, 1, "b", "look")]],
        [piece(MOVE, None, "a", "move"), piece(NOTHING, None, "b", "look")],
        [piece(MOVE, 0, "a", "move"), piece(NOTHING, 0, "b", "look")],
        [piece("", None, "a", "move"), piece(MOVE), piece("", None, "b", "look"), piece(NOTHING)],
        [piece(part, 0, "a", "move") for part in ("", MOVE[:5], MOVE[5:])] + [piece(NOTHING, 1, "b", "look")],
        [piece(part, None, "a", "move") for part in ("", MOVE[:5], MOVE[5:])] + [piece(NOTHING, None, "b", "look")],
        [piece(MOVE, 0, "a", "move"), piece("", 0, "a", "move"), piece(NOTHING, 1, "b", "look")],
        [piece(MOVE, 0, "a", "move"), piece(NOTHING, 1, "b", "look"), piece(MOVE, 0, "a", "move")],
        [piece(MOVE[:5], 0, None, "move"), piece(MOVE[5:], 0, "a"), piece(NOTHING, 1, "b", "look")],
        [piece(MOVE[:5], None, "a", "move"), piece(NOTHING, None, "b", "look"), piece(MOVE[5:], None, "a")],
        [piece(MOVE[:5], 0, "a", "move"), piece(NOTHING, 1, "b", "look"), piece(MOVE[5:], 0, "c"), piece("", 1, "d")],
        [piece(None, 0, "a", "mo"), piece(None, 0, None, "ve"), piece(MOVE, 0), piece(NOTHING, 1, "b", "look")],
    ],
)
def test_two_calls_are_told_apart_in_every_framing(entries: list[Any]) -> None:
    assert calls_streamed(*entries) == TWO


@for_each(
    "entries",
    [
        [piece(MOVE, None, None, "move"), piece(NOTHING, None, None, "move")],
        [[piece(MOVE, None, None, "move"), piece(NOTHING, None, None, "move")]],
        [piece(MOVE, 0, None, "move"), piece(NOTHING, 0, None, "move")],
        [piece(MOVE, 0, None, "move"), piece(NOTHING, 1, None, "move")],
        [piece("", None, None, "move"), piece(MOVE), piece("", None, None, "move"), piece(NOTHING)],
    ],
)
def test_calls_without_ids_get_some_in_their_order(entries: list[Any]) -> None:
    assert calls_streamed(*entries) == [("call_0", "move", MOVE), ("call_1", "move", NOTHING)]


@for_each(
    "entries",
    [
        [piece(MOVE, 0, "a", "move"), piece(MOVE, 1, "a", "move")],
        [piece("", 0, "a", "move"), piece(MOVE, 0), piece("", 1, "a", "move"), piece(MOVE, 1)],
        [piece("", 0, "a", "move"), piece("", 1, "a", "move"), piece(MOVE, 0, "a"), piece(MOVE, 1, "a")],
        [piece("", 0, "a", "move"), piece("", 1, "a", "move"), piece(MOVE[:5], 1), piece(MOVE, 0), piece(MOVE[5:], 1)],
    ],
)
def test_calls_with_one_id_are_told_apart_by_their_index(entries: list[Any]) -> None:
    assert calls_streamed(*entries) == [("a", "move", MOVE)] * 2


def test_a_call_whose_pieces_are_numbered_is_one() -> None:
    assert calls_streamed(piece(MOVE[:5], 0, "a", "move"), piece(MOVE[5:], 1, "a")) == [("a", "move", MOVE)]


def test_calls_without_arguments_are_told_apart_by_their_ids_or_by_their_names() -> None:
    assert calls_streamed(piece("", 0, "a", "look"), piece("", 0, "b", "look")) == [
        ("a", "look", ""),
        ("b", "look", ""),
    ]
    bare = [piece("", None, None, "look"), piece(MOVE, None, None, "move")]
    assert calls_streamed(*bare) == [("call_0", "look", ""), ("call_1", "move", MOVE)]


def test_a_piece_that_is_like_those_before_it_is_a_repetition_only_of_a_whole_call() -> None:
    assert calls_streamed(piece("[", 0, "a", "move"), piece("[", 0, "a", "move")) == [("a", "move", "[[")]


def test_a_bare_call_of_the_same_tool_again_is_a_call_of_its_own() -> None:
    again = piece(MOVE, None, None, "move")
    assert calls_streamed(again, again) == [("call_0", "move", MOVE), ("call_1", "move", MOVE)]


def test_a_call_of_the_same_tool_with_the_same_arguments_is_a_call_of_its_own_by_its_id() -> None:
    twice = [piece(MOVE, 0, "a", "move"), piece(MOVE, 1, "b", "move")]
    assert calls_streamed(*twice) == [("a", "move", MOVE), ("b", "move", MOVE)]


@for_each("arguments", ["", "{", '{"x": 1', "not JSON", "[1]", '"a text"', '{"x": 1}}', "\ud800"])
def test_arguments_are_kept_as_they_came_also_where_they_are_malformed(arguments: str) -> None:
    expected = [("a", "move", arguments)]
    assert calls_streamed(piece(arguments, 0, "a", "move")) == expected
    assert calls_streamed(piece("", 0, "a", "move"), *(piece(letter, 0) for letter in arguments)) == expected
    assert calls_whole({"tool_calls": [piece(arguments, None, "a", "move")]}) == expected


@for_each(
    ("value", "text"),
    [({"x": 1}, '{"x": 1}'), ({}, "{}"), ([1], "[1]"), (7, "7"), (False, "false"), (None, ""), ("ü", "ü")],
)
def test_arguments_that_come_as_a_value_are_kept_as_its_text(value: object, text: str) -> None:
    assert arguments_text(value) == text
    assert calls_whole({"tool_calls": [piece(value, None, "a", "move")]}) == [("a", "move", text)]
    assert calls_streamed(piece(value, 0, "a", "move")) == [("a", "move", text)]


def test_umlauts_in_a_value_stay_letters() -> None:
    assert arguments_text({"to": "Köln"}) == '{"to": "Köln"}'


def test_each_entry_of_a_whole_message_is_a_call() -> None:
    entries = [piece(MOVE, 0, "a", "move"), piece(NOTHING, 0, "a", "move"), piece(None, None, None, "look"), {}]
    found = calls_whole({"tool_calls": entries})
    assert found == [("a", "move", MOVE), ("a", "move", NOTHING), ("call_0", "look", "")]


def test_the_older_field_is_a_call_whole_and_in_pieces() -> None:
    assert calls_whole({"function_call": {"name": "move", "arguments": MOVE}}) == [("call_0", "move", MOVE)]
    pieces = ToolCallPieces()
    for part in ({"name": "move", "arguments": ""}, {"arguments": MOVE[:5]}, {"arguments": MOVE[5:]}):
        pieces.add_delta({"function_call": part})
    assert pieces.calls() == (ToolCall("call_0", "move", MOVE),)


def test_a_call_that_comes_in_both_fields_is_one() -> None:
    both = {"tool_calls": [piece(MOVE, 0, "a", "move")], "function_call": {"name": "move", "arguments": MOVE}}
    assert calls_whole(both) == [("a", "move", MOVE)]


def test_an_id_that_is_given_is_not_one_that_another_call_has() -> None:
    calls = [ToolCall("", "a", ""), ToolCall("call_0", "b", ""), ToolCall("", "c", "")]
    assert [call.id for call in with_ids(calls)] == ["call_1", "call_0", "call_2"]


@given(st.lists(JSON | st.fixed_dictionaries({}, optional={"tool_calls": JSON, "function_call": JSON}), max_size=4))
def test_whatever_deltas_come_they_make_calls_or_none(deltas: list[Any]) -> None:
    pieces = ToolCallPieces()
    for delta in deltas:
        if isinstance(delta, dict):
            pieces.add_delta(delta)
            pieces.add_message(delta)
    assert all(call.id and isinstance(call.name + call.arguments, str) for call in pieces.calls())


LOOK = Tool("look", "Look around.", {"type": "object", "properties": {}})
SIGNED = {"google": {"thought_signature": "c2lnbg=="}}


def call(index: int, name: str = "look", **more: Any) -> dict[str, Any]:
    return {"index": index, "id": f"c{index}", "function": {"name": name, "arguments": "{}"}, **more}


def streamed(*deltas: dict[str, Any]) -> Reply:
    reply = ChatReply(stream=True)
    for delta in deltas:
        reply.add({"choices": [{"delta": delta}]})
    reply.add({"choices": [{"delta": {}, "finish_reason": "stop"}]})
    return reply.reply()


def whole(**message: Any) -> Reply:
    reply = ChatReply(stream=False)
    reply.add({"choices": [{"message": message, "finish_reason": "stop"}]})
    return reply.reply()


def sent_back(reply: Reply, dialect: Dialect = USUAL, tools: tuple[Tool, ...] = (LOOK,)) -> dict[str, Any]:
    """The message of the assistant in the next request."""
    results = [Message("tool", "seen", call_id=one.id) for one in reply.tool_calls] or [Message("user", "Go on.")]
    talk = [Message("user", "Go."), reply.as_message(), *results]
    body = request_body("m", Request("t", 0, talk, tools), Sampling(), stream=False, dialect=dialect)
    return dict(body["messages"][1])


def test_thoughts_that_came_as_parts_of_the_content_go_back_as_parts() -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "so then"}]}, {"type": "text", "text": "Go."}]
    assert sent_back(whole(content=parts))["content"] == parts
    assert sent_back(whole(content=parts[:1]))["content"] == parts[:1]


def test_without_tools_or_where_a_server_refuses_them_no_thoughts_go_back() -> None:
    reply = whole(content="Go.", reasoning_content="so", reasoning_details=[{"type": "reasoning.text", "text": "so"}])
    plain = {"role": "assistant", "content": "Go."}
    assert sent_back(reply, tools=()) == sent_back(reply, Dialect(thoughts="none")) == plain


def test_in_a_conversation_with_thoughts_each_reply_has_the_field_for_them() -> None:
    """DeepSeek wants it with every reply, also with one that came without thoughts."""
    thought = whole(content="Go.", reasoning_content="so")
    silent = whole(content="Go!")
    talk = [Message("user", "Go."), silent.as_message(), Message("user", "On."), thought.as_message()]
    body = request_body("m", Request("t", 0, talk, [LOOK]), Sampling(), stream=False)
    assert [one.get("reasoning_content") for one in body["messages"]] == [None, "", None, "so"]
    assert "reasoning_content" not in sent_back(silent)
    assert sent_back(silent, Dialect(thoughts="all"))["reasoning_content"] == ""


def test_the_signature_of_the_first_of_parallel_calls_goes_back_with_it() -> None:
    calls = [call(0, extra_content=SIGNED), call(1)]
    apart = streamed({"tool_calls": [call(0)]}, {"tool_calls": [{"index": 0, "extra_content": SIGNED}, call(1)]})
    bare = [{key: value for key, value in one.items() if key != "index"} for one in calls]
    for reply in (whole(tool_calls=calls), streamed({"tool_calls": calls}), apart, streamed({"tool_calls": bare})):
        first, second = sent_back(reply)["tool_calls"]
        assert first["extra_content"] == SIGNED
        assert "extra_content" not in second
        assert reply.tool_calls == (ToolCall("c0", "look", "{}"), ToolCall("c1", "look", "{}"))


def test_a_signature_of_the_message_goes_back_with_the_message() -> None:
    assert sent_back(streamed({"content": "Go."}, {"extra_content": SIGNED}))["extra_content"] == SIGNED


DETAILS = [
    {"type": "reasoning.text", "text": "so then", "signature": "s", "index": 0, "format": "f"},
    {"type": "reasoning.encrypted", "data": "abc", "index": 1},
    {"type": "reasoning.encrypted", "data": "def", "index": 1},
]
BLOCKS = [{"type": "thinking", "thinking": "so", "signature": "s"}, {"type": "thinking", "thinking": "then"}]


def test_details_of_reasoning_go_back_as_they_were_however_they_were_cut() -> None:
    pieces: list[dict[str, Any]] = [
        {"type": "reasoning.text", "text": "so ", "index": 0, "format": "f"},
        {"type": "reasoning.text", "text": "then", "index": 0, "format": None},
        {"type": "reasoning.text", "signature": "s", "index": 0},
        *DETAILS[1:],
    ]
    cut = streamed(*({"reasoning_details": [piece]} for piece in pieces), {"content": "Go."})
    for reply in (whole(content="Go.", reasoning_details=DETAILS), cut):
        assert sent_back(reply)["reasoning_details"] == DETAILS
    for reply in (
        whole(content="Go.", thinking_blocks=BLOCKS),
        streamed({"content": "Go.", "thinking_blocks": BLOCKS}),
    ):
        assert sent_back(reply)["thinking_blocks"] == BLOCKS


@for_each("odd", [None, "so", 7, [7, None, "so"], {"a": float("nan")}, [{"a": float("inf")}], {}])
def test_what_is_no_such_field_is_left_out_and_loses_no_reply(odd: Any) -> None:
    fields = dict.fromkeys(("reasoning_details", "thinking_blocks", "extra_content"), odd)
    reply = whole(content="Go.", tool_calls=[call(0, extra_content=odd, provider_specific_fields=odd)], **fields)
    assert reply.server_fields == {}
    assert reply.as_row() == Reply("Go.", reply.tool_calls, stop="stop").as_row()


def test_what_is_carried_is_kept_with_the_reply_and_stands_in_no_message_that_is_kept() -> None:
    reply = whole(content="", reasoning="so", tool_calls=[call(0, extra_content=SIGNED)])
    again = Reply.from_row(reply.as_row())
    assert again == reply
    assert sent_back(again) == sent_back(reply)
    assert reply.as_message().as_row().keys() == {"role", "content", "tool_calls"}


@for_each("arguments", ["{}", ' {"x": 1}\n', '{"a": {"b": [1.5e3, null, "ü \\ud83d\\ude00"]}}'])
def test_arguments_that_every_parser_reads_go_back_as_they_came(arguments: str) -> None:
    assert sendable_arguments(arguments) == arguments


@for_each(
    "arguments",
    [
        "",
        " ",
        "{",
        '{"x": 1',
        "not JSON",
        "[1, 2]",
        "7",
        "null",
        '"a text"',
        '{"x": 1} and more',
        '{"x": 1}{"y": 2}',
        "{'x': 1}",
        '{"x": NaN}',
        '{"x": -Infinity}',
        '{"x": 1e999}',
        f'{{"x": {"9" * 400}}}',
        '{"x": "\\ud83d"}',
        '{"x": "\ud83d"}',
        '{"x": "a\nb"}',
        '{"a":' * 101 + "1" + "}" * 101,
        '{"a":' * 100_000,
    ],
)
def test_other_arguments_go_back_as_none(arguments: str) -> None:
    assert sendable_arguments(arguments) == "{}"


@given(st.text() | st.builds(json.dumps, st.recursive(st.none() | st.floats() | st.text(), st.lists)))
def test_whatever_a_model_writes_a_parser_of_json_reads_an_object(arguments: str) -> None:
    sent = sendable_arguments(arguments)
    assert isinstance(json.loads(sent.encode()), dict)


@for_each(
    ("name", "sent"),
    [("move", "move"), ("", "unnamed"), ("go to (0, 1)!", "go_to__0__1__"), ("default_api.move", "default_api_move")],
)
def test_a_name_has_only_what_every_server_takes(name: str, sent: str) -> None:
    assert sendable_name(name) == sent
    assert len(sendable_name(name * 100)) <= 64


def ids(messages: list[Message]) -> list[str]:
    """The ids of calls and of results, in order."""
    sent = with_own_ids(messages)
    return [name for one in sent for name in (*(call.id for call in one.tool_calls), one.call_id) if name is not None]


def turn(*names: str) -> list[Message]:
    calls = tuple(ToolCall(name, "look", "{}") for name in names)
    return [Message("assistant", "", calls), *(Message("tool", "seen", call_id=name) for name in names)]


def test_ids_that_are_no_others_stay() -> None:
    assert ids([*turn("a", "b"), *turn("c")]) == ["a", "b", "a", "b", "c", "c"]


@for_each("talk", [[*turn("a"), *turn("a"), *turn("a")], turn("a", "a", "a"), [*turn("", ""), *turn("")]])
def test_an_id_that_comes_again_is_another_and_its_result_goes_with_it(talk: list[Message]) -> None:
    found = ids(talk)
    calls = [name for number, name in enumerate(found) if found.index(name) == number]
    assert len(calls) == 3
    assert {found.count(name) for name in calls} == {2}
    assert all(re.fullmatch("a|[0-9a-f]{9}|", name) for name in calls)
    assert ids(talk) == found, "the same each time"


def test_results_of_calls_with_one_id_go_by_their_order() -> None:
    _, first, second = with_own_ids(
        [turn("a", "a")[0], Message("tool", "1", call_id="a"), Message("tool", "2", call_id="a")]
    )
    assert (first.call_id, first.text, second.text) == ("a", "1", "2")
    assert second.call_id != "a"


def test_a_word_stands_between_a_result_and_a_message_of_the_user_only_where_it_is_asked_for() -> None:
    talk = [Message("user", "Go."), *turn("a"), Message("user", "See.", pictures=("data:,",)), *turn("b")]
    said = [(one.role, one.text) for one in with_alternating_roles(talk)]
    assert said[3:5] == [("assistant", "(continued)"), ("user", "See.")]
    assert len(said) == len(talk) + 1


def test_without_its_role_the_text_of_the_system_stands_before_the_first_of_the_user() -> None:
    rules, talk = (
        Message("system", "Rules."),
        [Message("assistant", "Hi."), Message("user", "Go."), Message("user", "On.")],
    )
    sent = chat_history([rules, Message("system", "More."), *talk], "none", alternate=False, system=False)
    assert [(row["role"], row["content"]) for row in sent] == [
        ("assistant", "Hi."),
        ("user", "Rules.\n\nMore.\n\nGo."),
        ("user", "On."),
    ]
    (alone,) = chat_history([rules], "none", alternate=False, system=False)
    assert alone == {"role": "user", "content": "Rules."}
