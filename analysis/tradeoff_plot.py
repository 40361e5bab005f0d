"""Draws success against spending: a mark with its interval for each run, and the Pareto line through the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from herobench.analysis.horizon_plot import set_plain_log
from herobench.analysis.interval import Estimate
from herobench.analysis.tradeoff import Tradeoff

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
