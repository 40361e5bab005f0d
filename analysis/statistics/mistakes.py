"""Rates of rare events, such as mistakes in decisions, and means of skewed losses, with intervals that hold for both.

Events that cluster in some tasks, and losses that few tasks make up, count as fewer events: herobench/adaptive/rates.py
says how. Coverage was measured: see tests/analysis/statistics/test_mistakes.py.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from math import exp, fsum, hypot, log, sqrt
from statistics import fmean, variance
from typing import NamedTuple

from herobench.adaptive.mistakes import with_end
from herobench.adaptive.rates import (
    clustered_variance,
    few_tasks,
    gamma_ends,
    rate_ends,
    variance_of_sum,
)
from herobench.analysis.reading.interval import CONFIDENCE, Estimate, by_task, quantile, wilson

__all__ = ["with_end"]
_RARE = 0.5
_UNSEEN = 3
"""The interval of a mean loss imagines one more task, so many times as far from the mean as the farthest one."""


class _Sums(NamedTuple):
    """Events and exposure of each task."""

    events: Sequence[float]
    exposures: Sequence[float]
    samples: int

    @property
    def tasks(self) -> int:
        return len(self.events)


def _add_up(tasks: Iterable[Hashable], events: Iterable[float], exposures: Iterable[float]) -> _Sums:
    """Add up the samples of each task, without those that have no exposure."""
    sums: dict[Hashable, tuple[float, float]] = {}
    samples = 0
    for task, count, exposure in zip(tasks, events, exposures, strict=True):
        if exposure:
            before = sums.get(task, (0.0, 0.0))
            sums[task] = before[0] + count, before[1] + exposure
            samples += 1
    return _Sums([events for events, _ in sums.values()], [exposure for _, exposure in sums.values()], samples)


def event_rate(tasks: Iterable[Hashable], events: Iterable[float], exposures: Iterable[float]) -> Estimate:
    """Return the events per unit of exposure over all tasks, such as the mistakes per decision.

    There is no interval for one task, because nothing tells how far another would be from it.
    """
    sums = _add_up(tasks, events, exposures)
    count, exposure = fsum(sums.events), fsum(sums.exposures)
    if sums.tasks < 2:
        return Estimate(count / exposure if exposure else None, samples=sums.samples, tasks=sums.tasks)
    error = sqrt(max(count, variance_of_sum(sums.events, sums.exposures))) / exposure
    return Estimate(count / exposure, *rate_ends(sums.events, sums.exposures), error, sums.samples, sums.tasks)


def event_share(tasks: Iterable[Hashable], events: Iterable[float], chances: Iterable[float]) -> Estimate:
    """Return the share of chances at which an event occurs, with Wilson's interval of as many independent chances as
    tell as much. Of rare events its lower end is that of their rate, since Wilson's is too high there."""
    sums = _add_up(tasks, events, chances)
    count, size = fsum(sums.events), fsum(sums.exposures)
    if sums.tasks < 2:
        return Estimate(count / size if size else None, samples=sums.samples, tasks=sums.tasks)
    share = count / size
    single = size * share * (1 - share)
    independent = size * single / clustered_variance(sums.events, sums.exposures, single) if single else size
    low, high = wilson(share * independent, independent)
    if share < _RARE:
        rare_low, rare_high = rate_ends(sums.events, sums.exposures)
        low, high = min(low, rare_low), min(1.0, max(high, rare_high))
    error = sqrt(max(single, variance_of_sum(sums.events, sums.exposures))) / size
    return Estimate(share, low, high, error, sums.samples, sums.tasks)


def between_events(rate: Estimate) -> Estimate:
    """Return the exposure between two events, such as the decisions between mistakes.

    Without any event only its lower end is known.
    """
    if rate.estimate is None:
        return rate
    low = 1 / rate.high if rate.high else None
    if not rate.estimate:
        return replace(rate, estimate=None, low=low, high=None, standard_error=None)
    error = None if rate.standard_error is None else rate.standard_error / rate.estimate**2
    return replace(
        rate, estimate=1 / rate.estimate, low=low, high=1 / rate.low if rate.low else None, standard_error=error
    )


def figure_ratio(first: Estimate, second: Estimate) -> Estimate:
    """Return the ratio of two figures above 0, such as the decisions between mistakes of two runs on the same tasks.

    The two intervals are combined on a logarithmic scale after Zou and Donner (2008), as if the runs were independent.
    Where both err on the same tasks, the interval is wider than it need be. An end is None where one of its two is.
    """
    figures = first.estimate, second.estimate
    ratio = figures[0] / figures[1] if figures[0] and figures[1] else None
    ends = []
    for sign, first_end, second_end in ((-1, first.low, second.high), (1, first.high, second.low)):
        end = first_end / second_end if first_end and second_end else None
        if ratio and figures[0] and figures[1] and first_end and second_end:
            end = ratio * exp(sign * hypot(log(first_end / figures[0]), log(second_end / figures[1])))
        ends.append(end)
    low, high = ends
    return Estimate(ratio, low, high, None, first.samples + second.samples, min(first.tasks, second.tasks))


