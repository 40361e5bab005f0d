"""Success by level, the ways in which games ended, and the means of the figures, as plain data, CSV and Markdown.

Of roads, whose least hours are known from every state, also the turns between mistakes and the hours over the least.

The rate of one level is over its repeats, with Wilson's interval. ALL is the mean of the levels, each with the same
weight. Its interval is over the levels: they count as drawn from all possible ones, as tasks do in all of the analysis.
An ablation plays the same levels under different settings, such as turn by turn (mode tools) and by one plan (mode
plan). Its table has the settings side by side for each model, and the difference to the first one, level by level.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from herobench.analysis.reading.contract import group_key
from herobench.analysis.reading.interval import (
    Estimate,
    bounded_mean,
    clustered_mean,
    mean_of_means,
    measure_success,
    success_rate,
)
from herobench.analysis.samples.table_text import csv_text, markdown
from herobench.analysis.statistics.comparison import compare
from herobench.analysis.statistics.findings import measured_numbers
from herobench.analysis.statistics.mistakes import between_events, event_rate, mean_loss
from herobench.data.columns import names
from herobench.suites.epoch.game.columns import FIGURES, LevelStyle, Stop

if TYPE_CHECKING:
    import pandas as pd


SETTINGS = ("mode", *LevelStyle().as_options(), "lane")
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


def split_parties(samples: pd.DataFrame) -> Iterator[Party]:
    """Yield the parties, in the order in which the samples have them."""
    settings = samples[list(SETTINGS)].astype("object").fillna("unknown").astype(str)
    differing = [name for name in SETTINGS if settings[name].nunique() > 1]
    setting = settings.apply(lambda row: ", ".join(f"{name} {row[name]}" for name in differing), axis=1)
    for (model, words), rows in setting.groupby([samples.model.fillna("unknown"), setting], sort=False):
        yield Party(str(model), str(words), samples.loc[rows.index])


LEVEL = "level"
STOP = "stop_reason"
NO_STOP = "NONE"
"""The name for games that were not over when the replies ended."""
UNMEASURED: Stop = "API_FAILURE"
"""How a game ended whose model gave no reply."""
LATE = "LATE"
"""The name for games that were solved, in more turns than win."""
STOPS = ("SOLVED", LATE, *[stop for stop in get_args(Stop) if stop != "SOLVED"], NO_STOP)
METRICS = (
    "tool_call_validity_rate", "world_action_accuracy", "recovery_rate", "milestone_progress", "causal_efficiency"
)  # fmt: skip
"""The metrics whose best value is about 1. The radar shows them beside the success."""
USAGE = ("seconds", "input_tokens", "output_tokens", "reasoning_tokens")


def success_by_level(samples: pd.DataFrame) -> dict[str, Estimate]:
    """Return the success at each level, the levels in their order."""
    levels = sorted(map(str, samples[LEVEL].unique()), key=group_key)
    return {level: _success_at(samples[samples[LEVEL] == level]) for level in levels}


def _success_at(samples: pd.DataFrame) -> Estimate:
    """Return the success at one level, or at levels of about one length."""
    # repeats of one level are independent tries at it; only between several levels they are no new evidence
    rate = success_rate if samples.task_id.nunique() == 1 else measure_success
    return rate(list(samples.task_id), measured_numbers(samples, "win"))


def mean_of_levels(samples: pd.DataFrame) -> Estimate:
    """Return ALL: the mean of the levels that have a measured sample."""
    own = samples[samples.measured]
    if not own[LEVEL].duplicated().any():
        return success_rate(list(own.task_id), measured_numbers(own, "win"))
    return mean_of_means(own[LEVEL], measured_numbers(own, "win"))


def means(samples: pd.DataFrame) -> dict[str, Estimate]:
    """Return the success and the means of the metrics. A game in which a metric is not defined is left out of it."""
    tasks = list(samples.task_id)
    metrics = {name: bounded_mean(tasks, measured_numbers(samples, name)) for name in METRICS}
    return {"success": mean_of_levels(samples), **metrics}


def mean_usage(samples: pd.DataFrame) -> dict[str, Estimate]:
    """Return the mean time and tokens of a game."""
    return {name: clustered_mean(list(samples.task_id), measured_numbers(samples, name)) for name in USAGE}


def outcomes(samples: pd.DataFrame) -> dict[str, int]:
    """Return how many games ended in each way, in a fixed order, without the ways in which none did."""
    stops = samples[STOP].mask(samples.failure == "late", LATE).where(samples.measured, UNMEASURED).fillna(NO_STOP)
    return {stop: count for stop in STOPS if (count := int((stops == stop).sum()))}


# -- roads ------------------------------------------------------------------------------------------------------------


def _games_on_roads(samples: pd.DataFrame) -> pd.DataFrame:
    return samples[samples.measured & samples["mistakes"].notna()]


def turns_between_mistakes(samples: pd.DataFrame) -> Estimate:
    """Return the turns between mistakes. A game that is not solved ends with one more, as if it had gone on."""
    games = _games_on_roads(samples)
    ends = (~games["solved"].astype(bool)).astype(int)
    return between_events(event_rate(games.task_id, games["mistakes"] + ends, games["total_steps"] + ends))


def hours_lost(samples: pd.DataFrame) -> Estimate:
    """Return the mean of the hours over the least of the games that are solved, in percent of the least."""
    games = _games_on_roads(samples)
    solved = games[games["hours_over"].notna()]
    return mean_loss(solved.task_id, 100 * solved["hours_over"] / (solved["hours"] - solved["hours_over"]))


def road_words(samples: pd.DataFrame) -> dict[str, str]:
    """Return the figures of roads in words, by their labels; empty without games on roads."""
    lost, words = hours_lost(samples), {"turns between mistakes": turns_between_mistakes(samples).text(digits=1)}
    if lost.samples:
        words["hours over the least"] = f"{lost.text(digits=1, unit=' %')} in {lost.samples} solved"
    return {label: text for label, text in words.items() if text}


# -- tables as data ---------------------------------------------------------------------------------------------------


def build_tables(samples: pd.DataFrame) -> dict[str, Any]:
    """Return all of it as plain data."""
    by_level = success_by_level(samples)
    games = {
        "by_level": [{LEVEL: level, **asdict(rate)} for level, rate in by_level.items()],
        "mean_of_levels": asdict(mean_of_levels(samples)),
        "outcomes": list(_outcome_rows(samples)),
        "metrics": {name: asdict(mean) for name, mean in means(samples).items()},
        "tolls": {name: asdict(mean) for name, mean in mean_usage(samples).items()},
    }
    roads = {"between_mistakes": asdict(turns_between_mistakes(samples)), "hours_lost": asdict(hours_lost(samples))}
    return {"games": games} if _games_on_roads(samples).empty else {"games": games, "roads": roads}


def _outcome_rows(samples: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the shares of the outcomes of each model."""
    for model, own in samples.groupby("model", sort=True):
        for stop, count in outcomes(own).items():
            yield {"model": str(model), "stop": stop, "games": count, "share": count / len(own)}


