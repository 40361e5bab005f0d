"""The figures of a checkup, read from its runs: one model, part by part, each figure with its interval.

The runs are ordinary ones, and their figures those of `analyze` and `leaderboard`. A suite is known here by its reading
and by the parts that it declares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.contract import Reading
from herobench.analysis.reading.interval import Estimate
from herobench.analysis.samples.frame import frame, select_counted
from herobench.analysis.samples.sources import Source, read_sources
from herobench.analysis.statistics.comparison import horizon_ratio
from herobench.analysis.statistics.findings import cut_off_in, find, groups, numbers, scale, trials_in
from herobench.analysis.statistics.horizon import Trials, drawn_horizon
from herobench.analysis.statistics.lane_costs import LaneCosts, lane_costs
from herobench.checkup.folder import Checkup, read_checkup
from herobench.runs.folder import RunFolder
from herobench.runs.merge import read_fingerprint
from herobench.suite.checkup_parts import Card, Part

if TYPE_CHECKING:
    import pandas as pd

_CAUSES = 5
"""The most causes that are shown."""
_SHARE = 0.01
_SURE = 0.999
"""The highest probability that is shown as a number."""


@dataclass(frozen=True)
class CheckedModel:
    """A checkup, with the fingerprints of its runs."""

    checkup: Checkup
    prints: Mapping[str, str]
    """The fingerprint of each run that has begun."""

    @classmethod
    def read(cls, folder: Path) -> CheckedModel:
        """Return the checkup in a folder."""
        checkup = read_checkup(folder)
        runs = {run: RunFolder(folder / run) for run in checkup.runs}
        return cls(checkup, {run: str(read_fingerprint(own)) for run, own in runs.items() if own.begun})

    @property
    def model(self) -> str:
        """The name of the model."""
        return self.checkup.model

    @cached_property
    def parts(self) -> list[CheckedPart]:
        """The parts that have samples, in their order."""
        parts = []
        for part in self.checkup.parts:
            runs = [run for run in part.runs if run in self.checkup.sizes and run in self.prints]
            parts.append(CheckedPart(self.checkup.folder, part, runs))
        return [part for part in parts if part.samples]

    @property
    def provenance(self) -> list[dict[str, Any]]:
        """The tasks, the version and the fingerprint of each run."""
        rows = []
        for part in self.parts:
            for source, run in zip(part.sources, part.runs, strict=True):
                manifest = source.manifest or {}
                session = manifest["sessions"][-1] if manifest.get("sessions") else {}
                rows.append(
                    {
                        "run": run,
                        "tasks": source.asked.name if source.asked else None,
                        "count": len(part.samples.get(source.name, ())),
                        "version": session.get("herobench"),
                        "finished": session.get("finished"),
                        "fingerprint": self.prints[run],
                    }
                )
        return rows

    def of_card(self, card: Card) -> list[CheckedPart]:
        """Return the parts of a card that have samples."""
        return [part for part in self.parts if part.declaration.card == card]

    @property
    def horizon(self) -> CheckedPart | None:
        """The part with the headline; None if it was not asked."""
        return next(iter(self.of_card("horizon")), None)


@dataclass(frozen=True)
class CheckedPart:
    """A part of a checkup with the samples of its runs."""

    folder: Path
    """The folder of the checkup."""
    declaration: Part
    runs: Sequence[str]

    @property
    def reading(self) -> Reading:
        """The reading of its suite."""
        return load_reading(self.declaration.suite)

    @cached_property
    def sources(self) -> list[Source]:
        """Its runs as sources."""
        return read_sources([self.folder / run for run in self.runs]) if self.runs else []

    @cached_property
    def samples(self) -> dict[str, pd.DataFrame]:
        """The samples of each run that has some, by the run's name."""
        tables = {source.name: frame([source]) for source in self.sources}
        return {name: samples for name, samples in tables.items() if len(samples)}

    @property
    def first(self) -> pd.DataFrame:
        """The samples of its first run that count in the main figures."""
        return select_counted(next(iter(self.samples.values())))

    @property
    def manifests(self) -> dict[str, Mapping[str, Any] | None]:
        """The run.json of each run."""
        return {source.name: source.manifest for source in self.sources}

    @cached_property
    def chance(self) -> pd.DataFrame | None:
        """The samples of the player that marks chance; None if there is none."""
        run = self.declaration.chance_run
        if run is None or not RunFolder(self.folder / run).begun:
            return None
        samples = frame(read_sources([self.folder / run]))
        return samples if len(samples) else None

    @property
    def costs(self) -> LaneCosts | None:
        """The costs of planning; None with a single lane."""
        costs = lane_costs(self.samples, self.reading, self.manifests)
        return costs[0] if costs else None

    @property
    def causes(self) -> dict[str, Any]:
        """The most frequent causes of lost plans in its first run, with their definitions."""
        figures = find("", self.first)
        lost = sum(figures.failures.values())
        # a suite without causes has classes of failures
        counts, definitions = (figures.causes, self.reading.causes) if figures.causes else (figures.failures, {})
        causes = [
            {"name": self.reading.word(name), "count": count, "words": definitions.get(name, "")}
            for name, count in list(counts.items())[:_CAUSES]
        ]
        return {"lost": lost, "causes": causes}

    @property
    def group_scores(self) -> list[dict[str, Any]]:
        """The mean score of each group of tasks, as a share; it is the success where a score is all or nothing."""
        samples = self.first
        names = self.reading.group_names(set(samples.group.dropna()))
        return [
            {"name": names.short(group.name), "count": group.measured, **share(group.score)}
            for group in groups(samples, "group")
        ]

    @property
    def success(self) -> dict[str, float | None]:
        """The success of its first run."""
        return share(find("", self.first).success)

    @property
    def listed_figures(self) -> list[dict[str, Any]]:
        """The figures that the part declares, each with its interval, such as those of exploration."""
        if not self.declaration.figures:
            return []
        table = self.reading.tables(self.first)
        for name in self.declaration.figures:
            table = table.get(name, {})
        return [
            {"name": name.replace("_", " "), **figure}
            for name, figure in table.items()
            if figure["estimate"] is not None
        ]

    @property
    def run_totals(self) -> Iterator[dict[str, Any]]:
        """The attempts, unmeasured attempts, cut-off replies, tokens and cost of each run."""
        for name, samples in self.samples.items():
            columns = ("input_tokens", "output_tokens", "cost", "seconds")
            sums = {column: _sum(samples, column) for column in columns}
            overall = find(name, select_counted(samples))
            yield {
                "part": self.declaration.title,
                "run": name,
                "attempts": len(samples),
                "unmeasured": overall.unmeasured,
                "cut_off": cut_off_in(samples),
                "success": share(overall.success),
                **sums,
            }


