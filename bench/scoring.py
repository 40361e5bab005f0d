"""How long the program takes to score all shared published episodes, process starts included."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.clock import processor_seconds
from bench.published import published, write_answers
from tests.builders import SHARED, shared_rows
from tests.program import PROGRAM

_TIMES = 3
"""One command scores all answers to the tasks of the first set this often, to measure throughput."""
_EDITION = "paper-early"
"""The rules of most published runs."""


def measure() -> dict[str, float]:
    """Seconds of import and score for every run of ../shared; nothing where it is not there."""
    reference = SHARED / "reference" / "herobench"
    if not reference.is_dir():
        return {}
    program = str(PROGRAM)
    runs = json.loads((reference / "runs.json").read_text("utf-8"))["runs"].values()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        files = []
        for number, run in enumerate(runs):
            rows = [{"task_id": row["task"], "code": row["code"]} for row in shared_rows(run)]
            files.append((run, work / f"answers{number}.jsonl", rows))
            _write(files[-1][1], rows)
        start = time.perf_counter()
        used = 0.0
        for source in {run["tasks"] for run in runs}:
            used += processor_seconds(program, "import", str(reference / source), "-o", str(work / f"{source}l"))
        for run, answers, _ in files:
            used += _score(program, work, run, answers)
        took = time.perf_counter() - start
        episodes = sum(len(rows) for _, _, rows in files)
        figures = {
            "seconds for all shared episodes": took,
            "episodes": episodes,
            "processor milliseconds an episode": used / episodes * 1e3,
        }
        many = _TIMES * len(published())
        write_answers(work / "many.jsonl", many)
        run = {"tasks": "tasks.json", "edition": _EDITION}
        for jobs in sorted({1, os.cpu_count() or 1}):
            start = time.perf_counter()
            used = _score(program, work, run, work / "many.jsonl", "--jobs", str(jobs))
            figures[f"plans a second, {jobs} processes"] = many / (time.perf_counter() - start)
            figures[f"processor milliseconds a plan, {jobs} processes"] = used / many * 1e3
    return figures


def _write(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")


def _score(program: str, work: Path, run: dict[str, str], answers: Path, *options: str) -> float:
    tasks, out = str(work / f"{run['tasks']}l"), str(work / "scored.jsonl")
    return processor_seconds(program, "score", tasks, str(answers), "--rules", run["edition"], "-o", out, *options)
