"""Success by level, the ways in which games ended, and the means of the figures, for the samples of one run or party.

The rate of one level is over its repeats, with Wilson's interval. ALL is the mean of the levels, each with the same
weight. Its interval is over the levels: they count as drawn from all possible ones, as tasks do in all of the analysis.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from herobench.analysis.reading.contract import order_of
from herobench.analysis.reading.interval import Estimate
from herobench.analysis.samples.csv_text import csv_text
from herobench.analysis.statistics.rates import bounded_mean, clustered_mean, mean_of_means, success_of, success_rate
from herobench.data.columns import names
from herobench.suites.epoch.game.columns import FIGURES, Stop
from herobench.suites.epoch.game.options import LevelStyle

if TYPE_CHECKING:
    import pandas as pd


SETTINGS = ("mode", *LevelStyle().as_options())
"""The settings in which the same levels can be played."""


class Party(NamedTuple):
    """The samples of one model under one setting."""

    model: str
    setting: str
    """The settings that differ between the parties, such as `mode plan, hints off`; empty if none does."""
    samples: pd.DataFrame

    @property
    def name(self) -> str:
        """The model and the setting."""
        return ", ".join(filter(None, (self.model, self.setting)))


def parties_of(samples: pd.DataFrame) -> Iterator[Party]:
    """Yield the parties, in the order in which the samples have them."""
    told = samples[list(SETTINGS)].astype("object").fillna("unknown").astype(str)
    differing = [name for name in SETTINGS if told[name].nunique() > 1]
    setting = told.apply(lambda row: ", ".join(f"{name} {row[name]}" for name in differing), axis=1)
    for (model, words), rows in setting.groupby([samples.model.fillna("unknown"), setting], sort=False):
        yield Party(str(model), str(words), samples.loc[rows.index])


LEVEL = "level"
STOP = "stop_reason"
NO_STOP = "NONE"
"""The name for games that were not over when the replies ended."""
UNMEASURED: Stop = "API_FAILURE"
"""How a game ended whose model gave no reply."""
STOPS = (*get_args(Stop), NO_STOP)
METRICS = (
    "tool_call_validity_rate", "world_action_accuracy", "recovery_rate", "milestone_progress", "causal_efficiency"
)  # fmt: skip
"""The metrics whose best value is about 1. The radar shows them beside the success."""
TOLLS = ("seconds", "input_tokens", "output_tokens", "reasoning_tokens")


def success_by_level(samples: pd.DataFrame) -> dict[str, Estimate]:
    """Return the success at each level, the levels in their order."""
    levels = sorted(map(str, samples[LEVEL].unique()), key=order_of)
    return {level: _success_at(samples[samples[LEVEL] == level]) for level in levels}


def _success_at(samples: pd.DataFrame) -> Estimate:
    """Return the success at one level, or at levels of about one length."""
    # repeats of one level are independent tries at it; only between several levels they are no new evidence
    rate = success_rate if samples.task_id.nunique() == 1 else success_of
    return rate(list(samples.task_id), _values(samples, "solved"))


def mean_of_levels(samples: pd.DataFrame) -> Estimate:
    """Return ALL: the mean of the levels that have a measured sample."""
    measured = samples[samples.measured]
    if not measured[LEVEL].duplicated().any():
        return success_rate(list(measured.task_id), _values(measured, "solved"))
    return mean_of_means(measured[LEVEL], _values(measured, "solved"))


def means(samples: pd.DataFrame) -> dict[str, Estimate]:
    """Return the success and the means of the metrics. A game in which a metric is not defined is left out of it."""
    tasks = list(samples.task_id)
    metrics = {name: bounded_mean(tasks, _values(samples, name)) for name in METRICS}
    return {"success": mean_of_levels(samples), **metrics}


def in_words(mean: Estimate) -> str:
    """Return a mean with its interval."""
    if mean.estimate is None:
        return ""
    interval = "" if mean.low is None or mean.high is None else f" ({mean.low:.2f} to {mean.high:.2f})"
    return f"{mean.estimate:.2f}{interval}"


def tolls(samples: pd.DataFrame) -> dict[str, Estimate]:
    """Return the mean time and tokens of a game."""
    return {name: clustered_mean(list(samples.task_id), _values(samples, name)) for name in TOLLS}


def _values(samples: pd.DataFrame, column: str) -> list[float | None]:
    """Return a column; None in a sample that was not measured, or that has no value."""
    known = samples[column].where(samples.measured)
    return [None if missing else float(value) for value, missing in zip(known, known.isna(), strict=True)]


def outcomes(samples: pd.DataFrame) -> dict[str, int]:
    """Return how many games ended in each way, in a fixed order, without the ways in which none did."""
    stops = samples[STOP].where(samples.measured, UNMEASURED).fillna(NO_STOP)
    return {stop: count for stop in STOPS if (count := int((stops == stop).sum()))}


def tables_of(samples: pd.DataFrame) -> dict[str, Any]:
    """Return all of it as plain data."""
    by_level = success_by_level(samples)
    games = {
        "by_level": [{LEVEL: level, **asdict(rate)} for level, rate in by_level.items()],
        "mean_of_levels": asdict(mean_of_levels(samples)),
        "outcomes": list(_outcome_rows(samples)),
        "metrics": {name: asdict(mean) for name, mean in means(samples).items()},
        "tolls": {name: asdict(mean) for name, mean in tolls(samples).items()},
    }
    return {"games": games}


def _outcome_rows(samples: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the shares of the outcomes of each model."""
    for model, own in samples.groupby("model", sort=True):
        for stop, count in outcomes(own).items():
            yield {"model": str(model), "stop": stop, "games": count, "share": count / len(own)}


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
