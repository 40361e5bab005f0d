import json
from typing import Any

import pytest

from herobench.conversation import Reply, ToolCall, Usage
from herobench.models.responses_api import ResponsesReply
from tests.loopback import responses_form as served
from tests.loopback.behaviour import Framing
from tests.loopback.model_output import ModelOutput as Said
from tests.loopback.model_output import OutputCall
from tests.loopback.model_output import TokenCounts as Counted

TEXT = "first\nand then this, ünd so on"


def events(said: Said) -> list[dict[str, Any]]:
    """Return the events of a server as documents."""
    return [json.loads(event.partition("data: ")[2]) for event in served.events(said)]


def heard(some: list[dict[str, Any]], *, tools: bool = False) -> ResponsesReply:
    reply = ResponsesReply(stream=True, tools=tools)
    for event in some:
        reply.add(event)
    return reply


def announced(number: int, kind: str = "message") -> dict[str, Any]:
    return {"type": "response.output_item.added", "output_index": number, "item": {"type": kind}}


def ended(number: int, kind: str = "message", **more: Any) -> dict[str, Any]:
    return {"type": "response.output_item.done", "output_index": number, "item": {"type": kind, **more}}


def done(text: Any, item: int = 0, part: int = 0) -> dict[str, Any]:
    return {"type": "response.output_text.done", "output_index": item, "content_index": part, "text": text}


def delta(text: str, item: int = 0, part: int = 0) -> dict[str, Any]:
    return {"type": "response.output_text.delta", "output_index": item, "content_index": part, "delta": text}


@pytest.mark.parametrize("reasoning", ["", "hm, hm"])
@pytest.mark.parametrize("refusal", [None, "I would rather not."])
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


def test_why_it_stopped_is_known_from_the_end_of_the_message_alone() -> None:
    assert heard([done("a")]).reply().stop is None
    assert heard([done("a"), ended(0, content=[{"type": "output_text", "text": "a"}])]).reply().stop == "stop"


@pytest.mark.parametrize(
    "unfinished",
    [
        [done("a"), delta("b", part=1)],
        [done("a"), delta("b", item=1)],
        [done("a"), announced(1)],
        [done("a"), announced(1, "reasoning")],
        [announced(0, "reasoning"), done("a", 1)],
        [ended(0, content=[{"type": "output_text", "text": "a"}]), announced(1)],
        [ended(0, status="incomplete", content=[{"type": "output_text", "text": "a"}])],
        [done("a"), {"type": "response.content_part.added", "content_index": 1, "part": {"type": "output_text"}}],
        [delta("a")],
        [ended(0, "reasoning", summary=[{"type": "summary_text", "text": "hm"}])],
        [{"type": "response.reasoning_summary_text.done", "text": "hm"}],
    ],
)
def test_nothing_is_whole_while_something_is_still_to_come(unfinished: list[dict[str, Any]]) -> None:
    assert not heard(unfinished).whole


def test_parts_and_items_are_put_together_in_their_order() -> None:
    parts = [done("d", 2), done("b", 1, 1), done("a", 1), ended(0, "reasoning", content=[]), done("c", 1, 2)]
    assert heard(parts).reply().text == "abcd"


def test_an_item_that_came_whole_counts_and_not_its_parts_again() -> None:
    item = ended(0, content=[{"type": "output_text", "text": "a"}, {"type": "output_text", "text": "b"}])
    assert heard([done("a"), item]).reply().text == "ab"


def test_a_last_event_without_its_output_has_that_of_the_events_before_it() -> None:
    last = {"type": "response.completed", "response": {"output": [], "usage": {"output_tokens": 3}, "model": "m"}}
    reply = heard([done("a"), last]).reply()
    assert (reply.text, reply.usage.output, reply.model, reply.stop) == ("a", 3, "m", "stop")


def test_a_response_that_failed_is_no_reply_whatever_came_before_it() -> None:
    reply = heard([done("a"), {"type": "response.failed", "response": {"status": "failed", "error": {"code": "x"}}}])
    with pytest.raises(Exception, match="The server failed"):
        reply.reply()


# -- tool calls -------------------------------------------------------------------------------------------------------

CALLS = (OutputCall("a", "move", '{"x": 1, "y": 2}'), OutputCall("b", "look", ""), OutputCall("c", "move", "{}"))


def pairs(reply: Reply) -> list[tuple[str, str, str]]:
    return [(call.id, call.name, call.arguments) for call in reply.tool_calls]


@pytest.mark.parametrize("text", ["", TEXT])
@pytest.mark.parametrize("framing", [Framing.USUAL, Framing.NO_INDEX])
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
    sent = [done("a"), ended(0, content=[{"type": "output_text", "text": "a"}])]
    assert (heard(sent).whole, heard(sent, tools=True).whole) == (True, False)
    last = {"type": "response.completed", "response": {"status": "completed", "output": []}}
    assert heard([*sent, last], tools=True).reply().text == "a"


def arguments_done(arguments: Any, item: int = 0) -> dict[str, Any]:
    return {"type": "response.function_call_arguments.done", "output_index": item, "arguments": arguments}


@pytest.mark.parametrize(
    "unfinished",
    [
        [announced(0, "function_call")],
        [arguments_done("{}")],
        [{"type": "response.function_call_arguments.delta", "delta": "{}"}],
        [ended(0, "function_call", name="move"), announced(1, "function_call")],
        [ended(0, "function_call", name="move"), {"type": "response.function_call_arguments.delta", "output_index": 1}],
        [ended(0, "function_call", name="move"), delta("a", 1)],
        [ended(0, "function_call", name="move", status="incomplete")],
    ],
)
def test_no_call_is_taken_before_its_end_nor_while_something_else_is_to_come(unfinished: list[dict[str, Any]]) -> None:
    assert not heard(unfinished, tools=True).whole


def test_arguments_that_came_apart_from_their_item_are_its_own() -> None:
    (call,) = heard([arguments_done("{}"), ended(0, "function_call", name="move", call_id="a")]).reply().tool_calls
    assert call == ToolCall("a", "move", "{}")
    added = {**announced(0), "item": {"type": "function_call", "name": "move", "call_id": "a", "arguments": ""}}
    last = {"type": "response.completed", "response": {"output": []}}
    assert heard([added, arguments_done("{}"), last]).reply().tool_calls == (call,)
