"""The values that can be keys, and the cost of finding one and of walking a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, islice, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.suites.rpg.sandbox.bounds import MOST_VALUES, LimitReached, PlanBudget
from herobench.suites.rpg.sandbox.values import HashTables, Scale
from tests.sizes import for_each
from tests.suites.rpg.sandbox.plans import HUGE, count_steps, scalars, steadily, steps_of_plan


def tables() -> HashTables:
    return HashTables(Scale(PlanBudget(HUGE)))


# -- keys --------------------------------------------------------------------------------------------------------------


@steadily
@given(scalars | st.tuples(scalars, st.tuples(scalars)) | st.frozensets(scalars))
def test_plain_values_and_tuples_of_them_are_keys(value: object) -> None:
    assert tables().key(value) is value
    assert tables().lookup({}, value) is value


@for_each("value", [print, len, range, ValueError, ValueError(), {}.keys(), iter(()), lambda: 0, ...])
def test_what_has_no_value_is_no_key(value: object) -> None:
    for key in (value, (1, value), (1, (value,))):
        with pytest.raises(TypeError, match="cannot be a key in a plan"):
            tables().key(key)
        with pytest.raises(TypeError, match="cannot be a key in a plan"):
            tables().lookup({}, key)


@for_each("value", [[], {}, {1}])
def test_what_python_itself_refuses_as_a_key_is_refused_in_its_words(value: Any) -> None:
    with pytest.raises(TypeError) as ours:
        tables().key(value)
    assert str(ours.value) == f"unhashable type: '{type(value).__name__}'"
    assert tables().lookup({}, value) is value, "Python refuses it at the lookup"


def test_keys_are_checked_each() -> None:
    assert tables().keys([1, "a"]) == [1, "a"]
    assert tables().keys(str(n) for n in range(2)) == ["0", "1"]
    with pytest.raises(TypeError):
        tables().keys([1, print])


def test_more_keys_than_one_operation_may_take_are_a_limit() -> None:
    with pytest.raises(LimitReached):
        tables().keys(range(MOST_VALUES + 1))


# -- lookups -----------------------------------------------------------------------------------------------------------

_MASK = 2**64 - 1
_P1, _P2, _P5 = 11400714785074694791, 14029467366897019727, 2870177450012600261


def _turned(lanes: int, by: int = 31) -> int:
    return (lanes << by | lanes >> (64 - by)) & _MASK


def pairs_of_one_hash() -> Iterator[tuple[int, int]]:
    """Pairs of whole numbers, computed so that CPython's hash of all these tuples is the same."""
    inverse = pow(_P2, -1, 2**64)
    for first in count(1):
        state = _turned((_P5 + first * _P2) & _MASK) * _P1 & _MASK
        second = (12345 - state) * inverse & _MASK
        if second < 2**61 - 1:
            yield first, second


def numbers_along_the_probes() -> Iterator[int]:
    """Return whole numbers in the order in which CPython looks for 0 in a table of 2**20 places."""
    place = 0
    while True:
        yield place
        place = (5 * place + 1) % 2**20


COLLIDING: dict[str, Callable[[], Iterator[Any]]] = {
    "tuples of -1 and -2": lambda: product((-1, -2), repeat=12),
    "tuples of 2**60 and .5": lambda: product((2**60, 0.5), repeat=12),
    "frozensets of such tuples": lambda: (frozenset({key}) for key in product((-1, -2), repeat=12)),
    "pairs of one hash": pairs_of_one_hash,
    "numbers along the probes": numbers_along_the_probes,
}


def colliding_keys(family: str, many: int) -> list[Any]:
    return list(islice(COLLIDING[family](), many))


@for_each("family", [name for name in COLLIDING if name != "numbers along the probes"])
def test_these_keys_do_collide(family: str) -> None:
    assert len(set(colliding_keys(family, 64))) == 64
    assert len(set(map(hash, colliding_keys(family, 64)))) == 1


@pytest.mark.slow
@pytest.mark.parametrize("holder", [dict.fromkeys, set, frozenset])
@pytest.mark.parametrize("family", COLLIDING)
def test_a_lookup_costs_more_the_more_keys_the_key_may_be_compared_with(family: str, holder: Any) -> None:
    def cost(many: int) -> int:
        keys = colliding_keys(family, many)
        table = holder(keys)
        return count_steps(
            lambda budget: [HashTables(Scale(budget)).lookup(table, key) for key in (*keys[:50], keys[-1])]
        )

    assert cost(3) < cost(4000) or family == "numbers along the probes"


