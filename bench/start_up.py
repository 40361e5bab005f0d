"""What the smallest uses of the command line cost, with all processes that they start."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from bench.clock import processor_seconds
from tests.program import PROGRAM

_RUNS = 5


def measure() -> dict[str, float]:
    """Seconds of processor time."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        answer = work / "answer.jsonl"
        answer.write_text(json.dumps({"task_id": "1/1_Cooked Beef_craft", "code": "pass"}), "utf-8")
        scored = str(work / "scored.jsonl")
        run = str(work / "run{run}")
        asked = {
            "--help": ["--help"],
            "schema": ["schema"],
            "score, one answer": ["score", "base", str(answer), "-o", scored],
            "run, noop, 5 tasks": ["run", "--model", "noop", "--limit", "5", "-o", run],
        }
        return {
            f"processor seconds, {name}": processor_seconds(str(PROGRAM), *words, runs=_RUNS)
            for name, words in asked.items()
        }
