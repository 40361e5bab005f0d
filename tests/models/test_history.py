"""The history of a conversation as strict servers take it; what the run keeps of it stays as it was said."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.conversation import Message, ToolCall
from herobench.models.history import (
    sendable_arguments,
    sendable_name,
    with_alternating_roles,
    with_own_ids,
)
from tests.sizes import for_each


@pytest.mark.parametrize("arguments", ["{}", ' {"x": 1}\n', '{"a": {"b": [1.5e3, null, "ü \\ud83d\\ude00"]}}'])
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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    "talk", [[*turn("a"), *turn("a"), *turn("a")], turn("a", "a", "a"), [*turn("", ""), *turn("")]]
)
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
