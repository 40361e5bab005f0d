"""Builtins do what they do in Python, on values of bounded size; those that reach further are not there."""

import builtins
import operator
from functools import reduce
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.rpg.sandbox.bounds import PlanBudget
from herobench.suites.rpg.sandbox.guards import ERRORS, plan_builtins
from herobench.suites.rpg.sandbox.operations import Operators
from herobench.suites.rpg.sandbox.text import Text
from herobench.suites.rpg.sandbox.values import HashTables, Scale
from tests.sizes import for_each
from tests.suites.rpg.sandbox.plans import (
    HUGE,
    outcome,
    plain_values,
    plan_error,
    plan_limit,
    printed,
    recorded,
    scalars,
    seen_in_python,
    seen_in_the_sandbox,
    steadily,
)

FUNCTIONS = (
    "abs all any bool dict divmod enumerate filter float frozenset int isinstance len list map max min pow print range "
    "repr reversed round set sorted str sum tuple zip"
).split()
numbers = st.integers(-50, 50) | st.floats(-50, 50).map(lambda value: round(value, 2)) | st.booleans()


def builtin(name: str) -> Any:
    scale = Scale(PlanBudget(HUGE))
    text = Text(scale)
    return plan_builtins(scale, HashTables(scale), text, Operators(scale, HashTables(scale), text))[name]


def same(name: str, *args: Any, **named: Any) -> bool:
    """Say whether a builtin gives the same value in a plan as in Python, or the same kind of error."""
    ours, theirs = outcome(builtin(name), *args, **named), outcome(getattr(builtins, name), *args, **named)
    return repr(ours) == repr(theirs) or ours[0] == theirs[0] != "value"


# -- what is there -----------------------------------------------------------------------------------------------------


def test_these_are_the_builtins_of_a_plan() -> None:
    scale = Scale(PlanBudget(HUGE))
    assert sorted(
        plan_builtins(scale, HashTables(scale), Text(scale), Operators(scale, HashTables(scale), Text(scale)))
    ) == sorted([*FUNCTIONS, *ERRORS])


def test_the_types_among_them_are_functions_without_anything_hanging_on_them() -> None:
    types = {name for name in [*FUNCTIONS, *ERRORS] if isinstance(builtin(name), type)}
    assert types == {"range", *ERRORS}


@for_each("name", ERRORS)
def test_errors_can_be_raised_and_handled(name: str) -> None:
    if name == "RecursionError":
        assert plan_limit(f"raise {name}('x')") == "depth"
    else:
        assert printed(f"try:\n    raise {name}('x')\nexcept {name} as e:\n    print(repr(e))") == f"{name}('x')\n"


def test_plans_do_not_share_what_they_do_to_builtins() -> None:
    assert recorded("len = 5\nprint = 3").ending.how == "finished"
    assert printed("print(len([1]))") == "1\n"


# -- types -------------------------------------------------------------------------------------------------------------


@steadily
@given(
    st.sampled_from(
        ["bool", "int", "float", "str", "list", "tuple", "set", "frozenset", "dict", "repr", "len", "abs", "sorted"]
    ),
    plain_values,
)
def test_a_value_is_taken_as_it_is_in_python(name: str, value: Any) -> None:
    assert same(name, value)


@for_each("name", ["bool", "int", "float", "str", "list", "tuple", "set", "frozenset", "dict"])
def test_each_type_has_an_empty_value(name: str) -> None:
    assert outcome(builtin(name)) == outcome(getattr(builtins, name))


@for_each("given_text", ["12", " -3 ", "1_000", "0x1f", "ff", "1.5", "", "٣", "1e3", "nan", "inf"])
def test_texts_become_numbers_as_in_python(given_text: str) -> None:
    assert same("int", given_text)
    assert same("int", given_text, 16)
    assert same("int", given_text, base=0)
    assert same("float", given_text)


def test_a_text_of_many_digits_is_no_number() -> None:
    assert plan_error("int('9' * 201)").startswith("ValueError")
    assert plan_limit("int('9' * 200)") == "memory"


def test_dicts_are_made_of_pairs_and_names() -> None:
    assert printed("print(dict(a=1), dict([('b', 2)], c=3), dict({1: 2}), dict(zip('xy', [1, 2])))") == (
        "{'a': 1} {'b': 2, 'c': 3} {1: 2} {'x': 1, 'y': 2}\n"
    )


KINDS = [
    "int", "str", "float", "bool", "list", "dict", "tuple", "set", "frozenset", "range", "(int, str)",
    "(int, (str, list))", "()",
]  # fmt: skip


@for_each("kind", KINDS)
@for_each("value", ["1", "True", "1.5", "'a'", "[]", "{}", "()", "set()", "range(2)", "None", "frozenset()"])
def test_isinstance_knows_the_types(value: str, kind: str) -> None:
    plan = f"print(isinstance({value}, {kind}))"
    assert seen_in_the_sandbox(plan) == seen_in_python(plan)


