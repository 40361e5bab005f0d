"""Jobs on a bucket of an object store: python in_a_store.py ANSWERS

puts the answers into the bucket `episodes` as two files, and scores them from there to there. Prints JSON.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import fsspec
import ray
from killed_nodes import run

BUCKET = "s3://episodes"


def score(source: str, *words: str) -> dict[str, Any]:
    return run(["score", "base", source, "--shard-rows", "30", *words])


def times(system: Any) -> dict[str, Any]:
    system.invalidate_cache()
    entries = system.ls(f"{BUCKET}/out", detail=True)
    return {each["name"].rpartition("/")[2]: each["LastModified"] for each in entries}


if __name__ == "__main__":
    lines = Path(sys.argv[1]).read_text("utf-8").splitlines(keepends=True)
    system = fsspec.filesystem("s3")
    system.mkdir("episodes")
    for name, part in (("b", lines[70:]), ("a", lines[:70])):
        system.pipe_file(f"{BUCKET}/in/{name}.jsonl", "".join(part).encode())
    ray.init("local", num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    try:
        told: dict[str, Any] = {"first": score(f"{BUCKET}/in", "-o", f"{BUCKET}/out")}
        before = times(system)
        time.sleep(1.1)  # the store tells times in whole seconds
        system.rm_file(f"{BUCKET}/out/part-0000001.jsonl")
        told["again"] = score(f"{BUCKET}/in/*.jsonl", "-o", f"{BUCKET}/out")
        after = times(system)
        told["made_again"] = [name for name in after if name.startswith("part-") and after[name] != before[name]]
        names = [name for name in sorted(after) if name.startswith("part-")]
        told["text"] = "".join(system.cat_file(f"{BUCKET}/out/{name}").decode() for name in names)
        told["other"] = score(f"{BUCKET}/in", "-o", f"{BUCKET}/out", "--rules", "paper-late")
        told["parquet"] = score(f"{BUCKET}/in", "-o", f"{BUCKET}/tables", "--format", "parquet")
        told["no bucket"] = score("s3://nowhere/answers.jsonl", "-o", f"{BUCKET}/nothing")
        print(json.dumps(told))
    finally:
        ray.shutdown()
