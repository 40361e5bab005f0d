"""Appends to a journal, several at once, on a disk that gets full: `python -m tests.runs.full_disk FILE [BYTES]`.

BYTES is the largest size that a file may have. What happened is told as JSON: which appends came back, how those ended
that did not, and what is in the file then.
"""

from __future__ import annotations

import asyncio
import json
import resource
import signal
import sys
from pathlib import Path
from typing import Any

from herobench.runs.journal import Journal, read_journal

ROWS = 60
TOGETHER = 7


def main(path: Path, most: int | None) -> None:
    if most is not None:
        sys.dont_write_bytecode = True  # of a larger file Python would leave a part
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    print(json.dumps(asyncio.run(told(path))))


async def told(path: Path) -> dict[str, Any]:
    journal = Journal(path)
    ends: list[Any] = []
    for begin in range(0, ROWS, TOGETHER):
        numbers = range(begin, min(begin + TOGETHER, ROWS))
        ends += await asyncio.gather(*(journal.append(row(number)) for number in numbers), return_exceptions=True)
    journal.close()
    data = path.read_bytes()
    return {
        "kept": [number for number, end in enumerate(ends) if end is None],
        "failed": [str(end) for end in ends if end is not None],
        "files": sorted({str(end.filename) for end in ends if end is not None}),
        "rows": [found["row"] for found in read_journal(path)],
        "whole": data == data[: data.rfind(b"\n") + 1],
    }


def row(number: int) -> dict[str, Any]:
    """Short ones and long ones."""
    return {"row": number, "text": "☃" * (1 + number % 5 * 900)}


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None)
