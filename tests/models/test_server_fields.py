"""What a server gave with a reply goes back with it, in the form and under the name in which it came."""

from __future__ import annotations

from typing import Any

import pytest

from herobench.conversation import Message, Reply, Request, Tool, ToolCall
from herobench.models.chat_api import ChatReply, request_body
from herobench.models.negotiation import USUAL, Dialect
from herobench.models.sampling import Sampling

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


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_thoughts_go_back_under_the_name_under_which_they_came(name: str) -> None:
    for reply in (
        whole(content="Go.", **{name: "so then"}),
        streamed({name: "so "}, {name: "then"}, {"content": "Go."}),
    ):
        assert sent_back(reply) == {"role": "assistant", "content": "Go.", name: "so then"}


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


@pytest.mark.parametrize("odd", [None, "so", 7, [7, None, "so"], {"a": float("nan")}, [{"a": float("inf")}], {}])
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
