"""The weight of values."""

from typing import Any

import pytest
from hypothesis import given

from herobench.suites.rpg.sandbox.bounds import MOST_VALUES, LimitReached, PlanBudget
from herobench.suites.rpg.sandbox.values import LAZY, MOST_BITS, STAR, Scale
from tests.sizes import for_each
from tests.suites.rpg.sandbox.plans import HUGE, count_steps, plain_values, steadily


def scale() -> Scale:
    return Scale(PlanBudget(HUGE))


def cost(weigh: Any) -> int:
    """Return how many steps an operation with a scale takes."""
    return count_steps(lambda budget: weigh(Scale(budget)))


# -- weighing ----------------------------------------------------------------------------------------------------------


@steadily
@given(plain_values)
def test_weighing_leaves_a_value_as_it_is(value: object) -> None:
    before = repr(value)
    assert scale().deep(value) is value
    assert repr(value) == before


def test_a_tree_weighs_as_often_as_its_parts_are_reached() -> None:
    part = [0] * 320
    assert cost(lambda it: it.deep([part])) == 11
    assert cost(lambda it: it.deep([part] * 10)) == 101
    assert cost(lambda it: it.deep({1: part, 2: {3: part}})) == 21


def test_plain_numbers_weigh_nothing_and_texts_their_length() -> None:
    assert cost(lambda it: it.deep(5)) == 0
    assert cost(lambda it: it.deep("x" * 320)) == 11
    assert cost(lambda it: it.deep(["x" * 2560])) == 11


def test_errors_weigh_what_they_carry() -> None:
    assert cost(lambda it: it.deep(ValueError([0] * 320))) == 11


def test_functions_and_iterators_weigh_nothing_and_are_not_run() -> None:
    taken = iter([1, 2])
    scale().deep([print, (taken,), {"a": (n for n in taken)}])
    assert list(taken) == [1, 2]


@for_each("wrap", [lambda v: [v], lambda v: (v,), lambda v: {1: v}, lambda v: ValueError(v)])
def test_values_may_be_nested_sixty_deep_and_no_deeper(wrap: Any) -> None:
    value: Any = 0
    for _ in range(59):
        value = wrap(value)
    scale().deep(value)
    with pytest.raises(LimitReached) as reached:
        scale().deep(wrap(wrap(value)))
    assert reached.value.kind == "memory"


def test_a_tree_of_too_many_parts_is_a_limit_however_small_it_is_in_memory() -> None:
    value: Any = (1,)
    for _ in range(50):
        value = (value, value)
    with pytest.raises(LimitReached) as reached:
        scale().deep(value)
    assert reached.value.kind == "memory"


# -- iterating ---------------------------------------------------------------------------------------------------------


@for_each("values", [[1], (1,), "a", {1}, {1: 2}, range(3), {}.keys(), 5, None])
def test_what_has_a_size_is_iterated_over_as_it_is(values: object) -> None:
    assert scale().all_of(values) is values
    assert scale().source(values) is values


@for_each("values", [(n for n in range(3)), map(int, "012"), reversed([2, 1, 0]), filter(lambda n: True, [0, 1, 2])])
def test_iterators_are_run_to_their_end(values: object) -> None:
    assert type(values) in LAZY
    assert scale().all_of(values) == [0, 1, 2]


def test_iterators_without_end_are_a_limit() -> None:
    with pytest.raises(LimitReached) as reached:
        scale().all_of(reversed(range(10**9)))
    assert reached.value.kind == "memory"


def test_what_is_larger_than_one_operation_may_take_is_a_limit() -> None:
    for look in (Scale.all_of, lambda it, values: it.unpack([1, values], (None, (STAR,)))):
        with pytest.raises(LimitReached):
            look(scale(), range(MOST_VALUES + 1))


def test_several_levels_are_made_ready_to_be_unpacked() -> None:
    assert scale().unpack(((n for n in "ab"), 1, 2), ((None, STAR), STAR)) == [["a", "b"], 1, 2]
    assert scale().unpack((1, 2, (n for n in "ab")), (STAR, ())) == [1, 2, ["a", "b"]]
    assert list(scale().each_of([(n for n in "ab"), "cd"], (None, STAR))) == [["a", "b"], "cd"]


@for_each("values", ["ab", (1, (2, (3, 4))), {"ab": 1}, ("hero", "xy"), 5, (1,), ()])
def test_what_is_taken_apart_stays_what_it_is(values: Any) -> None:
    for shape in ((None, STAR), (None, (None, (None, STAR))), (STAR, None, ()), ()):
        assert scale().unpack(values, shape) is values


def test_values_one_by_one_take_a_step_each_and_no_more_than_are_taken() -> None:
    assert cost(lambda it: list(it.pace(range(7)))) == 7
    assert cost(lambda it: next(it.pace(range(10**9)))) == 1


def test_what_is_copied_in_part_is_paid_for_by_its_size() -> None:
    assert cost(lambda it: it.charge_size([0] * 320)) == 11
    assert cost(lambda it: it.charge_size("x" * 320)) == 11
    assert cost(lambda it: it.charge_size(range(10**9))) == 0


# -- numbers -----------------------------------------------------------------------------------------------------------


@for_each("value", [2**MOST_BITS - 1, 1 - 2**MOST_BITS, 0])
def test_numbers_have_so_many_bits(value: int) -> None:
    assert scale().whole(value) == value


@for_each("value", [2**MOST_BITS, -(2**MOST_BITS)])
def test_numbers_have_no_more_bits(value: int) -> None:
    with pytest.raises(LimitReached) as reached:
        scale().whole(value)
    assert reached.value.kind == "memory"
