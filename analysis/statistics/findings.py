"""Findings: the figures of a run with their intervals, the classes of its losses, and what its wins cost.

They are computed from the tidy table, one row for each sample. Rates over one epoch have Wilson's interval. Scores, and
rates over more epochs, have the interval of `bounded_mean`, clustered by task, because repeats are no new evidence.
Unmeasured samples are left out, and the same rate with them counted as lost stands beside it. Nothing is ever NaN: what
is not known is None, and no figure takes it for 0. Success and score per 10,000 tokens follow the paper's Table 1: they
are averaged over groups, not over samples.

Spending is the average cost of an attempt. If the cost is known of fewer runs than the tokens are, the tokens of an
attempt stand in its place, because a run without a price must not be left out or look free. No other run beats those on
the Pareto line in both success and spending.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import fsum
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal

from herobench.analysis.reading.contract import group_key
from herobench.analysis.reading.interval import (
    Estimate,
    Unmeasured,
    bounded_mean,
    by_task,
    clustered_mean,
    measure_success,
    pass_at_k,
    pass_hat_k,
)
from herobench.analysis.statistics.horizon import Horizon, Trials, count_trials, horizon_in
from herobench.suite.players import help_words
from herobench.suite.task_rows import MADE

if TYPE_CHECKING:
    import pandas as pd


_PERCENT = 100.0
_FOUND_IN = ["task_id", "measured", "win", "score", "progress", "tokens", "failure", "cause", "error_kind"]
"""The columns that findings are made from."""
_SHORT = 12
"""Characters of a digest that are shown."""


@dataclass(frozen=True, slots=True)
class SampleFigures:
    """The figures of some samples."""

    name: str
    samples: int
    measured: int
    tasks: int
    epochs: int
    """The most samples of any task."""
    success: Estimate
    """In percent, of the measured samples."""
    success_of_all: Estimate
    """The same with unmeasured samples counted as lost."""
    score: Estimate
    progress: Estimate
    tokens: Estimate
    failures: Mapping[str, int]
    """The number of losses in each failure class."""
    causes: Mapping[str, int]
    errors: Mapping[str, int]
    """Kinds of errors that left samples unmeasured."""

    @property
    def unmeasured(self) -> int:
        """The number of samples that were not scored."""
        return self.samples - self.measured

    def as_row(self) -> dict[str, Any]:
        """Return the findings as plain data."""
        return {**asdict(self), "unmeasured": self.unmeasured}


@dataclass(frozen=True, slots=True)
class Economy:
    """The tokens and the cost of all samples, and those of a win."""

    tokens: float | None
    """The sum over all samples of which they are known, as `cost` is."""
    cost: float | None
    tokens_per_success: float | None
    cost_per_success: float | None
    tokens_per_attempt: float | None
    cost_per_attempt: float | None
    success_per_10k_tokens: float | None
    score_per_10k_tokens: float | None
    actions_per_oracle_action: float | None
    """The mean over wins."""
    actions_per_optimal_action: float | None
    """The mean over wins of tasks whose shortest way to win is proven; None without such a task."""
    wasted_actions: float | None
    """In percent of all actions."""


def find(name: str, samples: pd.DataFrame) -> SampleFigures:
    """Return the figures of some samples under a name."""
    samples = samples[_FOUND_IN]  # of a million samples, each copy of all columns takes half a gigabyte
    measured_samples = samples[samples.measured]
    counts = samples.groupby("task_id").size()
    return SampleFigures(
        name=name,
        samples=len(samples),
        measured=len(measured_samples),
        tasks=len(counts),
        epochs=int(counts.max()) if len(counts) else 0,
        success=_success(samples, "left_out"),
        success_of_all=_success(samples, "lost"),
        score=_mean(samples, "score"),
        progress=_mean(samples, "progress"),
        tokens=clustered_mean(list(measured_samples.task_id), numbers(measured_samples, "tokens")),
        failures=_counts(measured_samples, "failure"),
        causes=_counts(measured_samples, "cause"),
        errors=_counts(samples, "error_kind"),
    )


def unfinished_in(samples: pd.DataFrame) -> int:
    """Return the number of attempts that ended early."""
    return int(samples.unfinished.notna().sum())


def cut_off_in(samples: pd.DataFrame) -> dict[str, int]:
    """Return the number of attempts with a reply that was cut off, and of how many attempts the replies are known."""
    with_cut_off = samples.cut_off.dropna()
    return {"attempts": int(with_cut_off.sum()), "of": len(with_cut_off)}


def cut_off_losses(samples: pd.DataFrame) -> list[bool | None]:
    """Return for each lost attempt whether a reply was cut off, or None where that is not known."""
    losses = samples[samples.measured & (samples.win == 0)]
    return [None if is_cut is None or is_cut != is_cut else bool(is_cut) for is_cut in losses.cut_off]


def groups(samples: pd.DataFrame, column: str) -> Iterator[SampleFigures]:
    """Yield the figures of each group of samples, groups with numbers first and by size, the others by name."""
    values = samples[column]
    samples = samples[_FOUND_IN]
    for value in sorted(values.dropna().unique(), key=group_key):
        yield find(str(value), samples[values == value])


def economize(samples: pd.DataFrame) -> Economy:
    """Return the cost of wins."""
    # a suite that does not count actions has no such columns, and no figures of them
    wins, tokens, costs = (numbers(samples, name) for name in ("win", "tokens", "cost"))
    groups = list(samples.group)
    actions, oracle, optimal = (
        [None if count is None else round(count) for count in numbers(samples, name)]
        for name in ("actions", "oracle_actions", "optimal_actions")
    )
    per_token = per_10k_tokens(groups, wins, tokens)
    return Economy(
        tokens=total_known(tokens),
        cost=total_known(costs),
        tokens_per_success=per_success(wins, tokens),
        cost_per_success=per_success(wins, costs),
        tokens_per_attempt=mean_known(tokens),
        cost_per_attempt=mean_known(costs),
        success_per_10k_tokens=None if per_token is None else _PERCENT * per_token,
        score_per_10k_tokens=per_10k_tokens(groups, numbers(samples, "score"), tokens),
        actions_per_oracle_action=efficiency(wins, actions, oracle),
        actions_per_optimal_action=efficiency(wins, actions, optimal),
        wasted_actions=_waste_share(samples),
    )


def trials_in(samples: pd.DataFrame, length: str, names: Sequence[str] | None = None) -> Trials:
    """Return the measured samples of each task; `length` is a column, and `names` are told in place of task ids."""
    return count_trials(names or list(samples.task_id), numbers(samples, length), numbers(samples, "win"))


def horizon(samples: pd.DataFrame, length: str | None) -> Horizon | None:
    """Return the horizon of some samples in the column that has the length of a task; None for a suite without one."""
    if length is None or length not in samples:
        return None
    return horizon_in(trials_in(samples, length))


def mixtures(tables: Iterable[pd.DataFrame], settings: Mapping[str, str]) -> list[str]:
    """Return a sentence for each setting in which samples differ, because a reader must know before comparing.

    Settings are columns in which samples must agree, with their plural. Tasks that runs made as they needed them are
    in worlds that grow, so their worlds differ on purpose.
    """
    by_column: dict[str, set[str]] = {column: set() for column in settings}
    for samples in tables:
        own_samples = samples[~samples.task_id.astype(str).str.startswith(MADE)]
        for column, values in by_column.items():
            if column in samples:
                samples_read = (own_samples if column == "world" else samples)[column]
                values.update(str(value)[:_SHORT] for value in samples_read.dropna().unique())
    return [
        f"These samples are of different {settings[column]}, which do not compare: {', '.join(sorted(values))}."
        for column, values in by_column.items()
        if len(values) > 1
    ]


def help_in(samples: pd.DataFrame) -> str:
    """Return what help models had in some samples, in words; empty without samples."""
    return help_words(set(samples.help))


def _waste_share(samples: pd.DataFrame) -> float | None:
    if "wasted" not in samples:
        return None
    with_waste = samples[samples.wasted.notna()]
    actions = float(with_waste.actions.sum())
    return _PERCENT * float(with_waste.wasted.sum()) / actions if actions else None


def passes(samples: pd.DataFrame, ks: Sequence[int]) -> dict[str, dict[int, Estimate]]:
    """Return the chance that one of k tries at a task wins, and the chance that all do."""
    tasks: list[Hashable] = list(samples.task_id)
    wins = numbers(samples, "win")
    return {
        "pass@k": {k: pass_at_k(tasks, wins, k) for k in ks},
        "pass^k": {k: pass_hat_k(tasks, wins, k) for k in ks},
    }


def _success(samples: pd.DataFrame, unmeasured: Unmeasured) -> Estimate:
    return scale(measure_success(list(samples.task_id), numbers(samples, "win"), unmeasured), _PERCENT)


def _mean(samples: pd.DataFrame, column: str) -> Estimate:
    """Return the mean of a column in percent."""
    return bounded_mean(list(samples.task_id), numbers(samples, column), most=_PERCENT)


def scale(estimate: Estimate, factor: float) -> Estimate:
    """Return an estimate in another unit."""

    def times(value: float | None) -> float | None:
        return None if value is None else value * factor

    low, high, error = times(estimate.low), times(estimate.high), times(estimate.standard_error)
    return Estimate(times(estimate.estimate), low, high, error, estimate.samples, estimate.tasks)


def _counts(samples: pd.DataFrame, column: str) -> dict[str, int]:
    return {str(name): int(count) for name, count in samples[column].value_counts().items()}


def measured_numbers(samples: pd.DataFrame, column: str) -> list[float | None]:
    """Return a column as plain numbers, with None also for a sample that was not measured."""
    return [
        value if is_measured else None
        for value, is_measured in zip(numbers(samples, column), samples.measured, strict=True)
    ]


def numbers(samples: pd.DataFrame, column: str) -> list[float | None]:
    """Return a column as plain numbers, with None for unknown values, or if there is no such column."""
    if column not in samples:
        return [None] * len(samples)
    # pandas writes NaN for a missing value, and NaN is the one value that differs from itself
    return [None if value is None or value != value else float(value) for value in samples[column]]


TOKENS = 10_000


def per_10k_tokens(
    groups: Iterable[Hashable], values: Iterable[float | None], tokens: Iterable[float | None]
) -> float | None:
    """Return success or score per 10,000 tokens: the mean over groups of mean value by mean of the known tokens.

    A group without tokens is left out; None if all are. Unmeasured samples are left out with their tokens.
    """
    rows = [row for row in zip(groups, values, tokens, strict=True) if row[1] is not None]
    by_group = by_task((group for group, _, _ in rows), (count for _, _, count in rows))
    means = {group: fmean(counts) for group, counts in by_group.items()}
    values_by_group = by_task((group for group, _, _ in rows), (value for _, value, _ in rows))
    return mean_known(TOKENS * fmean(values_by_group[group]) / mean for group, mean in means.items() if mean)


def per_success(successes: Iterable[float | None], amounts: Iterable[float | None]) -> float | None:
    """Return tokens or money per win; None without a win. The total includes unmeasured samples: they were paid for.

    A sample whose amount is unknown is left out, also if it won: else unknown amounts would make wins look cheap.
    """
    rows = [(success, amount) for success, amount in zip(successes, amounts, strict=True) if amount is not None]
    wins = sum(bool(success) for success, _ in rows)
    return fsum(amount for _, amount in rows) / wins if wins else None


def efficiency(
    successes: Iterable[float | None], actions: Iterable[int | None], others: Iterable[int | None]
) -> float | None:
    """Return the mean ratio of actions to another plan's, over the wins for which both counts are known.

    2 is twice as long. Only wins count, so a model that wins only easy tasks can look efficient: read it beside its
    success.
    """
    attempts = zip(successes, actions, others, strict=True)
    return mean_known(
        taken_actions / best
        for is_win, taken_actions, best in attempts
        if is_win and taken_actions is not None and best
    )


def total_known(amounts: Iterable[float | None]) -> float | None:
    """Return the sum of the known amounts; None if none is known."""
    amounts_known = [amount for amount in amounts if amount is not None]
    return fsum(amounts_known) if amounts_known else None


def mean_known(amounts: Iterable[float | None]) -> float | None:
    """Return the mean of the known amounts, also of attempts that were not scored, because they were paid for."""
    amounts_known = [amount for amount in amounts if amount is not None]
    return fmean(amounts_known) if amounts_known else None


Unit = Literal["cost", "tokens"]


@dataclass(frozen=True, slots=True)
class Spending:
    """The success of a run, and the means of cost and tokens of an attempt; None if unknown."""

    success: float | None
    cost: float | None
    tokens: float | None


@dataclass(frozen=True, slots=True)
class Tradeoff:
    """The runs whose success and spending are known, in one unit."""

    unit: Unit
    points: Mapping[str, tuple[float, float]]
    """Spending and success by run."""

    @property
    def frontier(self) -> list[str]:
        """The Pareto line: the runs, cheapest first, than which no run is both as cheap and better, or as good and
        cheaper."""
        return sorted((name for name in self.points if not self._is_beaten(name)), key=self.points.__getitem__)

    def as_row(self, numbers: Mapping[str, int]) -> dict[str, Any]:
        """Return it as a page draws it, with the numbers of the runs in place of their names."""
        return {
            "unit": self.unit,
            "points": [[numbers[name], cost] for name, (cost, _) in self.points.items()],
            "frontier": [numbers[name] for name in self.frontier],
        }

    def _is_beaten(self, name: str) -> bool:
        cost, success = own = self.points[name]
        return any(other != own and other[0] <= cost and other[1] >= success for other in self.points.values())


def compare_spending(runs: Mapping[str, Spending]) -> Tradeoff | None:
    """Return where runs stand; None if fewer than two can be compared."""
    with_success = {name: (run, run.success) for name, run in runs.items() if run.success is not None}
    by_cost = {name: (run.cost, rate) for name, (run, rate) in with_success.items() if run.cost is not None}
    by_tokens = {name: (run.tokens, rate) for name, (run, rate) in with_success.items() if run.tokens is not None}
    tradeoff = Tradeoff("tokens", by_tokens) if len(by_tokens) > len(by_cost) else Tradeoff("cost", by_cost)
    return tradeoff if len(tradeoff.points) > 1 else None
