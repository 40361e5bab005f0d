"""Rates of mistakes, mean losses and places on a scale: their figures, and whether 95 % intervals hold the truth.

The simulated players make mistakes one by one, in pairs, or at rates that differ between tasks. The players of the
suite itself are tried in tests/analysis/suites/rpg/test_journey_figures.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
import scipy
from numpy.typing import NDArray

from herobench.analysis.reading.interval import Estimate, wilson
from herobench.analysis.statistics.mistakes import (
    between_events,
    event_rate,
    event_share,
    figure_ratio,
    is_below_scale,
    mean_loss,
    place_on_scale,
)
from tests.sizes import THOROUGH, for_each, many

DRAWS = many(2000, 200)
LOWEST = many(0.94, 0.93)
Counts = NDArray[np.int64]


def garwood(count: int) -> tuple[float, float]:
    chi2 = scipy.stats.chi2
    return (chi2.ppf(0.025, 2 * count) / 2 if count else 0.0), chi2.ppf(0.975, 2 * count + 2) / 2


@for_each(("counts", "wider"), [((90, 95, 100, 92), 1.3), ((900, 901, 902, 900), 1.02), ((9000,) * 4, 1.001)])
def test_many_mistakes_that_do_not_cluster_have_nearly_the_exact_interval(counts: Sequence[int], wider: float) -> None:
    rate = event_rate("abcd", counts, [50] * 4)
    assert rate.estimate == sum(counts) / 200
    low, high = (end / 200 for end in garwood(sum(counts)))
    assert rate.low is not None
    assert rate.high is not None
    assert rate.low < low < high < rate.high
    assert rate.high - rate.low < wider * (high - low)
    assert (rate.samples, rate.tasks) == (4, 4)


@for_each("counts", [(0, 0, 0, 0), (1, 0, 1, 0), (1, 1, 1, 1)])
def test_few_mistakes_are_not_taken_for_single_ones(counts: Sequence[int]) -> None:
    rate = event_rate("abcd", counts, [50] * 4)
    low, high = (end / 200 for end in garwood(sum(counts)))
    assert 0 <= (rate.low or 0) <= low
    assert 1.2 * high < (rate.high or 0) <= 2 * high + 1e-12


def test_mistakes_that_all_are_in_one_task_tell_less_than_one() -> None:
    spread, together = event_rate("abcd", [2] * 4, [50] * 4), event_rate("abcd", [8, 0, 0, 0], [50] * 4)
    assert together.low == 0
    assert spread.estimate == together.estimate
    assert 200 * (together.high or 0) > 8 * garwood(1)[1]
    most = event_rate(range(40), [8, *[0] * 39], [50] * 40)
    assert 0 <= (most.low or 0) < 8 * garwood(1)[0] / 2000 < 8 * garwood(1)[1] / 2000 < (most.high or 0)


def test_samples_of_a_task_are_one_count_and_long_tasks_weigh_more() -> None:
    assert event_rate("aabb", [1, 2, 0, 1], [10, 20, 30, 40]) == Estimate(
        **{**{name: getattr(event_rate("ab", [3, 1], [30, 70]), name) for name in Estimate.__slots__}, "samples": 4}
    )
    equal, long = event_rate(range(9), [4, *[1] * 8], [40] * 9), event_rate(range(9), [4, *[1] * 8], [120, *[30] * 8])
    assert equal.estimate == long.estimate == 12 / 360
    # at one rate in all tasks, nothing varies
    assert (equal.low or 0) < (long.low or 0) < (long.high or 0) < (equal.high or 0)


def test_nothing_tells_how_far_a_second_task_would_be() -> None:
    assert event_rate("aa", [1, 0], [10, 30]) == Estimate(1 / 40, samples=2, tasks=1)
    assert event_rate("ab", [0, 0], [0, 0]) == between_events(event_rate("", [], [])) == Estimate()
    assert mean_loss("aa", [1.0, 2.0]) == Estimate(1.5, samples=2, tasks=1)
    assert mean_loss("ab", [None, None]) == Estimate()


def test_without_a_mistake_only_the_lower_end_is_known() -> None:
    between = between_events(event_rate("abc", [0, 0, 0], [100, 100, 100]))
    assert (between.estimate, between.high) == (None, None)
    assert between.low == pytest.approx(300 / (2 * garwood(0)[1])), "as if they came in pairs"
    rate = event_rate("abc", [1, 1, 1], [100, 100, 100])
    some = between_events(rate)
    assert rate.low
    assert rate.high
    assert (some.estimate, some.low, some.high) == pytest.approx((100, 1 / rate.high, 1 / rate.low))


def test_a_share_of_single_chances_has_wilsons_interval_and_clusters_widen_it() -> None:
    common = event_share("abcd", [700, 701, 702, 700], [1000] * 4)
    assert (common.estimate, common.low, common.high) == pytest.approx((0.70075, *wilson(2803, 4000)), abs=1e-4)
    share = event_share("abcd", [2, 1, 2, 1], [10] * 4)
    assert share.estimate == 0.15
    assert 0 < (share.low or 0) < garwood(6)[0] / 40 < wilson(6, 40)[1] < (share.high or 0)
    wide = event_share("abcd", [6, 0, 0, 0], [10] * 4)
    assert 0 == wide.low < (share.low or 0) < (share.high or 0) < (wide.high or 0) <= 1
    assert wilson(0, 10)[1] < (event_share("ab", [0, 0], [5, 5]).high or 0) < 1


def test_who_lost_nothing_has_no_upper_end() -> None:
    assert mean_loss("abc", [0.0, 0.0, 0.0]) == Estimate(0.0, 0.0, None, None, 3, 3)
    lost = mean_loss("aabc", [4.0, 2.0, 0.0, 0.0])
    assert (lost.estimate, lost.samples, lost.tasks) == (1.0, 4, 3)
    assert lost.low == 0
    assert 3 < (lost.high or 0) < 12
    assert mean_loss(range(9), [3.0, *[1.0] * 8]).low == pytest.approx(0.751, abs=0.001)


def test_the_ratio_of_two_figures_is_as_sure_as_both() -> None:
    first, second = Estimate(8, 4, 16, samples=10, tasks=10), Estimate(2, 1, 4, samples=9, tasks=9)
    ratio = figure_ratio(first, second)
    assert (ratio.samples, ratio.tasks) == (19, 9)
    assert (ratio.estimate, ratio.low, ratio.high) == pytest.approx((4, 4 / 2**2**0.5, 4 * 2**2**0.5))
    back = figure_ratio(second, first)
    assert (back.low, back.high) == pytest.approx((1 / (ratio.high or 0), 1 / (ratio.low or 0)))
    # who made no mistake has a lower end alone
    best = figure_ratio(Estimate(None, 20, None), second)
    assert (best.estimate, best.low, best.high) == (None, 5, None)
    assert figure_ratio(second, Estimate(None, 20, None)) == Estimate(None, None, 0.2, samples=9)
    assert figure_ratio(Estimate(), Estimate()) == figure_ratio(Estimate(None, 20), Estimate(None, 20)) == Estimate()


# -- coverage ---------------------------------------------------------------------------------------------------------


def single(rng: np.random.Generator, means: NDArray[np.float64]) -> Counts:
    return rng.poisson(means)


def uneven(rng: np.random.Generator, means: NDArray[np.float64]) -> Counts:
    """At a rate that is now nothing and now three times the mean, as tasks are easy or hard."""
    return rng.poisson(means * rng.gamma(1, 1, means.shape))


def paired(rng: np.random.Generator, means: NDArray[np.float64]) -> Counts:
    return 2 * rng.poisson(means / 2)


CLUSTERS = [(single, 10), (single, 40), (paired, 10), (paired, 40), (uneven, 40), (single, 300)]


def coverage(draw: Callable[[np.random.Generator], tuple[Estimate, float]]) -> float:
    rng, held = np.random.default_rng(17), 0
    for _ in range(DRAWS):
        estimate, truth = draw(rng)
        held += (estimate.low or 0) <= truth and (estimate.high is None or truth <= estimate.high)
    return held / DRAWS


@for_each("tasks", [10, 40])
@for_each(("cluster", "between"), CLUSTERS if THOROUGH else CLUSTERS[::2])
def test_the_interval_holds_the_decisions_between_mistakes(
    cluster: Callable[[np.random.Generator, NDArray[np.float64]], Counts], between: float, tasks: int
) -> None:
    def draw(rng: np.random.Generator) -> tuple[Estimate, float]:
        decisions = rng.choice([40, 80], tasks)
        counts = cluster(rng, decisions / between)
        return between_events(event_rate(range(tasks), counts.tolist(), decisions.tolist())), between

    assert coverage(draw) >= LOWEST


@for_each("tasks", [10, 40])
@for_each(("first", "second"), [(10, 20), (40, 40), (30, 300)] if THOROUGH else [(30, 300)])
def test_the_interval_holds_the_ratio_of_two_players_on_the_same_tasks(first: float, second: float, tasks: int) -> None:
    """Tasks are hard or easy for both."""

    def draw(rng: np.random.Generator) -> tuple[Estimate, float]:
        decisions, hardness = rng.choice([40, 80], tasks), rng.gamma(4, 0.25, tasks)
        rates = (
            event_rate(range(tasks), rng.poisson(decisions * hardness / between).tolist(), decisions.tolist())
            for between in (first, second)
        )
        return figure_ratio(*map(between_events, rates)), first / second

    assert coverage(draw) >= LOWEST


@for_each("chance", [0.1, 0.5])
@for_each("tasks", [10, 40])
def test_the_interval_holds_the_mean_of_losses_that_are_few_and_large(chance: float, tasks: int) -> None:
    def draw(rng: np.random.Generator) -> tuple[Estimate, float]:
        losses = (rng.random(tasks) < chance) * rng.exponential(5, tasks)
        return mean_loss(range(tasks), losses.tolist()), 5 * chance

    assert coverage(draw) >= LOWEST


# -- places on a scale ------------------------------------------------------------------------------------------------

SCALES = [[1.0, 0.5, 0.3, 0.1], [0.8, 0.6, 0.1, 0.0], [1.2, 0.4, 0.2, 0.2]]


@for_each("place", [1, 2, 3, 4])
def test_a_planner_stands_where_it_stands(place: int) -> None:
    scales = [[(1 + number / 100) * loss for loss in scale] for number in range(5) for scale in SCALES]
    own = place_on_scale(range(15), [scale[place - 1] for scale in scales], scales)
    assert own.estimate == pytest.approx(place)
    assert (own.low is None) == (place == 1)
    assert (own.high is None) == (place == 4)


def test_between_two_planners_the_place_is_interpolated() -> None:
    losses = [(first + 2 * second) / 3 for _, first, second, _ in SCALES]
    assert place_on_scale("abc", losses, SCALES).estimate == pytest.approx(2 + 2 / 3)
    # repeats of a task are one task
    assert place_on_scale("aabc", [losses[0] - 0.1, losses[0] + 0.1, *losses[1:]], [SCALES[0], *SCALES]) == Estimate(
        **{
            **{name: getattr(place_on_scale("abc", losses, SCALES), name) for name in Estimate.__slots__},
            "samples": 4,
        }
    )


def test_what_may_be_lost_on_other_tasks_bounds_the_place() -> None:
    """A planner who loses as much on each of these tasks may still see more than a player with one loss in ten."""
    losses = [*[0.0] * 9, 1.0]
    own = place_on_scale(range(10), losses, [[2 + loss, 0.5 + loss, loss, 0.0] for loss in losses])
    assert own.estimate == pytest.approx(3)
    most = mean_loss(range(10), losses).high
    assert most is not None
    assert 0.7 < most < 1.3
    assert own.low == pytest.approx(1 + (2.1 - most) / 1.5, abs=0.1)


def test_who_lost_nothing_may_lose_on_another_task_what_the_first_planner_does() -> None:
    own = place_on_scale(range(10), [0.0] * 10, [[1.0, 0.2, 0.0]] * 10)
    assert own.estimate == pytest.approx(3)
    assert own.low == pytest.approx(2 + (0.2 - 1.0 / 10) / 0.2, abs=0.1)


def test_off_the_scale_the_interval_says_on_which_side() -> None:
    worse = place_on_scale("abc", [9.0, 9.1, 9.2], SCALES)
    assert (worse.estimate, worse.low) == (None, None)
    assert worse.high == 1
    better = place_on_scale("abc", [0.0, 0.0, 0.0], [[scale[0], scale[1]] for scale in SCALES])
    assert (better.estimate, better.high) == (None, None)
    assert 1 < (better.low or 0) <= 2
    assert place_on_scale("", [], []) == Estimate()
    assert place_on_scale("a", [0.5], SCALES[:1]) == Estimate(2, samples=1, tasks=1)


def test_off_the_scale_the_side_is_known_without_an_interval() -> None:
    for tasks, losses in (("a", [9.0]), ("abc", [9.0, 9.1, 0.9])):
        below = place_on_scale(tasks, losses, SCALES[: len(tasks)])
        assert (below.estimate, below.low, below.high if tasks == "a" else None) == (None, None, None)
        assert is_below_scale(tasks, losses, SCALES[: len(tasks)])
    assert not is_below_scale("a", [0.0], SCALES[:1])
    assert not is_below_scale("aab", [9.0, 0.0, 0.0], SCALES[:1] * 2 + [[9.0, 0.0]])
    assert not is_below_scale("", [], [])


def test_rounding_does_not_lead_off_the_scale() -> None:
    losses = [scale[0] + 2e-10 for scale in SCALES]
    assert place_on_scale("abc", losses, SCALES).estimate == 1
    assert not is_below_scale("abc", losses, SCALES)
