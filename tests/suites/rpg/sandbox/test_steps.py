"""A plan that is followed step by step does, counts and ends what it does compiled."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from types import CodeType

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from herobench.suites.rpg.game.events import SIGNATURES, Action, RefusedAction, bound
from herobench.suites.rpg.sandbox import language
from herobench.suites.rpg.sandbox.bounds import Limits
from herobench.suites.rpg.sandbox.wire import Played
from herobench.suites.rpg.sandbox.worker import Act, LastAction, play
from tests.sizes import for_each

NAMES = ["Hero", "i", "_", "__x__", "a" * 60, "x_1", "Ħ"]
VALUES = [
    "'Hero'", '"copper"', "'é'", "1", "-1", "+7", "--1", "0", "007", "1_000", "0x10", "10**2", "None", "True", "2.5",
    "'a' 'b'", "f'{1}'", "b'x'", "'" + "x" * 300 + "'", "9" * 18, "9" * 19, "-" + "9" * 21, "[1]", "(3)", "x",
    "'''a\nb'''",
]  # fmt: skip
ENDS = ["3", "0", "-2", "1, 4", "2, 2", "5, 1", "", "1, 2, 3", "'3'", "10**6", "100000000000000000000"]

values = st.sampled_from(VALUES)
arguments = st.lists(
    st.one_of(values, st.tuples(st.sampled_from(["x", "y", "quantity", "name", "__x__"]), values).map("=".join)),
    max_size=4,
)
calls = st.tuples(
    st.sampled_from([*SIGNATURES, "jump"]), arguments, st.sampled_from([", ", ",\n    ", ",  # no\n"])
).map(lambda call: f"{call[0]}({call[2].join(call[1])})")
good_calls = st.sampled_from(
    [
        'move("Hero", 1, 2)',
        'gather("Hero")',
        'gather("Hero", quantity=2)',
        'fight("Hero")',
        "craft('Hero', 'copper', 1)",
    ]
)
others = st.sampled_from(["pass", "'''a text'''", "x = 1", "print('x')", "gather('Hero') or 1", "break", "1", "..."])


def indented(block: str) -> str:
    return "\n".join(f"    {line}" for line in block.split("\n"))


def plan_texts(
    statements: st.SearchStrategy[str], names: list[str], ends: list[str], most: int = 12
) -> st.SearchStrategy[str]:
    heads = st.tuples(st.sampled_from(names), st.sampled_from(ends))

    def loops(blocks: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.tuples(heads, blocks).map(
            lambda loop: f"for {loop[0][0]} in range({loop[0][1]}):\n{indented(loop[1])}"
        )

    return st.recursive(
        st.lists(statements, min_size=1, max_size=5).map("\n".join),
        lambda inner: st.lists(st.one_of(statements, loops(inner)), min_size=1, max_size=5).map("\n".join),
        max_leaves=most,
    )


plain = plan_texts(good_calls, ["_", "i"], ["1", "3", "-1, 2", "0", "1_000_000"])
odd = plan_texts(st.one_of(good_calls, good_calls, calls, others), ["_", "range", "move", *NAMES], ENDS)
limits = st.builds(
    lambda steps, actions: replace(Limits(), steps=steps, actions=actions),
    st.integers(1, 40) | st.just(10_000),
    st.sampled_from([1, 3, 10, 1_000]),
)


def table(last: int) -> Mapping[str, Act]:
    """Actions that check their arguments as the game does; the last one that may be done ends the plan."""
    done: list[Action] = []

    def act(action: Action, looks: bool) -> object:
        with suppress(RefusedAction):
            bound(action.name, action.args, action.keywords)
        done.append(action)
        if len(done) == last:
            raise LastAction("fight", "a defeat is final here")
        return (200, "ok") if looks else None

    return dict.fromkeys(SIGNATURES, act)


def both(plan: str, limit: Limits, last: int) -> tuple[Played, Played]:
    followed = play(plan, table(last), limit)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(language, "read_steps", lambda *_: None)
        return followed, play(plan, table(last), limit)


@example("for _ in range(9):\n" + "    fight('Hero')\n" * 40, replace(Limits(), steps=12), 10**9)
@given(st.one_of(plain, plain, odd), limits, st.sampled_from([2, 9, 10**9]))
def test_steps_do_what_the_compiled_plan_does(plan: str, limit: Limits, last: int) -> None:
    followed, compiled = both(plan, limit, last)
    assert followed == compiled


@given(plain)
def test_calls_and_loops_are_followed(plan: str) -> None:
    assert not isinstance(language.read_plan(plan, SIGNATURES), CodeType)


@for_each(
    ("plan", "is_steps"),
    [
        ("", True),
        ('move("Hero", 1, -2)\nfor _ in range(3):\n    gather("Hero", quantity=2)', True),
        ("'''what I do'''\npass", True),
        ('gather("Hero", x=1, x=2)', False),
        ("for __x__ in range(3):\n    gather('Hero')", False),
        (f"gather({10**18})", False),
        (f"gather({10**18 - 1})", True),
        ("x = 1", False),
        ("print(gather('Hero'))", False),
    ],
)
def test_which_plans_are_followed_and_not_compiled(plan: str, is_steps: bool) -> None:
    try:
        read = language.read_plan(plan, SIGNATURES)
    except language.Rejected:
        assert not is_steps
    else:
        assert isinstance(read, CodeType) is not is_steps


@for_each("plan", ["x = 1", "print(1)", "gather(1.5)", "while True:\n    gather('Hero')"])
def test_a_straight_track_refuses_as_before(plan: str) -> None:
    assert play(plan, table(10**9), Limits(), "straight").ending.kind == "not_straight"


def test_the_line_of_an_ending_is_that_of_the_step() -> None:
    plan = "for _ in range(3):\n    'a text'\n    gather(\n        'Hero')\nmove('Hero')"
    for limit in (Limits(), replace(Limits(), steps=4), replace(Limits(), actions=2)):
        followed, compiled = both(plan, limit, 10**9)
        assert followed == compiled
        assert followed.ending.line in (2, 3, 5)
