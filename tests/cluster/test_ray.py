"""Ray itself, in an environment of its own: commands, nodes and actors are killed, and no row is lost."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from herobench.cluster.refusals import ClusterFault
from herobench.task_gen.rpg.datasets import dataset_path
from tests.cluster.here import shards_text
from tests.program import herobench, read_jsonl, write_jsonl
from tests.surfaces.environment import make_environment

pytestmark = pytest.mark.packaging
POISON = ("while True: pass", "a = 'x' * 10**9", "def f(): return f()\nf()", "(" * 5000, "import os\nos._exit(0)")
_PATIENT = {"RAY_raylet_start_wait_time_s": "300"}
"""Ray gives a node a minute to start, which a busy machine needs."""


def answers(folder: Path, count: int) -> Path:
    """Plans that win, again and again, and now and then one that is poisoned."""
    rows = read_jsonl(Path(str(dataset_path("base"))))
    made = []
    for number in range(count):
        row, epoch = rows[number % len(rows)], number // len(rows)
        code = POISON[number // 200 % len(POISON)] if number % 200 == 7 else row["certificate"]["plan"]
        made.append({"task_id": row["id"], "epoch": epoch, "code": code})
    return write_jsonl(folder / "answers.jsonl", made)


def verdicts(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return sorted((row["task_id"], row["epoch"], row["outcome"], row["score"], row["actions"]) for row in rows)


def test_killed_commands_nodes_and_actors_cost_no_row(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = answers(tmp_path, 1500)
    alone = herobench("score", "base", path, "-o", tmp_path / "alone.jsonl", "--jobs", "2")
    ray = make_environment(tmp_path_factory.mktemp("ray"), herobench="ray")
    script = Path(__file__).with_name("killed.py")
    done = ray.run("python", script, path, cwd=tmp_path, extra=_PATIENT, seconds=850)
    assert done.returncode == 0, done.stderr[-3000:]
    left = subprocess.run(["pgrep", "--full", str(ray.path)], capture_output=True, text=True).stdout.split()
    assert left == [], "no process of the environment is left behind"
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("{")]
    told: dict[str, Any] = json.loads(line)

    assert 2 < told["there"] < 30
    assert told["was_at_work"]
    assert (told["scored"]["code"], told["scored"]["stdout"]) == (0, alone.stdout), told["scored"]["stderr"]
    assert shards_text(tmp_path) == (tmp_path / "alone.jsonl").read_text("utf-8")
    assert [row["error"] for row in told["rows"]] == [None] * 400
    assert verdicts(told["rows"]) == verdicts(read_jsonl(tmp_path / "alone.jsonl")[:400])

    herobench("generate", "--count", "6", "--seed", "3", "-o", tmp_path / "tasks.jsonl", "--jobs", "1")
    assert told["generated"]["code"] == 0, told["generated"]["stderr"]
    made = [path.read_text("utf-8") for path in sorted((tmp_path / "made").glob("part-*.jsonl"))]
    assert "".join(made) == (tmp_path / "tasks.jsonl").read_text("utf-8")
    tasks = [json.loads(row["task"]) for row in sorted(told["tasks"], key=lambda row: row["index"])]
    assert tasks == read_jsonl(tmp_path / "tasks.jsonl")
    assert told["refused"] == ["", "", *[str(ClusterFault.TOO_MANY_WORKERS)] * 2]
