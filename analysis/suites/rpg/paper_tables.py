"""The RPG's own tables: the paper's, from the tidy table of samples, and how well a run tells impossible tasks.

Tables 1 and 2 are about tasks of the plain game: success, and failure classes. Means and deviations of Table 1 are
over brackets (population). In Table 2 percentages are of all samples, error counts per sample with valid code,
deviations over brackets (sample). The paper took wins and failures from two scorings, so `failures` may be another
scoring. Tables 3 and 4 show the same for the hardest bracket by mechanics, with deviations over samples. Refusals are
about attempts at tasks with closed places. Some of these tasks cannot be done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean, pstdev, stdev
from typing import TYPE_CHECKING, Literal

from herobench.analysis.reading.interval import Estimate, bounded_mean, measure_success
from herobench.analysis.samples.table_text import TextTable, number, spread
from herobench.analysis.statistics.findings import numbers
from herobench.analysis.statistics.tally import SampleTally
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
    measured_samples = samples[samples.measured]
    rows = zip(
        measured_samples.bracket, measured_samples.win, measured_samples.score, measured_samples.tokens, strict=True
    )
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
        told_columns = failures[[*_ATTEMPT, *_TOLD]].drop_duplicates(_ATTEMPT, keep="last")
        both = both.drop(columns=_TOLD).merge(told_columns, on=_ATTEMPT, how="left")
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
        counts = both[column].where(both.lost & ~both.invalid, 0).fillna(0).astype(float)
        row[f"{name}_mean"], row[f"{name}_sd"] = _per_valid(counts, both, deviation_over)
    return row


def paper_rows(samples: pd.DataFrame) -> dict[str, object]:
    """Return the rows of all tables for the samples of one run."""
    return {
        "table1": table1(plain(samples)),
        "table2": table2(plain(samples)),
        "hardest": [
            {"mechanics": mechanics, "table3": table3(part), "table4": table4(part)}
            for mechanics, part in hardest(samples)
        ],
    }


def plain(samples: pd.DataFrame) -> pd.DataFrame:
    """Return the samples of tasks of the plain game, and those whose mechanics are unknown, such as published ones."""
    return samples[samples.mechanics.isna() | (samples.mechanics == PLAIN)]


def hardest(samples: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the samples of the hardest bracket by the mechanics of their tasks."""
    hardest_samples = samples[samples.bracket == HARDEST]
    for mechanics, part in hardest_samples.groupby(hardest_samples.mechanics.fillna("unknown")):
        yield str(mechanics), part


def table3(samples: pd.DataFrame) -> dict[str, float | None]:
    """Return the row of Table 3 for samples of the hardest bracket."""
    measured_samples = samples[samples.measured]
    row: dict[str, float | None] = {"success": _percent(measured_samples.win == True)}  # noqa: E712 - never None here
    for column in ("score", "tokens"):
        values = [value for value in numbers(measured_samples, column) if value is not None]
        row[column] = fmean(values) if values else None
        row[f"{column}_sd"] = pstdev(values) if values else None
    return row


def table4(samples: pd.DataFrame, failures: pd.DataFrame | None = None) -> dict[str, float | None]:
    """Return the row of Table 4 for samples of the hardest bracket."""
    return table2(samples, failures, "task_id")


def _percent(flags: pd.Series) -> float | None:
    return 100 * float(flags.mean()) if len(flags) else None


def _per_valid(counts: pd.Series, both: pd.DataFrame, over: str) -> tuple[float | None, float | None]:
    """Return errors per sample with valid code, and their deviation over brackets or tasks."""
    # as the paper counts: won samples are in the denominator, though their errors are not in the sum
    valid = len(both) - int(both.invalid.sum())
    groups = [
        float(counts[part.index].sum()) / (len(part) - int(part.invalid.sum()))
        for _, part in both.groupby(over)
        if len(part) > part.invalid.sum()
    ]
    mean = float(counts.sum()) / valid if valid else None
    return mean, stdev(groups) if len(groups) > 1 else None


# -- as printed -------------------------------------------------------------------------------------------------------

