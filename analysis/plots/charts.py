"""Draws the charts of several parts: the curves of horizons, and success against spending.

A curve is fitted success over the length of a task, with the tasks as points and the h50 marked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

import numpy as np

from herobench.analysis.reading.interval import Estimate, length_text
from herobench.analysis.statistics.findings import Tradeoff
from herobench.analysis.statistics.horizon import Fit, horizon_in

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^vPX*"
GAP = 3
"""The least gap between two names or numbers below an axis, in pixels of 1/100 inch."""
DASHES = ("-", "--", "-.", ":")
AXES: Mapping[str, str] = {"cost": "Cost of an attempt", "tokens": "Tokens of an attempt"}


def draw_tradeoff(tradeoff: Tradeoff, success: Mapping[str, Estimate], axes: Axes, label: str) -> None:
    """Draw the runs; the line is a staircase, because nothing between two runs was measured."""
    best = [tradeoff.points[name] for name in tradeoff.frontier]
    axes.plot(*zip(*best, strict=True), drawstyle="steps-post", color="#59616a", linestyle="--", linewidth=1, zorder=1)
    for number, (name, (cost, rate)) in enumerate(tradeoff.points.items()):
        low, high = success[name].low, success[name].high
        reach = [[max(0.0, rate - low)], [max(0.0, high - rate)]] if low is not None and high is not None else None
        axes.errorbar(
            [cost],
            [rate],
            yerr=reach,
            label=name,
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[(number + number // len(COLOURS)) % len(MARKERS)],
            linestyle="",
            markersize=5,
            elinewidth=0.6,
            capsize=1.5,
        )
    is_log = min(cost for cost, _ in tradeoff.points.values()) > 0
    if is_log:
        set_plain_log(axes)
    axes.set_xlabel(f"{AXES[tradeoff.unit]}{' (log scale)' if is_log else ''}")
    axes.set_ylabel(label)
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


_PERCENT = 100.0
_SPREAD = 6.0
"""Percent over which tasks of one outcome are spread, so that they do not hide one another."""
_GOLDEN = 0.618
"""Steps of this part of the spread do not come to the same place again soon."""


def draw_horizons(fits: Mapping[str, Fit], axes: Axes, unit: str) -> None:
    """Draw a curve with its band for each run, and a mark at the horizon if it is determined."""
    lines = []
    for number, fit in enumerate(fits.values()):
        colour = COLOURS[number % len(COLOURS)]
        _draw_tasks(axes, fit, colour)
        lines.append(_draw_curve(axes, fit, colour, MARKERS[number % len(MARKERS)]))
    set_plain_log(axes)
    axes.set_xlabel(f"Length of the task, {unit} (log scale)")
    axes.set_ylabel("Success, %")
    axes.legend(lines, list(fits), loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


def set_plain_log(axes: Axes) -> None:
    """Scale the lower axis by the logarithm, with plain decimals such as 0.0003 on it.

    Where the axis spans few powers of ten, matplotlib chooses numbers between them to be told as well.
    """
    from matplotlib.ticker import FuncFormatter, LogFormatter

    def tick_label(value: float, place: int | None) -> str:
        return f"{value:,.0f}" if value >= 1 else f"{value:.12f}".rstrip("0")

    class Between(LogFormatter):
        def __call__(self, x: float, pos: int | None = None) -> str:
            return tick_label(x, pos) if super().__call__(x, pos) else ""

    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(tick_label))
    axes.xaxis.set_minor_formatter(Between(minor_thresholds=(1.5, 0.7)))
    apart = _places_apart(axes)
    for set_formatter in (axes.xaxis.set_major_formatter, axes.xaxis.set_minor_formatter):
        set_formatter(FuncFormatter(lambda value, place: tick_label(value, place) if value in apart else ""))


def _places_apart(axes: Axes) -> set[float]:
    """Return the places of those numbers below an axis that do not touch, powers of ten first."""
    cast("Figure", axes.figure).draw_without_rendering()
    start, end = axes.get_xlim()
    places: dict[float, tuple[float, float]] = {}
    for label in [*axes.get_xticklabels(), *axes.get_xticklabels(minor=True)]:
        place, box = label.get_position()[0], label.get_window_extent()
        is_shown = label.get_text() and start <= place <= end
        if is_shown and all(box.x0 - right >= GAP or left - box.x1 >= GAP for left, right in places.values()):
            places[place] = box.x0, box.x1
    return set(places)


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
    horizon = horizon_in(fit.trials)
    if horizon.verdict == "determined" and horizon.h50.estimate is not None:
        half = _PERCENT / 2
        axes.plot([horizon.h50.estimate] * 2, [0, half], color=colour, linestyle=":", linewidth=1)
        axes.plot([horizon.h50.estimate], [half], color=colour, marker=marker, markersize=5)
        axes.annotate(
            length_text(horizon.h50.estimate), (horizon.h50.estimate, half), (5, 3), textcoords="offset points"
        )
    line: Line2D = axes.plot([], [], color=colour, marker=marker, markersize=4)[0]
    return line
