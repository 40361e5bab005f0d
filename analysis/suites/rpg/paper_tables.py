"""The paper's tables, from the tidy table of RPG samples.

Tables 1 and 2 are about tasks of the plain game: success, and failure classes. Means and deviations of Table 1 are
over brackets (population). In Table 2 percentages are of all samples, error counts per sample with valid code,
deviations over brackets (sample). The paper took wins and failures from two scorings, so `failures` may be another
scoring. Tables 3 and 4 show the same for the hardest bracket by mechanics, with deviations over samples.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import fmean, pstdev, stdev
from typing import TYPE_CHECKING, Literal, NamedTuple

from herobench.analysis.plots.typeset import number, spread
from herobench.analysis.statistics.findings import numbers
from herobench.analysis.statistics.summary import SampleTally
from herobench.analysis.suites.rpg.reading import PLAIN

if TYPE_CHECKING:
    import pandas as pd

PaperRow = Mapping[str, float | None]

HARDEST = "9"
"""The bracket whose tasks exist with further mechanics as well."""
_BUCKETS = {
    "only_gear": "gear",
    "gear_and_execution": "gear_and_execution",
    "only_execution": "execution",
    "invalid_code": "invalid_code",
}
_ERRORS = {"high_level": "high_level_errors", "execution": "execution_errors"}
_TOLD = ["failure", *_ERRORS.values()]
"""Columns that another scoring replaces."""
_ATTEMPT = ["task_id", "epoch"]
_UNKNOWN = (*_BUCKETS, *(f"{name}_{part}" for name in _ERRORS for part in ("mean", "sd")))
"""Columns left empty when some lost samples have no failure class."""


def table1(samples: pd.DataFrame) -> dict[str, float | None]:
    """Return the row of Table 1 for the samples of one run."""
    measured = samples[samples.measured]
    rows = zip(measured.bracket, measured.win, measured.score, measured.tokens, strict=True)
    return SampleTally(
        {
            "group": bracket,
            "won": win,
            "score": score,
            "progress": None,
            "output_tokens": None if tokens is None or tokens != tokens else tokens,
            "failure": None,
        }
        for bracket, win, score, tokens in rows
    ).table1()


def table2(
    samples: pd.DataFrame,
    failures: pd.DataFrame | None = None,
    deviation_over: Literal["bracket", "task_id"] = "bracket",
) -> dict[str, float | None]:
    """Return the row of Table 2: lost samples by failure class, if need be by another scoring of the same answers."""
    both = samples[["task_id", "epoch", "bracket", "measured", "win", *_TOLD]].reset_index(drop=True)
    if failures is not None:
        told = failures[[*_ATTEMPT, *_TOLD]].drop_duplicates(_ATTEMPT, keep="last")
        both = both.drop(columns=_TOLD).merge(told, on=_ATTEMPT, how="left")
    both["lost"] = both.measured & (both.win == False)  # noqa: E712 - None is neither
    if not both.measured.any():
        return {"failed": None, **dict.fromkeys(_UNKNOWN)}
    if both[both.lost].failure.isna().any():
        return {"failed": _percent(both.lost), **dict.fromkeys(_UNKNOWN)}
    both["invalid"] = both.lost & (both.failure == "invalid_code")
    row: dict[str, float | None] = {"failed": _percent(both.lost)}
    for column, bucket in _BUCKETS.items():
        row[column] = _percent(both.lost & (both.failure == bucket))
    for name, column in _ERRORS.items():
        counted = both[column].where(both.lost & ~both.invalid, 0).fillna(0).astype(float)
        row[f"{name}_mean"], row[f"{name}_sd"] = _per_valid(counted, both, deviation_over)
    return row


def rows_of(samples: pd.DataFrame) -> dict[str, object]:
    """Return the rows of all tables for the samples of one run."""
    return {
        "table1": table1(plain(samples)),
        "table2": table2(plain(samples)),
        "hardest": [
            {"mechanics": mechanics, "table3": table3(part), "table4": table4(part)}
            for mechanics, part in hardest(samples)
        ],
    }


def lacking(samples: pd.DataFrame, failures: pd.DataFrame) -> tuple[int, int]:
    """Return how many lost samples another scoring lacks, and how many lost samples there are."""
    lost = samples[samples.measured & (samples.win == False)]  # noqa: E712 - None is neither
    told = set(zip(failures.task_id, failures.epoch, strict=True))
    return sum(attempt not in told for attempt in zip(lost.task_id, lost.epoch, strict=True)), len(lost)


def plain(samples: pd.DataFrame) -> pd.DataFrame:
    """Return the samples of tasks of the plain game, and those whose mechanics are unknown, such as published ones."""
    return samples[samples.mechanics.isna() | (samples.mechanics == PLAIN)]


def hardest(samples: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the samples of the hardest bracket by the mechanics of their tasks."""
    found = samples[samples.bracket == HARDEST]
    for mechanics, part in found.groupby(found.mechanics.fillna("unknown")):
        yield str(mechanics), part


