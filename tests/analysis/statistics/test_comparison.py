"""Two runs compared on the tasks that both have, twins included."""

from __future__ import annotations

import math
from dataclasses import astuple, replace

import numpy as np
import pytest
import scipy
from hypothesis import assume, given
from hypothesis import strategies as st

from herobench.analysis.reading.interval import Estimate
from herobench.analysis.statistics.comparison import (
    Comparison,
    Side,
    Verdict,
    are_twins,
    compare,
    horizon_ratio,
    paired_names,
    twin_side,
    verdict_on,
)
from herobench.analysis.statistics.horizon import Trials, count_trials, horizon_in
from tests.analysis.samples.samples import as_table, sample
from tests.analysis.statistics.simulated import ladder, wins
from tests.sizes import for_each

SCORES = st.integers(0, 1000).map(lambda score: score / 10)
PAIRS = st.lists(st.tuples(SCORES, SCORES), max_size=30)
WINS = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=30)
RUN = st.lists(st.tuples(st.integers(0, 5), SCORES | st.none()), max_size=20)


def together(pairs: list[tuple[float, float]]) -> Comparison:
    """Both runs have one sample of each task."""
    tasks = range(len(pairs))
    return compare(tasks, [first for first, _ in pairs], tasks, [second for _, second in pairs])


def columns(rows: list[tuple[int, float | None]]) -> tuple[list[int], list[float | None]]:
    return [task for task, _ in rows], [value for _, value in rows]


@given(PAIRS)
def test_the_test_and_the_interval_are_scipys(pairs: list[tuple[float, float]]) -> None:
    differences = [first - second for first, second in pairs]
    assume(len(pairs) > 1)
    assume(np.ptp(differences) > 1e-6)
    found = together(pairs)
    expected = scipy.stats.ttest_rel(*zip(*pairs, strict=True))
    assert found.p == pytest.approx(expected.pvalue)
    assert found.difference.estimate == pytest.approx(np.mean(differences))
    assert found.difference.standard_error == pytest.approx(scipy.stats.sem(differences))
    assert (found.difference.low, found.difference.high) == pytest.approx(tuple(expected.confidence_interval()))
    assert (found.p < 0.05) == (found.difference.low > 0 or found.difference.high < 0)


@given(WINS)
def test_for_wins_and_losses_the_exact_p_is_mcnemars(pairs: list[tuple[bool, bool]]) -> None:
    assume(len(pairs) > 1)
    table = [[sum(pair == (row, column) for pair in pairs) for column in (True, False)] for row in (True, False)]
    found = together(pairs)
    from statsmodels.stats.contingency_tables import mcnemar  # half a second, for the worker that needs it only

    assert found.exact_p == pytest.approx(mcnemar(table, exact=True).pvalue)
    assert (found.better, found.worse) == (table[0][1], table[1][0])


def test_the_means_over_epochs_are_compared_task_by_task() -> None:
    found = compare("aaabbc", [10, 20, 30, 5, 5, 40], "abbbc", [10, 0, 6, 3, 70])
    assert found.difference == replace(together([(20, 10), (5, 3), (40, 70)]).difference, samples=11)
    assert (found.difference.estimate, found.difference.tasks) == (-6.0, 3)
    assert (found.better, found.worse, found.exact_p) == (2, 1, None)


def test_only_shared_tasks_count_and_the_others_are_told() -> None:
    found = compare("abcd", [1, 0, 1, 1], "bcdef", [0, 0, 1, 0, 0])
    assert found.difference == together([(0, 0), (1, 0), (1, 1)]).difference
    assert (found.shared, found.only_first, found.only_second) == (3, 1, 2)


def test_a_task_that_a_run_did_not_measure_is_not_shared() -> None:
    found = compare("abcd", [1, None, 1, 1], "abcd", [0, 1, 1, None])
    assert (found.shared, found.only_first, found.only_second, found.difference.estimate) == (2, 1, 1, 0.5)


