"""Runs a program and measures it: the time, and the memory of all of its processes at once."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

_EVERY = 0.2
_PAGE = os.sysconf("SC_PAGE_SIZE")


class Used(NamedTuple):
    """What a program took."""

    seconds: float
    processor: float
    """Seconds of processor time, of all processes."""
    megabytes: float
    """The most memory of all processes at one time; memory that they share counts once."""


def used_by(command: Sequence[str | Path]) -> Used:
    """Run a program that must succeed."""
    start, most = time.perf_counter(), 0
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while (ended := os.wait4(process.pid, os.WNOHANG))[0] == 0:
        most = max(most, sum(map(_kilobytes, _tree(process.pid))))
        time.sleep(_EVERY)
    _, status, used = ended
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    # without /proc, and for a program that ends at once, the largest process has to do
    return Used(seconds, used.ru_utime + used.ru_stime, (most or used.ru_maxrss) / 1024)


def resident(pid: int | str) -> float:
    """Return the megabytes that a process has in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * _PAGE / 1e6


def _tree(pid: int) -> Iterator[int]:
    """Yield a process and those that it started."""
    yield pid
    try:
        children = [
            child for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
        ]
    except OSError:
        return
    for child in children:
        yield from _tree(int(child))


def _kilobytes(pid: int) -> int:
    """Return the memory of a process; what it shares with others in proportion. 0 if it ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
