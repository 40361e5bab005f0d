"""Says what planning costs a model: by how many doublings its horizon is farther where more of the plan is told.

The lanes of a set ask the same tasks and tell more or less of the certified plan. So a model that wins farther where it
only has to write the plan down loses by planning. What both lanes win alike on the tasks that they share narrows the
interval. A horizon beyond the longest task has no figure: then the least that planning can cost is told in its place.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from math import log2
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from herobench.analysis.reading.interval import Estimate
from herobench.analysis.samples.frame import select_counted
from herobench.analysis.statistics.comparison import horizon_ratio
from herobench.analysis.statistics.findings import numbers
from herobench.analysis.statistics.horizon import Horizon, Trials, count_trials, horizon_in

if TYPE_CHECKING:
    import pandas as pd

    from herobench.analysis.reading.contract import Reading

_NONE: Mapping[str, None] = MappingProxyType({})
_OF_LANE = ("told", "told_prompts", "lane")
"""The parts of a run's identity that differ between the lanes of a set."""


@dataclass(frozen=True, slots=True)
class LaneCost:
    """How much farther the horizon is in the lane `more` than in the lane `less`."""

    more: str
    less: str
    doublings: Estimate
    """log2 of the ratio of the horizons; `tasks` are those that both lanes have."""
    at_least: float | None
    """The least doublings, where the horizon of `more` is beyond the longest task; None if nothing can be said."""

    @property
    def words(self) -> str:
        """The figure in words."""
        if self.doublings.estimate is not None:
            return self.doublings.text(digits=1, unit=" doublings")
        return "not determined" if self.at_least is None else f"at least {self.at_least:.1f} doublings"


