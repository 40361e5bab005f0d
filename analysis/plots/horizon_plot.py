"""Draws the curves of horizons: fitted success over the length of a task, the tasks as points, and the h50 marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from herobench.analysis.reading.interval import Estimate
from herobench.analysis.statistics.horizon import Fit, horizon_in
from herobench.analysis.statistics.lengths import length_text
from herobench.analysis.statistics.tradeoff import Tradeoff

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


AXES: Mapping[str, str] = {"cost": "Cost of an attempt", "tokens": "Tokens of an attempt"}


def draw_tradeoff(
    axes: Axes, found: Tradeoff, success: Mapping[str, Estimate], colours: Sequence[str], markers: str
) -> None:
    """Draw the runs; the line is a staircase, because nothing between two runs was measured."""
    best = [found.points[name] for name in found.frontier]
    axes.plot(*zip(*best, strict=True), drawstyle="steps-post", color="#59616a", linestyle="--", linewidth=1, zorder=1)
    for number, (name, (spent, rate)) in enumerate(found.points.items()):
        low, high = success[name].low, success[name].high
        reach = [[max(0.0, rate - low)], [max(0.0, high - rate)]] if low is not None and high is not None else None
        axes.errorbar(
            [spent],
            [rate],
            yerr=reach,
            label=name,
            color=colours[number % len(colours)],
            marker=markers[(number + number // len(colours)) % len(markers)],
            linestyle="",
            markersize=5,
            elinewidth=0.6,
            capsize=1.5,
        )
    is_log = min(spent for spent, _ in found.points.values()) > 0
    if is_log:
        set_plain_log(axes)
    axes.set_xlabel(f"{AXES[found.unit]}{' (log scale)' if is_log else ''}")
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


_PERCENT = 100.0
_SPREAD = 6.0
"""Percent over which tasks of one outcome are spread, so that they do not hide one another."""
_GOLDEN = 0.618
"""Steps of this part of the spread do not come to the same place again soon."""


def draw_horizons(axes: Axes, fits: Mapping[str, Fit], unit: str, colours: Sequence[str], markers: str) -> None:
    """Draw a curve with its band for each run, and a mark at the horizon if it is determined."""
    lines = []
    for number, fit in enumerate(fits.values()):
        colour = colours[number % len(colours)]
        _draw_tasks(axes, fit, colour)
        lines.append(_draw_curve(axes, fit, colour, markers[number % len(markers)]))
    set_plain_log(axes)
    axes.set_xlabel(f"Length of the task, {unit} (log scale)")
    axes.set_ylabel("Success, %")
    axes.legend(lines, list(fits), loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


def set_plain_log(axes: Axes) -> None:
    """Scale the lower axis by the logarithm, with plain decimals such as 0.0003 on it.

    Where the axis spans few powers of ten, matplotlib chooses numbers between them to be told as well.
    """
    from matplotlib.ticker import FuncFormatter, LogFormatter

    def told(value: float, place: int | None) -> str:
        return f"{value:,.0f}" if value >= 1 else f"{value:.12f}".rstrip("0")

    class Between(LogFormatter):
        def __call__(self, x: float, pos: int | None = None) -> str:
            return told(x, pos) if super().__call__(x, pos) else ""

    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(told))
    axes.xaxis.set_minor_formatter(Between(minor_thresholds=(1.5, 0.7)))


def _draw_tasks(axes: Axes, fit: Fit, colour: str) -> None:
    """Draw a point for each task: won ones stand below 100 %, lost ones above 0 %."""
    length, success, tasks = np.array(fit.trials.points()).T
    length, success = (np.repeat(values, tasks.astype(int)) for values in (length, _PERCENT * success))
    apart = np.arange(len(length)) * _GOLDEN % 1 * _SPREAD
    axes.plot(
        length,
        success + np.where(success < _PERCENT / 2, apart, -apart),
        linestyle="",
        marker="o",
        markersize=2,
        markeredgewidth=0,
        color=colour,
        alpha=0.3,
    )


def _draw_curve(axes: Axes, fit: Fit, colour: str, marker: str) -> Line2D:
    """Draw the curve and its band, and return a line for the legend."""
    if points := fit.curve():
        length, success, low, high = np.array(points).T
        axes.fill_between(length, _PERCENT * low, _PERCENT * high, color=colour, alpha=0.15, linewidth=0)
        axes.plot(length, _PERCENT * success, color=colour, linewidth=1.4)
    told = horizon_in(fit.trials, fit)
    if told.verdict == "determined" and told.h50.estimate is not None:
        half = _PERCENT / 2
        axes.plot([told.h50.estimate] * 2, [0, half], color=colour, linestyle=":", linewidth=1)
        axes.plot([told.h50.estimate], [half], color=colour, marker=marker, markersize=5)
        axes.annotate(length_text(told.h50.estimate), (told.h50.estimate, half), (5, 3), textcoords="offset points")
    line: Line2D = axes.plot([], [], color=colour, marker=marker, markersize=4)[0]
    return line
