"""What jobs on a cluster of some workers cost: python worker_costs.py WORKERS TASKS SMALL LARGE OUT SHARD_ROWS

scores a small answers file twice, then a large one. Prints JSON: the processor seconds of the workers and their
sandboxes for the first job (`start`, less what the second one takes), the second (`small`) and the third (`large`).
What Ray itself takes is left out: it goes by the time and the nodes, not by the plans.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import ray
from killed_nodes import process_title, run
from ray.cluster_utils import Cluster

_NODES = 4
"""The most nodes: a raylet takes memory, and workers are what is measured."""
_TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds() -> float:
    """The time that workers and all that descend from them have used, those that have ended included."""
    used: dict[int, tuple[int, float]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        used[int(stat.parent.name)] = int(fields[1]), sum(map(int, fields[11:15])) / _TICKS
    ours = {pid for pid in used if process_title(pid).startswith("ray::") and "Agent" not in process_title(pid)}
    while more := {pid for pid, (parent, _) in used.items() if parent in ours} - ours:
        ours |= more
    return sum(used[pid][1] for pid in ours)


if __name__ == "__main__":
    workers = int(sys.argv[1])
    tasks, small, large, out, rows = sys.argv[2:]
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    try:
        count = min(workers, _NODES)
        for _ in range(count):
            cluster.add_node(num_cpus=workers // count)
        ray.init(address=cluster.address, logging_level="ERROR", log_to_driver=False)
        used, codes = [], []
        for number, answers in enumerate((small, small, large)):
            before = processor_seconds()
            words = ["score", tasks, answers, "-o", f"{out}-{number}", "--shard-rows", rows]
            codes.append(run(words)["code"])
            used.append(processor_seconds() - before)
        print(json.dumps({"code": max(codes), "start": used[0] - used[1], "small": used[1], "large": used[2]}))
    finally:
        ray.shutdown()
        cluster.shutdown()
