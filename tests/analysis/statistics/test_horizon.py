"""The horizon of some samples, its verdict, and what must not change it."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from herobench.adaptive.choice import fit_posterior
from herobench.adaptive.goal import LEAST_TASKS
from herobench.analysis.statistics.horizon import Horizon, count_trials, fit_curve, horizon_in
from tests.analysis.statistics.simulated import Floats, ladder, wins
from tests.sizes import for_each, one_in, some_slow

LENGTHS = ladder(120)


def won_by(horizon: float, slope: float = 1.0, seed: int = 1) -> list[float | None]:
    return wins(np.random.default_rng(seed), LENGTHS, horizon, slope)[0].tolist()


def found(won: list[float | None], lengths: Floats = LENGTHS, names: str = "t") -> Horizon:
    return horizon_in(count_trials([f"{names}{number}" for number in range(len(lengths))], lengths.tolist(), won))


# -- the figure -------------------------------------------------------------------------------------------------------


def test_a_horizon_is_found_with_its_interval() -> None:
    told = found(won_by(100))
    assert told.verdict == "determined"
    assert told.h50.low < 100 < told.h50.high  # type: ignore[operator]
    assert told.h50.low < told.h50.estimate < told.h50.high  # type: ignore[operator]
    assert told.h80.low < 25 < told.h80.high, "two doublings less, at a slope of ln 4 / 2 = 0.7"  # type: ignore[operator]
    assert told.slope.low < -1 < told.slope.high < 0  # type: ignore[operator]
    assert (told.h50.tasks, told.h50.samples, told.shortest, told.longest) == (120, 120, 4, pytest.approx(4000))
    assert 0.8 < told.auc < 1  # type: ignore[operator]
    assert 0 < told.calibration_error < 10  # type: ignore[operator]


def test_the_curve_passes_half_at_the_horizon_and_four_fifths_before() -> None:
    won = won_by(100)
    curve, told = fit_curve(count_trials(range(120), LENGTHS, won)), found(won)
    assert curve is not None
    points = curve.curve()
    lengths, success, low, high = np.array(points).T
    at = np.interp([np.log(told.h80.estimate), np.log(told.h50.estimate)], np.log(lengths), success)  # type: ignore[arg-type]
    assert at == pytest.approx([0.8, 0.5], abs=0.01)
    assert (low <= success).all()
    assert (success <= high).all()
    assert (lengths[0], lengths[-1]) == (pytest.approx(4), pytest.approx(4000))


def test_the_order_and_the_names_of_tasks_do_not_matter() -> None:
    won = won_by(300)
    order = np.random.default_rng(2).permutation(len(LENGTHS))
    assert found([won[number] for number in order], LENGTHS[order], "other") == found(won)


@for_each(("factor", "precision"), [(2.0, 1e-6), (10.0, 0.03)])
def test_a_shorter_unit_gives_a_longer_horizon(factor: float, precision: float) -> None:
    """Lengths times a factor give horizons times it, and the same verdict and quality.

    To the last digit if the factor moves the lengths by whole steps of the grid, otherwise to half a step.
    """
    one, other = found(won_by(300)), found(won_by(300), LENGTHS * factor)
    for name in ("h50", "h80"):
        ends = [(e.low, e.estimate, e.high) for e in (getattr(one, name), getattr(other, name))]
        assert ends[1] == pytest.approx([factor * end for end in ends[0]], rel=precision), name
    assert other.slope.estimate == pytest.approx(one.slope.estimate, rel=precision)
    assert (other.verdict, other.auc) == (one.verdict, one.auc)
    assert other.calibration_error == pytest.approx(one.calibration_error, rel=precision)


def test_the_horizon_is_that_of_the_posterior_by_which_runs_stop() -> None:
    """The tasks are those that a run chose by its verdicts: analysis and run quote the same interval."""
    lengths, won = {number: float(length) for number, length in enumerate(LENGTHS)}, won_by(100)
    asked = [task for task in lengths if task < 8 or task % 2 or task == 119]
    known = fit_posterior(lengths, {task: won[task] or 0.0 for task in asked}).interval()
    told = horizon_in(
        count_trials(asked[::-1], [lengths[task] for task in asked[::-1]], [won[task] for task in asked[::-1]])
    )
    assert told.verdict == "determined"
    assert (told.h50.estimate, told.h50.low, told.h50.high) == pytest.approx(known, rel=1e-9)


def test_failures_that_length_does_not_explain_move_no_horizon() -> None:
    """One answer in ten is spoiled, whatever the length."""
    won = wins(np.random.default_rng(7), ladder(360), 100, 2.0, lapse=0.1)[0].tolist()
    told = found(won, ladder(360))
    assert told.verdict == "determined"
    assert told.h50.low < 100 < told.h50.high  # type: ignore[operator]
    assert told.slope.low < -2 < told.slope.high, "apart from lapses"  # type: ignore[operator]


def test_epochs_count_by_how_much_those_of_a_task_are_alike() -> None:
    """Five epochs are worth five tasks if only luck decides, and one if it is the task that does."""
    rng, factors = np.random.default_rng(8), []
    names, lengths = [*range(120)] * 5, [*LENGTHS] * 5
    for hardness in (0.0, 1.0, 5.0):
        harder = LENGTHS * 2 ** rng.logistic(0, hardness, 120)
        told = horizon_in(count_trials(names, lengths, wins(rng, harder, 100, 2.0, epochs=5).ravel().tolist()))
        once = horizon_in(count_trials(range(120), LENGTHS, wins(rng, harder, 100, 2.0)[0].tolist()))
        factors.append(np.log(told.h50.high / told.h50.low) / np.log(once.h50.high / once.h50.low))  # type: ignore[operator]
    assert factors[0] == pytest.approx(1 / np.sqrt(5), rel=0.2)
    assert factors[0] < factors[1] < factors[2]
    assert factors[2] == pytest.approx(1, rel=0.15)


def test_what_is_not_measured_or_has_no_length_is_left_out_and_counted() -> None:
    won = won_by(100)
    kept = found(won)
    names, lengths = [*range(120), 200, 201, 202], [*LENGTHS, 50, None, 0]
    told = horizon_in(count_trials(names, lengths, [*won, None, 1.0, 0.0]))
    assert (told.unmeasured, told.without_length) == (1, 2)
    assert replace(told, unmeasured=0, without_length=0) == kept


def test_a_task_is_as_long_as_the_shortest_plan_that_is_known() -> None:
    for lengths in ([8, 4], [4, 8]):
        assert count_trials(["a", "a"], lengths, [1, 0]).x.tolist() == [2.0]


# -- the verdict ------------------------------------------------------------------------------------------------------


def test_whoever_wins_all_is_beyond_the_range_and_whoever_loses_all_below() -> None:
    for won, verdict in ((1.0, "beyond the range"), (0.0, "below the range")):
        told = found([won] * 120)
        assert told.verdict == verdict
        assert (told.h50.estimate, told.h50.low, told.h50.high, told.slope.estimate, told.auc) == (None,) * 5
        assert told.h50.tasks == 120


@pytest.mark.parametrize(
    ("horizon", "slope", "verdict"),
    one_in(
        2,
        [
            (100, 1, "determined"),
            (100, 9, "determined"),  # wins and losses stand apart
            (20_000, 1, "beyond the range"),
            (1e-6, 0.1, "not determined"),  # wins one of ten at all lengths alike
            (2, 1, "below the range"),
            (1e9, 0.1, "beyond the range"),  # wins nine of ten at all lengths alike
            (120, 0.02, "not determined"),  # wins half at all lengths alike
            (120, -1, "not determined"),  # wins the long ones
            (40, -1, "not determined"),
            (400, -1, "not determined"),
        ],
    ),
)
def test_a_verdict_says_what_the_samples_tell(horizon: float, slope: float, verdict: str) -> None:
    told = [found(won_by(horizon, slope, seed)).verdict for seed in range(4)]
    assert told == [verdict] * 4


def test_outside_the_range_is_a_limit_and_no_figure() -> None:
    for horizon, end in ((20_000, "low"), (2, "high")):
        told = found(won_by(horizon))
        assert (told.h50.estimate, told.h80.estimate) == (None, None)
        limits = {"low": told.h50.low, "high": told.h50.high}
        assert [name for name, limit in limits.items() if limit is not None] == [end]
    assert (found(won_by(20_000)).h50.low or 0) > 1000


@pytest.mark.parametrize("least", some_slow([0.55, 0.6, 0.7], [0.6, 0.7]))
def test_a_model_that_never_falls_to_a_half_has_no_figure(least: float) -> None:
    """It wins all tasks below 100 decisions. Curves that fall gently to a half would explain its wins as well."""
    lengths = ladder(360)
    for seed in range(4):
        won = (np.random.default_rng(seed).random(360) < np.where(lengths < 100, 1.0, least)).astype(float)
        told = found(won.tolist(), lengths)
        assert (told.verdict, told.reason, told.h50.estimate) == ("beyond the range", "no half", None)


def test_what_is_not_determined_has_no_figure() -> None:
    told = found(won_by(120, 0.02))
    assert (told.h50.estimate, told.h50.low, told.h50.high, told.h80.estimate) == (None,) * 4
    assert told.auc == pytest.approx(0.5, abs=0.15)


NO_VERDICT = ("few tasks", "no curve fits", "does not fall", "covers all lengths")
"""The reasons of a horizon that is not determined; the others say what shape is beyond or below the range."""


def test_what_is_not_determined_has_a_reason() -> None:
    stripes = [float(int(np.log2(length)) % 2 == 0) for length in LENGTHS]
    few = horizon_in(count_trials(range(39), ladder(39).tolist(), [float(n < 20) for n in range(39)]))
    gentle = found(won_by(400, 0.25, 10))
    even = horizon_in(count_trials(range(60), [100] * 60, [1, 0] * 30))
    for told, reason in (
        (few, "few tasks"),
        (found(stripes), "no curve fits"),
        (gentle, "does not fall"),
        (found([0.0] * 120), "won nothing"),
        (found(won_by(6000)), "no half"),
        (found(won_by(2)), None),
        (found(won_by(1e-6, 0.1)), "does not fall"),
        (even, "covers all lengths"),
        (found(won_by(100)), None),
        (found([1.0] * 120), None),
    ):
        assert told.reason == reason
        assert (told.verdict == "not determined") == (reason in NO_VERDICT)
        assert reason is None or told.h50.estimate is None


def test_an_interval_is_open_where_the_verdicts_do_not_end_it() -> None:
    """Of a model that wins nearly all, the longest tasks say how far it comes at least."""
    told = found([1.0] * 118 + [0.0, 1.0])
    assert told.verdict == "beyond the range"
    assert (told.h50.low or 0) > 2000
    assert told.h50.high is None
    # a figure near the end of the lengths may be open too
    far, near = found(won_by(2500, 0.5, seed=5)).h50, found(won_by(5, seed=1)).h50
    assert (far.estimate is None, far.high, near.estimate is None, near.low) == (False, None, False, None)


@for_each("tasks", [0, 1, LEAST_TASKS - 1, LEAST_TASKS])
def test_a_few_tasks_determine_nothing(tasks: int) -> None:
    told = horizon_in(
        count_trials(range(tasks), ladder(max(1, tasks)).tolist()[:tasks], [float(n < tasks / 2) for n in range(tasks)])
    )
    assert told.verdict == ("determined" if tasks == LEAST_TASKS else "not determined")
    assert (told.h50.estimate is None) == (tasks < LEAST_TASKS)
    assert told.h50.tasks == tasks


def test_the_order_of_tasks_of_one_length_does_not_matter_for_the_fit() -> None:
    lengths = np.repeat(ladder(15), 8)
    won = wins(np.random.default_rng(3), lengths, 100, 1.0)[0]
    ordered = np.lexsort((won, lengths))
    for order in (range(120), ordered, ordered[::-1]):
        told = horizon_in(count_trials(range(120), lengths[order].tolist(), won[order].tolist()))
        assert told.verdict == "determined"


# -- the quality of the fit -------------------------------------------------------------------------------------------


def test_the_auc_counts_pairs_of_a_won_and_a_lost_sample() -> None:
    rng = np.random.default_rng(6)
    lengths, won = rng.integers(1, 20, 60), rng.integers(0, 2, 60)
    pairs = product(lengths[won == 1], lengths[won == 0])
    by_hand = np.mean([1.0 if short < long else 0.5 if short == long else 0.0 for short, long in pairs])
    assert horizon_in(count_trials(range(60), lengths.tolist(), won.tolist())).auc == pytest.approx(by_hand)


def test_the_calibration_error_is_large_where_success_does_not_fall_like_a_curve() -> None:
    """Every second octave is won, the others are lost."""
    stripes = [float(int(np.log2(length)) % 2 == 0) for length in LENGTHS]
    assert found(stripes).calibration_error > 30  # type: ignore[operator]
    assert found(won_by(100)).calibration_error < 8  # type: ignore[operator]


def test_equal_verdicts_are_fitted_once() -> None:
    first, again, other = (fit_curve(count_trials(range(120), LENGTHS, won_by(end))) for end in (100, 100, 300))
    assert first is not None
    assert again is not None
    assert other is not None
    assert first.known is again.known
    assert first.known is not other.known
