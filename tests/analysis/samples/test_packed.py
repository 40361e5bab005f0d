"""Packed facts: what was packed comes back, with its type, and the table is the one that pandas makes of plain rows."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.analysis.samples.frame import series_of
from herobench.analysis.samples.packed import Coded, Fact, Numbers, pack, unpacked

FACTS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(-(10**30), 10**30),
    st.sampled_from([0.0, 1.0, 2.0, 0.5, 1e300]),
    st.text("ab\ud800", max_size=2),
)
COLUMNS = st.sampled_from([FACTS, st.integers(-3, 3), st.floats(allow_nan=False), st.booleans(), st.text(max_size=2)])
COLUMN = COLUMNS.flatmap(lambda kind: st.lists(st.one_of(st.none(), kind) | kind, min_size=1, max_size=30))


def same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Return whether two columns are the same: True is not 1, and 1 is not 1.0."""
    return [(type(value), value) for value in one] == [(type(value), value) for value in other]


@given(COLUMN, st.integers(1, 30))
def test_what_was_packed_comes_back(values: list[Fact], size: int) -> None:
    parts = [values[start : start + size] for start in range(0, len(values), size)]
    pieces = [pickle.loads(pickle.dumps(pack(part))) for part in parts]
    assert [len(piece) for piece in pieces] == [len(part) for part in parts]
    assert same(unpacked(pieces).tolist(), values)


@given(COLUMN, st.integers(1, 30))
def test_a_column_is_as_pandas_makes_it_of_rows(values: list[Fact], size: int) -> None:
    pieces = [pack(values[start : start + size]) for start in range(0, len(values), size)]
    made = series_of(unpacked(pieces))
    plain = pd.DataFrame.from_records([(value,) for value in values], columns=["x"]).x
    if any(isinstance(value, str) for value in values):
        # newer versions of pandas have a type of their own for texts
        assert made.dtype == object
        assert same(list(made), values)
    else:
        assert made.dtype == plain.dtype
        assert list(map(str, made)) == list(map(str, plain))


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2, 3], Numbers),
        ([1.5, None, 2.5], Numbers),
        ([None, None], Coded),
        ([1, 2.0], Coded),
        ([True, 1], Coded),
        ([2**63], Coded),
        (["a", None, "a"], Coded),
    ],
)
def test_numbers_are_held_as_they_are_and_others_once(values: list[Fact], kind: type) -> None:
    packed = pack(values)
    assert type(packed) is kind
    if isinstance(packed, Coded):
        assert len(packed.table) == len({(type(value), value) for value in values})


def test_many_different_texts_fit() -> None:
    values = [f"task {n}" for n in range(70_000)]
    assert unpacked([pack(values)]).tolist() == values


def test_an_equal_text_in_several_pieces_is_one_object() -> None:
    pieces = [pickle.loads(pickle.dumps(pack(["a task of some name"] * 3))) for _ in range(2)]
    assert len({id(value) for value in unpacked(pieces)}) == 1
