"""Samples as a tidy table: one row a sample, one column a fact, for whoever works in pandas.

    from herobench.analysis.frame import frame_of
    samples = frame_of(["runs/base-v1--gpt-5--1f2e3d4c", "scored.jsonl"])
    samples.groupby(["run", "bracket"]).win.mean()

Events and answers stay in their files; what they come to is here: the cause of a loss and its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from herobench.analysis.causes.explain import explain
from herobench.analysis.sources import Source, read_sources

if TYPE_CHECKING:
    import pandas as pd

_KEPT = (
    "model", "task_id", "epoch", "kind", "target", "difficulty", "knowledge", "leveling", "stochastic", "rules",
    "world", "outcome", "score", "reward", "ideal_reward", "failure", "high_level_errors", "execution_errors", "ended",
    "end_kind", "actions", "oracle_actions", "tokens", "input_tokens", "output_tokens", "reasoning_tokens", "cost",
    "seconds", "retries",
)  # fmt: skip
"""Columns that are taken as they are."""


def frame_of(paths: Iterable[str | Path]) -> pd.DataFrame:
    """The samples of runs, scored files and published results."""
    return frame(read_sources([Path(path) for path in paths]))


def frame(sources: Iterable[Source]) -> pd.DataFrame:
    """The samples of some sources."""
    import pandas as pd

    facts = (facts_of(source.name, row) for source in sources for row in source.rows())
    found = pd.DataFrame.from_records(list(facts), columns=COLUMNS)
    return found.astype({"epoch": "int64", "measured": "bool", "noise": "bool"})


def facts_of(run: str, row: Mapping[str, Any]) -> tuple[Any, ...]:
    """One row of the table."""
    measured = row.get("status", "ok") == "ok"
    found = explain(row) if measured and row.get("events") is not None else None
    error = row.get("error")
    own = (
        run,
        row["task_id"].partition("/")[0],
        measured,
        row["outcome"] == "win" if measured else None,
        row.get("progress_before_end"),
        bool(row.get("noise")),
        str(found.cause) if found else None,
        found.line if found else None,
        found.subject if found else None,
        error["kind"] if error else None,
    )
    return (*own, *(row.get(name) for name in _KEPT))


COLUMNS = (
    "run", "bracket", "measured", "win", "progress", "noise", "cause", "cause_line", "cause_subject", "error_kind",
    *_KEPT,
)  # fmt: skip
"""All columns, in their order."""
