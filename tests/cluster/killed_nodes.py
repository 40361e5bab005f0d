"""A command on a cluster of several raylets, whose nodes and workers are killed at random while it works.

python killed_nodes.py NODES SECONDS SEED WORD...

runs `herobench WORD... --on ray`; every so many seconds a node or one worker is killed, and a new node joins for a
killed one. With 0 seconds nothing is killed. Prints JSON: what the command said, what was killed, and how long it took.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

import ray
from ray.cluster_utils import Cluster

from herobench.cli import main


class Killer:
    """Kills a node or a worker now and then. Ray lets nodes join from the main thread only, so it stays there."""

    def __init__(self, cluster: Any, nodes: list[Any], seconds: float, seed: int) -> None:
        self.killed = {"nodes": 0, "workers": 0}
        self._cluster = cluster
        self._nodes = nodes
        self._seconds = seconds
        self._random = Random(seed)

    def work_beside(self, other: threading.Thread) -> None:
        """Kill until another thread has ended."""
        while other.is_alive():
            other.join(self._random.uniform(0.5, 1.5) * self._seconds or None)
            if not other.is_alive():
                return
            if self._random.random() < 0.5:
                self._kill_node()
            else:
                self._kill_worker()

    def _kill_node(self) -> None:
        """Kill a raylet as a machine that goes away would, and let a new one join."""
        node = self._nodes.pop(self._random.randrange(len(self._nodes)))
        os.kill(raylet_pid(node), signal.SIGKILL)
        self.killed["nodes"] += 1
        self._cluster.remove_node(node, allow_graceful=False)
        self._nodes.append(self._cluster.add_node(num_cpus=1))

    def _kill_worker(self) -> None:
        workers = [
            pid for node in self._nodes for pid in list_children(raylet_pid(node)) if "ray::_call" in process_title(pid)
        ]
        if workers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._random.choice(workers), signal.SIGKILL)
                self.killed["workers"] += 1


def raylet_pid(node: Any) -> int:
    (found,) = node.all_processes["raylet"]
    return int(found.process.pid)


def list_children(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(stat.parent.name))
    return found


def process_title(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
    return ""


def run(words: list[str], *, on: bool = True) -> dict[str, Any]:
    """Run a command in this process, on the cluster or without it."""
    out, err = io.StringIO(), io.StringIO()
    sys.argv = ["herobench", *words, *(["--on", "ray"] if on else [])]
    began, code = time.monotonic(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    seconds = time.monotonic() - began
    return {"code": code, "stdout": out.getvalue(), "stderr": err.getvalue(), "seconds": seconds}


if __name__ == "__main__":
    count, seconds, seed, words = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    # the head has no CPU for workers, so that only what it knows is never killed
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    try:
        nodes = [cluster.add_node(num_cpus=1) for _ in range(count)]
        ray.init(address=cluster.address, logging_level="ERROR", log_to_driver=False)
        killer = Killer(cluster, nodes, seconds, seed)
        told: dict[str, Any] = {}
        command = threading.Thread(target=lambda: told.update(run(words)))
        command.start()
        killer.work_beside(command)
        print(json.dumps({**told, "killed": killer.killed}))
    finally:
        ray.shutdown()
        cluster.shutdown()
