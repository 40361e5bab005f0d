"""What credit for every turn costs: distances, forks, and attempts that are open."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from random import Random
from statistics import fmean
from typing import Any

from herobench.scorer import Play, Scorer, TaskQuery

_SUITES: dict[str, dict[str, Any]] = {
    "epoch": {"suite": "epoch", "dataset": "epochs-v1", "levels": "1-5"},
    "epoch, facts fade": {"suite": "epoch", "dataset": "epochs-v1", "levels": "6"},
    "rpg, base": {"dataset": "base", "mode": "tools", "limit": 20},
    "autumn": {"suite": "autumn", "task_id": "bubbles-planning"},
}
_OPEN = 500


def measure() -> dict[str, float]:
    """Milliseconds of processor time for a state, on ways with three wrong turns in ten; KB for an open attempt."""
    figures: dict[str, float] = {}
    for name, knobs in _SUITES.items():
        with Scorer(TaskQuery(**knobs, jobs=1)) as scorer:
            first, later, forks = _costs(scorer)
            figures |= {f"ms, first state, {name}": fmean(first), f"ms, later state, {name}": fmean(later)}
            figures[f"ms, fork, {name}"] = fmean(forks)
            figures[f"KB, open attempt, {name}"] = _memory(scorer)
    return figures


def _costs(scorer: Scorer) -> tuple[list[float], list[float], list[float]]:
    first, later, forks = list[float](), list[float](), list[float]()
    for task_id in scorer.tasks:
        way, chance = scorer.way(task_id), Random(task_id)
        for attempt in range(3):
            play, done = scorer.play(task_id), 0
            (later if attempt else first).append(_milliseconds(play.distance))
            while not play.over and done < len(way):
                wrong = chance.random() < 0.3
                play.say(chance.choice(way) if wrong else way[done])
                done += not wrong
                later.append(_milliseconds(play.distance))
                forks.append(_milliseconds(play.fork))
    return first, later, forks


def _milliseconds(call: Callable[[], object]) -> float:
    begun = time.process_time()
    call()
    return 1000 * (time.process_time() - begun)


def _memory(scorer: Scorer) -> float:
    """Return what an attempt at half of the first task takes beside those of the same task."""
    task_id = next(iter(scorer.tasks))
    play = scorer.play(task_id, prefix=len(scorer.way(task_id)) // 2)
    tracemalloc.start()
    plays: list[Play] = [play.fork() for _ in range(_OPEN)]
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return taken / len(plays) / 1024
