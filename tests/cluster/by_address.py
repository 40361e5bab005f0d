"""A command that finds its cluster by an address: python by_address.py TASKS ANSWERS OUT

The cluster first has no CPU for workers, then one node. The command is killed in the middle, and begun again. Prints
JSON: what it said each time, and how many shards were done when it was killed.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from ray.cluster_utils import Cluster

_PATIENCE = 400.0
"""Seconds. The first workers of Ray compile it, and a busy machine takes minutes for that."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(*words: str) -> subprocess.Popen[str]:
    program = Path(sys.executable).with_name("herobench")
    return subprocess.Popen([program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def told(command: subprocess.Popen[str]) -> dict[str, Any]:
    out, err = command.communicate()
    return {"code": command.returncode, "stdout": out, "stderr": err}


def wait_for_shards(folder: Path, count: int) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if len(list(folder.glob("part-*.jsonl"))) >= count:
            return
        time.sleep(0.05)
    raise TimeoutError(f"{folder} has no {count} shards")


if __name__ == "__main__":
    tasks, answers, out = sys.argv[1:]
    port = free_port()
    head = {"num_cpus": 0, "include_dashboard": False, "ray_client_server_port": port}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    words = ("score", tasks, answers, "-o", out, "--shard-rows", "20", "--on", f"ray://127.0.0.1:{port}")
    try:
        without_cpu = told(start(*words))
        cluster.add_node(num_cpus=1)
        killed = start(*words)
        wait_for_shards(Path(out), 3)
        killed.kill()
        killed.communicate()
        done = len(list(Path(out).glob("part-*.jsonl")))
        print(json.dumps({"without_cpu": without_cpu, "done": done, "again": told(start(*words))}))
    finally:
        cluster.shutdown()
