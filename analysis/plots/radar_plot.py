"""Draws accuracy by kind of task as radars: one spoke for each kind, one polygon for each run, one radar a grading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import pi, sin
from typing import TYPE_CHECKING, Any, cast

from herobench.analysis.reading.interval import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.projections.polar import PolarAxes

Profiles = Mapping[str, Mapping[str, Estimate]]
"""The accuracy by run and kind of task."""

_PERCENT = 100.0
_LEAST = 3
"""The fewest kinds of which a polygon can be drawn."""
_UPRIGHT = 0.01
"""The sine of the angle of a spoke below which it counts as upright."""


def drawable(runs: Mapping[str, Profiles]) -> dict[str, dict[str, Mapping[str, Estimate]]]:
    """Return the rates by way of grading, run and kind, from those by run, way and kind; only those of enough kinds."""
    found: dict[str, dict[str, Mapping[str, Estimate]]] = {}
    for run, profiles in runs.items():
        for title, rates in profiles.items():
            known = {kind: rate for kind, rate in rates.items() if rate.estimate is not None}
            if len(known) >= _LEAST:
                found.setdefault(title, {})[run] = known
    return found


def spokes(profiles: Profiles) -> list[str]:
    """Return the kinds of all runs, in their order."""
    return list(dict.fromkeys(kind for rates in profiles.values() for kind in rates))


def draw_radars(
    figure: Figure,
    profiles: Mapping[str, Profiles],
    label: str,
    colours: Sequence[str],
    markers: str,
    dashes: Sequence[str],
) -> None:
    """Draw the radars side by side, with one legend."""
    runs = list(dict.fromkeys(run for part in profiles.values() for run in part))
    lines: dict[str, Line2D] = {}
    for place, (title, part) in enumerate(profiles.items(), 1):
        axes = cast("PolarAxes", figure.add_subplot(1, len(profiles), place, projection="polar"))
        kinds = spokes(part)
        _frame(axes, kinds)
        if len(profiles) > 1:
            axes.set_title(title, pad=18)
        for run, rates in part.items():
            number = runs.index(run)
            look = {
                "color": colours[number % len(colours)],
                "marker": markers[number % len(markers)],
                "linestyle": dashes[number // len(colours) % len(dashes)],
            }
            lines.setdefault(run, _polygon(axes, kinds, rates, look))
    figure.subplots_adjust(wspace=0.7)
    figure.supxlabel(label, fontsize="medium", y=-0.03)
    legend = [lines[run] for run in runs]
    right = max(text.get_window_extent().x1 for axes in figure.axes for text in axes.get_xticklabels())
    beside = (right / figure.bbox.width + 0.02, 0.5)
    figure.legend(legend, runs, loc="center left", bbox_to_anchor=beside, frameon=False)


def _frame(axes: PolarAxes, kinds: Sequence[str]) -> None:
    """Set up the spokes: the first stands on top, the others follow clockwise."""
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    angles = [2 * pi * place / len(kinds) for place in range(len(kinds))]
    axes.set_xticks(angles, kinds)
    for text, angle in zip(axes.get_xticklabels(), angles, strict=True):
        # beside the radar, and not on it
        text.set_horizontalalignment("center" if abs(sin(angle)) < _UPRIGHT else "left" if sin(angle) > 0 else "right")
    axes.set_ylim(0, _PERCENT)
    axes.set_yticks([25, 50, 75, 100], ["25", "50", "75", "100"], fontsize="small", color="0.4")
    axes.set_rlabel_position(180 / len(kinds))
    axes.tick_params(axis="x", pad=5)
    axes.grid(color="0.85", linewidth=0.6)
    axes.spines["polar"].set_color("0.6")


def _polygon(axes: PolarAxes, kinds: Sequence[str], rates: Mapping[str, Estimate], look: Mapping[str, Any]) -> Line2D:
    """Draw the rates of one run as a closed line, with their intervals along the spokes."""
    known = [kind for kind in kinds if kind in rates]
    angles = [2 * pi * kinds.index(kind) / len(kinds) for kind in known]
    values = [_PERCENT * (rates[kind].estimate or 0.0) for kind in known]
    for angle, kind in zip(angles, known, strict=True):
        low, high = rates[kind].low, rates[kind].high
        if low is not None and high is not None:
            ends = [_PERCENT * max(0.0, low), _PERCENT * min(1.0, high)]
            axes.plot([angle, angle], ends, color=look["color"], linewidth=0.6, alpha=0.7)
    axes.fill(angles, values, color=look["color"], alpha=0.08)
    line: Line2D = axes.plot(
        [*angles, angles[0]], [*values, values[0]], markersize=4, linewidth=1.2, clip_on=False, **look
    )[0]
    return line