_ABOUT = {"timestamp": "started", "problem": "task_id", "model": "model", "run_id": "run_id"}
_USAGE = {
    "total_time": "seconds",
    "tokens_in": "input_tokens",
    "tokens_out": "output_tokens",
    "tokens_reasoning": "reasoning_tokens",
}
COLUMNS = (*_ABOUT, *names(FIGURES), *_USAGE)
"""The columns in their order."""
_FRACTIONS = {"total_time", *(column.name for column in FIGURES if "number" in column.schema.get("type", ()))}
"""The columns whose values are written as 1.0 and not as 1, also where a file has only whole ones."""


def epoch_csv(samples: pd.DataFrame) -> str:
    """Return the table of samples as CSV."""
    import pandas as pd

    rows = [{name: _as_cell(name, value) for name, value in game_row(facts).items()} for facts in records(samples)]
    return csv_text(pd.DataFrame(rows, columns=list(COLUMNS)))


def _as_cell(column: str, value: Any) -> Any:
    return str(float(value)) if column in _FRACTIONS and value is not None else value


def records(samples: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the facts of each sample; None for unknown values."""
    # a column of whole numbers in which some are not known would come out with fractions
    objects = samples.convert_dtypes().astype("object")
    rows: list[dict[str, Any]] = objects.where(objects.notna(), None).to_dict("records")
    return rows


def game_row(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of one game from its facts.

    A game whose model gave no reply ended by API_FAILURE and was not solved. Its other figures are not known, but for
    the failure of the endpoint that ended it.
    """
    fields = {**facts, "run_id": f"{facts['run']}-{facts['epoch']}"}
    if not facts["measured"]:
        failures = 1 if facts["error_kind"] else None
        fields |= {"solved": False, STOP: UNMEASURED, "api_errors": failures}
    return {column: fields[(_ABOUT | _USAGE).get(column, column)] for column in COLUMNS}


_PERCENT = 100
_ALL = "ALL"
Row = tuple[str, ...]


def epoch_tables(samples: pd.DataFrame) -> str:
    """Return all tables as Markdown."""
    parties = list(split_parties(samples))
    in_order = sorted(parties, key=lambda party: -(mean_of_levels(party.samples).estimate or 0.0))
    tables = [_levels(in_order), _usage(in_order), _outcomes(in_order), _metrics(in_order), *_ablations(parties)]
    return "\n".join(tables)


def _levels(parties: Sequence[Party]) -> str:
    """Return the table of success; ALL is the mean of the levels."""
    rates = [success_by_level(party.samples) for party in parties]
    levels = _all_groups(rates)
    rows = (
        (party.name, *(_rate(by_level.get(level)) for level in levels), _rate(mean_of_levels(party.samples)))
        for party, by_level in zip(parties, rates, strict=True)
    )
    return markdown(("Model", *levels, _ALL), rows, "Success in percent, with 95 % intervals; ALL: mean of the levels")


def _usage(parties: Sequence[Party]) -> str:
    headers = ("Model", "Games", "Time (s)", "Tokens in", "Tokens out", "Reasoning")
    rows = (
        (party.name, str(len(party.samples)), *map(_amount, mean_usage(party.samples).values())) for party in parties
    )
    return markdown(headers, rows, "Mean time and tokens of a game")


def _outcomes(parties: Sequence[Party]) -> str:
    """Return the table of outcome shares: the fingerprint of each model."""
    counts = [outcomes(party.samples) for party in parties]
    stops = [stop for stop in STOPS if any(stop in own for own in counts)]
    rows = (
        (party.name, *(f"{_PERCENT * own.get(stop, 0) / len(party.samples):.1f}" for stop in stops), _tokens(party))
        for party, own in zip(parties, counts, strict=True)
    )
    headers = ("not over" if stop == NO_STOP else stop for stop in stops)
    return markdown(("Model", *headers, "Tokens"), rows, "How games ended, in percent, and mean tokens in and out")


def _tokens(party: Party) -> str:
    usage = mean_usage(party.samples)
    input_tokens, output_tokens = usage["input_tokens"].estimate, usage["output_tokens"].estimate
    return "" if input_tokens is None or output_tokens is None else f"{input_tokens + output_tokens:,.0f}"


def _metrics(parties: Sequence[Party]) -> str:
    party_means = [means(party.samples) for party in parties]
    headers = (name.replace("_", " ") for name in party_means[0])
    rows = (
        (party.name, *(mean.text() for mean in own.values())) for party, own in zip(parties, party_means, strict=True)
    )
    return markdown(("Model", *headers), rows, "Means of the metrics, with 95 % intervals")


# -- the same levels under different settings --------------------------------------------------------------------------


def _ablations(parties: Sequence[Party]) -> Iterator[str]:
    """Yield a table for each model that has samples under several settings."""
    for model in dict.fromkeys(party.model for party in parties):
        own = [party for party in parties if party.model == model]
        if len(own) > 1:
            yield markdown(("Level", *(party.setting for party in own)), _side_by_side(own), _caption(model, own[0]))


def _caption(model: str, first: Party) -> str:
    return f"{model}: success in percent under different settings; below, the difference to {first.setting}"


def _side_by_side(parties: Sequence[Party]) -> Iterator[Row]:
    rates = [success_by_level(party.samples) for party in parties]
    for level in _all_groups(rates):
        yield level, *(_rate(by_level.get(level)) for by_level in rates)
    yield _ALL, *(_rate(mean_of_levels(party.samples)) for party in parties)
    first = parties[0]
    yield (
        "Difference, on shared levels",
        "",
        *(_difference(party, first).text(_PERCENT, 0, sign="+") for party in parties[1:]),
    )


def _difference(party: Party, first: Party) -> Estimate:
    """Return the success minus the first party's, paired by level."""
    (own_tasks, own), (first_tasks, of_first) = (_wins(one.samples) for one in (party, first))
    return compare(own_tasks, own, first_tasks, of_first, most=1.0).difference


def _wins(samples: pd.DataFrame) -> tuple[list[str], list[float]]:
    own = samples[samples.measured]
    return list(own.task_id), [float(is_win) for is_win in own.win]


# -- words -------------------------------------------------------------------------------------------------------------


def _all_groups(rates: Sequence[dict[str, Estimate]]) -> list[str]:
    levels = {level for by_level in rates for level in by_level}
    return sorted(levels, key=group_key)


def _rate(rate: Estimate | None) -> str:
    return "" if rate is None else rate.text(_PERCENT, 0)


def _amount(mean: Estimate) -> str:
    return "" if mean.estimate is None else f"{mean.estimate:,.1f}"
