import asyncio
import gc

import openai
import pytest

from herobench.conversation import Reply
from herobench.models.model import Endpoint, ModelSpec, Sampling
from herobench.models.model_error import ModelFault
from herobench.models.openai_api import ServedModel, build
from tests.loopback import Behaviour, Kind, Loopback, count_usage, default_answer
from tests.models.asked import (
    CHAT,
    CHAT_STREAM,
    MODEL,
    RESPONSE,
    RESPONSE_STREAM,
    Outcome,
    Way,
    ask,
    every_way,
    expect_failure,
    expect_reply,
    once,
    setting,
    with_model,
)
from tests.refusals import raises
from tests.sizes import one_in


def replied(behaviour: Behaviour | Kind, way: Way) -> Reply:
    with Loopback(lambda key, attempt: behaviour) as server:
        (outcome,) = ask(setting(server.url, way))
        return expect_reply(outcome)


# -- good answers -----------------------------------------------------------------------------------------------------


@every_way
def test_a_reply_is_read_whole_with_its_thoughts_and_its_counts(way: Way) -> None:
    reply = replied(Behaviour(reasoning="Let me think, ünd so on.", model="served@2026"), way)
    counted = count_usage("k", default_answer("k"), "Let me think, ünd so on.")
    assert (reply.text, reply.reasoning) == (default_answer("k"), "Let me think, ünd so on.")
    assert (reply.stop, reply.model, reply.answer) == ("stop", "served@2026", None)
    assert (reply.usage.output, reply.usage.reasoning) == (counted.completion, counted.reasoning)
    assert reply.usage.input is not None
    assert reply.usage.cached == reply.usage.input // 2
    assert str(reply.id).startswith(("chatcmpl-", "resp_"))


# -- what is sent -----------------------------------------------------------------------------------------------------


def test_an_api_without_seeds_is_not_asked_for_one() -> None:
    with raises(ModelFault.NO_SEED):
        build(setting("http://127.0.0.1:9/v1", RESPONSE, Sampling(seed=0)))


def test_the_key_is_that_of_the_variable_that_was_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANOTHER_KEY", "sk-another")
    with Loopback() as server:
        ask(ModelSpec(MODEL, MODEL, endpoint=Endpoint(server.url, "ANOTHER_KEY")))
        assert server.records()[0].authorization == "Bearer sk-another"


def test_the_server_is_that_of_the_environment_where_none_was_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with Loopback() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        (outcome,) = ask(ModelSpec(MODEL, MODEL))
        assert expect_reply(outcome).text == default_answer("k")


def test_a_server_without_keys_is_sent_a_word_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with Loopback() as server:
        assert expect_reply(ask(setting(server.url, CHAT))[0])
        assert server.records()[0].authorization == "Bearer none"


# -- connections ------------------------------------------------------------------------------------------------------


@every_way
def test_one_connection_serves_one_request_after_the_other(way: Way) -> None:
    if openai.__version__ < "3" and way.stream and way.api == "chat":
        pytest.skip("before version 3, the SDK ends the connection of a stream of chat completions with the stream")
    with Loopback({"keys": {"1": "server_error", "2": "refusal", "3": "length"}}) as server:
        ask(setting(server.url, way), [str(number) for number in range(6)])
        counters = server.wait_until(lambda now: now.connections == 0)
        assert (counters.requests, counters.opened, counters.most_connections) == (6, 1, 1)


@pytest.mark.slow
@every_way
def test_no_more_connections_are_open_than_were_allowed(way: Way) -> None:
    async def many(model: ServedModel) -> list[Outcome]:
        asked = asyncio.gather(*(once(model, str(number)) for number in range(12)))
        await asyncio.to_thread(server.wait_until, lambda now: now.in_flight == 3)
        server.release()
        return await asked

    with Loopback() as server:
        server.hold()
        outcomes = with_model(setting(server.url, way, connections=3), many)
        assert [expect_reply(one).text for one in outcomes] == [default_answer(str(number)) for number in range(12)]
        counters = server.wait_until(lambda now: now.connections == 0)
        assert (counters.most_in_flight, counters.most_connections) == (3, 3)


@every_way
def test_who_stops_waiting_for_an_answer_gives_its_connection_back(way: Way) -> None:
    async def work(model: ServedModel) -> Outcome:
        waiting = asyncio.create_task(once(model, "silent"))
        await asyncio.to_thread(server.wait_until, lambda now: now.in_flight == 1)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert waiting.cancelled()
        return await once(model, "next")

    silence = {"kind": "silence", "seconds": 1000}
    with Loopback({"keys": {"silent": silence}}) as server:
        assert expect_reply(with_model(setting(server.url, way, connections=1), work)).text == default_answer("next")
        server.wait_until(lambda now: now.in_flight == now.connections == 0)


@every_way
def test_a_server_that_says_nothing_for_too_long_is_waited_for_no_longer(way: Way) -> None:
    slow = {"before": Behaviour(Kind.SILENCE, seconds=1000), "amid": Behaviour(byte_delay=1000)}
    with Loopback(lambda key, attempt: slow[key]) as server:
        for outcome in ask(setting(server.url, way, timeout=0.1), list(slow)):
            error = expect_failure(outcome)
            assert (error.kind, error.passing) == ("timeout", True)
        server.wait_until(lambda now: now.in_flight == now.connections == 0)


@pytest.mark.parametrize(
    "kind", one_in(5, [Kind.OK, Kind.RESET, Kind.MALFORMED_CHUNK, Kind.STREAM_ERROR, Kind.UNAVAILABLE])
)
def test_after_closing_nothing_is_left_open(kind: Kind) -> None:
    gc.freeze()
    try:
        with Loopback(lambda key, attempt: kind) as server:
            for way in (CHAT_STREAM, RESPONSE_STREAM):
                ask(setting(server.url, way))
            server.wait_until(lambda now: now.connections == 0)
        gc.collect()  # what was left open is warned of, and a warning is an error
    finally:
        gc.unfreeze()


@every_way
def test_half_a_surrogate_pair_that_was_said_before_does_not_stop_the_conversation(way: Way) -> None:
    with Loopback() as server:
        (outcome,) = ask(setting(server.url, way), ["half \ud83d"])
        (record,) = server.records()
    assert expect_reply(outcome).text
    assert "half ?" in str(record.body)
