"""Operators do what they do in Python, as far as numbers and sizes are bounded."""

import operator
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.rpg.sandbox.bounds import LimitReached, PlanBudget
from herobench.suites.rpg.sandbox.operations import Operators
from herobench.suites.rpg.sandbox.text import Text
from herobench.suites.rpg.sandbox.values import HashTables, Scale
from tests.sizes import for_each
from tests.suites.rpg.sandbox.plans import HUGE, outcome, plain_values, recorded, scalars, steadily

Operate = Callable[[Any, Any], Any]
PLAIN: dict[str, Operate] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "<<": operator.lshift, ">>": operator.rshift, "&": operator.and_,
    "|": operator.or_, "^": operator.xor,
}  # fmt: skip
IN_PLACE: dict[str, Operate] = {
    "+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv, "//": operator.ifloordiv,
    "%": operator.imod, "**": operator.ipow, "<<": operator.ilshift, ">>": operator.irshift, "&": operator.iand,
    "|": operator.ior, "^": operator.ixor,
}  # fmt: skip


def operators() -> Operators:
    scale = Scale(PlanBudget(HUGE))
    return Operators(scale, HashTables(scale), Text(scale))


@steadily
@given(st.sampled_from(sorted(PLAIN)), plain_values, plain_values)
def test_an_operator_gives_what_it_gives_in_python(symbol: str, left: Any, right: Any) -> None:
    ours = outcome(operators().binary, symbol, deepcopy(left), deepcopy(right))
    theirs = outcome(PLAIN[symbol], left, right)
    assert repr(ours) == repr(theirs) or _of_a_rendered_operand(symbol, left, ours, theirs)


@steadily
@given(st.sampled_from(sorted(PLAIN)), st.integers(-200, 200), st.integers(-60, 60) | st.booleans() | st.floats(-9, 9))
def test_an_operator_gives_on_numbers_what_it_gives_in_python(symbol: str, left: Any, right: Any) -> None:
    assert outcome(operators().binary, symbol, left, right) == outcome(PLAIN[symbol], left, right)


@steadily
@given(st.sampled_from(sorted(IN_PLACE)), plain_values, plain_values)
def test_an_operator_in_place_gives_and_changes_what_it_does_in_python(symbol: str, left: Any, right: Any) -> None:
    mine, other = deepcopy(left), deepcopy(left)
    ours, theirs = outcome(operators().augment, symbol, mine, right), outcome(IN_PLACE[symbol], other, right)
    assert repr(ours) == repr(theirs) or _of_a_rendered_operand(symbol, left, ours, theirs)
    assert repr(mine) == repr(other)
    assert (ours[1] is mine) == (theirs[1] is other) or not isinstance(left, list | dict | set)


def _of_a_rendered_operand(symbol: str, left: object, ours: tuple[str, object], theirs: tuple[str, object]) -> bool:
    """Say whether both are errors of `%` about an operand, whose type the message names."""
    return symbol == "%" and isinstance(left, str) and ours[0] == theirs[0] != "value"


@steadily
@given(st.lists(plain_values, max_size=4), scalars)
def test_membership_is_that_of_python(parts: list[Any], value: Any) -> None:
    holders: list[Any] = [parts, tuple(parts), [value, *parts], dict.fromkeys(filter(_is_scalar, parts)), {value, 1}]
    for holder in holders:
        assert operators().contains(value, holder) == (value in holder)
    assert operators().contains(value, (part for part in parts)) == (value in parts)
    assert operators().contains(value, dict(enumerate(parts)).values()) == (value in parts)


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, int | float | str)


@steadily
@given(plain_values, plain_values)
def test_membership_in_what_holds_nothing_is_the_error_it_is_in_python(value: Any, holder: Any) -> None:
    assert outcome(operators().contains, value, holder) == outcome(lambda: value in holder)


@for_each("value", [3, 3.0, 3.5, True, -1, 10**30, float("inf"), float("nan"), "3", None, (3,), [3]])
def test_membership_in_ranges_is_answered_without_walking_them(value: Any) -> None:
    assert operators().contains(value, range(0, 10**12, 3)) == (value in (0, 3))


def test_membership_by_key_does_not_walk_what_holds_the_keys() -> None:
    plan = "seen = set()\nfor n in range(5000):\n    if (n, 0) not in seen:\n        seen.add((n, 0))\nprint(len(seen))"
    assert recorded(plan).output == "5000\n"


def test_a_generator_is_asked_for_its_values_only_until_one_is_found() -> None:
    taken = iter(range(9))
    assert operators().contains(2, (n for n in taken))
    assert next(taken) == 3


@for_each(
    ("symbol", "left", "right"),
    [
        ("*", 2**300, 2**300), ("+", 2**512 - 1, 1), ("-", 1 - 2**512, 2), ("**", 2, 513), ("**", -3, 10**9),
        ("<<", 1, 512), ("<<", 1, 10**12),
    ],
)  # fmt: skip
def test_numbers_of_more_than_512_bits_are_a_limit(symbol: str, left: int, right: int) -> None:
    for operate in (operators().binary, operators().augment):
        with pytest.raises(LimitReached) as reached:
            operate(symbol, left, right)
        assert reached.value.kind == "memory"


@for_each(
    ("base", "exponent", "modulus"),
    [
        (2, 511, None), (1, 10**12, None), (-1, 10**12 + 1, None), (0, 10**12, None), (2, -3, None), (True, 5, None),
        (3, 10**9, 7), (2.5, 3, None),
    ],
)  # fmt: skip
def test_powers_that_are_small_are_computed_whatever_their_exponent(base: Any, exponent: int, modulus: Any) -> None:
    assert operators().power(base, exponent, modulus) == pow(base, exponent, modulus)


@for_each("symbol", sorted("&|^-"))
def test_views_combine_as_in_python_and_never_hold_what_is_no_key(symbol: str) -> None:
    left, right = {1: "a", 2: "b"}, {2: "b", 3: "c"}
    for view in (lambda d: d.keys(), lambda d: d.items()):
        assert operators().binary(symbol, view(left), view(right)) == PLAIN[symbol](view(left), view(right))
    with pytest.raises(TypeError, match="cannot be a key"):
        operators().binary(symbol, {1: print}.items(), set())
