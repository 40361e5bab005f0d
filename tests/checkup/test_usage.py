"""What attempts take is what the rows of suites say, within 15 %: measured in runs of the players that lose and win.

`python -m tests.checkup.test_usage RUN ...` measures other runs, for new figures.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from herobench.checkup.work import choose_tasks
from herobench.conversation import Usage
from herobench.models.model import Price
from herobench.runs.folder import RunFolder
from herobench.runs.journal import read_journal
from herobench.runs.session import RunCallbacks, begin
from herobench.suite.checked import suite_class
from herobench.suite.checkup_parts import MeanUsage, load_parts

A_TOKEN = 4
"""The characters of a token."""
PRICE = Price(1.25, 10.0, 0.125)
PARTS = load_parts()
BEFORE = {"random": ("rote",), "oracle": ("experimenter",)}
"""Players whose exploration is like that of a model, where a suite has them."""


def mean_usage(run: Path) -> MeanUsage:
    """The mean usage of the attempts of a run."""
    calls = list(read_journal(RunFolder(run).calls))
    attempts = len({(row["task_id"], row["epoch"]) for row in calls})
    answers = sum(
        len(row["reply"]["text"]) + sum(len(call["arguments"]) for call in row["reply"].get("tool_calls", ()))
        for row in calls
    )
    prompts = sum(row["characters"] for row in calls)
    return MeanUsage(len(calls) / attempts, prompts / A_TOKEN / attempts, answers / A_TOKEN / attempts)


def cost(usage: MeanUsage) -> float:
    return PRICE.of(Usage(round(usage.prompt), round(usage.answer)))


@pytest.mark.slow
@pytest.mark.parametrize("player", ["random", "oracle"])
def test_the_shown_cost_is_that_of_the_players(player: str, tmp_path: Path) -> None:
    shown, measured = dict[str, float](), dict[str, float]()
    for part in PARTS:
        players = suite_class(part.suite).players
        model = next(name for name in (*BEFORE[player], player, "noop") if name in players)
        for run, row in part.runs.items():
            size = row.steps[min(1, len(row.steps) - 1)][1]
            tasks = choose_tasks(part, row, size, None, tmp_path / "tasks", 2)
            result = begin({**tasks, "model": model}, tmp_path / run, RunCallbacks())  # type: ignore[typeddict-item]
            measured[run] = size * cost(mean_usage(result.path))
            shown[run] = size * cost(row.by_winner if player == "oracle" else row.by_loser)
    print(shown, measured)
    assert sum(shown.values()) == pytest.approx(sum(measured.values()), rel=0.15)


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        print(argument, mean_usage(Path(argument)))
