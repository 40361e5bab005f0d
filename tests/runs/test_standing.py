"""The counts of a run in their relations."""

from __future__ import annotations

from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from herobench.data.documents import schema_problems
from herobench.runs.standing import Standing
from tests.runs.manifest import manifest_row

count = st.integers(0, 1000)


def standing(total: int = 10, before: int = 2) -> Standing:
    return Standing(total, before, lambda news: None)


@given(count, count, count, count)
def test_what_is_owed_is_what_has_no_measured_sample(before: int, measured: int, unmeasured: int, rest: int) -> None:
    now = standing(before + measured + unmeasured + rest, before)
    now.measured, now.unmeasured = measured, unmeasured
    assert (now.done, now.owed) == (before + measured, unmeasured + rest)
    assert now.left is None or now.left >= 0
    assert (now.left is None) == (measured + unmeasured == 0)


def test_the_rest_takes_as_long_as_the_rate_of_this_session_says() -> None:
    now = standing(total=100, before=80)
    assert (now.rate, now.left) == (0.0, None)
    now.measured, now.unmeasured = 4, 6
    now.begun = monotonic() - 1000
    assert now.rate == pytest.approx(0.01, rel=0.1)
    assert now.left == pytest.approx(1000, rel=0.1)


def test_its_row_is_what_a_manifest_has_as_totals() -> None:
    now = standing()
    now.measured, now.unmeasured, now.wins, now.cost = 3, 1, 4, 0.5
    row = now.as_row()
    assert row == {"total": 10, "measured": 5, "wins": 4, "unmeasured": 1, "owed": 5, "cost": 0.5}
    assert schema_problems({**manifest_row(), "totals": row}, "run", "run.json") == []
    assert standing().as_row()["cost"] is None, "not known is not 0"
