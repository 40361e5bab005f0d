"""The figures of journeys: decisions between mistakes, time lost, sight, mistakes by reach, and thought.

They are about the player on all tasks of the set's kinds, of which those that were asked are a sample. Samples without
regrets have no part in what counts mistakes; plans that do not arrive have none in time lost and sight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from herobench.analysis.reading.interval import Estimate, bounded_mean, length_text, measure_success
from herobench.analysis.statistics.mistakes import (
    between_events,
    event_rate,
    event_share,
    is_below_scale,
    mean_loss,
    place_on_scale,
    with_end,
)
from herobench.analysis.statistics.words import with_interval

if TYPE_CHECKING:
    import pandas as pd

Counts = tuple[int, ...]


class Attempt(NamedTuple):
    """Holds the figures of one measured sample."""

    task: str
    regions: int
    choices: int
    mistakes: int | None
    large_mistakes: int | None
    mistakes_by_reach: Counts
    reaches: Counts
    """The number of decisions that have the reach 1, 2, 3 and more."""
    loss: float | None
    """The time over the least, as a part of the least; None for a plan that does not arrive."""
    planner_losses: Sequence[float]
    """The same of the planners that see 1, 2, 3 and more regions."""
    best: bool
    near: bool
    thought: float | None


def read_attempts(samples: pd.DataFrame) -> list[Attempt]:
    """Return the measured samples of a table."""
    measured_rows = samples[samples.measured & samples["choices"].notna()]
    return [_attempt(row) for row in measured_rows.astype(object).to_dict("records")]


def _attempt(row: Mapping[str, Any]) -> Attempt:
    least = row["least"]
    return Attempt(
        row["task_id"],
        int(row["regions"]),
        int(row["choices"]),
        _count(row["mistakes"]),
        _count(row["large_mistakes"]),
        _counts(row["mistakes_by_reach"]),
        _counts(row["decision_reaches"]),
        row["time"] / least - 1 if row["ended"] == "arrived" else None,
        [time / least - 1 for time in _numbers(row["sight_times"])],
        bool(row["best"]),
        bool(row["near"]),
        row["thought"] if _is_known(row["thought"]) else None,
    )


def _is_known(value: Any) -> bool:
    return value is not None and value == value


def _count(value: Any) -> int | None:
    return int(value) if _is_known(value) else None


def _counts(text: Any) -> Counts:
    return tuple(map(int, _numbers(text)))


def _numbers(text: Any) -> list[float]:
    return list(map(float, text.split())) if _is_known(text) else []


# -- figures ----------------------------------------------------------------------------------------------------------


class Between(NamedTuple):
    """The decisions between mistakes."""

    decisions: int
    mistakes: int
    figure: Estimate

    def as_row(self) -> dict[str, Any]:
        """Return the figure as plain data."""
        return {"decisions": self.decisions, "mistakes": self.mistakes, **asdict(self.figure)}

    def text(self) -> str:
        """Return the figure in words; empty without a decision."""
        if not self.decisions:
            return ""
        number = f"{self.mistakes} in {self.decisions:,} decisions"
        if self.figure.low is None:
            return f"{length_text(self.figure.estimate)} ({number}; one task tells no interval)"
        if self.figure.estimate is None:
            return f"{length_text(self.figure.low)} or more ({number})"
        high = f"to {length_text(self.figure.high)}" if self.figure.high else "or more"
        return f"{length_text(self.figure.estimate)} ({length_text(self.figure.low)} {high}; {number})"


def measure_between(attempts: Sequence[Attempt], *, only_large: bool = False) -> Between:
    """Return the decisions between mistakes, or between large ones, of which the end of a plan may be one."""
    judged_attempts = [each for each in attempts if each.mistakes is not None]
    mistakes = [each.large_mistakes if only_large else each.mistakes for each in judged_attempts]
    counts = [
        with_end(each.choices, count or 0, arrived=each.loss is not None)
        for each, count in zip(judged_attempts, mistakes, strict=True)
    ]
    choices, ends = ([each[place] for each in counts] for place in (0, 1))
    rate = event_rate([each.task for each in judged_attempts], ends, choices)
    return Between(sum(choices), sum(ends), between_events(rate))


def measure_loss(attempts: Sequence[Attempt]) -> Estimate:
    """Return the mean time over the least of the plans that arrive, in percent."""
    arrived = [each for each in attempts if each.loss is not None]
    return mean_loss([each.task for each in arrived], [100 * each.loss for each in arrived if each.loss is not None])


def _losses_on_scale(attempts: Sequence[Attempt]) -> tuple[list[str], list[float], list[Sequence[float]]]:
    """Return the tasks of the plans that arrive, what they lose, and what the planners lose there."""
    arrived = [each for each in attempts if each.loss is not None and each.planner_losses]
    losses = [each.loss for each in arrived if each.loss is not None]
    return [each.task for each in arrived], losses, [each.planner_losses for each in arrived]


def measure_sight(attempts: Sequence[Attempt]) -> Estimate:
    """Return how many regions the planner sees that loses as much on the tasks of the plans that arrive."""
    return place_on_scale(*_losses_on_scale(attempts))


def measure_thought(attempts: Sequence[Attempt]) -> Estimate:
    """Return the mean tokens of the replies for each region of the road."""
    return bounded_mean([each.task for each in attempts], [each.thought for each in attempts], most=inf)


class ReachShare(NamedTuple):
    """The mistakes in decisions of one reach."""

    reach: int
    decisions: int
    mistakes: int
    share: Estimate
    """The share of these decisions that are mistakes."""

    def as_row(self) -> dict[str, Any]:
        """Return the share as plain data."""
        return {"reach": self.reach, "decisions": self.decisions, "mistakes": self.mistakes, **asdict(self.share)}


def measure_reaches(attempts: Sequence[Attempt]) -> Iterator[ReachShare]:
    """Yield for each reach the mistakes in decisions that need it, as a share of the decisions with this reach."""
    judged_attempts = [each for each in attempts if each.mistakes is not None]
    tasks = [each.task for each in judged_attempts]
    for place in range(max((len(each.reaches) for each in judged_attempts), default=0)):
        decisions = [each.reaches[place] if place < len(each.reaches) else 0 for each in judged_attempts]
        counts = [each.mistakes_by_reach.count(place + 1) for each in judged_attempts]
        share = event_share(tasks, counts, decisions)
        if share.estimate is not None:
            yield ReachShare(place + 1, sum(decisions), sum(counts), share)


class LengthFigures(NamedTuple):
    """The figures of the plans for roads of one length."""

    regions: int
    plans: int
    arrived: int
    between: Between
    time_lost: Estimate
    best: Estimate
    near: Estimate
    thought: Estimate

    def as_row(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        estimates = {name: asdict(getattr(self, name)) for name in ("time_lost", "best", "near", "thought")}
        counts = {"regions": self.regions, "plans": self.plans, "arrived": self.arrived}
        return {**counts, "between_mistakes": self.between.as_row(), **estimates}

    def text(self) -> str:
        """Return the time lost, and the share of plans within 1 %, in words."""
        failures = self.plans - self.arrived
        parts = (
            f"time lost {_loss_text(self.time_lost)} in {self.arrived} plans" if self.arrived else "",
            f"{failures} of {self.plans} plans do not arrive" if failures else "",
            f"within 1 %: {self.near.share_text()}",
        )
        return "; ".join(filter(None, parts))


def _loss_text(lost: Estimate) -> str:
    if lost.low is not None and lost.high is None:
        return "0 %"
    return lost.text(digits=1, unit=" %")


def measure_lengths(attempts: Sequence[Attempt]) -> Iterator[LengthFigures]:
    """Yield the figures by the length of the road, the shortest first."""
    for regions in sorted({each.regions for each in attempts}):
        own = [each for each in attempts if each.regions == regions]
        tasks = [each.task for each in own]
        yield LengthFigures(
            regions,
            len(own),
            sum(each.loss is not None for each in own),
            measure_between(own),
            measure_loss(own),
            measure_success(tasks, [each.best for each in own]),
            measure_success(tasks, [each.near for each in own]),
            measure_thought(own),
        )


# -- what the reading shows -------------------------------------------------------------------------------------------


def build_tables(samples: pd.DataFrame) -> dict[str, Any]:
    """Return all figures as plain data."""
    attempts = read_attempts(samples)
    return {
        "between_mistakes": measure_between(attempts).as_row(),
        "between_large_mistakes": measure_between(attempts, only_large=True).as_row(),
        "time_lost": asdict(measure_loss(attempts)),
        "sight": {**asdict(measure_sight(attempts)), "below_scale": is_below_scale(*_losses_on_scale(attempts))},
        "thought": asdict(measure_thought(attempts)),
        "by_length": [figures.as_row() for figures in measure_lengths(attempts)],
        "by_reach": [share.as_row() for share in measure_reaches(attempts)],
    }


def figure_words(samples: pd.DataFrame) -> dict[str, str]:
    """Return the figures in words, by their labels."""
    attempts = read_attempts(samples)
    shares = (f"{each.reach}: {each.share.text(100, 1, unit=' %')}" for each in measure_reaches(attempts))
    words = {
        "decisions between mistakes": measure_between(attempts).text(),
        "between large mistakes": measure_between(attempts, only_large=True).text(),
        "sight": _sight_text(measure_sight(attempts), attempts),
        **{f"{figures.regions} regions": figures.text() for figures in measure_lengths(attempts)},
        "mistakes by reach": "; ".join(shares),
        "tokens a region": measure_thought(attempts).text(digits=0),
    }
    return {label: text for label, text in words.items() if text}


def between_words(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the decisions between mistakes in words, by the facts of the measured samples."""
    return measure_between([_attempt(row) for row in rows if _is_known(row["choices"])]).text()


def _sight_text(sight: Estimate, attempts: Sequence[Attempt]) -> str:
    """Return the sight in words; off the scale it says on which side."""
    if not sight.tasks or sight.estimate is not None:
        return with_interval(sight, "regions")
    if is_below_scale(*_losses_on_scale(attempts)):
        interval = "no interval" if sight.high is None else f"{length_text(sight.high)} or less"
        return f"under 1 region ({interval})"
    interval = "no interval" if sight.low is None else f"{length_text(sight.low)} or more"
    return f"over {max(len(each.planner_losses) for each in attempts)} regions ({interval})"
