"""What a plan costs on a cluster of raylets on this machine, by the number of workers; and killed nodes cost no row.

Processor seconds, not seconds: the machine may have fewer cores than there are workers. The cost of a plan is that of
the plans which a larger job has more than a smaller one, so that starts of workers are told apart. Without these,
HEROBENCH_PLANS says how many plans are scored while nodes and workers are killed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from herobench.data.rows import dump_row
from tests.bench.published import published, write_answers
from tests.builders import SHARED
from tests.program import PROGRAM

SMALL, LARGE = 1000, 5000
PLANS = int(os.environ.get("HEROBENCH_PLANS", LARGE))
WORKERS = () if "HEROBENCH_PLANS" in os.environ else (1, 2, 4, 8, 16)
SHARD = "25"
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
        sizes = {size: write_answers(work / f"{size}.jsonl", size) for size in {SMALL, LARGE, PLANS}}
        for workers in WORKERS:
            told = _run("worker_costs.py", workers, tasks, sizes[SMALL], sizes[LARGE], work / f"out-{workers}", SHARD)
            figures[f"processor milliseconds a plan, {workers} workers"] = (
                1000 * (told["large"] - told["small"]) / (LARGE - SMALL)
            )
            figures[f"processor seconds to start a worker, {workers} workers"] = told["start"] / workers
        figures |= _killed(tasks, sizes[PLANS], work)
    return figures


def _killed(tasks: Path, answers: Path, work: Path) -> dict[str, float]:
    out, rows, between = work / "out", str(max(100, PLANS // 200)), min(max(3, PLANS // 3000), 20)
    told = _run("killed_nodes.py", 3, between, 1, "score", tasks, answers, "-o", out, "--shard-rows", rows)
    _herobench("score", tasks, write_answers(work / "distinct.jsonl", len(published())), "-o", work / "alone.jsonl")
    expected = _repeated((work / "alone.jsonl").read_text("utf-8").splitlines())
    found = (line for part in sorted(out.glob("part-*.jsonl")) for line in part.open(encoding="utf-8"))
    same = [line == other for line, other in zip(found, expected, strict=True)]
    return {
        "plans scored while nodes are killed": len(same),
        "nodes killed": told["killed"]["nodes"],
        "workers killed": told["killed"]["workers"],
        "rows that are not those of one machine": same.count(False),
    }


def _repeated(lines: Sequence[str]) -> Iterator[str]:
    """Yield the rows of one machine for all answers: those of the distinct answers, again with other epochs."""
    epochs: Counter[str] = Counter()
    for number in range(PLANS):
        row = json.loads(lines[number % len(lines)])
        yield dump_row({**row, "epoch": epochs[row["task_id"]]})
        epochs[row["task_id"]] += 1


def _herobench(*words: str | Path) -> None:
    subprocess.run([PROGRAM, *words], check=True, capture_output=True)


def _run(script: str, *words: object) -> dict[str, Any]:
    """Run a script on a cluster of its own. It prints JSON, and Ray may print before and behind it."""
    command = [sys.executable, FOLDER / script, *map(str, words)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("{")]
    told: dict[str, Any] = json.loads(line)
    assert told["code"] == 0, told
    return told