def test_isinstance_knows_errors_and_refuses_what_is_no_type() -> None:
    assert (
        printed("print(isinstance(ValueError(), (KeyError, ValueError)), isinstance(KeyError(), LookupError))")
        == "True True\n"
    )
    for wrong in ("5", "'int'", "[int]", "(int, 5)", "print", "move"):
        assert plan_error(f"isinstance(1, {wrong})").startswith("TypeError: isinstance() arg 2 must be a type")


# -- iteration ---------------------------------------------------------------------------------------------------------


@steadily
@given(st.lists(scalars, max_size=5), st.lists(scalars, max_size=5), st.booleans())
def test_what_iterates_gives_what_it_gives_in_python(left: list[Any], right: list[Any], strict: bool) -> None:
    for name, arguments in (
        ("zip", (left, right)),
        ("enumerate", (left, 3)),
        ("map", (lambda a, b: (a, b), left, right)),
        ("filter", (None, left)),
        ("filter", (lambda value: value is not None, left)),
        ("reversed", (left,)),
    ):
        assert list(builtin(name)(*arguments)) == list(getattr(builtins, name)(*arguments))
    assert outcome(lambda: list(builtin("zip")(left, right, strict=strict))) == outcome(
        lambda: list(zip(left, right, strict=strict))
    )
    assert builtin("all")(left) == all(left)
    assert builtin("any")(value == 1 for value in left) == any(value == 1 for value in left)


def test_iterators_are_lazy() -> None:
    plan = "for n in map(lambda n: gather('Hero', n), range(9)):\n    break\n"
    assert [action.name for action in recorded(plan).attempts] == ["gather"]
    assert printed("m = map(str, [1, 2])\nprint(list(m), list(m))") == "['1', '2'] []\n"
    assert printed("for n, _ in zip(range(10**9), 'ab'):\n    print(n)") == "0\n1\n"


@for_each("name", ["zip", "enumerate", "reversed", "all", "any", "sum", "list", "sorted", "set", "dict", "max"])
def test_what_cannot_be_iterated_over_is_the_error_it_is_in_python(name: str) -> None:
    assert outcome(builtin(name), 5) == outcome(getattr(builtins, name), 5)


# -- numbers and order -------------------------------------------------------------------------------------------------


@steadily
@given(st.lists(numbers, max_size=6) | st.lists(scalars, max_size=4), st.booleans())
def test_order_and_sums_are_those_of_python(values: list[Any], reverse: bool) -> None:
    for name in ("min", "max"):
        assert same(name, values)
        assert same(name, *values)
        assert same(name, values, default=7)
        assert same(name, values, key=repr)
        assert outcome(lambda n=name: builtin(n)(value for value in values)) == outcome(getattr(builtins, name), values)
    assert same("sorted", values, reverse=reverse)
    assert same("sorted", values, key=lambda value: (str(value), 0), reverse=reverse)
    for start in (0, 1.5):
        ours, theirs = outcome(builtin("sum"), values, start), outcome(added, values, start)
        assert repr(ours) == repr(theirs) or ours[0] == theirs[0] != "value"


def added(values: list[Any], start: Any) -> Any:
    """The sum from left to right, as Python computes it up to 3.11."""
    return reduce(operator.add, values, start)


@for_each(
    "arguments",
    [
        ([[1], [2]], []),
        ([(1,), (2,)], ()),
        (["a"],),
        (["a"], ""),
        ([1, None],),
        ([True, 2.5],),
        ({1: 0, 2: 0},),
        ([], "x"),
        ([1], 2.5),
    ],
)
def test_sums_of_other_things_are_those_of_python(arguments: tuple[Any, ...]) -> None:
    assert same("sum", *arguments)
    assert same("sum", arguments[0], start=arguments[-1])


@steadily
@given(numbers, numbers, st.none() | st.integers(-3, 5))
def test_arithmetic_is_that_of_python(left: Any, right: Any, digits: int | None) -> None:
    assert same("divmod", left, right)
    assert same("round", left, digits)
    assert same("round", left, ndigits=digits)
    assert same("abs", left)
    assert same("pow", left, 3)
    assert same("pow", left, right, 7) or not isinstance(right, int)


def test_rounding_has_bounds() -> None:
    assert plan_error("round(5, -10**9)").startswith("ValueError: rounding to more than 200 digits")


# -- printing ----------------------------------------------------------------------------------------------------------


@for_each(
    "call",
    [
        "print()",
        "print(1, 'a', [2])",
        "print('a', end='')",
        "print(1, 2, sep='-', end='!')",
        "print('a', 'b', sep='')",
        "print(sep='x')",
        "print(3, sep='', end='')",
    ],
)
def test_printing_is_that_of_python(call: str) -> None:
    assert seen_in_the_sandbox(call) == seen_in_python(call)


def test_printing_takes_no_odd_separators_and_no_files() -> None:
    assert printed("print(1, 2, sep=None, end=None, flush=True)") == "1 2\n"
    assert plan_error("print(1, sep=2)") == "TypeError: sep and end must be None or a string"
    assert plan_error("print(1, file=3)") == "TypeError: print() got an unexpected keyword argument 'file'"
