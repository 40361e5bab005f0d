"""Answers in a form: how each API asks for them, and what is done where a server refuses."""

from __future__ import annotations

from typing import Any

import pytest

from herobench.conversation import Form, Message, Request
from herobench.models.model_error import ModelError
from herobench.models.openai_api import ServedModel
from tests.loopback import Kind, Loopback
from tests.models.asked import CHAT, RESPONSE, WAYS, Outcome, Way, every_way, failure_of, reply_of, setting, with_model

FORM = Form("choice", {"type": "object", "properties": {"choice": {"type": "integer"}}, "required": ["choice"]})
PARTS = {"name": "choice", "schema": dict(FORM.schema), "strict": True}
OK = Kind.OK


async def asked(model: ServedModel, form: Form | None = FORM) -> Outcome:
    try:
        return await model.reply(Request("a task", 0, [Message("user", "k")], form=form))
    except ModelError as error:
        return error


def all_asked(server: Loopback, way: Way, *forms: Form | None) -> list[Outcome]:
    async def use(model: ServedModel) -> list[Outcome]:
        return [await asked(model, form) for form in forms]

    return with_model(setting(server.url, way), use)


def form_sent(body: dict[str, Any]) -> Any:
    """The form in a request of either API; None if it has none."""
    return body.get("response_format") or body.get("text")


def sent(server: Loopback) -> list[bool]:
    """For each request, whether it had a form."""
    return [form_sent(record.body) is not None for record in server.records()]


@pytest.mark.parametrize("way", [CHAT, RESPONSE], ids=str)
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
    assert [reply_of(outcome).text != "" for outcome in outcomes] == [True, True, True]


@pytest.mark.parametrize("kind", [Kind.BAD_REQUEST, Kind.CONTEXT])
@pytest.mark.parametrize("way", WAYS[::3], ids=str)
def test_a_refusal_of_both_is_told_as_before_and_says_nothing_of_forms(way: Way, kind: Kind) -> None:
    with Loopback(lambda key, attempt: kind if attempt <= 3 else OK) as server:
        plain, formed, later = all_asked(server, way, None, FORM, FORM)
        assert sent(server) == [False, True, False, True]
    assert failure_of(formed).as_row() == failure_of(plain).as_row()
    assert reply_of(later)


@pytest.mark.parametrize("kind", [Kind.SERVER_ERROR, Kind.UNAUTHORIZED, Kind.RATE_LIMIT, Kind.RESET])
def test_other_failures_are_no_refusals_of_a_form(kind: Kind) -> None:
    with Loopback(lambda key, attempt: kind if attempt == 1 else OK) as server:
        failed, later = all_asked(server, CHAT, FORM, FORM)
        assert sent(server) == [True, True]
    assert failure_of(failed)
    assert reply_of(later)
