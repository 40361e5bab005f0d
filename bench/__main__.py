"""Runs the benchmarks: `python -m bench [-o FILE] [--samples N] [SUBJECT ...]`.

Behind a figure stands its ratio to that of the version before, of `before.json`. Times are first divided by that of a
yardstick, which every run measures, because machines differ and are shared.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

SUBJECTS = (
    "engine",
    "autumn",
    "batch_combat",
    "start_up",
    "plans",
    "plan_parts",
    "dearest",
    "scoring",
    "rewards",
    "serving",
    "gear",
    "generation",
    "many_tasks",
    "runs",
    "epochs",
    "credit",
    "analysis",
    "repair",
    "page",
)

_BEFORE = Path(__file__).with_name("before.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=f"of {', '.join(SUBJECTS)}; all when left out")
    parser.add_argument("--samples", type=int, help="how many samples `analysis` analyzes; 100,000 when left out")
    parser.add_argument("-o", "--output", type=Path, help="a JSON file for the figures")
    options = parser.parse_args()
    unknown = set(options.subjects) - set(SUBJECTS)
    if unknown:
        parser.error(f"no such subject: {', '.join(sorted(unknown))}")
    machine = {
        "python": platform.python_version(),
        "system": platform.system(),
        "cores": os.cpu_count(),
        "yardstick": _yardstick(),
    }
    before = json.loads(_BEFORE.read_text("utf-8"))
    print(f"{'subject':14} {'figure':48} {'now':>14}  of {before['version']}")
    slower = machine["yardstick"] / before["machine"]["yardstick"]
    figures: dict[str, dict[str, float]] = {}
    for subject in options.subjects or SUBJECTS:
        sized = {"samples": options.samples} if subject == "analysis" and options.samples else {}
        figures[subject] = importlib.import_module(f"bench.{subject}").measure(**sized)
        for name, value in figures[subject].items():
            ratio = _ratio(name, value, before["figures"].get(subject, {}), slower)
            print(f"{subject:14} {name:48} {value:14,.3f}  {ratio}", flush=True)
    if options.output:
        told = {"version": _version(), "machine": machine, "figures": figures}
        options.output.write_text(json.dumps(told, indent=2) + "\n", "utf-8")
        print(f"written to {options.output}", file=sys.stderr)


def _version() -> str:
    """The version that is measured, by its last tag and commit."""
    described = subprocess.run(
        ["git", "describe", "--tags", "--always", "--dirty"], cwd=_BEFORE.parent, capture_output=True, text=True
    )
    return described.stdout.strip() or version("herobench")


def _yardstick() -> float:
    """The least processor time of a fixed piece of work in plain Python, in seconds."""
    return min(_work() for _ in range(5))


def _work() -> float:
    start = time.process_time()
    seen: dict[int, list[str]] = {}
    for number in range(300_000):
        seen.setdefault(number % 997, []).append(str(number))
    return time.process_time() - start


def _ratio(name: str, value: float, before: Mapping[str, Any], slower: float) -> str:
    """How much the value is of that before, on a machine that is so many times slower; empty for a new figure."""
    if not before.get(name):
        return ""
    ratio = value / before[name]
    if "seconds" in name:
        ratio /= slower
    elif " a second" in name:
        ratio *= slower
    return f"x {ratio:.2f}"


if __name__ == "__main__":
    main()
