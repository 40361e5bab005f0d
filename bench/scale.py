"""Draws what size costs, of the figures of `worlds`: python -m bench.scale bench.json docs/images/scale.svg"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

LINES = {
    "seconds, loading": ("loading", "o", "#0072B2"),
    "seconds, smallest gear, mean": ("smallest gear, mean", "s", "#D55E00"),
    "seconds, smallest gear, worst": ("smallest gear, worst", "^", "#E69F00"),
    "seconds, later tasks, mean": ("a task, mean", "D", "#009E73"),
}
PANELS = {"size": ("items", "Items (25 monsters for every 208)"), "slots": ("slots", "Slots for gear, classic size")}


def main() -> None:
    source, target = map(Path, sys.argv[1:])
    figures = json.loads(source.read_text("utf-8"))["figures"].get("worlds")
    if figures is None:
        return
    figure = Figure(figsize=(8.4, 3.6), layout="constrained")
    for number, (begins, (column, label)) in enumerate(PANELS.items(), 1):
        axes = figure.add_subplot(1, 2, number, sharey=figure.axes[0] if figure.axes else None)
        _draw(axes, _table(figures, begins), column)
        axes.set_xlabel(label)
    figure.axes[0].set_xscale("log")
    figure.axes[0].set_ylabel("Seconds")
    figure.axes[0].legend(frameon=False, fontsize=8)
    with rc_context({"svg.hashsalt": "herobench"}):
        figure.savefig(target, metadata={"Date": None})


def _table(figures: Mapping[str, float], begins: str) -> list[dict[str, float]]:
    """The figures of each world of a kind."""
    found: dict[str, dict[str, float]] = {}
    for name, value in figures.items():
        world, _, figure = name.partition(", ")
        if world.startswith(begins):
            found.setdefault(world, {})[figure] = value
    return list(found.values())


def _draw(axes: Axes, table: list[dict[str, float]], column: str) -> None:
    for name, (label, marker, colour) in LINES.items():
        points = [(row[column], row[name]) for row in table]
        axes.plot(*zip(*points, strict=True), label=label, marker=marker, color=colour, markersize=4, linewidth=1.2)
    axes.set_yscale("log")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", linewidth=0.3)


if __name__ == "__main__":
    main()
