"""Tools through the real SDK, in all four ways of asking: calls, their framings, and what goes wrong around them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from herobench.conversation import Message, Reply, Tool
from herobench.models.model import Sampling
from herobench.models.model_error import ErrorKind, ModelFault
from herobench.models.openai_api import build
from tests.loopback import Behaviour, Framing, Loopback
from tests.loopback import Kind as Wrong
from tests.models import asked
from tests.models.asked import (
    CHAT,
    CHAT_STREAM,
    PAID,
    RESPONSE,
    RESPONSE_STREAM,
    WAYS,
    Outcome,
    Talk,
    Way,
    every_way,
    expect_failure,
    expect_reply,
    setting,
)
from tests.refusals import raises
from tests.sizes import for_each

MOVE = Tool("move", "Go to a place.", {"type": "object", "properties": {"x": {"type": "integer"}}})
LOOK = Tool("look", "Look around.", {"type": "object", "properties": {}})
ARGUMENTS = json.dumps({"x": 1, "note": "ünd so on, for long enough to be cut in the middle of a stream"})
TWO = [{"name": "move", "arguments": ARGUMENTS}, {"name": "look", "arguments": "{}"}]
ONE = TWO[:1]


def ask(server: Loopback, way: Way, *talks: Talk, timeout: float = 10.0) -> list[Outcome]:
    """Ask with tools on offer."""
    return asked.ask(setting(server.url, way, timeout=timeout), talks, tools=[MOVE, LOOK])


def replied(way: Way, behaviour: Behaviour) -> Reply:
    with Loopback(lambda key, attempt: behaviour) as server:
        return expect_reply(ask(server, way, "k")[0])


def said(reply: Reply) -> list[dict[str, str]]:
    return [{"name": call.name, "arguments": call.arguments} for call in reply.tool_calls]


# -- calls ------------------------------------------------------------------------------------------------------------


@every_way
def test_calls_come_as_the_model_wrote_them_with_their_text_thoughts_and_counts(way: Way) -> None:
    reply = replied(way, Behaviour(text="Go!", calls=TWO, reasoning="hm"))
    assert (said(reply), reply.text, reply.reasoning, reply.stop) == (TWO, "Go!", "hm", "tool_calls")
    assert len({call.id for call in reply.tool_calls}) == 2
    assert reply.usage.output is not None


@every_way
@for_each("framing", Framing)
def test_every_framing_gives_the_same_calls(way: Way, framing: Framing) -> None:
    calls = ONE if framing is Framing.FUNCTION_CALL else TWO
    reply = replied(way, Behaviour(calls=calls, framing=framing))
    expected = [json.loads(call["arguments"]) for call in calls]
    assert [json.loads(call.arguments) for call in reply.tool_calls] == expected
    assert [call.name for call in reply.tool_calls] == [call["name"] for call in calls]
    assert framing is Framing.OBJECTS or said(reply) == calls
    nameless = framing in (Framing.NO_ID, Framing.BARE) or (framing is Framing.FUNCTION_CALL and way.api == "chat")
    assert [call.id.startswith("call_") for call in reply.tool_calls] == [True] * len(calls)
    assert ([call.id for call in reply.tool_calls] == ["call_0", "call_1"][: len(calls)]) is nameless


@every_way
def test_a_reply_that_its_length_cut_inside_a_call_says_so(way: Way) -> None:
    reply = replied(way, Behaviour(Wrong.LENGTH, calls=ONE))
    assert said(reply) == [{"name": "move", "arguments": ARGUMENTS[: len(ARGUMENTS) // 2]}]
    assert reply.stop == "length"


@every_way
def test_a_conversation_goes_on_with_the_results(way: Way) -> None:
    """The loopback server refuses a call without a result, and a result without a call, as OpenAI does."""
    talk: list[Message] = [Message("system", "Play."), Message("user", "k")]
    turns: list[Any] = [
        {"calls": TWO, "text": "Go!"},
        {"calls": ONE},
        {"calls": [{"name": "look", "arguments": "{"}]},
        "Done.",
    ]
    with Loopback(answers=lambda key: turns) as server:
        for _ in turns:
            reply = expect_reply(ask(server, way, talk)[0])
            talk.append(reply.as_message())
            talk += [Message("tool", f"Result of {call.name}.", call_id=call.id) for call in reply.tool_calls]
        counters, records = server.counters(), server.records()
    assert (reply.text, reply.tool_calls, len(talk)) == ("Done.", (), 2 + 4 + 4)
    assert counters.requests == 4
    names = [tool.get("function", tool)["name"] for tool in records[-1].body["tools"]]
    assert names == ["move", "look"]


@every_way
def test_a_call_that_had_no_id_goes_on_by_the_one_it_was_given(way: Way) -> None:
    script = {"default": [{"calls": TWO, "framing": "bare"}, "ok"]}
    with Loopback(script) as server:
        reply = expect_reply(ask(server, way, "k")[0])
        talk = [Message("user", "k"), reply.as_message()]
        talk += [Message("tool", "Done.", call_id=call.id) for call in reply.tool_calls]
        assert expect_reply(ask(server, way, talk)[0]).text


@for_each("field", ["tools", "functions", "messages"])
def test_what_the_run_offers_cannot_be_set_by_hand_but_how_it_is_chosen_can(field: str) -> None:
    for way in WAYS:
        with raises(ModelFault.RESERVED_FIELDS, field):
            build(setting("http://127.0.0.1:9/v1", way, Sampling(extra_body={field: [], "top_k": 1})))
        free = Sampling(extra_body={"tool_choice": "required", "parallel_tool_calls": False})
        asyncio.run(build(setting("http://127.0.0.1:9/v1", way, free)).close())


# -- what goes wrong --------------------------------------------------------------------------------------------------

BROKEN = {
    Wrong.RESET: ErrorKind.CONNECTION,
    Wrong.CUT: ErrorKind.CONNECTION,
    Wrong.TRUNCATED: ErrorKind.TRUNCATED,
    Wrong.MALFORMED_CHUNK: ErrorKind.MALFORMED,
    Wrong.MALFORMED_BODY: ErrorKind.MALFORMED,
    Wrong.STREAM_ERROR: ErrorKind.SERVER,
    Wrong.CONTENT_FILTER: ErrorKind.FILTERED,
}


@every_way
def test_what_goes_wrong_after_the_last_call_loses_none(way: Way) -> None:
    with Loopback(lambda key, attempt: Behaviour(Wrong(key), calls=TWO, seconds=0.02)) as server:
        outcomes = ask(server, way, *PAID)
    assert [(said(expect_reply(outcome)), expect_reply(outcome).stop) for outcome in outcomes] == [
        (TWO, "tool_calls")
    ] * 6


@pytest.mark.slow
@every_way
def test_a_server_that_says_no_more_after_the_last_call_is_waited_for_and_loses_none(way: Way) -> None:
    with Loopback({"default": {"kind": "stall_at_end", "seconds": 1000, "calls": TWO}}) as server:
        assert said(expect_reply(ask(server, way, "k", timeout=0.2)[0])) == TWO


@every_way
def test_what_breaks_off_inside_a_call_is_never_taken(way: Way) -> None:
    with Loopback(lambda key, attempt: Behaviour(Wrong(key), calls=ONE)) as server:
        outcomes = ask(server, way, *BROKEN)
    expected = dict(BROKEN)
    if not way.stream:
        expected[Wrong.TRUNCATED] = ErrorKind.MALFORMED  # half a document
    assert [expect_failure(outcome).kind for outcome in outcomes] == list(expected.values())


@for_each("way", [CHAT_STREAM, RESPONSE_STREAM])
def test_a_stream_that_stalls_inside_a_call_is_a_timeout(way: Way) -> None:
    with Loopback(lambda key, attempt: Behaviour(calls=ONE, byte_delay=1000)) as server:
        assert expect_failure(ask(server, way, "k", timeout=0.1)[0]).kind is ErrorKind.TIMEOUT


@for_each(("way", "taken"), [(CHAT_STREAM, True), (RESPONSE_STREAM, False)])
def test_a_text_that_lost_its_last_event_is_taken_where_no_call_can_follow(way: Way, taken: bool) -> None:
    with Loopback(lambda key, attempt: Wrong.NO_DONE) as server:
        outcome = ask(server, way, "k")[0]
    assert isinstance(outcome, Reply) is taken, "chat completions have given the reason to stop"
    assert taken or expect_failure(outcome).kind is ErrorKind.TRUNCATED


@for_each("way", [CHAT, RESPONSE])
def test_a_server_that_takes_no_tools_says_so_and_is_not_asked_again(way: Way) -> None:
    with Loopback({"default": {"kind": "bad_request", "message": "This model takes no tools."}}) as server:
        error = expect_failure(ask(server, way, "k")[0])
    assert (error.kind, error.message, error.passing) == (ErrorKind.REFUSED, "This model takes no tools.", False)
