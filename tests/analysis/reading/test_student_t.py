"""Student's t distribution, held against scipy's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from herobench.analysis.reading.interval import quantile, two_sided_p

FREEDOM = st.one_of(st.integers(1, 300), st.sampled_from([998, 999, 1000, 1001, 5000, 100_000]))


@given(FREEDOM, st.sampled_from([0.9, 0.95, 0.975, 0.995]))
def test_a_quantile_is_scipys(freedom: int, probability: float) -> None:
    assert quantile(probability, freedom) == pytest.approx(float(stats.t.ppf(probability, freedom)), rel=1e-12)


@given(FREEDOM, st.floats(1e-3, 1e3))
def test_a_p_value_is_scipys(freedom: int, value: float) -> None:
    expected = 2 * float(stats.t.sf(value, freedom))
    assert two_sided_p(value, freedom) == two_sided_p(-value, freedom)
    assert two_sided_p(value, freedom) == pytest.approx(expected, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("freedom", [1, 2, 59])
def test_nothing_is_further_from_the_middle_than_the_middle(freedom: int) -> None:
    assert two_sided_p(0.0, freedom) == 1.0