def sample_horizon(samples: pd.DataFrame, reading: Reading) -> dict[str, Any]:
    """Return the horizon of some samples, with the curve and the tasks that the page draws."""
    return drawn_horizon(horizon_trials(samples, reading))


def horizon_trials(samples: pd.DataFrame, reading: Reading) -> Trials:
    """Return the trials of samples whose suite measures the length of tasks."""
    assert reading.length is not None, "the part with the horizon has tasks with lengths"
    return trials_in(samples, reading.length)


def rates_by_kind(samples: pd.DataFrame, reading: Reading) -> Mapping[str, Estimate]:
    """Return the rate of right answers at each kind of task, by the last of the suite's ways to grade."""
    profiles = reading.profiles(samples)
    return list(profiles.values())[-1] if profiles else {}


def share(estimate: Estimate) -> dict[str, float | None]:
    """Return a figure in percent as a share with its interval."""
    figure = scale(estimate, _SHARE)
    return {"rate": figure.estimate, "low": figure.low, "high": figure.high}


def _sum(samples: pd.DataFrame, column: str) -> float | None:
    values = [value for value in numbers(samples, column) if value is not None]
    return sum(values) if values else None


# -- several checkups ------------------------------------------------------------------------------------------------


def ratios_among(subjects: Sequence[CheckedModel], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the ratio of the horizons of each two checkups that have one."""
    by_name = {}
    for subject, name in zip(subjects, names, strict=True):
        if part := subject.horizon:
            trials = horizon_trials(part.first, part.reading)
            # tasks of two seeds are others, though their ids are the same
            by_name[name] = replace(trials, tasks=tuple((subject.checkup.seed, task) for task in trials.tasks))
    return [ratio_row(one, by_name[one], other, by_name[other]) for one, other in combinations(by_name, 2)]


def ratio_row(first: str, trials: Trials, second: str, others: Trials) -> dict[str, Any]:
    """Return the ratio of the horizons of two models, with a sentence on it."""
    comparison = horizon_ratio(trials, others, independent=not {*trials.tasks} & {*others.tasks})
    ratio = comparison.ratio
    row = {"first": first, "second": second, "verdict": comparison.verdict, "probability": comparison.probability}
    row |= {"estimate": ratio.estimate, "low": ratio.low, "high": ratio.high}
    return {**row, "words": _words(row)}


def _words(row: Mapping[str, Any]) -> str:
    """Return the ratio of two horizons as a sentence."""
    one, other = row["first"], row["second"]
    if row["probability"] is None:
        return f"{one} against {other}: the ratio of their horizons is not determined."
    probability = max(row["probability"], 1 - row["probability"])
    ahead, behind = (one, other) if probability == row["probability"] else (other, one)
    figure = f"over {_SURE}" if probability > _SURE else f"{probability:.3f}"
    sure = f"{ahead} has the longer horizon with a probability of {figure}"
    if row["estimate"] is None:
        return f"{sure} against {behind}; there is no figure beyond the lengths of the tasks."
    low, high = ("open" if row[end] is None else f"{row[end]:.2f}" for end in ("low", "high"))
    return f"The horizon of {one} is {row['estimate']:.2f} times that of {other} ({low} to {high}); {sure}."
