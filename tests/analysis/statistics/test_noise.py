"""What chance does to two runs: flips between epochs, and the least difference that some tasks show."""

from __future__ import annotations

from dataclasses import asdict
from itertools import combinations, product
from statistics import fmean

import numpy as np
import pytest

from herobench.analysis.statistics.noise import least_difference, noise_floor
from tests.analysis.statistics.simulated import Floats
from tests.sizes import for_each


def told(run: dict[str, list[float | None]]) -> tuple[list[str], list[float | None]]:
    """The samples of a run: the task of each, and its verdict."""
    return [task for task, wins in run.items() for _ in wins], [won for wins in run.values() for won in wins]


def test_flips_are_pairs_of_epochs_with_different_verdicts() -> None:
    one = {"a": [1, 0, 1], "b": [1, 1, None], "c": [0], "alone": [1, 0]}
    other = {"a": [0], "b": [1], "c": [1]}
    found = noise_floor(*told(one), *told(other))
    by_hand = [fmean(x != y for x, y in combinations(wins, 2)) for wins in ([1, 0, 1], [1, 1])]
    assert found.first is not None
    assert (found.first.share, found.first.tasks) == (pytest.approx(100 * fmean(by_hand)), 2)
    assert found.first.expected == pytest.approx(3 * fmean(by_hand)), "over all shared tasks"
    assert found.second is None
    pairs = [fmean(x != y for x, y in product(one[task], other[task]) if x is not None) for task in other]
    assert found.differ == pytest.approx(sum(pairs))


def test_without_shared_tasks_nothing_is_known() -> None:
    found = noise_floor(["a", "a"], [1, 0], ["b"], [1])
    assert set(asdict(found).values()) == {None}


def test_epochs_tell_on_how_many_tasks_two_runs_of_the_model_differ() -> None:
    """Tasks differ in hardness. Two other runs of the model differ on as many tasks as its two epochs say."""
    rng, expected, differ = np.random.default_rng(1), [], []
    chances = rng.beta(0.5, 0.5, 200)
    for _ in range(100):
        names = list(range(200))
        first, again, second = (rng.random((3, 200)) < chances).astype(float)
        found = noise_floor(names * 2, [*first, *again], names, list(second))
        assert found.first is not None
        expected.append(found.first.expected)
        differ.append(found.differ)
    assert fmean(expected) == pytest.approx(2 * (chances * (1 - chances)).sum(), rel=0.05)
    assert fmean(expected) == pytest.approx(fmean(each or 0 for each in differ), rel=0.05)


def test_more_tasks_and_fewer_flips_show_a_smaller_difference() -> None:
    by_tasks = [least_difference(tasks, 0.2) or 1 for tasks in (10, 40, 160, 640, 2560)]
    assert by_tasks == sorted(by_tasks, reverse=True)
    assert by_tasks[-1] == pytest.approx(by_tasks[-2] / 2, rel=0.01)
    by_spread = [least_difference(360, spread) or 1 for spread in (0, 0.01, 0.1, 0.5)]
    assert by_spread == sorted(by_spread)
    assert least_difference(360, 0.0) is not None, "two runs with the same verdicts may differ by a little"
    assert [least_difference(tasks, 0.5) for tasks in (0, 1, 2)] == [None] * 3


def shown(rng: np.random.Generator, tasks: int, spread: float, difference: float) -> float:
    """The share of pairs of runs that differ in success, by the test of McNemar, at 5 %."""
    better, worse = (spread + difference) / 2, (spread - difference) / 2
    counts: Floats = rng.multinomial(tasks, [better, worse, 1 - spread], size=20_000).astype(float)
    return float(((counts[:, 0] - counts[:, 1]) ** 2 > 1.96**2 * (counts[:, 0] + counts[:, 1])).mean())


@for_each(("tasks", "spread"), [(360, 0.25), (360, 0.05), (180, 0.5), (60, 0.3)])
def test_the_least_difference_is_shown_in_four_of_five_cases(tasks: int, spread: float) -> None:
    rng, least = np.random.default_rng(2), least_difference(tasks, spread)
    assert least is not None
    assert shown(rng, tasks, spread, 0.9 * least) < 0.8 < shown(rng, tasks, spread, 1.1 * least)