def test_a_lookup_of_a_plain_number_costs_more_in_a_large_table() -> None:
    def cost(many: int) -> int:
        table = dict.fromkeys(range(many))
        return count_steps(lambda budget: HashTables(Scale(budget)).lookup(table, 1))

    assert cost(300) == 0
    assert 0 < cost(40_000) < cost(400_000)


WAYS_TO_FIND = {
    "read": "for k in keys:\n    d[k]",
    "store": "for k in keys:\n    d[k] = 1",
    "augment": "for k in keys:\n    d[k] += 1",
    "delete": "for k in keys[:1]:\n    del d[k]",
    "unpack": "for d[keys[0]] in keys:\n    pass",
    "in a dict": "for k in keys:\n    k in d",
    "in a set": "for k in keys:\n    k in s",
    "not in keys": "for k in keys:\n    k not in d.keys()",
    "get": "for k in keys:\n    d.get(k)",
    "setdefault": "for k in keys:\n    d.setdefault(k, 1)",
    "pop": "for k in keys[:1]:\n    d.pop(k)",
    "add": "for k in keys:\n    s.add(k)",
    "discard": "for k in keys[:1]:\n    s.discard(k)",
    "remove": "for k in keys[:1]:\n    s.remove(k)",
    "update a dict": "d.update(zip(keys, keys))",
    "update a set": "s.update(keys)",
    "isdisjoint": "s.isdisjoint(keys)",
    "difference": "s.difference(keys)",
    "a method that was kept": "get = d.get\nfor k in keys:\n    get(k)",
    "map": "list(map(d.get, keys))",
    "views": "d.keys() & keys",
    "union": "s | {*keys}",
    "sets that are equal": "s == s.copy()",
    "dicts that are equal": "d == d.copy()",
}


@pytest.mark.slow
@for_each("plan", WAYS_TO_FIND.values())
def test_each_way_to_find_a_key_costs_more_in_a_table_of_colliding_keys(plan: str) -> None:
    def cost(others: int) -> int:
        keys = colliding_keys("tuples of -1 and -2", 4)
        held = colliding_keys("tuples of -1 and -2", 4 + others)
        return steps_of_plan(plan, keys=keys, d=dict.fromkeys(held, 1), s=set(held))

    assert cost(800) > cost(0)


BULK = {
    "set": "set(keys)",
    "frozenset": "frozenset(keys)",
    "dict": "dict(zip(keys, keys))",
    "dict of lists": "dict([[k, 1] for k in keys])",
    "set comprehension": "{k for k in keys}",
    "dict comprehension": "{k: 1 for k in keys}",
    "set display": "{*keys}",
    "update of a set": "set().update(keys)",
    "update of a dict": "{}.update(zip(keys, keys))",
    "union": "set().union(keys)",
    "symmetric_difference": "set().symmetric_difference(keys)",
    "views": "{}.keys() | keys",
}


@for_each("plan", BULK.values())
def test_building_a_table_of_colliding_keys_costs_more_for_each_key(plan: str) -> None:
    def cost(many: int) -> int:
        return steps_of_plan(plan, keys=colliding_keys("tuples of -1 and -2", many))

    assert cost(800) > 15 * cost(80), "ten times the keys are a hundred times the comparisons"


def test_spreading_a_dict_of_colliding_keys_is_charged() -> None:
    few, many = (dict.fromkeys(colliding_keys("tuples of -1 and -2", number), 1) for number in (300, 3000))
    assert steps_of_plan("{**d}", d=many) > 15 * steps_of_plan("{**d}", d=few)
    assert steps_of_plan("dict(d)", d=many) > 15 * steps_of_plan("dict(d)", d=few)


@pytest.mark.slow
def test_a_long_display_of_keys_is_charged_like_a_table_built_of_them() -> None:
    def cost(many: int) -> int:
        keys = ", ".join(map(str, colliding_keys("tuples of -1 and -2", many)))
        return steps_of_plan(f"{{{keys}}}")

    assert cost(500) == 0
    assert cost(2000) > 4 * cost(700) > 0


