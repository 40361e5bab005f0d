"""The tidy table of samples: one row for each sample, one column for each fact, for work in pandas.

    from herobench.analysis.samples.frame import frame_of
    samples = frame_of(["runs/base-v2--gpt-5--1f2e3d4c", "scored.jsonl"])
    samples.groupby(["run", "bracket"]).win.mean()

The main figures are of the samples that count: `counted(samples)`. A suite may have others, such as attempts at what
cannot be done. Events and replies stay in their files; the table has what follows from them, such as the cause of a
loss and its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.analysis.samples.facts import Facts, facts
from herobench.analysis.samples.refusals import SampleFault
from herobench.analysis.samples.samples import COMMON
from herobench.analysis.samples.sources import Source, read_sources
from herobench.data.errors import UsageError
from herobench.work.engine import Engine, Local

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


def frame_of(paths: Iterable[str | Path]) -> pd.DataFrame:
    """Return the samples of runs, scored files and published results."""
    return frame(read_sources([Path(path) for path in paths]))


def frame(sources: Iterable[Source], engine: Engine | None = None) -> pd.DataFrame:
    """Return the samples of some sources, parsed by an engine; without one, in this process."""
    return frame_from(facts(sources, engine or Local(1)))


def frame_from(columns_read: Facts) -> pd.DataFrame:
    """Return the samples of facts, which are used up: a million samples are not held twice."""
    return one_table(list(frames_from(columns_read).values()))


def one_table(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the samples of several suites in one table; a suite's samples have no value for the facts of others."""
    import pandas as pd

    if len(tables) == 1:
        return tables[0]
    whole = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=list(COMMON))
    # pandas gives these columns other types if there are no rows
    return whole.astype({"epoch": "int64", "measured": "bool", "counted": "bool"})


def frames_from(columns_read: Facts) -> dict[str, pd.DataFrame]:
    """Return the samples of each suite, in the order of their first samples; the facts are used up."""
    import pandas as pd

    # column by column: the values of one take far more room while they are unpacked
    columns = {
        suite: {name: as_series(values) for name, values in columns_read.columns(suite)}
        for suite in columns_read.suites
    }
    return {suite: pd.DataFrame(own, copy=False) for suite, own in columns.items()}


def as_series(values: NDArray[Any]) -> pd.Series[Any]:
    """Return a column as pandas has it: texts as objects, because equal texts are then held once."""
    import pandas as pd

    if values.dtype != object:
        return pd.Series(values, copy=False)
    if any(issubclass(kind, str) for kind in set(map(type, values))):
        return pd.Series(values, dtype=object, copy=False)
    return pd.Series(values.tolist())


def select_counted(samples: pd.DataFrame) -> pd.DataFrame:
    """Return the samples that count in the main figures, as the suite's reading says."""
    return samples if samples.counted.all() else samples[samples.counted]


def common_suite(tables: Iterable[pd.DataFrame]) -> str:
    """Return the suite of all samples of some tables, empty text without samples. Raise UsageError for several."""
    suites = sorted({str(suite) for samples in tables for suite in samples.suite.unique()})
    if len(suites) > 1:
        raise mixed_suites(suites)
    return suites[0] if suites else ""


def mixed_suites(suites: Iterable[str]) -> UsageError:
    """Return the error for samples of several suites."""
    return UsageError(SampleFault.SEVERAL_SUITES, suites=", ".join(sorted(suites)))


def lacking(samples: pd.DataFrame, failures: pd.DataFrame) -> tuple[int, int]:
    """Return how many lost samples another scoring lacks, and how many lost samples there are."""
    losses = samples[samples.measured & (samples.win == False)]  # noqa: E712 - None is neither
    attempts_told = set(zip(failures.task_id, failures.epoch, strict=True))
    return sum(attempt not in attempts_told for attempt in zip(losses.task_id, losses.epoch, strict=True)), len(losses)