HEADERS1 = ("Model", "Success %", "Score (mean ± SD)", "Tokens (mean ± SD)")
HEADERS2 = (
    "Model", "High-level errors", "Execution errors", "Failed %", "Only gear %", "Gear and execution %",
    "Only execution %", "Invalid code %",
)  # fmt: skip
HEADERS3, HEADERS4 = (("Model", "Mechanics", *headers[1:]) for headers in (HEADERS1, HEADERS2))
CAPTIONS = (
    "Table 1. Success, score and tokens over the brackets of difficulty",
    "Table 2. Errors per sample with valid code, and what samples were lost by",
    "Table 3. Success, score and tokens in the hardest bracket, by mechanics",
    "Table 4. Errors and losses in the hardest bracket, by mechanics",
)


def cells1(row: PaperRow) -> tuple[str, ...]:
    """Return a row of Tables 1 and 3 as it is printed, without its first columns."""
    score = spread(row["score"], row["score_sd"], 1)
    return number(row["success"], 1), score, spread(row["tokens"], row["tokens_sd"], 0)


def cells2(row: PaperRow) -> tuple[str, ...]:
    """Return a row of Tables 2 and 4 as it is printed, without its first columns."""
    shares = (row["failed"], *(row[column] for column in _BUCKETS))
    errors = (spread(row[f"{name}_mean"], row[f"{name}_sd"], 2) for name in _ERRORS)
    return *errors, *(number(share, 1) for share in shares)


def published_tables(runs: Mapping[str, pd.DataFrame], failures: pd.DataFrame | None = None) -> list[TextTable]:
    """Return the tables that some runs have rows for; failures may come from another scoring."""
    base = {name: part for name, samples in runs.items() if len(part := plain(samples))}
    hard = {(name, mechanics): part for name, samples in runs.items() for mechanics, part in hardest(samples)}
    rows = (
        [(name, *cells1(table1(part))) for name, part in base.items()],
        [(name, *cells2(table2(part, failures))) for name, part in base.items()],
        [(*names, *cells1(table3(part))) for names, part in hard.items()],
        [(*names, *cells2(table4(part, failures))) for names, part in hard.items()],
    )
    headers = (HEADERS1, HEADERS2, HEADERS3, HEADERS4)
    return [TextTable(*table) for table in zip(CAPTIONS, headers, rows, strict=True) if table[2]]


@dataclass(frozen=True, slots=True)
class Refusals:
    """The refusals of a run. Rates are shares from 0 to 1."""

    recognized: Estimate
    """The share of attempts at impossible tasks that gave up. High is good."""
    false: Estimate
    """The share of attempts at tasks that can be done that gave up. Low is good."""
    brier: Estimate
    """The mean squared difference between the stated probability and the truth, which is 1 for an impossible task,
    else 0. The best score is 0; a run that always states 0.5 scores 0.25."""
    stated: int
    """The number of refusals that state a probability."""
    claimed: float | None
    """The mean of the stated probabilities."""
    right: Estimate
    """The share of refusals with a probability whose task is impossible. If calibrated, it equals `claimed`."""

    def words(self) -> dict[str, str]:
        """Return the figures in words, by their labels."""
        brier = (
            "" if self.brier.estimate is None else f"{self.brier.estimate:.3f} over {self.stated} stated probabilities"
        )
        return {
            "recognized impossible": self.recognized.share_text(),
            "false refusals": self.false.share_text(),
            "Brier score": brier,
            "calibration": ""
            if self.claimed is None
            else f"claims {100 * self.claimed:.1f} % on average; right {self.right.share_text()}",
        }


def refusals_in(samples: pd.DataFrame) -> Refusals | None:
    """Return the refusals among the samples of a run; None if it has no task that may be given up."""
    closed_samples = samples[samples.measured & (samples.closed > 0)]
    if not len(closed_samples):
        return None
    with_statement = closed_samples[closed_samples.gave_up.astype(bool) & closed_samples.stated.notna()]
    errors = [
        (float(p) - (not solvable)) ** 2
        for p, solvable in zip(with_statement.stated, with_statement.solvable, strict=True)
    ]
    return Refusals(
        recognized=_rate(closed_samples[~closed_samples.counted]),
        false=_rate(closed_samples[closed_samples.counted]),
        brier=bounded_mean(list(with_statement.task_id), errors),
        stated=len(with_statement),
        claimed=float(with_statement.stated.mean()) if len(with_statement) else None,
        right=measure_success(
            list(with_statement.task_id), [float(not solvable) for solvable in with_statement.solvable]
        ),
    )


def _rate(samples: pd.DataFrame) -> Estimate:
    return measure_success(list(samples.task_id), [float(gave_up) for gave_up in samples.gave_up])
