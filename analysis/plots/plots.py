"""Draws figures as PNG, SVG and PDF: success by difficulty, how runs compare, the horizons, and success against
spending.

Lines differ in colour, marker and dash, and the colours are distinct for colour-blind readers. The same samples give
the same bytes with the same version of matplotlib.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from herobench.analysis.plots.charts import (
    COLOURS,
    DASHES,
    GAP,
    MARKERS,
    draw_horizons,
    draw_tradeoff,
)
from herobench.analysis.reading.contract import GroupNames, Reading, group_key
from herobench.analysis.reading.interval import Estimate
from herobench.analysis.statistics.findings import (
    Economy,
    SampleFigures,
    Spending,
    compare_spending,
    economize,
    find,
    groups,
    trials_in,
)
from herobench.analysis.statistics.horizon import fit_curve

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from herobench.analysis.statistics.ranking import RankedGroup, Section

_SUFFIXES = ("png", "svg", "pdf")
_UNDATED: Mapping[str, Mapping[str, None]] = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
_DOTS_PER_INCH = 300
_APART = 0.08
"""The distance between neighbouring runs of a group. Groups are 1 apart."""
_MOST_APART = 0.6
"""The largest distance between the first and the last run of a group."""

Estimates = Mapping[str, Estimate]
"""The estimates of one figure, by group or by run."""


Size = tuple[float, float]
"""A width and a height in inches."""


@dataclass(frozen=True, slots=True)
class Plot:
    """One figure: for each run a line through its groups, a bar with one value, a fitted curve or a mark."""

    name: str
    label: str
    kind: Literal["lines", "bars", "curves", "marks"]
    draw: Callable[[Any, str], None]
    """Draws it with its label in empty axes."""
    size: Size = (6.4, 3.6)


_LINES = {"success": "Success, %", "score": "Score", "tokens": "Tokens"}
"""The paper's figures 4 to 6."""
_BARS = {"success": "Success, %", "score": "Score"}
"""Its figures 7 and 8."""
_RATES = {
    "success_per_10k_tokens": "Success per 10,000 tokens, %",
    "score_per_10k_tokens": "Score per 10,000 tokens",
}
"""Its figures 9 and 10."""


def make_plots(runs: Mapping[str, pd.DataFrame], reading: Reading | None = None) -> Iterator[Plot]:
    """Yield the figures of some runs. Unknown values, such as tokens, have no figure.

    The reading of their suite tells the length of a task.
    """
    reading = reading or Reading()
    by_run = {run: {group.name: group for group in groups(samples, "group")} for run, samples in runs.items()}
    findings = {run: find(run, samples) for run, samples in runs.items()}
    costs = {run: economize(samples) for run, samples in runs.items()}
    names = reading.group_names(list({key for part in by_run.values() for key in part}))
    for name, label in _LINES.items():
        by_group = {run: {key: getattr(group, name) for key, group in part.items()} for run, part in by_run.items()}
        yield from _line_plots(f"{name}_by_difficulty", label, by_group, names)
    for name, label in _BARS.items():
        yield from _line_plots(f"mean_{name}", label, {run: {"": getattr(f, name)} for run, f in findings.items()})
    for name, label in _RATES.items():
        rates = {run: {"": Estimate(getattr(cost, name))} for run, cost in costs.items()}
        yield from _line_plots(name, label, rates)
    yield from _tradeoff(findings, costs)
    yield from _horizons(runs, reading)


def _horizons(runs: Mapping[str, pd.DataFrame], reading: Reading) -> Iterator[Plot]:
    """Yield the figure of the horizons, if a run has tasks enough for a curve."""
    length = reading.length
    fits = {run: fit_curve(trials_in(samples, length)) for run, samples in runs.items()} if length else {}
    if curves := {run: fit for run, fit in fits.items() if fit}:
        yield Plot("horizon", reading.unit or "", "curves", partial(draw_horizons, curves))


def _tradeoff(findings: Mapping[str, SampleFigures], costs: Mapping[str, Economy]) -> Iterator[Plot]:
    """Yield the figure of success against spending, if two runs can be compared."""
    spending = {
        run: Spending(findings[run].success.estimate, cost.cost_per_attempt, cost.tokens_per_attempt)
        for run, cost in costs.items()
    }
    if tradeoff := compare_spending(spending):
        success = {run: findings[run].success for run in tradeoff.points}
        yield Plot(f"success_by_{tradeoff.unit}", "Success, %", "marks", partial(draw_tradeoff, tradeoff, success))


def plots_of_sections(sections: Sequence[Section]) -> list[Plot]:
    """Return the figures of all suites. Names tell the suite if there are several."""
    return [
        replace(plot, name=f"{section.suite}_{plot.name}" if len(sections) > 1 else plot.name)
        for section in sections
        for plots in (plots_of_parts(section.parts(), section.reading), _plots_of_lanes(section))
        for plot in plots
    ]


def plots_of_parts(parts: Sequence[RankedGroup], reading: Reading) -> Iterator[Plot]:
    """Yield the figures of each part. Labels tell its values, and so do names if there are several parts."""
    for part in parts:
        # values come from samples, and files are named after them
        suffix = "".join(f"_{re.sub(r'[^a-z0-9]', '-', value.lower())}" for value in part.values.values())
        for plot in make_plots(part.runs, reading):
            label = f"{plot.label} ({part.title})" if part.title else plot.label
            yield replace(plot, name=f"{plot.name}{suffix if len(parts) > 1 else ''}", label=label)


