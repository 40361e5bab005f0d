"""Methods do what they do in Python, and nothing else about a value can be reached."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.rpg.sandbox import operations
from herobench.suites.rpg.sandbox.bounds import LimitReached, Limits, PlanBudget
from herobench.suites.rpg.sandbox.operations import Methods
from herobench.suites.rpg.sandbox.text import Text
from herobench.suites.rpg.sandbox.values import HashTables, Scale
from tests.sizes import for_each
from tests.suites.rpg.sandbox.plans import ACTIONS, HUGE, outcome, plain_values, plan_error, printed, scalars, steadily

ALLOWED: dict[type, frozenset[str]] = operations._METHODS
OF_TEXTS = sorted(ALLOWED[str] - {"format"})


def reader(limits: Limits = HUGE) -> Methods:
    scale = Scale(PlanBudget(limits))
    return Methods(scale, HashTables(scale), Text(scale))


def called(value: Any, name: str, *args: Any, **named: Any) -> tuple[str, object]:
    """Return the result of a method in a plan. An iterator among the arguments is passed as a list."""
    return outcome(lambda: reader().read(value, name)(*args, **named))


def in_python(value: Any, name: str, *args: Any, **named: Any) -> tuple[str, object]:
    return outcome(lambda: getattr(value, name)(*args, **named))


# -- what can be reached -----------------------------------------------------------------------------------------------


@for_each("kind", ALLOWED)
def test_the_methods_that_are_allowed_exist(kind: type) -> None:
    assert ALLOWED[kind] <= set(dir(kind))
    assert not any(name.startswith("_") for name in ALLOWED[kind])


VALUES = [
    1,
    True,
    1.5,
    "a",
    [1],
    (1,),
    {1: 2},
    {1},
    frozenset({1}),
    range(3),
    None,
    ...,
    1j,
    print,
    len,
    ValueError,
    ValueError("x"),
    {}.keys(),
    {}.values(),
    {}.items(),
    (n for n in ()),
    map(str, ()),
    zip(),
    slice(1),
    int,
    "a".join,
    b"x",
]


@for_each("value", VALUES)
def test_no_other_attribute_can_be_read(value: Any) -> None:
    known = ALLOWED.get(type(value), frozenset()) | ({"start", "stop", "step"} if type(value) is range else set())
    known |= {"args"} if isinstance(value, Exception) else set()
    for name in {*dir(value), "gi_frame", "__globals__", "cr_frame", "tb_frame", "obj", "mro"} - known:
        with pytest.raises(AttributeError, match="object has no attribute"):
            reader().read(value, name)


class Heir(str):
    """A text that is none by its exact type."""


def test_heirs_of_the_builtin_types_have_no_methods_at_all() -> None:
    with pytest.raises(AttributeError):
        reader().read(Heir("x"), "upper")


def test_a_range_tells_its_bounds_and_an_error_its_arguments() -> None:
    assert printed("r = range(1, 9, 2)\nprint(r.start, r.stop, r.step, r.count(3), r.index(5))") == "1 9 2 1 2\n"
    assert printed("try:\n    raise ValueError('a', 1)\nexcept ValueError as e:\n    print(e.args)") == "('a', 1)\n"


@for_each("name", ACTIONS)
def test_no_method_has_the_name_of_an_action(name: str) -> None:
    assert all(name not in names for names in ALLOWED.values())


def test_what_is_not_there_is_told_as_in_python() -> None:
    assert plan_error("'a'.push(1)") == "AttributeError: 'str' object has no attribute 'push'"


# -- texts -------------------------------------------------------------------------------------------------------------

_texts = st.text("aAbß 1\n", max_size=6)
_arguments = st.lists(
    _texts | st.integers(-2, 9) | st.none() | st.lists(_texts, max_size=3) | st.tuples(_texts, _texts), max_size=3
)


@steadily
@given(st.sampled_from(OF_TEXTS), _texts, _arguments)
def test_a_method_of_texts_gives_what_it_gives_in_python(name: str, value: str, arguments: list[Any]) -> None:
    assert called(value, name, *arguments) == in_python(value, name, *arguments)


@for_each("name", OF_TEXTS)
def test_each_method_of_texts_can_be_called(name: str) -> None:
    for arguments in ((), ("a",), (7,), ("a", "b"), (["x", "y"],)):
        if in_python("a b", name, *arguments)[0] == "value":
            assert called("a b", name, *arguments) == in_python("a b", name, *arguments)
            return
    pytest.fail(name)


def test_methods_take_keywords() -> None:
    assert printed("print('a-b-c'.split(sep='-', maxsplit=1), 'a\\nb'.splitlines(keepends=True))") == (
        "['a', 'b-c'] ['a\\n', 'b']\n"
    )


def test_join_takes_iterators() -> None:
    assert (
        printed("print(', '.join(str(n) for n in range(3)), '-'.join(map(str, [1, 2])), '+'.join('abc'))")
        == "0, 1, 2 1-2 a+b+c\n"
    )


# -- collections -------------------------------------------------------------------------------------------------------


@steadily
@given(
    st.lists(scalars, max_size=5), st.sampled_from(sorted(ALLOWED[list] - {"sort"})), st.lists(plain_values, max_size=2)
)
def test_a_method_of_lists_gives_and_changes_what_it_does_in_python(
    values: list[Any], name: str, arguments: list[Any]
) -> None:
    mine, other = deepcopy(values), deepcopy(values)
    assert called(mine, name, *arguments) == in_python(other, name, *arguments)
    assert repr(mine) == repr(other)


@steadily
@given(st.lists(st.integers(-9, 9)) | st.lists(_texts) | st.lists(scalars), st.booleans(), st.none() | st.just(repr))
def test_lists_sort_as_in_python(values: list[Any], reverse: bool, key: Any) -> None:
    mine, other = values.copy(), values.copy()
    assert called(mine, "sort", key=key, reverse=reverse) == in_python(other, "sort", key=key, reverse=reverse)
    assert repr(mine) == repr(other)


@steadily
@given(
    st.dictionaries(scalars, scalars, max_size=4),
    st.sampled_from(sorted(ALLOWED[dict] - {"keys", "values", "items", "popitem"})),
    st.lists(plain_values, max_size=2),
)
def test_a_method_of_dicts_gives_and_changes_what_it_does_in_python(
    values: dict[Any, Any], name: str, arguments: list[Any]
) -> None:
    mine, other = deepcopy(values), deepcopy(values)
    assert called(mine, name, *arguments) == in_python(other, name, *arguments)
    assert repr(mine) == repr(other)


@steadily
@given(
    st.sets(scalars, max_size=4), st.sampled_from(sorted(ALLOWED[set] - {"pop"})), st.lists(plain_values, max_size=2)
)
def test_a_method_of_sets_gives_and_changes_what_it_does_in_python(
    values: set[Any], name: str, arguments: list[Any]
) -> None:
    mine, other = set(values), set(values)
    assert called(mine, name, *arguments) == in_python(other, name, *arguments)
    assert mine == other


def test_methods_that_take_much_take_iterators() -> None:
    plan = (
        "l, s, d = [], {0}, {}\nl.extend(n for n in range(2))\ns.update(map(abs, [-1]))\nd.update(zip('ab', [1, 2]))\n"
    )
    assert printed(f"{plan}print(l, s, d, s.union(reversed([5])))") == "[0, 1] {0, 1} {'a': 1, 'b': 2} {0, 1, 5}\n"


@for_each(
    "call",
    [
        "{1}.add(print)", "{1}.update([print])", "{1}.union((print,))", "{1}.symmetric_difference([print])",
        "{1}.update({1: print}.items())", "{}.setdefault(print, 1)", "{}.get(print)",
        "{}.update({1: 2}, **{}) or {}.get((1, print))", "{1}.discard(print)",
    ],
)  # fmt: skip
def test_what_has_no_value_does_not_become_a_key_by_a_method(call: str) -> None:
    assert plan_error(call).endswith("cannot be a key in a plan")


def test_a_method_can_be_kept_and_called_later() -> None:
    assert printed(
        "l = []\nadd = l.append\nfor n in range(3):\n    add(n)\nprint(l, sorted('ba', key={'a': 2, 'b': 1}.get))"
    ) == ("[0, 1, 2] ['b', 'a']\n")


def test_arguments_that_do_not_fit_are_told_as_in_python() -> None:
    assert plan_error("{}.get(1, default=2)") == "TypeError: dict.get() takes no keyword arguments"
    assert plan_error("[].append()") == "TypeError: list.append() takes exactly one argument (0 given)"


@for_each(
    ("value", "name", "arguments"),
    [
        ("x", "center", (10**9,)),
        ("x", "zfill", (10**9,)),
        ("x" * 1000, "replace", ("", "y" * 1000)),
        ("x" * 1000, "join", (["y"] * 1000,)),
        ("x" * 1000, "join", ("y" * 1000,)),
        ("x" * 1000, "join", ({str(n): 0 for n in range(1000)}.keys(),)),
        ([], "extend", (range(10**9),)),
        ({1}, "isdisjoint", (range(10**12),)),
        ({1}, "intersection", (reversed(range(10**12)),)),
    ],
)
def test_a_method_that_would_make_or_walk_too_much_is_a_limit(
    value: Any, name: str, arguments: tuple[Any, ...]
) -> None:
    with pytest.raises(LimitReached) as reached:
        reader().read(value, name)(*arguments)
    assert reached.value.kind == "memory"


def test_an_error_about_a_missing_value_shows_no_address() -> None:
    assert plan_error("[1].index([2, print])") == "ValueError: [2, <function>] is not in list"
    assert plan_error("(1,).index(print)") == "ValueError: tuple.index(x): x not in tuple"
