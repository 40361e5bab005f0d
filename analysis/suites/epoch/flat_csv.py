"""The 37 columns of the published benchmark: one row for each game, in the published order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

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
_FRACTIONS = {"total_time", *(column.name for column in FIGURES if "number" in column.schema.get("type", ()))}
"""The columns whose values are written as 1.0 and not as 1, also where a file has only whole ones."""


def epoch_csv(samples: pd.DataFrame) -> str:
    """Return the table of samples as CSV."""
    import pandas as pd

    rows = [{name: _written(name, value) for name, value in row_of(facts).items()} for facts in records(samples)]
    return csv_text(pd.DataFrame(rows, columns=list(COLUMNS)))


def _written(column: str, value: Any) -> Any:
    return str(float(value)) if column in _FRACTIONS and value is not None else value


def records(samples: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the facts of each sample; None for what is not known."""
    # a column of whole numbers in which some are not known would come out with fractions
    known = samples.convert_dtypes().astype("object")
    rows: list[dict[str, Any]] = known.where(known.notna(), None).to_dict("records")
    return rows


def row_of(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of one game from its facts.

    A game whose model gave no reply ended by API_FAILURE and was not solved. Its other figures are not known, but for
    the failure of the endpoint that ended it.
    """
    told = {**facts, "run_id": f"{facts['run']}-{facts['epoch']}"}
    if not facts["measured"]:
        failures = 1 if facts["error_kind"] else None
        told |= {"solved": False, STOP: UNMEASURED, "api_errors": failures}
    return {column: told[(_ABOUT | _TOLLS).get(column, column)] for column in COLUMNS}
