"""Measures `herobench serve` beside `herobench score`: answers a second for few and many clients, waits, and health.

The ratios compare it with a scorer in this process, which has as many workers: answers one by one, and 32 in a request
as trainers send them. Both ways take turns, and the best round of each counts.

All clients keep their connections. One client, or eight, show what a single request costs: among 500 clients others
are served while one waits, so that a delay of each connection is not seen.

It needs the extra serve where `herobench` is installed; there is nothing to measure without it.
"""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count, islice
from pathlib import Path
from statistics import median
from typing import Any

from herobench.scorer import Answer, Scorer, TaskQuery
from tests.program import PROGRAM
from tests.surfaces import crowd

_CLIENTS, _ANSWERS = 500, 2_000
_FEW = {"1 client": (1, 500), "8 clients": (8, 1_000)}
"""Numbers of clients and answers."""
_COMPARED, _BATCH, _ROUNDS = 1_024, 32, 3
_TASKS = {"dataset": "base"}


def measure() -> dict[str, float]:
    """Measure with the plans of the oracle."""
    if find_spec("fastapi") is None or find_spec("uvicorn") is None:
        return {}
    with Scorer(TaskQuery(**_TASKS)) as scorer:
        plans = {task_id: scorer.solution(task_id)[0].text for task_id in scorer.tasks}
    ids = ((task_id, epoch) for epoch in count() for task_id in plans)
    answers = [
        {"task_id": task_id, "epoch": epoch, "answer": plans[task_id]} for task_id, epoch in islice(ids, _ANSWERS)
    ]
    with tempfile.TemporaryDirectory() as folder:
        alone = _score(Path(folder), answers)
    few = {name: number / _served(clients, answers[:number]).took for name, (clients, number) in _FEW.items()}
    served = _served(_CLIENTS, answers)
    return {
        "answers a second, herobench score": _ANSWERS / alone,
        **{f"answers a second, served to {name}": figure for name, figure in few.items()},
        "answers a second, served to 500 clients": _ANSWERS / served.took,
        "median wait in seconds": median(served.seconds),
        "longest wait in seconds": max(served.seconds),
        "answers refused with 429 and sent again": served.statuses[429],
        "longest wait for /health in seconds": max(served.health),
        "answers lost": _ANSWERS - sum(row["reward"] == 1.0 for row in served.rows),
        **_ratios(answers[:_COMPARED]),
    }


def _ratios(answers: list[dict[str, Any]]) -> dict[str, float]:
    """Return how the server's throughput compares with that of a scorer in this process."""
    batches = [{"answers": answers[start : start + _BATCH]} for start in range(0, len(answers), _BATCH)]
    took: dict[str, list[float]] = {}
    with Scorer(TaskQuery(**_TASKS)) as scorer, _serving() as url:
        asked = [Answer(row["task_id"], row["answer"], row["epoch"]) for row in answers]
        ways: dict[str, Callable[[], object]] = {
            "in process": lambda: list(scorer.score_all(asked)),
            "one by one": lambda: asyncio.run(crowd.send(url, 8, answers)),
            f"{_BATCH} in a request": lambda: asyncio.run(crowd.send(url, 8, batches)),
        }
        for name, way in [*ways.items()] * _ROUNDS:
            begun = time.perf_counter()
            way()
            took.setdefault(name, []).append(time.perf_counter() - begun)
    alone, *served = ((name, min(rounds)) for name, rounds in took.items())
    return {f"throughput of serve to that in process, {name}": alone[1] / seconds for name, seconds in served}


def _score(folder: Path, answers: list[dict[str, Any]]) -> float:
    file = folder / "answers.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in answers), "utf-8")
    begin = time.perf_counter()
    command = [PROGRAM, "score", _TASKS["dataset"], str(file), "-o", str(folder / "scored.jsonl")]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


def _served(clients: int, answers: list[dict[str, Any]]) -> crowd.Crowd:
    with _serving() as url:
        return asyncio.run(crowd.send(url, clients, answers))


@contextmanager
def _serving() -> Iterator[str]:
    """Give the URL of a server."""
    command = [PROGRAM, "serve", "--dataset", _TASKS["dataset"], "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr
        found = re.search(r"http://\S+", server.stderr.readline())
        assert found
        yield found[0]
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()
