"""Measure what attempts take, for the rows that suites declare: python -m tests.checkup.mean_usage RUN ..."""

from __future__ import annotations

import sys
from pathlib import Path

from herobench.runs.folder import RunFolder
from herobench.runs.journal import read_journal

A_TOKEN = 4


def mean_usage(run: Path) -> tuple[float, float, float]:
    """Calls, tokens of prompts and tokens of answers of an attempt, on average; a token has four characters."""
    folder = RunFolder(run)
    calls = list(read_journal(folder.calls))
    attempts = len({(row["task_id"], row["epoch"]) for row in calls})
    said = sum(
        len(row["reply"]["text"]) + sum(len(c["arguments"]) for c in row["reply"].get("tool_calls", ()))
        for row in calls
    )
    sent = sum(row["characters"] for row in calls)
    return tuple(
        round(count, 1) for count in (len(calls) / attempts, sent / A_TOKEN / attempts, said / A_TOKEN / attempts)
    )


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(name, *mean_usage(Path(name)))