def mean_loss(tasks: Iterable[Hashable], losses: Iterable[float | None]) -> Estimate:
    """Return the mean over tasks of losses of which many are 0 and few are large.

    The interval has no upper end if no task lost anything, and there is none for one task.
    """
    groups = by_task(tasks, losses)
    means, samples = [fmean(group) for group in groups.values()], sum(map(len, groups.values()))
    if not means:
        return Estimate()
    mean, count = fmean(means), len(means)
    if count == 1:
        return Estimate(mean, samples=samples, tasks=1)
    if not mean:
        return Estimate(0.0, 0.0, None, None, samples, count)
    spread = variance(means) * count
    low, high = gamma_ends(
        fsum(means), spread * few_tasks(count), _UNSEEN * (mean - min(means)), _UNSEEN * (max(means) - mean)
    )
    return Estimate(mean, low / count, high / count, sqrt(spread) / count, samples, count)


# -- a scale of reference planners ------------------------------------------------------------------------------------

_STEPS = 20
"""The places between two planners of a scale that are tried."""
_FARTHER = 2
"""The test whether two players lose as much imagines one more task, so many times as far from the mean as any."""
_EVEN = 1e-7
"""Losses that differ by less are equal: what is known of the planners was rounded."""


def place_on_scale(tasks: Iterable[Hashable], losses: Iterable[float], scales: Iterable[Sequence[float]]) -> Estimate:
    """Return which planner of a scale loses as much on the same tasks, from 1 for the first, interpolated.

    `scales` has for each sample what the planners lose on its task. The interval has all places of the scale from which
    the losses do not differ, after Student's test over tasks, which imagines one more task as `mean_loss` does, and all
    down to the place that loses as much as the samples at most: those who lost nothing are taken to lose on one more
    task what the first planner does. An end is open where the scale ends. The figure is None
    off the scale: `is_below_scale` says on which side.
    """
    own: dict[Hashable, list[float]] = {}
    scale: dict[Hashable, Sequence[float]] = {}
    samples = 0
    for task, loss, planners in zip(tasks, losses, scales, strict=True):
        own.setdefault(task, []).append(loss)
        scale[task] = planners
        samples += 1
    if not own:
        return Estimate()
    mean_losses = [(fmean(values), scale[task]) for task, values in own.items()]
    last = min(len(planners) for _, planners in mean_losses)
    # what the planner at each place loses more than the samples
    places = [1 + number / _STEPS for number in range((last - 1) * _STEPS + 1)]
    gaps = [[_loss_at(planners, place) - loss for loss, planners in mean_losses] for place in places]
    means = list(map(fmean, gaps))
    estimate = _place(places, means)
    if len(own) == 1:
        return Estimate(estimate, samples=samples, tasks=1)
    number = _crossing(means)
    alike = [place for place, each in enumerate(gaps) if _may_be_even(each)]
    first, final = min([number, *alike]), max([number - 1, *alike])
    mean_lost = mean_loss(own, (fmean(values) for values in own.values()))
    # few and large losses are seldom seen: what the samples may lose on other tasks bounds their place, too
    unseen = fmean(planners[0] for _, planners in mean_losses) / len(own)
    if mean_lost.high is not None and mean_lost.estimate is not None:
        unseen = mean_lost.high - mean_lost.estimate
    first = min(first, _crossing([mean - unseen for mean in means]))
    low = places[first - 1] if first > 0 else None
    high = places[final + 1] if final + 1 < len(places) else None
    return Estimate(estimate, low, high, None, samples, len(own))


def is_below_scale(tasks: Iterable[Hashable], losses: Iterable[float], scales: Iterable[Sequence[float]]) -> bool:
    """Return whether the samples lose more than the first planner of the scale."""
    more = (loss - planners[0] for loss, planners in zip(losses, scales, strict=True))
    gaps = by_task(tasks, more)
    return bool(gaps) and fmean(map(fmean, gaps.values())) > _EVEN


def _loss_at(planners: Sequence[float], place: float) -> float:
    before = min(int(place), len(planners) - 1) - 1
    part = place - 1 - before
    return planners[before] * (1 - part) + planners[before + 1] * part


def _crossing(means: Sequence[float]) -> int:
    """Return the number of the first place at which the planner does not lose more; their count if there is none."""
    return next((number for number, mean in enumerate(means) if mean <= _EVEN), len(means))


def _place(places: Sequence[float], means: Sequence[float]) -> float | None:
    """Return the place at which the planner loses as much; None off the scale."""
    number = _crossing(means)
    if number == len(means) or means[0] < -_EVEN:
        return None
    if number == 0:
        return places[0]
    above, below = means[number - 1], min(0.0, means[number])
    return places[number - 1] + (places[number] - places[number - 1]) * above / (above - below)


def _may_be_even(gaps: Sequence[float]) -> bool:
    """Return whether the mean of these gaps may be 0 over all tasks."""
    count, mean = len(gaps), fmean(gaps)
    half = quantile((1 + CONFIDENCE) / 2, count - 1) * sqrt(variance(gaps) / count)
    unseen = mean - min(gaps) if mean > 0 else max(gaps) - mean
    return abs(mean) <= half + _FARTHER * unseen / count + _EVEN
