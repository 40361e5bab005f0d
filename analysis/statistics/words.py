"""Describes horizons in words: intervals, why there is none, ratios, the costs of lanes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from herobench.adaptive.goal import LEAST_TASKS
from herobench.analysis.reading.interval import Estimate, length_text
from herobench.analysis.statistics.comparison import HorizonRatio
from herobench.analysis.statistics.findings import SampleFigures, cut_off_losses, help_in, numbers
from herobench.analysis.statistics.horizon import Horizon
from herobench.analysis.statistics.lane_costs import LaneCosts
from herobench.suite.players import SOLVER

if TYPE_CHECKING:
    import pandas as pd

    from herobench.analysis.reading.contract import Reading


def horizon_facts(horizon: Horizon | None, unit: str | None) -> dict[str, str]:
    """Return the facts about a horizon by their labels; none for a suite whose tasks have no length."""
    if horizon is None:
        return {}
    headline = with_interval(horizon.h50, unit)
    if horizon.verdict != "determined":
        headline = f"{horizon.verdict}: {_reason(horizon)}" if horizon.reason else horizon.verdict
    return {
        "horizon": headline,
        "80 % horizon": with_interval(horizon.h80, unit),
        "horizon fit": _quality(horizon),
        "lengths": _basis(horizon, unit),
    }


def horizon_cell(horizon: Horizon | None) -> str:
    """Return a horizon as a cell of a table."""
    if horizon is None or horizon.verdict == "not determined":
        return "" if horizon is None else horizon.verdict
    if horizon.verdict == "determined":
        return with_interval(horizon.h50)
    is_beyond = horizon.verdict == "beyond the range"
    return f"over {length_text(horizon.longest)}" if is_beyond else f"under {length_text(horizon.shortest)}"


def with_interval(estimate: Estimate, unit: str | None = None) -> str:
    """Return a length with its interval, whose ends may be open; empty if it is not known."""
    if estimate.estimate is None:
        return ""
    low, high = estimate.low, estimate.high
    if low is None and high is None:
        interval = "no interval"
    elif low is None or high is None:
        interval = f"{length_text(high)} or less" if low is None else f"{length_text(low)} or more"
    else:
        interval = f"{length_text(low)} to {length_text(high)}"
    return f"{count_text(length_text(estimate.estimate), unit or '')} ({interval})"


def nothing_won_words(
    failures: Mapping[str, int], cut_offs: int, shortest: float | None, lanes: Iterable[str], reading: Reading
) -> str:
    """Return what a model that won nothing fails by, and what to ask it next; empty where nothing failed.

    `cut_offs` counts the lost attempts with a reply that was cut off. `shortest` is the length of the shortest task.
    """
    if not failures:
        return ""
    length = f", the shortest of {count_text(length_text(shortest), reading.unit or '')} too" if shortest else ""
    causes = ", ".join(f"{reading.word(name)} {number}" for name, number in Counter(failures).most_common())
    parts, last, told = [f"all {sum(failures.values())} are lost{length}, by: {causes}"], reading.lanes[-1:], {*lanes}
    if cut_offs:
        parts.append(f"replies of {cut_offs} were cut off by the limit of the output")
    if told.intersection(last):
        parts.append("the whole plan was told, so it fails at writing plans down already")
    elif told:
        parts.append(f"--lane {last[0]} tells the plan, and so shows if writing it down fails already")
    return "; ".join([*parts, *([f"easier: {reading.easier}"] if reading.easier else [])])


def nothing_won_in(overall: SampleFigures, own: pd.DataFrame, reading: Reading) -> str:
    """Return what a model fails by that won none of some samples; empty for one that won, and for a player."""
    if overall.success.estimate != 0 or help_in(own) == SOLVER:
        return ""
    lengths = [length for length in numbers(own, reading.length) if length] if reading.length else []
    lanes = own[reading.lane].dropna().unique() if reading.lane in own else ()
    cut_offs = sum(is_cut_off is True for is_cut_off in cut_off_losses(own))
    return nothing_won_words(overall.failures, cut_offs, min(lengths, default=None), lanes, reading)


def count_text(number: str, unit: str) -> str:
    """Return a number with its unit, which is given in the plural; the number alone without one."""
    return f"{number} {unit.removesuffix('s') if number == '1' else unit}".rstrip()


def ranked_figure(whole: pd.DataFrame, reading: Reading) -> Estimate | None:
    """Return the figure of a run that ranks by the reading's `ranked_by`; None without one."""
    row = reading.tables(whole)[reading.ranked_by] if reading.ranked_by and len(whole) else None
    return Estimate(**{each: row[each] for each in Estimate.__slots__}) if row else None


