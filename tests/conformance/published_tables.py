"""The paper's Tables 1 and 2 from the published answers: `python -m tests.conformance.published_tables`.

Each run is asked again from its answers, by the commands that people use. Wins are those of the rules that it was
published with; failures are those of the rules by which the paper classed them.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.builders import shared_rows
from tests.conformance.published import REFERENCE, RUNS, runs_with
from tests.program import herobench, write_jsonl

IN_BOTH = runs_with("table1", "table2", "failure_edition")


def import_tasks(folder: Path) -> Path:
    """Write the published tasks as rows, and return the file."""
    path = folder / "tasks.jsonl"
    assert herobench("import", REFERENCE / "tasks.json", "-o", path).returncode == 0
    return path


def printed_tables(name: str, tasks: Path, folder: Path) -> list[str]:
    """Return the lines of the tables of a published run in Markdown."""
    about = RUNS[name]
    rows = [{"task_id": row["task"], "code": row["code"], "tokens": row["tokens"]} for row in shared_rows(about)]
    answers = write_jsonl(folder / f"{name}.answers.jsonl", rows)
    run, failures = folder / name, folder / f"{name}.failures.jsonl"
    asked = herobench("run", "-m", f"replay:{answers}", "--tasks", tasks, "--rules", about["edition"], "-o", run)
    assert asked.returncode == (0 if len(rows) == 180 else 1), asked.stderr
    assert herobench("score", run, "--rules", about["failure_edition"], "-o", failures).returncode == 0
    done = herobench("analyze", run, "--failures", failures, "--format", "md")
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def rows_of(name: str, lines: list[str]) -> list[str]:
    """Return the rows of a run in its tables, one after the other."""
    return [line for line in lines if line.startswith(f"| {name} ")]


if __name__ == "__main__":
    with TemporaryDirectory() as made:
        tasks = import_tasks(Path(made))
        tables = {name: printed_tables(name, tasks, Path(made)) for name in IN_BOTH}
        heads = [line for line in tables[IN_BOTH[0]] if line.startswith(("Table ", "| Model", "| ---"))]
        for number in (0, 1):
            caption, *head = heads[3 * number : 3 * number + 3]
            print("\n".join([caption, "", *head, *(rows_of(name, own)[number] for name, own in tables.items()), ""]))
