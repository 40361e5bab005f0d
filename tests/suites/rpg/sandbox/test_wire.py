from __future__ import annotations

import contextlib
import json
import math
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from herobench.suites.rpg.game.episode import Ending
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.sandbox.bounds import Limits
from herobench.suites.rpg.sandbox.wire import (
    HEAD,
    MOST_ATTEMPTS,
    MOST_BYTES,
    Malformed,
    Played,
    decode,
    fits,
    frame,
    frame_length,
    most_bytes,
    played_from,
    played_message,
    read_frame,
    write_all,
)
from tests.sizes import for_each, many, one_in

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=9),
)
ACTIONS = st.builds(
    Action,
    st.sampled_from(["move", "fight", "gather"]),
    st.lists(VALUES, max_size=3).map(tuple),
    st.dictionaries(st.text(min_size=1, max_size=5), VALUES, max_size=2).map(lambda named: tuple(named.items())),
    st.none() | st.integers(1, 9999),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=9), inner, max_size=5),
    max_leaves=20,
)
GOOD = {"how": "finished", "kind": None, "reason": None, "line": None, "error": None, "output": "", "attempts": []}


@settings(deadline=None)
@given(st.lists(ACTIONS, max_size=8), st.text(max_size=20))
def test_what_was_played_survives_the_way(attempts: list[Action], output: str) -> None:
    played = Played(tuple(attempts), Ending("error", "NameError: x", 3, "runtime", "NameError"), output)
    assert played_from(decode(frame(played_message(played))[HEAD:])) == played


@settings(deadline=None, max_examples=many(300))
@given(JSON, st.sampled_from([*GOOD, "how"]))
def test_any_message_is_either_something_played_or_malformed(value: object, key: str) -> None:
    for message in (value, {**GOOD, key: value}, {**GOOD, "attempts": [["move", value, {}, 1, 1]]}):
        with contextlib.suppress(Malformed):
            assert isinstance(played_from(message), Played)


@for_each(
    "attempt",
    [
        ["move", ["Hero"], {}, 1],
        ["move", ["Hero"], {}, 1, 0],
        ["move", ["Hero"], {}, 1, MOST_ATTEMPTS + 1],
        ["move", ["Hero"], {}, 1, True],
        ["move", ["Hero", ["x"]], {}, 1, 1],
        ["move", ["x" * 500], {}, 1, 1],
        ["move", ["Hero", math.inf], {}, 1, 1],
        ["move", ["Hero"], {}, 0, 1],
        [7, ["Hero"], {}, 1, 1],
        ["move", None, {}, 1, 1],
        "move",
    ],
)
def test_an_attempt_of_another_shape_is_malformed(attempt: object) -> None:
    with pytest.raises(Malformed):
        played_from({**GOOD, "attempts": [attempt]})


@for_each(
    "changes",
    [
        {"how": "finished", "error": "NameError"},
        {"how": "error", "error": None},
        {"how": "error", "error": 5},
        {"how": "error", "error": "x" * 101},
    ],
)
def test_an_error_and_only_an_error_has_the_name_of_its_class(changes: dict[str, object]) -> None:
    with pytest.raises(Malformed):
        played_from({**GOOD, **changes})


def test_repeats_are_sent_once() -> None:
    action = Action("gather", ("Hero",), (), 2)
    message = played_message(Played((action,) * 500, Ending("finished"), ""))
    assert len(message["attempts"]) == 1
    assert len(played_from(json.loads(json.dumps(message))).attempts) == 500


def test_a_frame_says_how_long_it_is_and_a_longer_one_is_refused() -> None:
    assert frame_length(frame({"a": 1})[:HEAD]) == len(b'{"a":1}')
    with pytest.raises(Malformed):
        frame_length((MOST_BYTES + 1).to_bytes(HEAD, "big"))


@for_each("body", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"1" * 5000])
def test_what_is_no_json_is_malformed(body: bytes) -> None:
    with pytest.raises(Malformed):
        decode(body)


WIDEST = {
    "letters": "x" * 200,
    "quotes": '"' * 100,
    "backslashes": "\\" * 100,
    "control characters": "\x01" * 33,
    "letters beyond ASCII": "é" * 33,
    "letters beyond the basic plane": "\U0001f5e1" * 16,
    "halves of characters": "\ud800" * 33,
}


@pytest.mark.parametrize("text", one_in(3, WIDEST.values()), ids=WIDEST)
def test_the_longest_answer_that_the_limits_allow_fits(text: str) -> None:
    assert fits(text)
    assert not fits(text + text[0])
    limits = Limits()
    named = (("name" * 5, text), ("slot" * 5, text))
    actions = tuple(Action("unequip", (text, text), named, 5000 + n) for n in range(limits.actions))
    ending = Ending("limit", "x" * 300, 5000, "actions")
    body = frame(played_message(Played(actions, ending, "\U0001f5e1" * limits.output)))
    assert frame_length(body[:HEAD], most_bytes(limits)) == len(body) - HEAD
    assert len(played_from(decode(body[HEAD:])).attempts) == limits.actions


def test_more_limits_let_answers_be_longer() -> None:
    assert most_bytes(Limits(actions=20_000)) > most_bytes(Limits()) < most_bytes(Limits(output=40_000))


def test_a_torn_frame_is_the_end() -> None:
    reading, writing = os.pipe()
    try:
        write_all(writing, frame({"a": 1}))
        assert read_frame(reading) == {"a": 1}
        os.write(writing, frame({"a": 1})[:-1])
        os.close(writing)
        with pytest.raises(EOFError):
            read_frame(reading)
    finally:
        os.close(reading)
