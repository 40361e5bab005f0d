"""The paper's tables, from the tidy table of samples: 1, how models did, and 2, what their losses were.

As printed there: Table 1's means and deviations are over brackets, the deviations those of a population; Table 2's
percentages are of all that was asked, its error counts per sample whose code was valid, and its deviations over
brackets those of a sample. The paper took wins from one scoring and failures from another one; so can we.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import stdev
from typing import TYPE_CHECKING

from herobench.analysis.summary import Tally

if TYPE_CHECKING:
    import pandas as pd

Figures = Mapping[str, float | None]

_BUCKETS = {
    "only_gear": "gear",
    "gear_and_execution": "gear_and_execution",
    "only_execution": "execution",
    "invalid_code": "invalid_code",
}
_ERRORS = {"high_level": "high_level_errors", "execution": "execution_errors"}


def table1(samples: pd.DataFrame) -> dict[str, float | None]:
    """The row of Table 1 for the samples of one run."""
    measured = samples[samples.measured]
    rows = zip(measured.task_id, measured.win, measured.score, measured.progress, measured.tokens, strict=True)
    return Tally(
        {
            "task_id": task_id,
            "outcome": "win" if win else "lose",
            "score": score,
            "progress_before_end": progress,
            "tokens": None if tokens is None or tokens != tokens else tokens,
            "failure": None,
        }
        for task_id, win, score, progress, tokens in rows
    ).table1()


def table2(samples: pd.DataFrame, failures: pd.DataFrame) -> dict[str, float | None]:
    """The row of Table 2: which samples were lost by the first table, and of what by the second."""
    told = failures[["task_id", "epoch", "failure", *_ERRORS.values()]]
    asked = samples[["task_id", "epoch", "bracket", "measured", "win"]]
    both = asked.merge(told, on=["task_id", "epoch"], how="left")
    both["lost"] = both.measured & (both.win == False)  # noqa: E712 - None is neither
    both["invalid"] = both.lost & (both.failure == "invalid_code")
    row: dict[str, float | None] = {"failed": _percent(both.lost)}
    for column, bucket in _BUCKETS.items():
        row[column] = _percent(both.lost & (both.failure == bucket))
    for name, column in _ERRORS.items():
        counted = both[column].where(both.lost & ~both.invalid, 0).fillna(0).astype(float)
        row[f"{name}_mean"], row[f"{name}_sd"] = _per_valid(counted, both)
    return row


def _percent(flags: pd.Series) -> float | None:
    return 100 * float(flags.mean()) if len(flags) else None


def _per_valid(counted: pd.Series, both: pd.DataFrame) -> tuple[float | None, float | None]:
    """Errors per sample with valid code, over all and the deviation over brackets."""
    valid = len(both) - int(both.invalid.sum())
    brackets = [
        float(counted[part.index].sum()) / (len(part) - int(part.invalid.sum()))
        for _, part in both.groupby("bracket")
        if len(part) > part.invalid.sum()
    ]
    mean = float(counted.sum()) / valid if valid else None
    return mean, stdev(brackets) if len(brackets) > 1 else None


# -- as text ----------------------------------------------------------------------------------------------------------

HEADERS1 = ("Model", "Success %", "Score (mean ± SD)", "Tokens (mean ± SD)")
HEADERS2 = (
    "Model", "High-level errors", "Execution errors", "Failed %", "Only gear %", "Gear and execution %",
    "Only execution %", "Invalid code %",
)  # fmt: skip


def cells1(name: str, row: Figures) -> tuple[str, ...]:
    """A row of Table 1 as it is printed."""
    score = _spread(row["score"], row["score_sd"], 1)
    return name, _number(row["success"], 1), score, _spread(row["tokens"], row["tokens_sd"], 0)


def cells2(name: str, row: Figures) -> tuple[str, ...]:
    """A row of Table 2 as it is printed."""
    shares = (row["failed"], *(row[column] for column in _BUCKETS))
    errors = (_spread(row[f"{name}_mean"], row[f"{name}_sd"], 2) for name in _ERRORS)
    return name, *errors, *(_number(share, 1) for share in shares)


def markdown(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [headers, ["---", *("---:" for _ in headers[1:])], *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def latex(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in LaTeX, with the rules of booktabs."""
    body = "".join(" & ".join(map(_escaped, line)) + " \\\\\n" for line in rows)
    head = " & ".join(map(_escaped, headers))
    columns = "l" + "r" * (len(headers) - 1)
    return f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head} \\\\\n\\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n"


def _escaped(text: str) -> str:
    return "".join(f"\\{char}" if char in "%&_#${}" else char for char in text).replace("±", "$\\pm$")


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _spread(mean: float | None, deviation: float | None, digits: int) -> str:
    if mean is None:
        return ""
    return _number(mean, digits) + ("" if deviation is None else f" ± {deviation:.{digits}f}")
