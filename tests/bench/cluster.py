"""What a plan costs on a cluster of raylets on this machine, by the number of workers; and killed nodes cost no row.

Processor seconds, not seconds: the machine may have fewer cores than there are workers. The cost of a plan is that of
the plans which a larger job has more than a smaller one, so that starts of workers are told apart. HEROBENCH_PLANS says
how many plans are scored while nodes and workers are killed; their rows are compared with those of one machine.
"""

from __future__ import annotations

import filecmp
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.builders import SHARED, shared_rows

WORKERS = (1, 2, 4, 8, 16)
SMALL, LARGE = 1000, 5000
PLANS = int(os.environ.get("HEROBENCH_PLANS", "5000"))
SHARD = "100"
FOLDER = Path(__file__).parents[1] / "cluster"


def measure() -> dict[str, float]:
    """The figures; nothing where Ray or the published plans are missing."""
    reference = SHARED / "reference" / "herobench"
    if find_spec("ray") is None or not reference.is_dir():
        return {}
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        tasks = work / "tasks.jsonl"
        _herobench("import", reference / "tasks.json", "-o", tasks)
        sizes = {size: _answers(work / f"{size}.jsonl", size) for size in {SMALL, LARGE, PLANS}}
        for workers in WORKERS:
            told = _run("worker_costs.py", workers, tasks, sizes[SMALL], sizes[LARGE], work / f"out-{workers}", SHARD)
            figures[f"cpu ms a plan, {workers} workers"] = 1000 * (told["large"] - told["small"]) / (LARGE - SMALL)
            figures[f"cpu s to start a worker, {workers} workers"] = told["start"] / workers
        figures |= _killed(tasks, sizes[PLANS], work)
    return figures


def _killed(tasks: Path, answers: Path, work: Path) -> dict[str, float]:
    alone, out = work / "alone.jsonl", work / "out"
    before = _children()
    _herobench("score", tasks, answers, "-o", alone, "--jobs", "2")
    cpu = _children() - before
    rows, between = str(max(int(SHARD), PLANS // 200)), min(max(3, PLANS // 3000), 20)
    told = _run("killed_nodes.py", 3, between, 1, "score", tasks, answers, "-o", out, "--shard-rows", rows)
    whole = work / "whole.jsonl"
    with whole.open("wb") as file:
        for part in sorted(out.glob("part-*.jsonl")):
            with part.open("rb") as shard_file:
                shutil.copyfileobj(shard_file, file)
    return {
        "plans scored while nodes are killed": PLANS,
        "nodes killed": told["killed"]["nodes"],
        "workers killed": told["killed"]["workers"],
        "1 if all bytes are those of one machine": float(filecmp.cmp(whole, alone, shallow=False)),
        "cpu ms a plan on one machine": 1000 * cpu / PLANS,
        "MB of rows": alone.stat().st_size / 1e6,
    }


def _answers(path: Path, count: int) -> Path:
    """Write so many answers: the published ones, again and again, each time as another epoch."""
    epochs: Counter[str] = Counter()
    with path.open("w", encoding="utf-8") as file:
        for _, row in zip(range(count), _published(), strict=False):
            file.write(json.dumps({"task_id": row["task"], "epoch": epochs[row["task"]], "code": row["code"]}) + "\n")
            epochs[row["task"]] += 1
    return path


def _published() -> Iterator[dict[str, Any]]:
    runs = json.loads((SHARED / "reference" / "herobench" / "runs.json").read_text("utf-8"))["runs"].values()
    rows = [row for run in runs if run["tasks"] == "tasks.json" for row in shared_rows(run)]
    while True:
        yield from rows


def _herobench(*words: str | Path) -> None:
    subprocess.run([Path(sys.executable).with_name("herobench"), *words], check=True, capture_output=True)


def _run(script: str, *words: object) -> dict[str, Any]:
    """Run a script on a cluster of its own. It prints JSON, and Ray may print before and behind it."""
    command = [sys.executable, FOLDER / script, *map(str, words)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("{")]
    told: dict[str, Any] = json.loads(line)
    assert told["code"] == 0, told
    return told


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