def test_runs_that_differ_everywhere_by_the_same_have_an_interval_without_width() -> None:
    found = together([(1, 0)] * 3)
    assert found.difference == Estimate(1.0, 1.0, 1.0, 0.0, 6, 3)
    assert (found.p, found.exact_p) == (0.0, 0.25)
    nearly = together([(0.3, 0.2), (0.1, 0.0), (0.9, 0.8)])
    assert (nearly.p, nearly.difference.estimate) == (0.0, pytest.approx(0.1))


def test_another_order_of_adding_up_is_no_difference() -> None:
    found = compare("aaabbb", [0.1, 0.1, 0.1, 0.7, 0.7, 0.7], "ab", [0.1, 0.7])
    assert (found.p, found.difference.estimate, found.better, found.worse) == (1.0, 0.0, 0, 0)


def test_fewer_than_two_shared_tasks_have_no_interval_and_no_p() -> None:
    one = compare("ab", [1, 1], "bc", [0, 0])
    assert one == Comparison(Estimate(1.0, None, None, None, 2, 1), None, None, 1, 0, 1, 1, 1)
    none = compare("a", [1], "b", [1])
    assert none == Comparison(Estimate(None, None, None, None, 0, 0), None, None, 0, 0, 0, 1, 1)


@for_each(
    "runs",
    [("aab", [1, 0, 1], "ab", [1, 0]), ("ab", [1, 0], "abb", [1, 0, 0]), ("ab", [1, 0.5], "ab", [1, 0])],
)
def test_the_exact_test_is_only_for_single_wins_and_losses(runs: tuple[str, list[float], str, list[float]]) -> None:
    found = compare(*runs)
    assert found.exact_p is None
    assert found.p is not None


def test_what_is_not_shared_does_not_forbid_the_exact_test() -> None:
    assert compare("abcc", [1, 0, 0.5, 1], "abdd", [1, 1, 1, 1]).exact_p == 1.0


@given(RUN, RUN)
def test_swapping_the_runs_turns_the_difference_round(
    first: list[tuple[int, float | None]], second: list[tuple[int, float | None]]
) -> None:
    there, back = compare(*columns(first), *columns(second)), compare(*columns(second), *columns(first))
    assert (back.shared, back.only_first, back.only_second) == (there.shared, there.only_second, there.only_first)
    assert (back.better, back.worse, back.exact_p) == (there.worse, there.better, there.exact_p)
    assert back.difference.samples == there.difference.samples
    assert not any(math.isnan(part) for part in astuple(there.difference) if part is not None)
    if there.difference.estimate is not None:
        assert back.difference.estimate == pytest.approx(-there.difference.estimate)
    if there.p is None:
        assert there.shared < 2
        assert back.p is None
    else:
        assert 0 <= there.p <= 1
        assert back.p == pytest.approx(there.p)
        assert (back.difference.low, back.difference.high) == pytest.approx(
            (-there.difference.high, -there.difference.low), abs=1e-9
        )


@given(RUN)
def test_a_run_is_like_itself(rows: list[tuple[int, float | None]]) -> None:
    found = compare(*columns(rows), *columns(rows))
    assert (found.only_first, found.only_second, found.better, found.worse) == (0, 0, 0, 0)
    assert found.p == (1.0 if found.shared > 1 else None)


def test_the_interval_stays_within_the_largest_difference_there_can_be() -> None:
    wins, losses = [1, 1, 1, 1, 1, 0], [0] * 6
    found, students = compare(range(6), wins, range(6), losses, most=1), compare(range(6), wins, range(6), losses)
    assert students.difference.high > 1
    assert 0 < found.difference.low < found.difference.estimate < found.difference.high < 1
    assert replace(found, difference=students.difference) == students
    over = compare("ab", [260, 40], "ab", [0, 0], most=100)
    assert -260 < over.difference.low < 150 < over.difference.high < 260, "scores can be over 100"


