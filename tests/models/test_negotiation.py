"""What a refusal teaches, and that it teaches it once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from herobench.conversation import Form, Message, Reply, Request, Tool
from herobench.models import negotiation
from herobench.models.model import ModelSpec, Sampling
from herobench.models.model_error import ErrorKind, ModelError
from herobench.models.negotiation import USUAL, Body, Dialect, Negotiation, other_dialects
from herobench.models.openai_api import ServedModel, build
from tests.loopback import Behaviour, Kind, Loopback
from tests.models.asked import (
    CHAT,
    CHAT_STREAM,
    RESPONSE,
    WAYS,
    Outcome,
    Way,
    every_way,
    expect_failure,
    expect_reply,
    once,
    setting,
    with_model,
)
from tests.sizes import for_each

THOUGHT = {"messages": [{"role": "assistant", "content": "a", "reasoning_content": "so"}]}
PICTURED = {"messages": [{"role": "tool", "content": "a"}, {"role": "user", "content": "b"}]}
RULED = {"messages": [{"role": "system", "content": "Play."}, {"role": "user", "content": "a"}]}
CALLED = {"messages": [{"role": "assistant", "content": None, "tool_calls": []}]}
WITHOUT_SYSTEM = Dialect(system=False)
UNCOUNTED = Dialect(usage=False)
NEWEST = Dialect(limit="max_completion_tokens")


def refused(words: str, status: int = 400) -> ModelError:
    return ModelError(ErrorKind.REFUSED, words, status=status)


@for_each(
    ("body", "words", "lesson"),
    [
        ({"max_tokens": 1}, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", NEWEST),
        ({"max_tokens": 1}, "Unrecognized request argument supplied: max_tokens", NEWEST),
        ({"max_tokens": 1}, "body.max_tokens: Extra inputs are not permitted", NEWEST),
        ({"stream_options": {}}, "stream_options.include_usage: Extra inputs are not permitted", Dialect(usage=False)),
        ({"stream_options": {}}, "Unknown parameter: 'stream_options'.", Dialect(usage=False)),
        (THOUGHT, "messages.2.assistant.reasoning_content: property is unsupported", Dialect(thoughts="none")),
        (
            THOUGHT,
            "body.messages.3.assistant.reasoning_content: Extra inputs are not permitted",
            Dialect(thoughts="none"),
        ),
        (THOUGHT, "Error code: 400", Dialect(thoughts="none")),
        ({"include": ["a"]}, "Encrypted content is not supported with this model.", Dialect(thoughts="none")),
        ({"include": ["a"]}, "The encrypted content gAAA could not be verified.", Dialect(thoughts="none")),
        ({}, "The `reasoning_content` in the thinking mode must be passed back to the API.", Dialect(thoughts="all")),
        ({}, "Missing `reasoning_content` field in the assistant message at index 2.", Dialect(thoughts="all")),
        ({}, "thinking is enabled but reasoning_content is missing in assistant message", Dialect(thoughts="all")),
        (PICTURED, "Unexpected role 'user' after role 'tool'", Dialect(alternate=True)),
        (RULED, "System role not supported", Dialect(system=False)),
        (RULED, "Unsupported value: 'messages[0].role' does not support 'system' with this model.", WITHOUT_SYSTEM),
        (RULED, "Developer instruction is not enabled for models/gemma-3-27b-it", WITHOUT_SYSTEM),
        (RULED, "Only user and assistant roles are supported!", WITHOUT_SYSTEM),
        (CALLED, "messages.1.content: Input should be a valid string", Dialect(null=False)),
        (CALLED, "Invalid value for 'content': expected a string, got null.", Dialect(null=False)),
        (CALLED, "invalid type: null, expected a string", Dialect(null=False)),
    ],
)
def test_the_words_of_a_refusal_say_what_to_send_otherwise(body: Body, words: str, lesson: Dialect) -> None:
    for status in (400, 422):
        assert next(other_dialects(USUAL, body, refused(words, status))) == lesson
    assert list(other_dialects(USUAL, body, refused(words, 500))) == []


@for_each(
    ("body", "words"),
    [
        ({"max_tokens": 1}, "max_tokens is too large: 100000. This model takes at most 16384 tokens."),
        ({"max_completion_tokens": 1}, "'max_tokens' is not supported. Use 'max_completion_tokens' instead."),
        ({"max_tokens": 1}, "Unsupported parameter: 'temperature'"),
        ({}, "Unsupported parameter: 'max_tokens'"),
        (THOUGHT, "The model takes no tools."),
        ({}, "Unexpected error in the thinking mode"),
    ],
)
def test_other_words_teach_nothing_but_that_a_form_may_be_the_reason(body: Body, words: str) -> None:
    assert list(other_dialects(USUAL, body, refused(words))) == [Dialect(forms=False)]


def test_a_server_that_takes_the_older_name_alone_is_asked_by_it() -> None:
    words = "max_completion_tokens: Extra inputs are not permitted"
    assert next(other_dialects(NEWEST, {"max_completion_tokens": 1}, refused(words))) == USUAL


# -- once -------------------------------------------------------------------------------------------------------------

LOOK = Tool("look", "Look around.", {"type": "object", "properties": {}})


def played(server: Loopback, way: Way, talks: int, dialect: Dialect = USUAL) -> tuple[list[str], list[Dialect]]:
    """Hold conversations of three turns at once, with tools. Return the news and the dialects that were learned."""
    news: list[str] = []
    learned: list[Dialect] = []

    def learn(new: Dialect, told: str) -> None:
        news.append(told)
        learned.append(new)

    async def talk(model: Any, number: int) -> None:
        messages = [Message("system", "Play."), Message("user", f"{number}")]
        for _ in range(3):
            reply: Reply = await model.reply(Request("t", 0, messages, [LOOK]))
            results = [Message("tool", "seen", call_id=call.id) for call in reply.tool_calls]
            messages += [reply.as_message(), *(results or [Message("user", "On.")])]

    async def work() -> None:
        made = setting(server.url, way, Sampling(max_tokens=100))
        model = build(ModelSpec(made.name, made.argument, made.sampling, made.endpoint, dialect, learn))
        try:
            await asyncio.gather(*(talk(model, number) for number in range(talks)))
        finally:
            await model.close()

    asyncio.run(work())
    return news, learned


CALLS = [{"name": "look", "arguments": "{}"}, {"name": "look", "arguments": '{"x": '}]


def has_null(body: Body) -> bool:
    return any(message.get("content", "") is None for message in body["messages"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("refused", "words", "way", "lesson"),
    [
        (lambda body: "max_tokens" in body, "Unrecognized request argument supplied: max_tokens", CHAT, NEWEST),
        (lambda body: "stream_options" in body, "Unknown parameter: 'stream_options'.", CHAT_STREAM, UNCOUNTED),
        (has_null, "Invalid value for 'content': expected a string, got null.", CHAT, Dialect(null=False)),
    ],
)
def test_a_lesson_costs_one_refused_request_whatever_is_asked_at_once_and_none_in_the_next_session(
    refused: Callable[[Body], bool], words: str, way: Way, lesson: Dialect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(negotiation, "_HEAD_START", 60.0)
    answers = {"text": "", "calls": CALLS}
    with Loopback(answers=lambda key: answers, refuses=lambda body: words if refused(body) else None) as loopback:
        news, learned = played(loopback, way, 9)
        assert [record.status for record in loopback.records() if record.status] == [400]
        assert (learned, len(news)) == ([lesson], 1)
        loopback.reset()
        assert played(loopback, way, 9, lesson) == ([], [])
        assert {record.status for record in loopback.records()} == {0}


async def never(refusal: ModelError) -> None:
    raise AssertionError(refusal)


def test_requests_wait_for_one_that_tries_something_but_not_for_its_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first request goes alone until the server takes it; then all others go, while the first still waits."""
    monkeypatch.setattr(negotiation, "_HEAD_START", 60.0)

    async def work() -> list[int]:
        asking = Negotiation(USUAL, lambda dialect, news: None)
        begun, taken, end = [], asyncio.Event(), asyncio.Event()

        async def ask(number: int) -> None:
            async def once(body: Body, take: Any) -> Reply:
                begun.append(number)
                await taken.wait()
                take()
                await end.wait()
                return Reply("a")

            await asking.ask(lambda dialect: {"max_tokens": 1}, once, never)

        tasks = [asyncio.create_task(ask(number)) for number in range(5)]
        for _ in range(20):
            await asyncio.sleep(0)
        alone = len(begun)
        taken.set()
        for _ in range(50):
            await asyncio.sleep(0)
        together = len(begun)
        end.set()
        await asyncio.gather(*tasks)
        return [alone, together]

    assert asyncio.run(work()) == [1, 5]


