"""Sections: the samples of each suite with the reading that makes figures of them.

Figures of different suites do not compare, so whoever shows samples of several shows a section for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.contract import Reading
from herobench.analysis.samples.facts import facts
from herobench.analysis.samples.frame import frames_from, mixed_suites
from herobench.analysis.samples.sources import Source, chosen_notes, fresh_notes
from herobench.analysis.statistics.findings import mixtures
from herobench.analysis.statistics.lane_costs import LaneCosts, lane_costs
from herobench.analysis.statistics.ranking import RankedGroup, split_runs
from herobench.work.engine import Engine, Local

if TYPE_CHECKING:
    import pandas as pd


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
        return dict(_runs(self.samples))

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
    return [
        _section(suite, samples, sources) for suite, samples in frames_from(facts(sources, engine or Local(1))).items()
    ]


def only(found: Sequence[Section]) -> Section:
    """Return the only section. Raise UsageError if there are several."""
    if len(found) > 1:
        raise mixed_suites([section.suite for section in found])
    return found[0]


def _section(suite: str, samples: pd.DataFrame, sources: Sequence[Source]) -> Section:
    named = set(samples.run)
    return Section(suite, samples, load_reading(suite), {each.name: each for each in sources if each.name in named})


def _runs(samples: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    for name in dict.fromkeys(samples.run):
        rows = (samples.run == name).to_numpy().nonzero()[0]
        # the samples of a run are adjacent, so slicing them makes no copy
        yield name, samples.iloc[rows[0] : rows[-1] + 1]
