"""Says what chance does to two runs.

A model that is asked the same task again may win where it lost. The verdicts of two epochs of one run tell how often.
So they tell on how many tasks two runs of one model differ: the noise floor. The least difference is the one that a
test at 5 % finds in 80 of 100 cases. Nothing here knows what a task is.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import NormalDist, fmean

from herobench.analysis.reading.interval import CONFIDENCE, by_task

_PERCENT = 100.0
_POWER = 0.8
"""The share of cases in which a difference is to be found."""
_SURE = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
_FOUND = NormalDist().inv_cdf(_POWER)
"""By how many standard errors a difference has to lie above what is surely no chance."""


@dataclass(frozen=True, slots=True)
class Flips:
    """How often two epochs of one run differ."""

    share: float
    """The percentage of pairs of epochs of a task with different verdicts: the mean over the tasks."""
    tasks: int
    """The tasks with two measured epochs or more."""
    expected: float
    """The number of shared tasks on which two runs of this model differ, if each is asked once."""


@dataclass(frozen=True, slots=True)
class Noise:
    """What chance does to the verdicts of two runs on the tasks that they share."""

    first: Flips | None
    """None if no shared task has two measured epochs."""
    second: Flips | None
    differ: float | None
    """The number of shared tasks on which the two differ: that of an epoch of one against an epoch of the other."""
    least_difference: float | None
    """The least difference of success that these tasks show, in points of percent; None if they show none."""


def noise_floor(
    first_tasks: Iterable[Hashable],
    first_wins: Iterable[float | None],
    second_tasks: Iterable[Hashable],
    second_wins: Iterable[float | None],
) -> Noise:
    """Return what chance does to two runs: 1 for a sample that won, 0 for one that lost, None for an unmeasured one."""
    first, second = by_task(first_tasks, first_wins), by_task(second_tasks, second_wins)
    shared = [task for task in first if task in second]
    if not shared:
        return Noise(None, None, None, None)
    shares = [(fmean(first[task]), fmean(second[task])) for task in shared]
    least = least_difference(len(shared), fmean((one - other) ** 2 for one, other in shares))
    return Noise(
        first=_flips(first, shared),
        second=_flips(second, shared),
        differ=fsum(one * (1 - other) + other * (1 - one) for one, other in shares),
        least_difference=None if least is None else _PERCENT * least,
    )


def least_difference(tasks: int, spread: float) -> float | None:
    """Return the least difference of two paired rates, from 0 to 1, that some tasks show; None if they show none.

    `spread` is the mean square of the differences of the tasks: the share of tasks with different verdicts, if each was
    asked once. A difference d is found if d sqrt(n) is _SURE sqrt(spread) + _FOUND sqrt(spread - d^2), where n is the
    number of tasks. The share of tasks that differ is never below the difference of the rates.
    """
    if tasks <= 2:
        return None
    part = (_SURE * sqrt(tasks) + _FOUND * sqrt(max(0.0, tasks + _FOUND**2 - _SURE**2))) / (tasks + _FOUND**2)
    difference = part * max(sqrt(spread), part)
    return difference if difference < 1 else None


def _flips(run: Mapping[Hashable, Sequence[float]], tasks: Sequence[Hashable]) -> Flips | None:
    repeated_runs = [run[task] for task in tasks if len(run[task]) > 1]
    if not repeated_runs:
        return None
    share = fmean(_flip_share(sum(wins), len(wins)) for wins in repeated_runs)
    return Flips(_PERCENT * share, len(repeated_runs), share * len(tasks))


def _flip_share(wins: float, attempts: int) -> float:
    """Return the share of pairs of attempts of which one won and the other lost."""
    return 2 * wins * (attempts - wins) / (attempts * (attempts - 1))
