"""Runs real models on a few tasks of each suite, and keeps their samples as slim rows of reference:

    python -m bench.real_models local:smollm2 -o FOLDER [--only NAME ...] [--tasks N] [--ship]

FOLDER has a run for each line of `RUNS`. One that was cut short is resumed. `--ship` writes the rows of the runs that
are whole to `world_data/references`, where `herobench leaderboard` finds them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import herobench.world_data
from herobench.runs.folder import RunFolder


class ReferenceRun(NamedTuple):
    """A run of a real model: how many tasks it asks, and its options."""

    tasks: int
    options: str


RUNS: Mapping[str, ReferenceRun] = {
    "journey": ReferenceRun(8, "--dataset horizon-v4"),
    "journey-steps": ReferenceRun(8, "--dataset horizon-v4 --lane steps"),
    "base": ReferenceRun(6, "--dataset base --difficulty 1-3 --shuffle 1"),
    "base-steps": ReferenceRun(6, "--dataset base --difficulty 1-3 --shuffle 1 --lane steps"),
    "base-tools": ReferenceRun(3, "--dataset base --difficulty 1-3 --shuffle 1 --agent tools --attempt-calls 8"),
    "acp": ReferenceRun(8, "--suite acp --shuffle 1"),
    "autumn": ReferenceRun(3, "--suite autumn --shuffle 1 --attempt-calls 6"),
    "epoch": ReferenceRun(3, "--suite epoch --levels 1,7,13 --attempt-calls 6"),
    "discover": ReferenceRun(3, "--suite discover --attempt-calls 6"),
}
"""The shortest tasks of the default set, and a few of the others: a small model on two cores takes minutes for each."""
_SAMPLING = "--max-tokens 300 --temperature 0.2 --top-p 0.9 --seed 1"
"""The sampling that the card of SmolLM2 advises. 300 tokens have space for a reply that wins these tasks."""

_SLIM = ("schema", "suite", "task_id", "group", "epoch", "status", "model", "won", "score", "progress", "failure")
_SPENT = ("input_tokens", "output_tokens", "seconds", "unfinished")
"""The columns of a slim row, beside `details`."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="such as local:smollm2")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the folder of the runs")
    parser.add_argument("--only", nargs="+", choices=RUNS, default=list(RUNS), help="of these runs")
    parser.add_argument("--tasks", type=int, help="the most tasks of each run")
    parser.add_argument("--ship", action="store_true", help="write the rows of reference of all runs that are whole")
    options = parser.parse_args()
    for name in options.only:
        _run(options.model, name, options.output / name, options.tasks)
    if options.ship:
        for name in options.only:
            _ship(options.model, name, options.output / name)


def _run(model: str, name: str, folder: Path, most: int | None) -> None:
    """Begin a run, or resume it."""
    if (folder / "run.json").exists():
        arguments = ["--resume", str(folder)]
    else:
        tasks, own = RUNS[name]
        limit = ["--limit", str(min(tasks, most or tasks))]
        arguments = ["--model", model, *own.split(), *limit, *_SAMPLING.split(), "-o", str(folder)]
    subprocess.run([Path(sys.executable).with_name("herobench"), "run", *arguments])


def _ship(model: str, name: str, folder: Path) -> None:
    """Write the slim rows of a run that is whole."""
    run = RunFolder(folder)
    manifest = run.read_manifest()
    if (manifest["totals"] or {"owed": 1})["owed"]:
        print(f"{folder} is not whole: its rows are not shipped")
        return
    references = Path(herobench.world_data.__path__[0], "references", manifest["config"]["dataset"])
    references.mkdir(parents=True, exist_ok=True)
    file = references / f"{model.partition(':')[2]}-{name}.jsonl"
    file.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in _slim_rows(run)), "utf-8")
    print(file)


def _slim_rows(run: RunFolder) -> Iterator[dict[str, Any]]:
    for row in run.read_samples():
        # of the replies, only whether they were cut off
        blank = {"text": "", "tool_calls": [], "answer": None, "reasoning": None}
        replies = [{**blank, "stop": reply["stop"]} for reply in row["replies"]]
        yield {**{name: row[name] for name in (*_SLIM, *_SPENT)}, "replies": replies, "details": row["details"]}


if __name__ == "__main__":
    main()
