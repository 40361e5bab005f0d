"""Runs the benchmarks: `python -m tests.bench [-o FILE] [--samples N] [SUBJECT ...]`."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import sys
from pathlib import Path

SUBJECTS = (
    "engine",
    "autumn",
    "batch_combat",
    "start_up",
    "plans",
    "dearest",
    "scoring",
    "rewards",
    "serving",
    "gear",
    "worlds",
    "generation",
    "many_tasks",
    "runs",
    "epochs",
    "analysis",
    "page",
    "soak",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=f"of {', '.join(SUBJECTS)}; all when left out")
    parser.add_argument("--samples", type=int, help="how many samples `analysis` analyzes; 100,000 when left out")
    parser.add_argument("-o", "--output", type=Path, help="a JSON file for the figures")
    options = parser.parse_args()
    unknown = set(options.subjects) - set(SUBJECTS)
    if unknown:
        parser.error(f"no such subject: {', '.join(sorted(unknown))}")
    figures: dict[str, dict[str, float]] = {}
    for subject in options.subjects or SUBJECTS:
        sized = {"samples": options.samples} if subject == "analysis" and options.samples else {}
        figures[subject] = importlib.import_module(f"tests.bench.{subject}").measure(**sized)
        for name, value in figures[subject].items():
            print(f"{subject:14} {name:48} {value:14,.3f}", flush=True)
    machine = {"python": platform.python_version(), "system": platform.system(), "cores": os.cpu_count()}
    if options.output:
        options.output.write_text(json.dumps({"machine": machine, "figures": figures}, indent=2) + "\n", "utf-8")
        print(f"written to {options.output}", file=sys.stderr)


if __name__ == "__main__":
    main()