def _plots_of_lanes(section: Section) -> Iterator[Plot]:
    """Yield the curves of each model that was asked in several lanes; the legend tells what planning costs it."""
    cost_groups = section.lane_costs()
    for number, costs in enumerate(cost_groups, 1):
        lane_labels = {
            lane: [lane, *(f"{cost.words} over {cost.less}" for cost in costs.costs if cost.more == lane)]
            for lane in costs.runs
        }
        fits = {
            "\n".join(lane_labels[lane]): fit for lane, trials in costs.trials.items() if (fit := fit_curve(trials))
        }
        if fits:
            name = f"lanes{f'_{number}' if len(cost_groups) > 1 else ''}"
            yield Plot(name, f"{section.reading.unit}: {costs.model}", "curves", partial(draw_horizons, fits))


def _line_plots(
    name: str, label: str, values: Mapping[str, Estimates], names: GroupNames | None = None
) -> Iterator[Plot]:
    """Yield the figure of the estimates that are known: lines by group, with names; bars, which have one value each."""
    parts = {
        run: {key: value for key, value in part.items() if value.estimate is not None} for run, part in values.items()
    }
    with_values = {run: part for run, part in parts.items() if part}
    if with_values and names:
        yield Plot(name, label, "lines", partial(_draw_lines, with_values, names))
    elif with_values:
        yield Plot(name, label, "bars", partial(_draw_bars, with_values), (6.4, 0.9 + 0.32 * len(with_values)))


def plot_paths(plots: Sequence[Plot], folder: Path) -> list[Path]:
    """Return the files that figures are written to."""
    return [folder / f"{plot.name}.{suffix}" for plot in plots for suffix in _SUFFIXES]


def write_plots(plots: Sequence[Plot], folder: Path, size: Size | None = None) -> list[Path]:
    """Draw figures into a folder and return the files. Without a size each kind of figure has its own."""
    from matplotlib import rc_context

    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    # matplotlib puts random ids into SVG: without them the same samples give the same bytes; journals take letters of
    # a PDF as TrueType
    with rc_context({"svg.hashsalt": "herobench", "pdf.fonttype": 42, "font.size": 9, "text.parse_math": False}):
        for plot in plots:
            figure = draw_figure(plot, size)
            for suffix in _SUFFIXES:
                path = folder / f"{plot.name}.{suffix}"
                figure.savefig(path, dpi=_DOTS_PER_INCH, bbox_inches="tight", metadata=dict(_UNDATED[suffix]))
                paths.append(path)
    return paths


def draw_figure(plot: Plot, size: Size | None = None) -> Figure:
    """Return a figure, ready to be saved."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"text.parse_math": False}):  # names of runs are no formulas
        figure = Figure(figsize=size or plot.size)
        axes = figure.add_subplot()
        axes.spines[["top", "right"]].set_visible(False)
        plot.draw(axes, plot.label)
        return figure


def _draw_lines(values: Mapping[str, Estimates], group_names: GroupNames, axes: Axes, label: str) -> None:
    names = sorted({key for part in values.values() for key in part}, key=group_key)
    apart = min(_APART, _MOST_APART / len(values))
    lines = []
    for number, part in enumerate(values.values()):
        keys_with_value = [key for key in names if key in part]
        # side by side, so that equal runs do not hide one another
        aside = (number - (len(values) - 1) / 2) * apart
        line = axes.errorbar(
            [names.index(key) + aside for key in keys_with_value],
            [part[key].estimate or 0.0 for key in keys_with_value],
            yerr=_whiskers([part[key] for key in keys_with_value]),
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[number % len(MARKERS)],
            linestyle=DASHES[number // len(COLOURS) % len(DASHES)],
            markersize=4,
            linewidth=1.2,
            elinewidth=0.6,
            capsize=1.5,
            clip_on=False,  # a mark on the axis stays whole
        )
        lines.append(line)
    axes.set_xticks(range(len(names)), list(map(group_names.short, names)))
    axes.set_xlim(-0.5, len(names) - 0.5)  # the runs of a lone group stay together
    _turn_long_names(axes)
    axes.set_xlabel(group_names.title.capitalize())
    axes.set_ylabel(label)
    axes.set_ylim(bottom=0)
    axes.legend(lines, list(values), loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


def _turn_long_names(axes: Axes) -> None:
    """Turn the names below an axis where two beside each other would touch."""
    labels = axes.get_xticklabels()
    boxes = [label.get_window_extent() for label in labels]
    if any(right.x0 - left.x1 < GAP for left, right in pairwise(boxes)):
        for label in labels:
            label.set(rotation=40, ha="right", rotation_mode="anchor")


def _draw_bars(values: Mapping[str, Estimates], axes: Axes, label: str) -> None:
    """Draw a bar for each run, the best on top, with its value at the end."""
    bars = sorted(((run, part[""]) for run, part in values.items()), key=lambda bar: bar[1].estimate or 0.0)
    axes.barh(
        [run for run, _ in bars],
        [value.estimate or 0.0 for _, value in bars],
        xerr=_whiskers([value for _, value in bars]),
        color=COLOURS[0],
        height=0.7,
        error_kw={"elinewidth": 0.8},
    )
    for place, (_, value) in enumerate(bars):
        end = value.estimate if value.high is None else value.high
        axes.annotate(f"{value.estimate:.1f}", (end or 0.0, place), (3, 0), textcoords="offset points", va="center")
    axes.set_xlabel(label)
    axes.set_xlim(left=0)


def _whiskers(values: Sequence[Estimate]) -> list[list[float]]:
    """Return how far the interval of each value reaches below and above; 0 if it has none."""
    reach = [(value.estimate or 0.0, value.low, value.high) for value in values]
    # no figure is below 0, but intervals of means without an upper bound, such as of tokens, may reach there
    below = [0.0 if low is None else max(0.0, middle - max(0.0, low)) for middle, low, _ in reach]
    above = [0.0 if high is None else max(0.0, high - middle) for middle, _, high in reach]
    return [below, above]
