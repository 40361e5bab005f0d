"""Samples as a tidy table: one row a sample, one column a fact, for whoever works in pandas.

    from herobench.analysis.frame import frame_of
    samples = frame_of(["runs/base-v2--gpt-5--1f2e3d4c", "scored.jsonl"])
    samples.groupby(["run", "bracket"]).win.mean()

Events and answers stay in their files; what they come to is here: the cause of a loss and its line.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from herobench.analysis.facts import COLUMNS, facts
from herobench.analysis.sources import Source, read_sources

if TYPE_CHECKING:
    import pandas as pd


def frame_of(paths: Iterable[str | Path]) -> pd.DataFrame:
    """The samples of runs, scored files and published results."""
    return frame(read_sources([Path(path) for path in paths]))


def frame(sources: Iterable[Source], jobs: int = 1) -> pd.DataFrame:
    """The samples of some sources, read by so many processes."""
    import pandas as pd

    found = pd.DataFrame.from_records(list(facts(sources, jobs)), columns=COLUMNS)
    return found.astype({"epoch": "int64", "measured": "bool", "noise": "bool"})