def test_a_request_that_waits_in_vain_goes_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(negotiation, "_HEAD_START", 0.001)

    async def work() -> int:
        asking = Negotiation(USUAL, lambda dialect, news: None)
        end = asyncio.Event()
        begun = 0

        async def once(body: Body, take: Any) -> Reply:
            nonlocal begun
            begun += 1
            if begun == 3:
                end.set()
            await end.wait()
            return Reply("a")

        await asyncio.gather(*(asking.ask(lambda dialect: {"max_tokens": 1}, once, never) for _ in range(3)))
        return begun

    assert asyncio.run(work()) == 3


def test_a_failure_of_another_sort_is_told_as_it_is_and_teaches_nothing() -> None:
    with Loopback(lambda key, attempt: Behaviour(Kind.BAD_REQUEST, message="No.")) as loopback:
        with pytest.raises(ModelError, match=r"^No\.$"):
            played(loopback, CHAT, 1)
        assert loopback.counters().requests == 1


FORM = Form("choice", {"type": "object", "properties": {"choice": {"type": "integer"}}, "required": ["choice"]})
PARTS = {"name": "choice", "schema": dict(FORM.schema), "strict": True}
OK = Kind.OK


def all_asked(server: Loopback, way: Way, *forms: Form | None) -> list[Outcome]:
    async def use(model: ServedModel) -> list[Outcome]:
        return [await once(model, "k", form=form) for form in forms]

    return with_model(setting(server.url, way), use)


