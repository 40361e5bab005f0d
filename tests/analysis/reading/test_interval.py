"""Wilson's interval and Student's t distribution, held against scipy's."""

from __future__ import annotations

import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from herobench.analysis.reading.interval import quantile, two_sided_p, wilson
from tests.sizes import for_each

COUNTS = st.integers(1, 10_000).flatmap(lambda count: st.tuples(st.integers(0, count), st.just(count)))


@pytest.mark.slow
@given(COUNTS)
def test_an_interval_is_scipys(counts: tuple[int, int]) -> None:
    expected = scipy.stats.binomtest(*counts).proportion_ci(0.95, method="wilson")
    assert wilson(*counts) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_where_nothing_was_counted_all_is_possible() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


FREEDOM = st.one_of(st.integers(1, 300), st.sampled_from([998, 999, 1000, 1001, 5000, 100_000]))


@given(FREEDOM, st.sampled_from([0.9, 0.95, 0.975, 0.995]))
def test_a_quantile_is_scipys(freedom: int, probability: float) -> None:
    assert quantile(probability, freedom) == pytest.approx(float(scipy.stats.t.ppf(probability, freedom)), rel=1e-12)


@given(FREEDOM, st.floats(1e-3, 1e3))
def test_a_p_value_is_scipys(freedom: int, value: float) -> None:
    expected = 2 * float(scipy.stats.t.sf(value, freedom))
    assert two_sided_p(value, freedom) == two_sided_p(-value, freedom)
    assert two_sided_p(value, freedom) == pytest.approx(expected, rel=1e-10, abs=1e-12)


@for_each("freedom", [1, 2, 59])
def test_nothing_is_further_from_the_middle_than_the_middle(freedom: int) -> None:
    assert two_sided_p(0.0, freedom) == 1.0
