"""What a plan costs as a reward in many processes of a trainer, beside `herobench score` with the same cores."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from pathlib import Path

from bench.clock import processor, timed
from herobench.scorer import Scorer, TaskQuery
from herobench.surfaces.reward import reward_function
from tests.program import PROGRAM

_PROCESSES = 8
"""As many as verl has, and as a machine with eight accelerators."""
_BATCH = 32
_FEW, _MANY = 512, 4096
"""Costs are the difference between two sizes, so that starts do not count."""
_ROUNDS = 3


def measure() -> dict[str, float]:
    """Plans a second and milliseconds of processor time for a plan, in both ways, and how they compare."""
    with tempfile.TemporaryDirectory() as folder, Scorer(TaskQuery(dataset="base", difficulty="3-9")) as scorer:
        answers = [{"task_id": id, "answer": scorer.solution(id)[0].text} for id in islice(scorer.tasks, 64)]
        # Both ways take their turn in each round, so that other work on the machine weighs on both.
        rounds = [(_cost(_by_command, answers, folder), _cost(_by_rewards, answers, folder)) for _ in range(_ROUNDS)]
    command, rewards = (tuple(map(min, zip(*costs, strict=True))) for costs in zip(*rounds, strict=True))
    plans = _MANY - _FEW
    return {
        "plans a second, herobench score": plans / command[0],
        f"plans a second, rewards in {_PROCESSES} processes": plans / rewards[0],
        "throughput of rewards to that of herobench score": command[0] / rewards[0],
        "milliseconds of processor for a plan, herobench score": 1e3 * command[1] / plans,
        "milliseconds of processor for a plan, rewards": 1e3 * rewards[1] / plans,
        "processor time of herobench score to that of rewards": command[1] / rewards[1],
    }


_Way = Callable[[Sequence[dict[str, str]], Path], None]


def _cost(way: _Way, answers: Sequence[dict[str, str]], folder: str) -> tuple[float, float]:
    """Return the seconds and the processor time of the plans between few and many."""
    few, many = (_spent(way, list(islice(cycle(answers), size)), Path(folder)) for size in (_FEW, _MANY))
    return many[0] - few[0], many[1] - few[1]


def _spent(way: _Way, answers: Sequence[dict[str, str]], folder: Path) -> tuple[float, float]:
    before = processor(resource.RUSAGE_CHILDREN)
    seconds, _ = timed(lambda: way(answers, folder))
    return seconds, processor(resource.RUSAGE_CHILDREN) - before


def _by_command(answers: Sequence[dict[str, str]], folder: Path) -> None:
    file = folder / "answers.jsonl"
    file.write_text("".join(f"{json.dumps({**row, 'epoch': epoch})}\n" for epoch, row in enumerate(answers)), "utf-8")
    command = [PROGRAM, "score", "base", file, "-o", folder / "scored.jsonl"]
    subprocess.run(command, check=True, capture_output=True)


def _by_rewards(answers: Sequence[dict[str, str]], folder: Path) -> None:
    own = {**os.environ, "LOCAL_WORLD_SIZE": str(_PROCESSES)}
    processes = []
    for number in range(_PROCESSES):
        file = folder / f"share{number}.json"
        file.write_text(json.dumps(answers[number::_PROCESSES]), "utf-8")
        processes.append(subprocess.Popen([sys.executable, "-m", "bench.rewards", str(file)], env=own))
    assert [process.wait() for process in processes] == [0] * _PROCESSES


def _trainer(file: str) -> None:
    """Score batches, as one process of a trainer does."""
    answers = json.loads(Path(file).read_text("utf-8"))
    reward = reward_function(dataset="base")
    for start in range(0, len(answers), _BATCH):
        batch = answers[start : start + _BATCH]
        rewards = reward([None] * len(batch), [row["answer"] for row in batch], [row["task_id"] for row in batch])
        assert rewards == [1.0] * len(batch)


if __name__ == "__main__":
    _trainer(sys.argv[1])