def form_sent(body: dict[str, Any]) -> Any:
    """The form in a request of either API; None if it has none."""
    return body.get("response_format") or body.get("text")


def sent(server: Loopback) -> list[bool]:
    """For each request, whether it had a form."""
    return [form_sent(record.body) is not None for record in server.records()]


@for_each("way", [CHAT, RESPONSE])
def test_a_form_is_sent_as_each_api_wants_it(way: Way) -> None:
    with Loopback() as server:
        all_asked(server, way, FORM, None)
        first, second = (record.body for record in server.records())
    chat = {"type": "json_schema", "json_schema": PARTS}
    assert form_sent(first) == (chat if way is CHAT else {"format": {"type": "json_schema", **PARTS}})
    assert form_sent(second) is None


@every_way
def test_a_server_that_refuses_a_form_is_asked_without_once_more_and_from_then_on(way: Way) -> None:
    with Loopback(lambda key, attempt: Kind.BAD_REQUEST if attempt == 1 else OK) as server:
        outcomes = all_asked(server, way, FORM, FORM, None)
        assert sent(server) == [True, False, False, False]
    assert [expect_reply(outcome).text != "" for outcome in outcomes] == [True, True, True]


@for_each("kind", [Kind.BAD_REQUEST, Kind.CONTEXT])
@for_each("way", WAYS[::3])
def test_a_refusal_of_both_is_told_as_before_and_says_nothing_of_forms(way: Way, kind: Kind) -> None:
    with Loopback(lambda key, attempt: kind if attempt <= 3 else OK) as server:
        plain, formed, later = all_asked(server, way, None, FORM, FORM)
        assert sent(server) == [False, True, False, True]
    assert expect_failure(formed).as_row() == expect_failure(plain).as_row()
    assert expect_reply(later)


@for_each("kind", [Kind.SERVER_ERROR, Kind.UNAUTHORIZED, Kind.RATE_LIMIT, Kind.RESET])
def test_other_failures_are_no_refusals_of_a_form(kind: Kind) -> None:
    with Loopback(lambda key, attempt: kind if attempt == 1 else OK) as server:
        failed, later = all_asked(server, CHAT, FORM, FORM)
        assert sent(server) == [True, True]
    assert expect_failure(failed)
    assert expect_reply(later)
