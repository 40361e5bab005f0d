"""How long runs take, and what a thousand connections cost: the program in a process of its own, the server in ours."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from herobench.models.pace import allow_descriptors
from tests.loopback import Behaviour, Loopback
from tests.program import PROGRAM

_ATTEMPTS = 1980
"""Eleven epochs of the base dataset."""


class _Took(NamedTuple):
    seconds: float
    processor: float
    megabytes: float


def measure() -> dict[str, float]:
    """Wall seconds, processor seconds (those of scoring included) and the most memory of the program itself."""
    allow_descriptors(1000)
    with tempfile.TemporaryDirectory() as folder, Loopback() as server:
        oracle = _run(folder, "oracle", "--model", "oracle")
        served = _run(folder, "served", *_asking(server, 50))
        server.play({"default": {"kind": Behaviour().kind, "delay": 2.0}})
        server.reset()
        crowd = _run(folder, "crowd", *_asking(server, 1000))
        most = server.counters().most_connections
    return {
        "seconds for the oracle on the base dataset": oracle.seconds,
        "replies a second, 50 connections": _ATTEMPTS / served.seconds,
        "processor milliseconds a reply": 1000 * served.processor / _ATTEMPTS,
        "most connections, 1,000 allowed": most,
        "seconds, 1,000 connections, replies after 2 s": crowd.seconds,
        "megabytes, 50 connections": served.megabytes,
        "megabytes, 1,000 connections": crowd.megabytes,
    }


def _asking(server: Loopback, connections: int) -> tuple[str, ...]:
    count = str(connections)
    return ("--model", "m", "--base-url", server.url, "--epochs", "11", "--max-connections", count)


def _run(folder: str, name: str, *args: str) -> _Took:
    command = [str(PROGRAM), "run", *args, "-o", str(Path(folder) / name)]
    surroundings = {**os.environ, "OPENAI_API_KEY": "not-a-key"}
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=surroundings) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, process.returncode
    return _Took(time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
