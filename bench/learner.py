"""Draws how soon the learner of docs/training.md wins: python -m bench.learner docs/images/learner.svg

It also prints the table of the page. It takes some minutes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from herobench.scorer import Scorer, TaskQuery
from tests.reader import ROOT

TASKS: Mapping[str, tuple[Mapping[str, Any], int, int]] = {
    "epoch L01, 4 actions": ({"suite": "epoch", "dataset": "epochs-v1", "levels": "1-3"}, 4, 10),
    "epoch L03, 8 actions": ({"suite": "epoch", "dataset": "epochs-v1", "levels": "1-3"}, 8, 7),
    "RPG, 6 actions": ({"dataset": "base", "mode": "tools", "task_id": "1/4_*"}, 6, 0),
}
"""For each task the knobs, the length of its shortest solution, and how many calls the oracle does not make."""
KINDS = {"potential": ("o", "#0072B2"), "progress": ("s", "#E69F00"), "end": ("^", "#D55E00")}
SEEDS, MOST = 5, 1_000

Learned = Mapping[str, Mapping[str, Sequence[int | None]]]
"""For each task and reward the episodes of each seed; None for a seed that did not learn."""


def of_page() -> dict[str, Any]:
    """Return the functions of the script on the page."""
    text = (ROOT / "docs" / "training.md").read_text("utf-8")
    script = re.search(r"^```python\n(.*?)^```$", text[text.index("## A learner") :], re.DOTALL | re.MULTILINE)
    assert script
    names: dict[str, Any] = {}
    exec(f"from herobench.scorer import Scorer, TaskQuery, TurnReward\n{script[1]}", names)
    return names


def learned(knobs: Mapping[str, Any], length: int, more: int) -> Mapping[str, Sequence[int | None]]:
    """Return the episodes that each reward takes for a task."""
    page = of_page()
    with Scorer(TaskQuery(**knobs)) as scorer:
        task_id = next(task_id for task_id in scorer.tasks if len(scorer.way(task_id)) == length)
        calls = page["calls_of"](scorer, task_id, more)
        return {
            kind: [page["episodes_to_learn"](scorer, task_id, calls, kind, seed, MOST) for seed in range(SEEDS)]
            for kind in KINDS
        }


def told(episodes: Sequence[int | None]) -> str:
    """Return the cell of a table."""
    least, *_, most = ordered = sorted(number or MOST + 1 for number in episodes)
    middle = median(ordered)
    return f"{middle:.0f} ({least} to {most})" if most <= MOST else f"not in {MOST:,}"


def draw(axes: Axes, found: Learned) -> None:
    """Draw a point for each seed, and a line at the median."""
    for place, by_kind in enumerate(found.values()):
        for number, (kind, (marker, colour)) in enumerate(KINDS.items()):
            x, episodes = place + 0.25 * (number - 1), [number or 1.4 * MOST for number in by_kind[kind]]
            spread = [x + 0.03 * (seed - SEEDS // 2) for seed in range(len(episodes))]
            label = kind if place == 0 else None
            axes.plot(spread, episodes, marker, color=colour, markersize=4, linestyle="", label=label)
            axes.hlines(median(episodes), x - 0.1, x + 0.1, color=colour, linewidth=1.2)
    axes.axhline(1.15 * MOST, color="grey", linewidth=0.6, linestyle=":")
    axes.set_yscale("log")
    axes.set_yticks([10, 30, 100, 300, 1.4 * MOST], ["10", "30", "100", "300", f"not in {MOST:,}"], minor=False)
    axes.set_xticks(range(len(found)), list(found))
    axes.set_ylabel("Episodes until 9 of 10 games are won")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", linewidth=0.3)
    axes.legend(frameon=False, fontsize=8)


def main() -> None:
    """Learn, print the table, and draw."""
    found = {name: learned(*task) for name, task in TASKS.items()}
    for name, by_kind in found.items():
        print(f"| {name} | {' | '.join(map(told, by_kind.values()))} |")
    figure = Figure(figsize=(7.2, 3.4), layout="constrained")
    draw(figure.add_subplot(), found)
    with rc_context({"svg.hashsalt": "herobench"}):
        figure.savefig(sys.argv[1], metadata={"Date": None})
    print(f"{Path(sys.argv[1]).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
