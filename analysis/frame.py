"""The tidy table of samples: one row for each sample, one column for each fact, for work in pandas.

    from herobench.analysis.frame import frame_of
    samples = frame_of(["runs/base-v2--gpt-5--1f2e3d4c", "scored.jsonl"])
    samples.groupby(["run", "bracket"]).win.mean()

The main figures are of the samples that count: `counted(samples)`. A suite may have others, such as attempts at what
cannot be done. Events and replies stay in their files; the table has what follows from them, such as the cause of a
loss and its line.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from herobench.analysis.facts import COMMON, Facts, columns_of, facts
from herobench.analysis.sources import Source, read_sources
from herobench.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd


def frame_of(paths: Iterable[str | Path]) -> pd.DataFrame:
    """Return the samples of runs, scored files and published results."""
    return frame(read_sources([Path(path) for path in paths]))


def frame(sources: Iterable[Source], jobs: int = 1) -> pd.DataFrame:
    """Return the samples of some sources, parsed by this many processes."""
    import pandas as pd

    by_suite: dict[str, list[Facts]] = {}
    for suite, *values in facts(sources, jobs):
        by_suite.setdefault(suite, []).append(tuple(values))
    tables = [pd.DataFrame.from_records(rows, columns=columns_of(suite)) for suite, rows in by_suite.items()]
    # suites have different facts: where a suite lacks one, its samples have none
    found = pd.concat(tables, ignore_index=True) if len(tables) > 1 else None
    if found is None:
        found = tables[0] if tables else pd.DataFrame(columns=list(COMMON))
    # pandas gives these columns other types if there are no rows
    return found.astype({"epoch": "int64", "measured": "bool", "counted": "bool"})


def counted(samples: pd.DataFrame) -> pd.DataFrame:
    """Return the samples that count in the main figures, as the suite's reading says."""
    return samples[samples.counted]


def suite_of(tables: Iterable[pd.DataFrame]) -> str:
    """Return the suite of all samples of some tables, empty text without samples. Raise UsageError for several."""
    suites = sorted({str(suite) for samples in tables for suite in samples.suite.unique()})
    if len(suites) > 1:
        raise mixed_suites(suites)
    return suites[0] if suites else ""


def mixed_suites(suites: Iterable[str]) -> UsageError:
    """Return the error for samples of several suites."""
    listed = ", ".join(sorted(suites))
    return UsageError(f"These samples are of several suites, which do not compare: {listed}. Choose one with --suite.")
