"""The processes and descriptors of the test's own process, and plans to keep workers busy with."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

GOOD = 'move("Hero", 0, 1)\ngather("Hero", 3)\nmove("Hero", 2, 1)\ncraft("Hero", "brick", 1)'
"""Wins the task of `craft_task(tiny, "brick")`."""
SLOW = "for i in range(60000):\n    x = [0] * 64\n" + GOOD
"""Wins it too, but takes a while."""
ENDLESS = "while True: pass"
IN_C_CODE = "x = 'a' * 50000\nwhile True:\n    x.rfind('b' + 'a' * 25000)"
"""Spends nearly all of its time where no step is counted and no signal is looked at."""

linux = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")


def children() -> list[int]:
    """The worker processes of this process, and what is left of dead ones."""
    return [int(entry.name) for entry in Path("/proc").glob("[0-9]*") if _is_worker(entry)]


def _is_worker(entry: Path) -> bool:
    try:
        state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
        return int(parent) == os.getpid() and (state == "Z" or "sandbox.worker" in (entry / "cmdline").read_text())
    except (OSError, ValueError):
        return False


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def worker_seconds(worker: int) -> float:
    """Return the processor time that a worker has used."""
    fields = Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def killing(after: float, most: int = 10**6) -> Iterator[list[int]]:
    """Kill each worker that has taken so many seconds of processor time; gives those that were."""
    stop = threading.Event()
    killed: list[int] = []

    def kill() -> None:
        while len(killed) < most and not stop.wait(0.001):
            for worker in set(children()) - set(killed):
                with suppress(OSError):
                    if worker_seconds(worker) >= after:
                        os.kill(worker, signal.SIGKILL)
                        killed.append(worker)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield killed
    finally:
        stop.set()
        killer.join()
