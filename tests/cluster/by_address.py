"""A command that finds its cluster by an address: python by_address.py TASKS ANSWERS OUT

The cluster first has no CPU for workers, and loses the server that it starts for the command; then it has one node. The
command is killed in the middle, and begun again. Prints JSON: what it said each time, how many servers were killed, and
how many shards were done when the command was killed.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread
from typing import Any

from killed_nodes import list_children, process_title
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


def wait_for_shards(command: subprocess.Popen[str], folder: Path, count: int) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if len(list(folder.glob("part-*.jsonl"))) >= count:
            return
        if command.poll() is not None:
            raise RuntimeError(f"the command ended: {told(command)}")
        time.sleep(0.05)
    raise TimeoutError(f"{folder} has no {count} shards")


def kill_a_server(cluster: Any, killed: list[int]) -> None:
    """Wait for the process that the cluster starts for one client, and kill it."""
    (of_clients,) = cluster.head_node.all_processes["ray_client_server"]
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        for server in list_children(of_clients.process.pid):
            if "--mode=specific-server" in process_title(server):
                os.kill(server, signal.SIGKILL)
                killed.append(server)
                return
        time.sleep(0.02)


if __name__ == "__main__":
    tasks, answers, out = sys.argv[1:]
    port = free_port()
    head = {"num_cpus": 0, "include_dashboard": False, "ray_client_server_port": port}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    words = ("score", tasks, answers, "-o", out, "--shard-rows", "20", "--on", f"ray://127.0.0.1:{port}")
    try:
        servers: list[int] = []
        Thread(target=kill_a_server, args=(cluster, servers), daemon=True).start()
        without_cpu = told(start(*words))
        cluster.add_node(num_cpus=1)
        killed = start(*words)
        wait_for_shards(killed, Path(out), 3)
        killed.kill()
        killed.communicate()
        done = len(list(Path(out).glob("part-*.jsonl")))
        again = told(start(*words))
        print(json.dumps({"servers": len(servers), "without_cpu": without_cpu, "done": done, "again": again}))
    finally:
        cluster.shutdown()