ORDINARY = {
    "numbers": list(range(300)),
    "texts": [f"item_{number}" for number in range(300)],
    "places": [(number % 20, number // 20) for number in range(150)],
}


@for_each("keys", ORDINARY.values())
@for_each(
    "name",
    [name for name in WAYS_TO_FIND if name not in ("union", "sets that are equal", "dicts that are equal", "views")],
)
def test_an_ordinary_table_costs_no_more_than_one_of_three_keys(keys: list[Any], name: str) -> None:
    def cost(held: list[Any]) -> int:
        return steps_of_plan(WAYS_TO_FIND[name], keys=keys[:3], d=dict.fromkeys(held, 1), s=set(held))

    walked = (len(keys) >> 5) + 1 if name in ("isdisjoint", "difference", "update a dict", "update a set") else 0
    assert cost(keys) <= cost(keys[:3]) + walked


# -- walking -----------------------------------------------------------------------------------------------------------

MUCH = 10**6
WALKS = [
    "for x in t:\n    pass", "list(t)", "tuple(t)", "set(t)", "sorted(t)", "sum(t)", "min(t, default=0)",
    "max(t, default=0)", "any(t)", "all(t)", "list(enumerate(t))", "list(zip(t))", "list(map(str, t))",
    "list(filter(None, t))", "[x for x in t]", "{x for x in t}", "{x: x for x in t}", "list(x for x in t)",
    "[*t]", "(*t,)", "{*t}", "print(*t)", "', '.join(t)", "try:\n    a, b = t\nexcept ValueError:\n    pass",
    "try:\n    for a, b in [t]:\n        pass\nexcept ValueError:\n    pass", "a, *b = 1, *t", "[*a] = t",
    "try:\n    a, (b, c) = 1, t\nexcept ValueError:\n    pass",
    "try:\n    *a, (b, c) = 1, t\nexcept ValueError:\n    pass",
    "try:\n    for a, (b, c) in [(1, t)]:\n        pass\nexcept ValueError:\n    pass",
    "try:\n    for a, (b, c) in [map(lambda n: t, [1, 2])]:\n        pass\nexcept ValueError:\n    pass",
    "try:\n    [0 for a, b in [t]]\nexcept ValueError:\n    pass",
    "try:\n    list(0 for a, b in [t])\nexcept ValueError:\n    pass",
    "[].extend(t)", "l = []\nl += t", "l = []\nl[0:0] = t", "str(t)", "f'{t}'", "t == t.copy()", "[t] == [t]",
    "t in [1, {2}]", "t.copy()",
]  # fmt: skip
"""Uses of a table `t` that walk all of it."""
WALKS_OF_SETS = ["t | {1}", "t & {1}", "t - {1}", "t ^ {1}", "t.union([1])", "t <= {1}", "t.issubset([1])",
                 "try:\n    t.pop()\nexcept KeyError:\n    pass"]  # fmt: skip
WALKS_OF_DICTS = ["{**t}", "dict(t)", "dict(**t)", "t | {}", "list(t.keys())", "list(t.values())", "list(t.items())",
                  "for k, v in t.items():\n    pass", "list(reversed(t))", "list(reversed(t.items()))",
                  "sum(t.values())", "1 in t.values()",
                  "t.keys() | {1}",
                  "any(t.values())", "list(zip(t.keys(), t.values()))", "list(map(str, t.items()))"]  # fmt: skip


@pytest.fixture(scope="module")
def emptied_set() -> set[int]:
    emptied = set(range(MUCH))
    while emptied:
        emptied.pop()
    return emptied


@pytest.fixture(scope="module")
def emptied_dict() -> dict[int, int]:
    emptied = dict.fromkeys(range(MUCH), 0)
    for key in range(MUCH):
        del emptied[key]
    return emptied


@for_each("plan", [*WALKS, *WALKS_OF_SETS])
def test_walking_a_set_that_was_emptied_costs_as_much_as_its_table_is_large(plan: str, emptied_set: set[int]) -> None:
    assert steps_of_plan(plan, t=emptied_set) >= steps_of_plan(plan, t=set()) + 16


@for_each("plan", [*WALKS, *WALKS_OF_DICTS])
def test_walking_a_dict_that_was_emptied_costs_as_much_as_its_table_is_large(
    plan: str, emptied_dict: dict[int, int]
) -> None:
    assert steps_of_plan(plan, t=emptied_dict) >= steps_of_plan(plan, t={}) + 16
