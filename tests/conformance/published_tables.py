"""The paper's Tables 1 and 2 from the published answers: `python -m tests.conformance.published_tables HEROBENCH`.

HEROBENCH is a clone of the published repository, whose `results/results_base` has the answers. Each run is asked again
from its answers, by the commands that people use. Wins are those of the rules that it was published with; failures are
those of the rules by which the paper classed them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.builders import Json
from tests.program import herobench, read_jsonl, write_jsonl

LATE, EARLY = ("paper-late", "paper-late"), ("paper-early", "paper-scoring")
EDITIONS = {
    "DeepSeek-R1-Distill-Llama-70B": EARLY,
    "deepseek-v3": EARLY,
    "gigachat-2-max": LATE,
    "gpt-oss-120b": LATE,
    "grok-4": EARLY,
    "kimi-k2": EARLY,
    "o3_high": EARLY,
    "qwen3_32b": EARLY,
    "qwen3_8b_think": EARLY,
}
"""The rules of each run, and those by which its failures were classed."""
ALL = 180
TASKS = Path("datasets", "dataset_tasks.json")
RESULTS = Path("results", "results_base")


def import_tasks(published: Path, folder: Path) -> Path:
    """Write the published tasks as rows, and return the file."""
    path = folder / "tasks.jsonl"
    _done("import", published, "-o", path)
    return path


def published_answers(clone: Path, name: str, folder: Path) -> Iterator[Json]:
    """Yield the answers of a run as the published repository has them, with the tokens that it counted."""
    imported = folder / f"{name}.imported.jsonl"
    _done("import", clone / RESULTS / f"{name}_code_logs.json", "-o", imported)
    counted = json.loads((clone / RESULTS / f"{name}.json").read_text("utf-8"))
    for row in read_jsonl(imported):
        bracket, _, task = row["task_id"].partition("/")
        yield {"task_id": row["task_id"], "code": row["code"], "tokens": counted[bracket][task]["tokens"][0]}


def printed_tables(name: str, answers: Iterable[Json], tasks: Path, folder: Path) -> list[str]:
    """Return the lines of the tables of a published run in Markdown."""
    rows = list(answers)
    edition, failure_edition = EDITIONS[name]
    file = write_jsonl(folder / f"{name}.answers.jsonl", rows)
    run, failures = folder / name, folder / f"{name}.failures.jsonl"
    asked = ("run", "-m", f"replay:{file}", "--tasks", tasks, "--rules", edition, "-o", run)
    _done(*asked, code=0 if len(rows) == ALL else 1)
    _done("score", run, "--rules", failure_edition, "-o", failures)
    return _done("analyze", run, "--failures", failures, "--format", "md").splitlines()


def run_rows(name: str, lines: list[str]) -> list[str]:
    """Return the rows of a run in its tables, one after the other."""
    return [line for line in lines if line.startswith(f"| {name} ")]


def _done(*words: object, code: int = 0) -> str:
    done = herobench(*words)
    if done.returncode != code:
        sys.exit(done.stderr)
    return done.stdout


def main(clone: Path) -> None:
    """Print both tables of the runs whose logs a clone has."""
    known = [name for name in EDITIONS if (clone / RESULTS / f"{name}_code_logs.json").is_file()]
    if not known or not (clone / TASKS).is_file():
        sys.exit(f"{clone} is no clone of https://github.com/stefanrer/HeroBench: {TASKS} or {RESULTS} is not there.")
    with TemporaryDirectory() as made:
        folder = Path(made)
        tasks = import_tasks(clone / TASKS, folder)
        tables = {name: printed_tables(name, published_answers(clone, name, folder), tasks, folder) for name in known}
    heads = [line for line in tables[known[0]] if line.startswith(("Table ", "| Model", "| ---"))]
    for number in (0, 1):
        caption, *head = heads[3 * number : 3 * number + 3]
        print("\n".join([caption, "", *head, *(run_rows(name, own)[number] for name, own in tables.items()), ""]))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Say where a clone of https://github.com/stefanrer/HeroBench is.")
    main(Path(sys.argv[1]))