@for_each("count", [2, 5, 21, 180])
def test_bounded_differences_that_are_all_equal_have_an_interval_with_a_width(count: int) -> None:
    """Without a loss among n tasks, a loss may still be as frequent as 3 in n."""
    won = compare(range(count), [1] * count, range(count), [0] * count, most=1).difference
    assert won.high == 1
    assert 1 - won.low >= 3 / (count + 1)
    alike = compare(range(count), [1] * count, range(count), [1] * count, most=1).difference
    assert alike.high == pytest.approx(-alike.low)
    assert alike.high > 2 / (count + 1)


PUBLIC = as_table(sample("5/1_Lich_kill", True), sample("5/2_Imp_kill", False))
PRIVATE = as_table(
    sample("5/2_Gor_kill", True, twin_of="5/2_Imp_kill"), sample("5/1_Imp_kill", True, twin_of="5/1_Lich_kill")
)
OTHER = as_table(sample("5/1_Zed_kill", False, twin_of="5/1_Lich_kill"), sample("6/1_Zed_kill", False, twin_of="6/9"))


def test_a_twin_goes_by_the_name_of_its_original_wherever_that_is_known() -> None:
    assert paired_names(PUBLIC, PRIVATE) == ["5/1_Lich_kill", "5/2_Imp_kill"]
    assert paired_names(PRIVATE, PUBLIC) == ["5/2_Imp_kill", "5/1_Lich_kill"]
    assert paired_names(OTHER, PRIVATE) == ["5/1_Lich_kill", "6/1_Zed_kill"]


def test_runs_on_the_same_twins_meet_too() -> None:
    assert paired_names(PRIVATE, PRIVATE) == ["5/2_Imp_kill", "5/1_Lich_kill"]


def test_it_is_known_whether_there_are_twins() -> None:
    assert are_twins(PRIVATE, PUBLIC)
    assert not are_twins(PUBLIC, PRIVATE)
    assert not are_twins(PUBLIC, PUBLIC)


def test_it_is_known_which_side_has_the_twins() -> None:
    assert (twin_side(PUBLIC, PRIVATE), twin_side(PRIVATE, PUBLIC)) == ("second", "first")
    assert (twin_side(PRIVATE, OTHER), twin_side(PUBLIC, PUBLIC)) == ("both", None)


LOST, WON = [0.0] * 6, [1.0] * 6


@for_each(
    ("side", "first", "second", "verdict"),
    [
        ("second", WON, LOST, "originals_won_more"),
        ("first", LOST, WON, "originals_won_more"),
        ("second", LOST, WON, "twins_won_more"),
        ("first", WON, LOST, "twins_won_more"),
        ("second", WON, WON, "no_difference_shown"),
        ("second", WON[:5], LOST[:5], "no_difference_shown"),  # by McNemar p is 0.06
        ("second", WON[:1], LOST[:1], "not_comparable"),
        ("both", WON, LOST, "not_comparable"),
    ],
)
def test_a_verdict_needs_a_difference_that_is_hardly_chance(
    side: Side, first: list[float], second: list[float], verdict: Verdict
) -> None:
    success = compare(range(len(first)), first, range(len(second)), second)
    assert verdict_on(side, success, is_one_model=True) == verdict
    assert verdict_on(side, success, is_one_model=False) == "not_comparable"


def test_without_one_win_and_loss_a_task_the_other_p_value_counts() -> None:
    tasks = [task for task in range(6) for _ in range(2)]
    success = compare(tasks, [1.0, 0.5] * 6, tasks, [0.0, 0.2, 0.0, 0.4] * 3)
    assert success.exact_p is None
    assert verdict_on("second", success, is_one_model=True) == "originals_won_more"


LENGTHS = ladder(180)


def run(horizon: float, seed: int, slope: float = 1.0, first: int = 0, last: int = 180) -> Trials:
    won = wins(np.random.default_rng(seed), LENGTHS, horizon, slope)[0]
    return count_trials(range(first, last), LENGTHS[first:last].tolist(), won[first:last].tolist())


def test_a_longer_horizon_is_told_with_its_ratio() -> None:
    told = horizon_ratio(run(400, 1), run(80, 2))
    assert told.verdict == "longer"
    assert 1 < told.ratio.low < 5 < told.ratio.high  # type: ignore[operator]
    assert told.ratio.estimate == pytest.approx(told.first.h50.estimate / told.second.h50.estimate)  # type: ignore[operator]


