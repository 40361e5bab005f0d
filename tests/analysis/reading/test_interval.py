import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from herobench.analysis.reading.interval import wilson

COUNTS = st.integers(1, 10_000).flatmap(lambda count: st.tuples(st.integers(0, count), st.just(count)))


@pytest.mark.parametrize(
    ("successes", "count", "low", "high"),
    [
        (8, 10, 0.4902, 0.9433),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (1, 1, 0.2065, 1.0),
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (500, 1000, 0.4691, 0.5309),
    ],
)
def test_known_intervals_come_out_to_the_printed_digit(successes: int, count: int, low: float, high: float) -> None:
    assert wilson(successes, count) == pytest.approx((low, high), abs=0.00005)


@pytest.mark.parametrize(("confidence", "low", "high"), [(0.9, 0.5407, 0.9311), (0.99, 0.4048, 0.9591)])
def test_more_confidence_is_a_wider_interval(confidence: float, low: float, high: float) -> None:
    assert wilson(8, 10, confidence) == pytest.approx((low, high), abs=0.02)
    wide, narrow = wilson(8, 10, 0.99), wilson(8, 10, 0.9)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


@given(COUNTS)
def test_an_interval_is_scipys(counts: tuple[int, int]) -> None:
    expected = stats.binomtest(*counts).proportion_ci(0.95, method="wilson")
    assert wilson(*counts) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_where_nothing_was_counted_all_is_possible() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@given(COUNTS)
def test_an_interval_lies_among_the_rates_and_has_the_rate_in_it(counts: tuple[int, int]) -> None:
    low, high = wilson(*counts)
    rate = counts[0] / counts[1]
    assert 0.0 <= low < high <= 1.0
    assert low - 1e-12 <= rate <= high + 1e-12


@given(COUNTS)
def test_failures_have_the_mirrored_interval(counts: tuple[int, int]) -> None:
    successes, count = counts
    low, high = wilson(successes, count)
    assert wilson(count - successes, count) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@given(COUNTS)
def test_one_more_success_moves_both_ends_up(counts: tuple[int, int]) -> None:
    successes, count = counts
    if successes < count:
        lower, higher = wilson(successes, count), wilson(successes + 1, count)
        assert lower[0] < higher[0]
        assert lower[1] < higher[1] or lower[1] == higher[1] == 1.0


@given(COUNTS)
def test_the_same_rate_of_more_is_a_narrower_interval(counts: tuple[int, int]) -> None:
    few, many = wilson(*counts), wilson(counts[0] * 2, counts[1] * 2)
    assert many[1] - many[0] < few[1] - few[0]
