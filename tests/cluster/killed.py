"""Commands and pipelines on a cluster of several raylets, on which everything is killed once: python killed.py ANSWERS

In the folder `out`, `herobench score` is killed when it has written some files, and begun again; then an actor and a
node are killed, and a new node joins. In a pipeline of Ray Data an actor is killed too. Prints JSON: how many files
were there, whether the command was still at work, and what commands and pipelines made and said.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import ray
from ray.cluster_utils import Cluster

from herobench.cli import main
from herobench.cluster import Generate, Score, map_options
from herobench.data.errors import UsageError

_PATIENCE = 400.0
"""Seconds. The first workers of Ray compile it, and a busy machine takes minutes for that."""


def wait_until(holds: Callable[[], Any]) -> Any:
    """Return what a function returns, once that is true."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        if found := holds():
            return found
        time.sleep(0.05)
    raise TimeoutError


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


def raylet_pid(node: Any) -> int:
    (found,) = node.all_processes["raylet"]
    return int(found.process.pid)


def kill_an_actor(nodes: list[Any], kind: str) -> None:
    """Wait for an actor of a class with an open sandbox, and kill it."""

    def actors() -> list[int]:
        named = [pid for node in nodes for pid in list_children(raylet_pid(node)) if f"({kind})" in process_title(pid)]
        return [pid for pid in named if any("sandbox" in process_title(child) for child in list_children(pid))]

    os.kill(wait_until(actors)[0], signal.SIGKILL)


def kill_a_node(cluster: Any, nodes: list[Any]) -> None:
    """Kill a raylet as a machine that goes away would, and let a new one join, which the main thread has to do."""
    node = nodes.pop()
    os.kill(raylet_pid(node), signal.SIGKILL)
    cluster.remove_node(node, allow_graceful=False)
    nodes.append(cluster.add_node(num_cpus=1))


def run(told: dict[str, Any], *words: str) -> None:
    """Run a command in this process, on its cluster, and note how it ended and what it said."""
    out, err, told["code"] = io.StringIO(), io.StringIO(), 0
    sys.argv = ["herobench", *words, "--on", "ray"]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            told["code"] = int(end.code or 0)
    told |= {"stdout": out.getvalue(), "stderr": err.getvalue()}


def refused(workers: int) -> str:
    try:
        map_options(Generate, workers=workers)
    except UsageError as error:
        return str(error.fault)
    return ""


if __name__ == "__main__":
    answers = sys.argv[1]
    words = ("score", "base", answers, "-o", "out", "--shard-rows", "50")
    told: dict[str, Any] = {"scored": {}, "generated": {}}
    # the head has no CPU for workers, so that only what it knows is never killed
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    try:
        nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
        program, environment = (
            Path(sys.executable).with_name("herobench"),
            {**os.environ, "RAY_ADDRESS": cluster.address},
        )
        first = subprocess.Popen([program, *words, "--on", "ray"], env=environment, stdout=sys.stderr)
        wait_until(lambda: first.poll() is not None or len([*Path("out").glob("part-*.jsonl")]) > 2)
        first.kill()
        first.wait()
        told["there"] = len([*Path("out").glob("part-*.jsonl")])
        ray.init(address=cluster.address, logging_level="ERROR", log_to_driver=False)
        command = Thread(target=run, args=(told["scored"], *words))
        command.start()
        kill_an_actor(nodes, "MapBatches(_Caller)")
        kill_a_node(cluster, nodes)
        told["was_at_work"] = command.is_alive()
        command.join()
        run(told["generated"], "generate", "--count", "6", "--seed", "3", "-o", "made", "--shard-rows", "2")
        killer = Thread(target=kill_an_actor, args=(nodes, "MapBatches(Score)"))
        killer.start()
        options: dict[str, Any] = {**map_options(Score, tasks="base"), "batch_size": 10}
        told["rows"] = ray.data.read_json(answers, lines=True).limit(400).map_batches(Score, **options).take_all()
        killer.join()
        told["tasks"] = ray.data.range(6).map_batches(Generate, **map_options(Generate, seed=3)).take_all()
        told["refused"] = [refused(workers) for workers in (1, 3, 4, 5)]
        print(json.dumps(told))
    finally:
        ray.shutdown()
        cluster.shutdown()