def test_the_longer_horizon_has_its_probability() -> None:
    told, back = horizon_ratio(run(130, 1), run(80, 2)), horizon_ratio(run(80, 2), run(130, 1))
    assert told.probability + back.probability == pytest.approx(1, abs=0.03)  # type: ignore[operator]
    surer = horizon_ratio(run(400, 1), run(80, 2)).probability
    assert 0.5 < told.probability < surer < 1  # type: ignore[operator]
    assert surer > 0.975, "a ratio that is told apart is surer than its interval"  # type: ignore[operator]
    assert horizon_ratio(run(100, 1), run(100, 1)).probability == pytest.approx(0.5, abs=0.05)


def test_a_probability_is_between_0_and_1_whatever_the_sums_are_rounded_to() -> None:
    found = [horizon_ratio(run(8, seed), run(1e9, 9)).probability for seed in range(1, 4)]
    assert all(0.0 <= probability < 1e-9 for probability in found if probability is not None), found


def test_runs_on_tasks_of_two_seeds_compare_as_independent_ones() -> None:
    first, second = run(400, 1), replace(run(80, 2), tasks=tuple(f"other {n}" for n in range(180)))
    assert horizon_ratio(first, second).verdict == "not determined"
    told = horizon_ratio(first, second, independent=True)
    assert (told.verdict, told.ratio.tasks) == ("longer", 0)
    paired = horizon_ratio(first, run(80, 2))
    assert told.ratio.low <= paired.ratio.low  # type: ignore[operator]


def test_a_run_is_not_told_apart_from_itself() -> None:
    told = horizon_ratio(run(100, 1), run(100, 1))
    assert (told.verdict, told.ratio.low, told.ratio.estimate, told.ratio.high) == ("not told apart", 1, 1, 1)


def test_pairs_tell_apart_what_the_intervals_of_two_runs_do_not() -> None:
    """The second run loses what the first loses, and a little more."""
    luck = np.random.default_rng(5).random(180)
    first, second = (luck < 1 / (1 + (LENGTHS / horizon) ** 1.44) for horizon in (200, 140))
    told = horizon_ratio(*(count_trials(range(180), LENGTHS, won.astype(float)) for won in (first, second)))
    assert told.first.h50.low < told.second.h50.high  # type: ignore[operator]
    assert told.verdict == "longer"


def test_each_horizon_is_the_one_that_the_run_has_by_itself() -> None:
    first, second = run(100, 1, last=120), run(80, 2, first=40)
    told = horizon_ratio(first, second)
    assert (told.first, told.second) == (horizon_in(first), horizon_in(second))
    assert (told.ratio.tasks, told.ratio.samples) == (80, 260)
    assert told.ratio.estimate == pytest.approx(told.first.h50.estimate / told.second.h50.estimate)  # type: ignore[operator]


def test_runs_without_a_shared_task_or_a_horizon_have_no_ratio() -> None:
    apart = horizon_ratio(run(100, 1, last=90), run(100, 2, first=90))
    few = horizon_ratio(run(100, 1), run(100, 2, last=39))
    flat = horizon_ratio(run(100, 1), run(120, 2, slope=0.01))
    for told, shared in ((apart, 0), (few, 39), (flat, 180)):
        assert (told.verdict, told.ratio.estimate, told.ratio.low) == ("not determined", None, None)
        assert told.ratio.tasks == shared


@pytest.mark.slow
def test_runs_that_win_all_or_lose_all_are_compared_without_a_figure() -> None:
    all_won, all_lost, some = run(1e12, 1), run(1e-12, 1), run(100, 1)
    assert horizon_ratio(all_won, all_won).verdict == "not told apart"
    assert horizon_ratio(all_won, some).verdict == "longer"
    told = horizon_ratio(all_lost, some)
    assert (told.verdict, told.ratio.estimate, told.ratio.low, told.ratio.high) == ("shorter", None, None, None)