def ranked_cell(ranked: Estimate | None) -> str:
    """Return the figure that ranks as a cell; its lower end alone if it has no upper one."""
    if ranked is None or ranked.estimate is not None or ranked.low is None:
        return "" if ranked is None else with_interval(ranked)
    return f"{length_text(ranked.low)} or more"


def help_note(help_by_run: Mapping[str, str]) -> str | None:
    """Return a note that runs had different help, by its words for each run; None if all had the same."""
    runs: dict[str, list[str]] = {}
    for name, words in help_by_run.items():
        if words:
            runs.setdefault(words, []).append(name)
    if len(runs) < 2:
        return None
    help_text = "; ".join(f"{words}: {', '.join(names)}" for words, names in runs.items())
    return f"The runs had different help ({help_text}): what differs between them may be that."


def ratio_words(comparison: HorizonRatio) -> str:
    """Return what the first run's horizon is against the second's."""
    if comparison.verdict == "not determined":
        return "the ratio is not determined"
    verdict_words = {"longer": "the first is longer", "shorter": "the first is shorter"}.get(
        comparison.verdict, comparison.verdict
    )
    ratio = comparison.ratio
    if ratio.estimate is None:
        return verdict_words
    ends = [f"{end:.2f}" if end is not None else "unbounded" for end in (ratio.low, ratio.high)]
    return f"{verdict_words}: {ratio.estimate:.2f} times the second's ({' to '.join(ends)})"


def figure_ratio_words(ratio: Estimate) -> str:
    """Return what a figure of the first run is against the second's on shared tasks; empty if it is not known."""
    low, high = ratio.low, ratio.high
    if low is None and high is None and ratio.estimate is None:
        return ""
    verdict = "not told apart"
    if low is not None and low > 1:
        verdict = "the first has more"
    elif high is not None and high < 1:
        verdict = "the first has fewer"
    ends = " to ".join(f"{end:.2f}" if end is not None else "unbounded" for end in (low, high))
    figure = f"{ratio.estimate:.2f} times the second's ({ends}" if ratio.estimate is not None else f"({ends}"
    return f"{verdict}: {figure}; on {count_text(str(ratio.tasks), 'shared tasks')}, both intervals combined)"


def p_text(value: float | None) -> str:
    """Return a p-value; empty if it is not known."""
    if value is None:
        return ""
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def lane_cost_facts(lane_costs: LaneCosts) -> dict[str, str]:
    """Return the horizon of each lane, and the costs of lanes relative to each other, by their labels."""
    reach = {f"horizon, {lane}": horizon_cell(horizon) for lane, horizon in lane_costs.horizons.items()}
    return {**reach, **{f"{cost.more} over {cost.less}": cost.words for cost in lane_costs.costs}}


def _reason(horizon: Horizon) -> str:
    if horizon.reason == "few tasks":
        verb = "has" if horizon.h50.tasks == 1 else "have"
        return f"{count_text(str(horizon.h50.tasks), 'measured tasks')} {verb} a length, and {LEAST_TASKS} are needed"
    if horizon.reason in ("no curve fits", "does not fall", "covers all lengths") and _has_one_length(horizon):
        return "one length only"
    if horizon.reason == "no curve fits":
        return "success does not fall with length as the curves do"
    if horizon.reason == "no half":
        return "success falls with length, but never below a half"
    if horizon.reason == "does not fall":
        return "success is flat: it does not surely fall with length"
    if horizon.reason == "won nothing":
        return "nothing was won: herobench analyze says by what"
    return "the interval covers all lengths"


def _has_one_length(horizon: Horizon) -> bool:
    return horizon.shortest == horizon.longest


def _quality(horizon: Horizon) -> str:
    if horizon.auc is None or horizon.calibration_error is None or _has_one_length(horizon):
        return ""
    return f"AUC {horizon.auc:.2f}, calibration error {horizon.calibration_error:.1f} %"


def _basis(horizon: Horizon, unit: str | None) -> str:
    left_out = {"unmeasured": horizon.unmeasured, "without a length": horizon.without_length}
    left_out_text = ", ".join(f"{count} {what}" for what, count in left_out.items() if count)
    if not horizon.h50.tasks:
        return f"none; samples left out: {left_out_text}" if left_out_text else ""
    lengths = count_text(length_text(horizon.longest), unit or "")
    if not _has_one_length(horizon):
        lengths = f"{length_text(horizon.shortest)} to {lengths}"
    return f"{lengths} in {count_text(str(horizon.h50.tasks), 'tasks')}" + (
        f"; samples left out: {left_out_text}" if left_out_text else ""
    )
