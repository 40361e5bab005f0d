"""Items are read, stored, deleted and augmented as in Python."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.rpg.sandbox.bounds import PlanBudget
from herobench.suites.rpg.sandbox.operations import Operators
from herobench.suites.rpg.sandbox.text import Text
from herobench.suites.rpg.sandbox.values import HashTables, Scale
from tests.sizes import for_each
from tests.suites.rpg.sandbox.plans import HUGE, seen_in_python, seen_in_the_sandbox, steadily


def items() -> Operators:
    scale = Scale(PlanBudget(HUGE))
    tables = HashTables(scale)
    return Operators(scale, tables, Text(scale))


def test_an_item_is_read_before_and_written_after_the_right_side() -> None:
    holder: dict[str, Any] = {"a": 1}
    assign = items().augment_item(holder, "a", "+")
    holder["a"] = 100
    assign(2)
    assert holder == {"a": 3}
    with pytest.raises(KeyError):
        items().augment_item(holder, "b", "+")


PRELUDE = """
def h(name):
    move("holder", name)
    return holders[name]
def k(key):
    fight("key", key)
    return key
def v(value):
    gather("value", str(value))
    return value
holders = {"d": {"a": 1, "b": 2, 0: 3}, "l": [10, 20, 30, 40], "n": {"a": [1, [2, 3]]}, "t": (1, 2)}
i = 0
"""
_holders = st.sampled_from(["d", "d", "l", "l", "n", "t"])
_keys = st.sampled_from(["'a'", "'b'", "0", "1", "-1", "7", "'zz'", "[]", "(0, 'a')"])
_items = st.one_of(
    st.builds("h({0!r})[k({1})]".format, _holders, _keys),
    st.builds("h({0!r})[(i := k({1}))]".format, _holders, _keys),
    st.builds("h({0!r})[k({1})][k({2})]".format, _holders, _keys, _keys),
    st.builds("h({0!r})[i]".format, _holders),
    st.builds("holders[{0!r}][{1}]".format, _holders, _keys),
)
_targets = st.recursive(
    _items | st.just("i"),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"({', '.join(parts)},)")
        # A star before brackets is refused.
        | st.tuples(inner, inner).map(lambda parts: f"[{parts[0]}, *{parts[1]}]" if parts[1][0] not in "([" else "i")
    ),
    max_leaves=4,
)
_values = st.one_of(
    _items,
    st.sampled_from(["v(5)", "(v(5), v(6))", "[v(1), (v(2), v(3))]", "v(())", "map(v, (1, 2))", "v('ab')", "{1: 2}"]),
)
_statements = st.one_of(
    st.builds("{0} = {1}".format, _targets, _values),
    st.builds("{0} = {1} = {2}".format, _targets, _targets, _values),
    st.builds("{0}, {1} = {1}, {0}".format, _items, _items),
    st.builds("{0} {1}= {2}".format, _items, st.sampled_from(["+", "-", "*", "//", "|"]), _values),
    st.builds("del {0}".format, _items),
    st.builds("del {0}, {1}".format, _items, _items),
    st.builds("del ({0}, [{1}])".format, _items, _items),
    st.builds("for {0} in [{1}, {2}]:\n    print(i)".format, _targets, _values, _values),
    st.builds(
        "print([i for {0} in [{1}]])".format, st.sampled_from(["i", "(i, j)", "(i, *j)", "(i, (j, k2))"]), _values
    ),
    st.builds("{0}: int = {1}".format, _items, _values),
    st.builds("print({0})".format, _items),
)


@steadily
@given(st.lists(_statements, min_size=1, max_size=3))
def test_items_are_evaluated_in_the_order_of_python(statements: list[str]) -> None:
    caught = "".join(f"try:\n    {one.replace(chr(10), chr(10) + '    ')}\n" + CAUGHT for one in statements)
    plan = f"{PRELUDE}{caught}print(holders, i)"
    assert seen_in_the_sandbox(plan) == seen_in_python(plan)


CAUGHT = "except (KeyError, IndexError, TypeError, ValueError) as e:\n    print(e)\n"


@for_each(
    "statement",
    [
        "h('l')[k(0)], h('l')[k(1)] = v(1), v(2)",
        "h('l')[k(0)], h('l')[k(1)] = h('l')[k(1)], h('l')[k(0)]",
        "i, holders['l'][i] = 2, 99",
        "(i, holders['l'][i]), holders['l'][i + 1] = (1, 5), 6",
        "for holders['l'][i] in (1, 2):\n    i += 1",
        "for i, h('l')[i] in enumerate('abc'):\n    pass",
        "for i, (j, h('l')[i]) in enumerate([(1, 2), (3, 4)]):\n    print(j)",
        "del h('d')[k('a')], h('l')[k(0)], h('l')[k(0)]",
        "del h('d')[k('zz')], h('l')[k(0)]",
        "h('n')[k('a')][k(1)][k(0)] += v(1)",
        "h('d')[k('zz')] += v(1)",
        "h('d')[(i := k('b'))] = (j := v(i))",
        "h('t')[k(0)] = v(1)",
        "h('t')[k(0)] += v(1)",
        "h('d')[k([])] = v(1)",
        "[h('l')[k(0)], *holders['l'][1:3]] = v((1, 2, 3))",
        "holders['l'][0:2], h('l')[k(0)] = v('xyz'), v(1)",
        "*i, (j, (m, n)) = 1, (2, (3, 4))\nprint(i, j, m, n)",
        "i, (j, (*m,)) = 1, (2, [3, 4])\nprint(i, j, m)",
        "i, (j, (m, n)) = map(lambda n: n, (1, (2, zip('ab', 'cd'))))\nprint(i, j, m, n)",
        "i, (j, m) = 1, 2",
        "(i, j), m = v((1, 2))",
    ],
)
def test_these_targets_are_evaluated_in_the_order_of_python(statement: str) -> None:
    for plan in (
        PRELUDE + statement,
        f"{PRELUDE}def f():\n    global i\n    {statement.replace(chr(10), chr(10) + '    ')}\nf()",
    ):
        plan += "\nprint(holders)"
        assert seen_in_the_sandbox(plan) == seen_in_python(plan)
