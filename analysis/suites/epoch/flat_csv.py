"""The 37 columns of the published benchmark: one row for each game, in the published order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from herobench.analysis.csv_text import csv_text
from herobench.analysis.suites.epoch.figures import STOP, UNMEASURED
from herobench.columns import names
from herobench.suites.epoch.columns import FIGURES

if TYPE_CHECKING:
    import pandas as pd

_ABOUT = {"timestamp": "started", "problem": "task_id", "model": "model", "run_id": "run_id"}
_TOLLS = {
    "total_time": "seconds",
    "tokens_in": "input_tokens",
    "tokens_out": "output_tokens",
    "tokens_reasoning": "reasoning_tokens",
}
COLUMNS = (*_ABOUT, *names(FIGURES), *_TOLLS)
"""The columns in their order."""


def epoch_csv(samples: pd.DataFrame) -> str:
    """Return the table as CSV.

    A game whose model gave no reply ended by API_FAILURE and was not solved. Its other figures are not known, but for
    the failure of the endpoint that ended it.
    """
    table = samples.assign(run_id=samples.run + "-" + samples.epoch.astype(str))
    lost = ~table.measured
    # without this, pandas refuses to set a value in columns that are empty throughout
    table = table.astype({"solved": "object", STOP: "object", "api_errors": "object"})
    table.loc[lost, "solved"] = False
    table.loc[lost, STOP] = UNMEASURED
    table.loc[lost & table.error_kind.notna(), "api_errors"] = 1
    renamed = table.rename(columns={own: column for column, own in (_ABOUT | _TOLLS).items()})
    return csv_text(renamed[list(COLUMNS)])
