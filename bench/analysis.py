"""How long 100,000 samples take to be analyzed, and 3,000 to be made a page, process starts included.

`python -m bench analysis --samples 1000000` analyzes a million; their file takes 10 GB of the folder for
temporary files.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import tempfile
from pathlib import Path

from bench.memory import used_by
from tests.builders import SHARED, shared_rows
from tests.program import PROGRAM

MANY, SOME = 100_000, 3_000


def measure(samples: int = MANY) -> dict[str, float]:
    """Seconds and memory for the shared published episodes, scored and repeated; nothing where they are not there."""
    reference = SHARED / "reference" / "herobench"
    if not reference.is_dir():
        return {}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        rows = _rows(reference, work)
        many, some = _repeated(rows, samples, work), _repeated(rows, SOME, work)
        page, parquet = work / "report.html", work / "samples.parquet"
        figures = used_by(_analysis(many, "json", work / "analysis.json"))
        table = used_by(_analysis(many, "parquet", parquet))
        drawing = used_by(_analysis(some, "html", page))
        return {
            f"MB of {samples:,} samples": many.stat().st_size / 1e6,
            f"seconds for {samples:,} samples": figures.seconds,
            f"processor seconds for {samples:,} samples": figures.processor,
            "processor microseconds a sample": figures.processor / samples * 1e6,
            "MB of memory of all processes": figures.megabytes,
            f"processor seconds for {samples:,} as Parquet": table.processor,
            "MB of memory of all processes, as Parquet": table.megabytes,
            f"MB of {samples:,} as Parquet": parquet.stat().st_size / 1e6,
            f"seconds for a page of {SOME:,}": drawing.seconds,
            f"MB of a page of {SOME:,}": page.stat().st_size / 1e6,
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


def _analysis(samples: Path, form: str, output: Path) -> list[str | Path]:
    return [PROGRAM, "analyze", samples, "--format", form, "-o", output]


def _call(*args: str) -> None:
    subprocess.run([PROGRAM, *args], check=True, capture_output=True)