def table3(samples: pd.DataFrame) -> dict[str, float | None]:
    """Return the row of Table 3 for samples of the hardest bracket."""
    measured = samples[samples.measured]
    row: dict[str, float | None] = {"success": _percent(measured.win == True)}  # noqa: E712 - never None here
    for column in ("score", "tokens"):
        known = [value for value in numbers(measured, column) if value is not None]
        row[column] = fmean(known) if known else None
        row[f"{column}_sd"] = pstdev(known) if known else None
    return row


def table4(samples: pd.DataFrame, failures: pd.DataFrame | None = None) -> dict[str, float | None]:
    """Return the row of Table 4 for samples of the hardest bracket."""
    return table2(samples, failures, "task_id")


def _percent(flags: pd.Series) -> float | None:
    return 100 * float(flags.mean()) if len(flags) else None


def _per_valid(counted: pd.Series, both: pd.DataFrame, over: str) -> tuple[float | None, float | None]:
    """Return errors per sample with valid code, and their deviation over brackets or tasks."""
    # as the paper counts: won samples are in the denominator, though their errors are not in the sum
    valid = len(both) - int(both.invalid.sum())
    groups = [
        float(counted[part.index].sum()) / (len(part) - int(part.invalid.sum()))
        for _, part in both.groupby(over)
        if len(part) > part.invalid.sum()
    ]
    mean = float(counted.sum()) / valid if valid else None
    return mean, stdev(groups) if len(groups) > 1 else None


# -- as printed -------------------------------------------------------------------------------------------------------

HEADERS1 = ("Model", "Success %", "Score (mean ± SD)", "Tokens (mean ± SD)")
HEADERS2 = (
    "Model", "High-level errors", "Execution errors", "Failed %", "Only gear %", "Gear and execution %",
    "Only execution %", "Invalid code %",
)  # fmt: skip
HEADERS3, HEADERS4 = (("Model", "Mechanics", *headers[1:]) for headers in (HEADERS1, HEADERS2))
CAPTIONS = (
    "Success, score and tokens over the brackets of difficulty",
    "Errors per sample with valid code, and what samples were lost by",
    "Success, score and tokens in the hardest bracket, by mechanics",
    "Errors and losses in the hardest bracket, by mechanics",
)


class PaperTable(NamedTuple):
    """A table of the paper as it is printed."""

    number: int
    caption: str
    headers: tuple[str, ...]
    rows: list[tuple[str, ...]]


def cells1(row: PaperRow) -> tuple[str, ...]:
    """Return a row of Tables 1 and 3 as it is printed, without its first columns."""
    score = spread(row["score"], row["score_sd"], 1)
    return number(row["success"], 1), score, spread(row["tokens"], row["tokens_sd"], 0)


def cells2(row: PaperRow) -> tuple[str, ...]:
    """Return a row of Tables 2 and 4 as it is printed, without its first columns."""
    shares = (row["failed"], *(row[column] for column in _BUCKETS))
    errors = (spread(row[f"{name}_mean"], row[f"{name}_sd"], 2) for name in _ERRORS)
    return *errors, *(number(share, 1) for share in shares)


def printed(runs: Mapping[str, pd.DataFrame], failures: pd.DataFrame | None = None) -> Iterator[PaperTable]:
    """Yield the tables that some runs have rows for; failures may come from another scoring."""
    base = {name: part for name, samples in runs.items() if len(part := plain(samples))}
    hard = {(name, mechanics): part for name, samples in runs.items() for mechanics, part in hardest(samples)}
    rows = (
        [(name, *cells1(table1(part))) for name, part in base.items()],
        [(name, *cells2(table2(part, failures))) for name, part in base.items()],
        [(*names, *cells1(table3(part))) for names, part in hard.items()],
        [(*names, *cells2(table4(part, failures))) for names, part in hard.items()],
    )
    headers = (HEADERS1, HEADERS2, HEADERS3, HEADERS4)
    return (PaperTable(*table) for table in zip((1, 2, 3, 4), CAPTIONS, headers, rows, strict=True) if table[3])