@dataclass(frozen=True, slots=True)
class LaneCosts:
    """The horizons of one model, asked in the same way, in each lane."""

    model: str
    work: str
    """The work that the last lane spares the model, such as `planning`."""
    runs: Mapping[str, Sequence[str]]
    """The runs in each lane; the lanes are from the one that tells least to the one that tells most."""
    trials: Mapping[str, Trials]
    """The tasks of each lane."""
    horizons: Mapping[str, Horizon]
    costs: Sequence[LaneCost]
    """First what the most costs over the least."""

    @property
    def title(self) -> str:
        """The heading of the figures, such as `What planning costs gpt-5`."""
        return f"What {self.work} costs {self.model}"

    @property
    def note(self) -> str:
        """The figures as a sentence."""
        costs_text = "; ".join(f"{cost.more} over {cost.less}: {cost.words}" for cost in self.costs)
        return f"{self.title}, by its horizons in the lanes: {costs_text}."

    def as_row(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return {
            "model": self.model,
            "runs": {lane: list(names) for lane, names in self.runs.items()},
            "horizons": {lane: asdict(horizon) for lane, horizon in self.horizons.items()},
            "costs": [asdict(cost) for cost in self.costs],
        }


class LaneRun(NamedTuple):
    """The samples of a run in one lane."""

    name: str
    model: str
    lane: str
    asked: Hashable
    """What runs of other lanes share if they were asked in the same way."""
    effective: Hashable
    """The settings that have no effect in some lane; None in such a lane, which is compared whatever they are."""
    tasks: Sequence[str]
    lengths: Sequence[float | None]
    wins: Sequence[float | None]


def lane_costs(
    runs: Mapping[str, pd.DataFrame], reading: Reading, manifests: Mapping[str, Mapping[str, Any] | None] = _NONE
) -> list[LaneCosts]:
    """Return what planning costs each model that was asked in two lanes; `runs` has the samples of each run.

    Only runs are compared that were asked alike by their run.json in `manifests`.
    """
    datasets = {name: asked_alike(manifests.get(name), reading) for name in runs}
    lane_runs = (each for name, samples in runs.items() for each in _of_run(name, samples, reading, datasets[name]))
    return costs_among(lane_runs, reading)


def costs_among(runs: Iterable[LaneRun], reading: Reading) -> list[LaneCosts]:
    """Return what planning costs each model among some runs. Several runs in one lane count as repeats."""
    groups: dict[Hashable, list[LaneRun]] = {}
    for run in runs:
        groups.setdefault((run.model, run.asked), []).append(run)
    cost_groups = []
    for group in groups.values():
        for effective in dict.fromkeys(run.effective for run in group if run.effective is not None):
            own = [run for run in group if run.effective in (effective, None)]
            lanes = {lane: some for lane in reading.lanes if (some := [run for run in own if run.lane == lane])}
            if len(lanes) > 1:
                cost_groups.append(_compare_lanes(lanes, reading.lane_work))
    return cost_groups


def _idle_settings(reading: Reading) -> set[str]:
    """Return the settings that have no effect in some lane."""
    return {name for names in reading.idle.values() for name in names}


def split_settings(values: Mapping[str, str], lane: str, reading: Reading) -> tuple[Hashable, Hashable]:
    """Return the settings of a run that count in all lanes, and the others; None for those in a lane without them."""
    idle = _idle_settings(reading)
    shared = tuple((name, value) for name, value in values.items() if name not in idle)
    return shared, None if lane in reading.idle else tuple(value for name, value in values.items() if name in idle)


def asked_alike(manifest: Mapping[str, Any] | None, reading: Reading) -> str | None:
    """Return what runs of different lanes share if all else is asked in the same way; None for a file of rows."""
    if manifest is None:
        return None
    config = manifest["config"]
    apart = {*_OF_LANE, *_idle_settings(reading)}
    identity = {name: value for name, value in config["identity"].items() if name not in apart}
    names = ("suite", "dataset", "fresh", "model", "sampling", "agent", "limits")
    return json.dumps([{name: config.get(name) for name in names}, identity], sort_keys=True)


def _of_run(name: str, samples: pd.DataFrame, reading: Reading, dataset: Hashable) -> Iterator[LaneRun]:
    """Yield the samples of a run for each model, setting and lane."""
    lane_column, length = reading.lane, reading.length
    if lane_column is None or length is None or lane_column not in samples or length not in samples:
        return
    settings = [each for each in (*reading.settings, reading.naming) if each and each != lane_column]
    columns = [each for each in ("model", *settings, lane_column) if each in samples]
    for values, own in select_counted(samples).groupby(columns, dropna=False):
        of = dict(zip(columns, map(str, values), strict=True))
        model, lane = of.pop("model"), of.pop(lane_column)
        shared, effective = split_settings(of, lane, reading)
        lengths, wins = numbers(own, length), numbers(own, "win")
        yield LaneRun(name, model, lane, (shared, dataset), effective, list(own.task_id), lengths, wins)


def _compare_lanes(lanes: Mapping[str, Sequence[LaneRun]], work: str) -> LaneCosts:
    """Return the costs among lanes from the one that tells least to the one that tells most."""
    names = list(lanes)
    trials = {
        lane: count_trials(
            *([value for run in lanes[lane] for value in getattr(run, part)] for part in ("tasks", "lengths", "wins"))
        )
        for lane in names
    }
    # the widest pair first, then those that tell more
    pairs = sorted(combinations(range(len(names)), 2), key=lambda pair: (pair[0] - pair[1], -pair[1]))
    lane_pairs = [(names[more], names[less]) for less, more in pairs]
    return LaneCosts(
        model=lanes[names[0]][0].model,
        work=work,
        runs={lane: tuple(run.name for run in lanes[lane]) for lane in names},
        trials=trials,
        horizons={lane: horizon_in(own) for lane, own in trials.items()},
        costs=[lane_cost(more, trials[more], less, trials[less]) for more, less in lane_pairs],
    )


def lane_cost(more: str, telling: Trials, less: str, planning: Trials) -> LaneCost:
    """Return the ratio of the horizon of some trials to the horizon of others with less help."""
    comparison = horizon_ratio(telling, planning)
    ratio = comparison.ratio
    if comparison.first.verdict == "beyond the range":
        nothing = replace(ratio, estimate=None, low=None, high=None)
        return LaneCost(more, less, nothing, _least(comparison.first, comparison.second))
    return LaneCost(
        more, less, replace(ratio, estimate=_log(ratio.estimate), low=_log(ratio.low), high=_log(ratio.high)), None
    )


def _least(beyond: Horizon, other: Horizon) -> float | None:
    """Return the doublings between the near end of a horizon beyond the range and the far end of another."""
    near, far = min(beyond.h50.low or beyond.longest or 0.0, beyond.longest or 0.0), other.h50.high
    if other.verdict not in ("determined", "below the range") or far is None or not 0 < far < near:
        return None
    return log2(near / far)


def _log(ratio: float | None) -> float | None:
    return None if ratio is None else log2(ratio)
