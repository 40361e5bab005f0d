"""What may be a key, and what it costs to find one and to walk a table."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.sandbox.budget import MOST_VALUES, Budget, LimitReached
from herobench.sandbox.tables import Tables
from herobench.sandbox.values import Scale
from tests.sandbox.plans import HUGE, scalars, steadily


def tables() -> Tables:
    return Tables(Scale(Budget(HUGE)))


# -- keys --------------------------------------------------------------------------------------------------------------


@steadily
@given(scalars | st.tuples(scalars, st.tuples(scalars)) | st.frozensets(scalars))
def test_plain_values_and_tuples_of_them_are_keys(value: object) -> None:
    assert tables().key(value) is value
    assert tables().lookup({}, value) is value


@pytest.mark.parametrize("value", [print, len, range, ValueError, ValueError(), {}.keys(), iter(()), lambda: 0, ...])
def test_what_has_no_value_is_no_key(value: object) -> None:
    for key in (value, (1, value), (1, (value,))):
        with pytest.raises(TypeError, match="cannot be a key in a plan"):
            tables().key(key)
        with pytest.raises(TypeError, match="cannot be a key in a plan"):
            tables().lookup({}, key)


@pytest.mark.parametrize("value", [[], {}, {1}])
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
