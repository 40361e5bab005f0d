"""Splits samples into sections by suite and parts that may be ranked together, and ranks the runs of a part.

Figures of different suites do not compare, so whoever shows samples of several shows a section for each.

The farthest horizon comes first; without a horizon, success decides. Spending is the average cost of an attempt. If the
cost is known of fewer runs than the tokens are, the tokens of an attempt stand in its place, because a run without a
price must not be left out or look free. No other run beats those on the Pareto line in both success and spending.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.contract import Reading
from herobench.analysis.samples.facts import facts
from herobench.analysis.samples.frame import counted, frames_from, mixed_suites
from herobench.analysis.samples.sources import Source, chosen_notes, fresh_notes
from herobench.analysis.statistics.findings import Economy, Findings, economize, find, horizon, lanes_in, mixtures
from herobench.analysis.statistics.lane_costs import LaneCosts, lane_costs
from herobench.analysis.statistics.tally import UNKNOWN
from herobench.suite.lanes import LANES
from herobench.work.engine import Engine, Local

if TYPE_CHECKING:
    import pandas as pd

    from herobench.analysis.statistics.horizon import Horizon


_NOTHING: Mapping[str, str] = MappingProxyType({})


class RankedGroup(NamedTuple):
    """The samples of some runs that may be ranked together."""

    values: Mapping[str, str]
    """The value of each separating column, without usual ones; none for a suite that has no such columns."""
    runs: Mapping[str, pd.DataFrame]
    """The samples that count in the main figures, by run."""
    whole: Mapping[str, pd.DataFrame]
    """All samples, by run."""

    @property
    def title(self) -> str:
        """The values in words, such as `track: straight`; an empty text if there are none."""
        return ", ".join(f"{column.replace('_', ' ')}: {value}" for column, value in self.values.items())


def split_runs(
    runs: Mapping[str, pd.DataFrame], columns: Sequence[str], usual: Mapping[str, str] = _NOTHING
) -> list[RankedGroup]:
    """Return the parts of some runs, in the order of their values. `usual` has the values that need no words.

    A run with samples of several parts is in each of them with those. A run without samples is in the last part.
    """
    found: dict[tuple[str, ...], dict[str, pd.DataFrame]] = {}
    for name, samples in runs.items():
        if len(samples):
            for values, own in _split(samples, columns):
                found.setdefault(values, {})[name] = own
    parts = [_part(_named(columns, values, usual), found[values]) for values in sorted(found)]
    empty = {name: samples for name, samples in runs.items() if not len(samples)}
    last = parts.pop() if parts else RankedGroup({}, {}, {})
    return [*parts, _part(last.values, {**last.whole, **empty})]


def _named(columns: Sequence[str], values: Sequence[str], usual: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in zip(columns, values, strict=True) if usual.get(name) != value}


def _part(values: Mapping[str, str], runs: Mapping[str, pd.DataFrame]) -> RankedGroup:
    return RankedGroup(values, {name: counted(samples) for name, samples in runs.items()}, runs)


def _split(samples: pd.DataFrame, columns: Sequence[str]) -> list[tuple[tuple[str, ...], pd.DataFrame]]:
    """Return the samples of each combination of values."""
    if not columns:
        return [((), samples)]
    known = samples[list(columns)].astype("object")
    told = known.where(known.notna(), UNKNOWN).astype(str)
    parts = [(values, rows.index) for values, rows in told.groupby(list(columns))]
    return [(values, samples if len(parts) == 1 else samples.loc[index]) for values, index in parts]


def help_note(lanes: Mapping[str, str]) -> str | None:
    """Return a note that runs had different help, by their lanes in words; None if all had the same."""
    runs: dict[str, list[str]] = {}
    for name, words in lanes.items():
        if words:
            runs.setdefault(words, []).append(name)
    if len(runs) < 2:
        return None
    told = "; ".join(f"{words}: {', '.join(names)}" for words, names in runs.items())
    return f"The runs had different help ({told}): what differs between them may be that."


class RankedRun(NamedTuple):
    """The figures of a run in a ranking."""

    lane: str
    """The lane of help, in words."""
    rank: int
    """Its place among the runs of its lane."""
    found: Findings
    horizon: Horizon | None
    """None for a suite whose tasks have no length."""
    economy: Economy


def ranked(part: RankedGroup, length: str | None) -> list[RankedRun]:
    """Return the runs of a part, lane by lane, the best first; `length` is the column with the length of a task.

    Reference programs come last: in their lane there is no model.
    """
    rows = [
        RankedRun(lanes_in(part.whole[name]), 0, find(name, samples), horizon(samples, length), economize(samples))
        for name, samples in part.runs.items()
    ]
    rows.sort(key=lambda row: (_order(row.lane), _reach(row.horizon), _standing(row.found)))
    places: Counter[str] = Counter()
    for number, row in enumerate(rows):
        places[row.lane] += 1
        rows[number] = row._replace(rank=places[row.lane])
    return rows


def _order(lane: str) -> tuple[int, str]:
    """Return the key that sorts lanes of models in their order, then the solvers, then runs without samples."""
    return next((number for number, one in enumerate(LANES) if lane.startswith(one)), len(LANES)), lane


def _reach(horizon: Horizon | None) -> tuple[bool, float]:
    """Return the key that sorts the farthest horizon first, and runs without one last, where success decides.

    Outside the range of lengths only the end of the range is known, because a figure there is an extrapolation. So a
    horizon below the range does not count: a model that wins nothing has it, and must not rank above one whose wins are
    too few or too even to tell a horizon.
    """
    if horizon is None or horizon.verdict in ("not determined", "below the range"):
        return True, 0.0
    reach = horizon.longest if horizon.verdict == "beyond the range" else horizon.h50.estimate
    return False, -(reach or 0.0)


def _standing(found: Findings) -> tuple[bool, float, float, str]:
    """Return the key that sorts the best first, and runs without a measured sample last."""
    success, score = found.success.estimate, found.score.estimate
    return success is None, -(success or 0.0), -(score or 0.0), found.name


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
            "points": [[numbers[name], spent] for name, (spent, _) in self.points.items()],
            "frontier": [numbers[name] for name in self.frontier],
        }

    def _is_beaten(self, name: str) -> bool:
        spent, success = own = self.points[name]
        return any(other != own and other[0] <= spent and other[1] >= success for other in self.points.values())


def compare_spending(runs: Mapping[str, Spending]) -> Tradeoff | None:
    """Return where runs stand; None if fewer than two can be compared."""
    scored = {name: (run, run.success) for name, run in runs.items() if run.success is not None}
    by_cost = {name: (run.cost, rate) for name, (run, rate) in scored.items() if run.cost is not None}
    by_tokens = {name: (run.tokens, rate) for name, (run, rate) in scored.items() if run.tokens is not None}
    found = Tradeoff("tokens", by_tokens) if len(by_tokens) > len(by_cost) else Tradeoff("cost", by_cost)
    return found if len(found.points) > 1 else None


@dataclass(frozen=True, slots=True)
class Section:
    """The samples of one suite."""

    suite: str
    samples: pd.DataFrame
    reading: Reading
    sources: Mapping[str, Source]
    """The sources that have samples of the suite, by name."""

    @property
    def runs(self) -> dict[str, pd.DataFrame]:
        """The samples of each run, in the order in which the runs were named."""
        places = {name: (self.samples.run == name).to_numpy().nonzero()[0] for name in dict.fromkeys(self.samples.run)}
        # the samples of a run are adjacent, so slicing them makes no copy
        return {name: self.samples.iloc[rows[0] : rows[-1] + 1] for name, rows in places.items()}

    def notes(self) -> list[str]:
        """Return what a reader has to know before he compares the samples."""
        asked = [(source.name, source.asked) for source in self.sources.values()]
        mixed = mixtures([self.samples], self.reading.settings)
        return [*chosen_notes(asked), *mixed, *fresh_notes(each for _, each in asked)]

    def parts(self) -> list[RankedGroup]:
        """Return the samples in parts that may stand side by side."""
        return split_runs(self.runs, self.reading.separates, self.reading.usual)

    def lane_costs(self) -> list[LaneCosts]:
        """Return what planning costs each model that was asked in several lanes."""
        return lane_costs(self.runs, self.reading, {name: source.manifest for name, source in self.sources.items()})


def sections(sources: Sequence[Source], engine: Engine | None = None) -> list[Section]:
    """Return the samples of some sources by suite, in the order of the first samples; none for a suite without any."""
    found = []
    for suite, samples in frames_from(facts(sources, engine or Local(1))).items():
        named = set(samples.run)
        own = {source.name: source for source in sources if source.name in named}
        found.append(Section(suite, samples, load_reading(suite), own))
    return found


def only(found: Sequence[Section]) -> Section:
    """Return the only section. Raise UsageError if there are several."""
    if len(found) > 1:
        raise mixed_suites([section.suite for section in found])
    return found[0]
