"""The tidy table of samples that are made up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from herobench.analysis.samples.samples import tidy_columns

COLUMNS = tidy_columns("rpg")

PLAIN: Mapping[str, Any] = {
    **dict.fromkeys(COLUMNS),
    "run": "run",
    "suite": "rpg",
    "measured": True,
    "noise": False,
    "mechanics": "none",
    "epoch": 0,
}


def sample(task_id: str, won: bool | None, **facts: Any) -> dict[str, Any]:
    """A sample that was won, lost, or (with None) not measured."""
    group = task_id.partition("/")[0]
    own = {"task_id": task_id, "group": group, "bracket": group, "win": won, "measured": won is not None}
    worth = None if won is None else 100.0 * won
    return {**PLAIN, **own, "score": worth, "progress": worth, **facts}


def as_table(*rows: dict[str, Any]) -> pd.DataFrame:
    return pd.DataFrame.from_records(list(rows), columns=list(COLUMNS))
