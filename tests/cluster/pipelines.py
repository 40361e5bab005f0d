"""The callables in Ray Data pipelines, and commands on the same cluster: python pipelines.py TASKS ANSWERS OUT

Prints JSON. A pipeline that hangs is ended by the test's limit of time.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import ray
from killed_nodes import list_children, process_title, run

from herobench.analysis.samples import facts
from herobench.analysis.samples.facts import chunks_of
from herobench.cluster import Generate, Score, map_options
from herobench.data.errors import UsageError

_CPUS = 2


def refused(workers: int) -> str:
    try:
        map_options(Generate, workers=workers)
    except UsageError as error:
        return str(error)
    return ""


def scored(tasks: str, answers: str, killed: list[int]) -> list[dict[str, Any]]:
    """Score a file in small batches, and kill the actor in the middle."""
    options = {**map_options(Score, tasks=tasks), "batch_size": 10}
    threading.Thread(target=kill_an_actor, args=(killed,), daemon=True).start()
    dataset = ray.data.read_json(answers, lines=True).map_batches(Score, **options)
    found: list[dict[str, Any]] = dataset.take_all()
    return found


def kill_an_actor(killed: list[int]) -> None:
    """Wait for an actor that has begun to score, and kill it."""
    while not killed:
        time.sleep(0.1)
        for pid in descendants(os.getpid()):
            workers = [child for child in list_children(pid) if "herobench.sandbox.worker" in process_title(child)]
            if workers and "ray::" in process_title(pid):
                time.sleep(0.3)
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
                return


def descendants(pid: int) -> list[int]:
    found = list_children(pid)
    return [*found, *(other for child in found for other in descendants(child))]


if __name__ == "__main__":
    tasks, answers, out = sys.argv[1:]
    ray.init("local", num_cpus=_CPUS, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    killed: list[int] = []
    try:
        rows = scored(tasks, answers, killed)
        made = ray.data.range(6).map_batches(Generate, **map_options(Generate, seed=3)).take_all()
        generated = run(["generate", "--count", "6", "--seed", "3", "-o", f"{out}/made", "--shard-rows", "2"])
        proven = run(["validate", f"{out}/made", "-o", f"{out}/proven"])
        questions = ["run", "--suite", "acp", "--model", "random", "--limit", "20", "-o", f"{out}/questions"]
        asked = run(questions, on=False)
        again = run(["score", f"{out}/questions", "-o", f"{out}/again", "--shard-rows", "4"])
        levels = map_options(Generate, suite="epoch", length="4-8", people=2, seed=3)
        drawn = ray.data.range(4).map_batches(Generate, **levels).take_all()
        words = ["--suite", "epoch", "--length", "4-8", "--people", "2", "--seed", "3", "--count", "4"]
        levels_made = run(["generate", *words, "-o", f"{out}/levels", "--shard-rows", "1"])
        levels_proven = run(["validate", "--suite", "epoch", f"{out}/levels", "-o", f"{out}/levels-proven"])
        result = map_options(Score, suite="acp")
        said = ray.data.read_json(f"{out}/questions/samples.jsonl", lines=True)
        results = said.select_columns(["task_id", "epoch", "replies"]).map_batches(Score, **result).take_all()
        # many chunks of a file that is small
        facts.chunks_of = lambda source: chunks_of(source, 100_000)
        analyzed = run(["analyze", f"{out}/alone.jsonl", "--format", "json"])
        text = "".join(path.read_text("utf-8") for path in sorted(Path(out, "made").glob("part-*")))
        print(
            json.dumps(
                {
                    "scored": rows,
                    "killed": len(killed),
                    "made": [row["task"] for row in sorted(made, key=lambda row: row["index"])],
                    "errors": [row["error"] for row in made],
                    "refused": [refused(workers) for workers in (1, 3, 4, 5)],
                    "generated": {**generated, "text": text},
                    "proven": proven,
                    "asked": asked,
                    "again": again,
                    "drawn": [row["task"] for row in sorted(drawn, key=lambda row: row["index"])],
                    "levels": [levels_made, levels_proven],
                    "results": results,
                    "analyzed": analyzed,
                }
            )
        )
    finally:
        ray.shutdown()
