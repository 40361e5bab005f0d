"""Tool calls, put together from every framing that servers are known to use."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.conversation import ToolCall
from herobench.models.messages import ToolCallPieces, arguments_text, with_ids
from tests.models.odd_values import JSON
from tests.sizes import for_each

MOVE, LOOK = '{"x": 1, "y": -2}', "{}"


def piece(arguments: Any = None, index: int | None = None, id: str | None = None, name: str | None = None) -> Any:
    function = {"name": name, "arguments": arguments}
    entry = {"index": index, "id": id, "function": {key: said for key, said in function.items() if said is not None}}
    return {key: said for key, said in entry.items() if said is not None}


def streamed(*entries: Any) -> list[tuple[str, str, str]]:
    """Return the calls of a stream that has each entry in a delta of its own."""
    pieces = ToolCallPieces()
    for entry in entries:
        pieces.add_delta({"tool_calls": entry if isinstance(entry, list) else [entry]})
    return [(call.id, call.name, call.arguments) for call in pieces.calls()]


def whole(message: dict[str, Any]) -> list[tuple[str, str, str]]:
    pieces = ToolCallPieces()
    pieces.add_message(message)
    return [(call.id, call.name, call.arguments) for call in pieces.calls()]


TWO = [("a", "move", MOVE), ("b", "look", LOOK)]
SAME_TOOL = [("a", "move", MOVE), ("b", "move", LOOK)]


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
    assert streamed(*mixed) == calls


@for_each(
    "entries",
    [
        [piece(MOVE, 0, "a", "move"), piece(LOOK, 1, "b", "look")],
        [[piece(MOVE, 0, "a", "move"), piece(LOOK, 1, "b", "look")]],
        [piece(MOVE, None, "a", "move"), piece(LOOK, None, "b", "look")],
        [piece(MOVE, 0, "a", "move"), piece(LOOK, 0, "b", "look")],
        [piece("", None, "a", "move"), piece(MOVE), piece("", None, "b", "look"), piece(LOOK)],
        [piece(part, 0, "a", "move") for part in ("", MOVE[:5], MOVE[5:])] + [piece(LOOK, 1, "b", "look")],
        [piece(part, None, "a", "move") for part in ("", MOVE[:5], MOVE[5:])] + [piece(LOOK, None, "b", "look")],
        [piece(MOVE, 0, "a", "move"), piece("", 0, "a", "move"), piece(LOOK, 1, "b", "look")],
        [piece(MOVE, 0, "a", "move"), piece(LOOK, 1, "b", "look"), piece(MOVE, 0, "a", "move")],
        [piece(MOVE[:5], 0, None, "move"), piece(MOVE[5:], 0, "a"), piece(LOOK, 1, "b", "look")],
        [piece(MOVE[:5], None, "a", "move"), piece(LOOK, None, "b", "look"), piece(MOVE[5:], None, "a")],
        [piece(None, 0, "a", "mo"), piece(None, 0, None, "ve"), piece(MOVE, 0), piece(LOOK, 1, "b", "look")],
    ],
)
def test_two_calls_are_told_apart_in_every_framing(entries: list[Any]) -> None:
    assert streamed(*entries) == TWO


@pytest.mark.parametrize(
    "entries",
    [
        [piece(MOVE, None, None, "move"), piece(LOOK, None, None, "move")],
        [[piece(MOVE, None, None, "move"), piece(LOOK, None, None, "move")]],
        [piece(MOVE, 0, None, "move"), piece(LOOK, 0, None, "move")],
        [piece(MOVE, 0, None, "move"), piece(LOOK, 1, None, "move")],
        [piece("", None, None, "move"), piece(MOVE), piece("", None, None, "move"), piece(LOOK)],
    ],
)
def test_calls_without_ids_get_some_in_their_order(entries: list[Any]) -> None:
    assert streamed(*entries) == [("call_0", "move", MOVE), ("call_1", "move", LOOK)]


@pytest.mark.parametrize(
    "entries",
    [
        [piece(MOVE, 0, "a", "move"), piece(MOVE, 1, "a", "move")],
        [piece("", 0, "a", "move"), piece(MOVE, 0), piece("", 1, "a", "move"), piece(MOVE, 1)],
        [piece("", 0, "a", "move"), piece("", 1, "a", "move"), piece(MOVE, 0, "a"), piece(MOVE, 1, "a")],
        [piece("", 0, "a", "move"), piece("", 1, "a", "move"), piece(MOVE[:5], 1), piece(MOVE, 0), piece(MOVE[5:], 1)],
    ],
)
def test_calls_with_one_id_are_told_apart_by_their_index(entries: list[Any]) -> None:
    assert streamed(*entries) == [("a", "move", MOVE)] * 2


def test_a_call_whose_pieces_are_numbered_is_one() -> None:
    assert streamed(piece(MOVE[:5], 0, "a", "move"), piece(MOVE[5:], 1, "a")) == [("a", "move", MOVE)]


def test_calls_without_arguments_are_told_apart_by_their_ids_or_by_their_names() -> None:
    assert streamed(piece("", 0, "a", "look"), piece("", 0, "b", "look")) == [("a", "look", ""), ("b", "look", "")]
    bare = [piece("", None, None, "look"), piece(MOVE, None, None, "move")]
    assert streamed(*bare) == [("call_0", "look", ""), ("call_1", "move", MOVE)]


def test_a_piece_that_is_like_those_before_it_is_a_repetition_only_of_a_whole_call() -> None:
    assert streamed(piece("[", 0, "a", "move"), piece("[", 0, "a", "move")) == [("a", "move", "[[")]


def test_a_bare_call_of_the_same_tool_again_is_a_call_of_its_own() -> None:
    again = piece(MOVE, None, None, "move")
    assert streamed(again, again) == [("call_0", "move", MOVE), ("call_1", "move", MOVE)]


def test_a_call_of_the_same_tool_with_the_same_arguments_is_a_call_of_its_own_by_its_id() -> None:
    twice = [piece(MOVE, 0, "a", "move"), piece(MOVE, 1, "b", "move")]
    assert streamed(*twice) == [("a", "move", MOVE), ("b", "move", MOVE)]


@pytest.mark.parametrize("arguments", ["", "{", '{"x": 1', "not JSON", "[1]", '"a text"', '{"x": 1}}', "\ud800"])
def test_arguments_are_kept_as_they_came_also_where_they_are_malformed(arguments: str) -> None:
    expected = [("a", "move", arguments)]
    assert streamed(piece(arguments, 0, "a", "move")) == expected
    assert streamed(piece("", 0, "a", "move"), *(piece(letter, 0) for letter in arguments)) == expected
    assert whole({"tool_calls": [piece(arguments, None, "a", "move")]}) == expected


@pytest.mark.parametrize(
    ("value", "text"),
    [({"x": 1}, '{"x": 1}'), ({}, "{}"), ([1], "[1]"), (7, "7"), (False, "false"), (None, ""), ("ü", "ü")],
)
def test_arguments_that_come_as_a_value_are_kept_as_its_text(value: object, text: str) -> None:
    assert arguments_text(value) == text
    assert whole({"tool_calls": [piece(value, None, "a", "move")]}) == [("a", "move", text)]
    assert streamed(piece(value, 0, "a", "move")) == [("a", "move", text)]


def test_umlauts_in_a_value_stay_letters() -> None:
    assert arguments_text({"to": "Köln"}) == '{"to": "Köln"}'


def test_each_entry_of_a_whole_message_is_a_call() -> None:
    entries = [piece(MOVE, 0, "a", "move"), piece(LOOK, 0, "a", "move"), piece(None, None, None, "look"), {}]
    found = whole({"tool_calls": entries})
    assert found == [("a", "move", MOVE), ("a", "move", LOOK), ("call_0", "look", "")]


def test_the_older_field_is_a_call_whole_and_in_pieces() -> None:
    assert whole({"function_call": {"name": "move", "arguments": MOVE}}) == [("call_0", "move", MOVE)]
    pieces = ToolCallPieces()
    for part in ({"name": "move", "arguments": ""}, {"arguments": MOVE[:5]}, {"arguments": MOVE[5:]}):
        pieces.add_delta({"function_call": part})
    assert pieces.calls() == (ToolCall("call_0", "move", MOVE),)


def test_a_call_that_comes_in_both_fields_is_one() -> None:
    both = {"tool_calls": [piece(MOVE, 0, "a", "move")], "function_call": {"name": "move", "arguments": MOVE}}
    assert whole(both) == [("a", "move", MOVE)]


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
