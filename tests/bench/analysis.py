"""How long 100,000 samples take to be analyzed, and 3,000 to be made a page, process starts included."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.builders import SHARED, shared_rows

MANY, SOME = 100_000, 3_000


def measure() -> dict[str, float]:
    """Seconds and memory for the shared published episodes, scored and repeated; nothing where they are not there."""
    reference = SHARED / "reference" / "herobench"
    if not reference.is_dir():
        return {}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        rows = _rows(reference, work)
        many, some, page = _repeated(rows, MANY, work), _repeated(rows, SOME, work), work / "report.html"
        took, memory = _measured("analyze", str(many), "--format", "json", "-o", str(work / "analysis.json"))
        drawing, _ = _measured("analyze", str(some), "--format", "html", "-o", str(page))
        return {
            "MB of 100,000 samples": many.stat().st_size / 1e6,
            "seconds for 100,000 samples": took,
            "MB of memory of the largest process": memory,
            "seconds for a page of 3,000": drawing,
            "MB of a page of 3,000": page.stat().st_size / 1e6,
        }


def _rows(reference: Path, work: Path) -> list[str]:
    """All shared episodes of the base tasks as scored rows."""
    tasks, answers, scored = work / "tasks.jsonl", work / "answers.jsonl", work / "scored.jsonl"
    _call("import", str(reference / "tasks.json"), "-o", str(tasks))
    runs = json.loads((reference / "runs.json").read_text("utf-8"))["runs"].values()
    found: list[str] = []
    for run in (run for run in runs if run["tasks"] == "tasks.json"):
        lines = (json.dumps({"task_id": row["task"], "code": row["code"]}) for row in shared_rows(run))
        answers.write_text("\n".join(lines), "utf-8")
        _call("score", str(tasks), str(answers), "--rules", run["edition"], "-o", str(scored))
        found += scored.read_text("utf-8").splitlines()
    return found


def _repeated(rows: list[str], count: int, work: Path) -> Path:
    """So many samples: the rows again and again, each as an epoch of its own."""
    path = work / f"{count}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for epoch, row in enumerate(itertools.islice(itertools.cycle(rows), count)):
            file.write(json.dumps({**json.loads(row), "epoch": epoch}) + "\n")
    return path


def _measured(*args: str) -> tuple[float, float]:
    """Seconds, and megabytes of the largest of its processes."""
    start = time.perf_counter()
    process = subprocess.Popen([_program(), *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0
    return time.perf_counter() - start, used.ru_maxrss / 1024


def _call(*args: str) -> None:
    subprocess.run([_program(), *args], check=True, capture_output=True)


def _program() -> str:
    return str(Path(sys.executable).with_name("herobench"))
