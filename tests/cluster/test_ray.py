"""Ray itself, in an environment of its own: nodes, workers and actors are killed, and no row is lost."""

import json
import subprocess
from collections.abc import Iterator
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any

import pytest

from herobench.task_gen.rpg.datasets import dataset_path
from tests.program import Done, herobench, read_jsonl, write_jsonl
from tests.surfaces.environment import Environment, make_environment

pytestmark = pytest.mark.packaging
HERE = Path(__file__).parent
POISON = ("while True: pass", "a = 'x' * 10**9", "def f(): return f()\nf()", "(" * 5000, "import os\nos._exit(0)")
_PLANS = 2000
_PATIENT = {"RAY_raylet_start_wait_time_s": "300"}
"""Ray gives a node a minute to start, which a busy machine needs."""


@pytest.fixture(scope="module")
def ray(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return make_environment(tmp_path_factory.mktemp("ray"), herobench="ray")


@pytest.fixture(autouse=True)
def one_cluster_at_a_time(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Wait for other tests with a cluster: the servers for clients of two clusters take the same ports."""
    with (tmp_path_factory.getbasetemp().parent / "ray.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        yield


def answers(folder: Path, count: int) -> Path:
    """Plans that win, again and again, and now and then one that is poisoned."""
    rows = read_jsonl(Path(str(dataset_path("base"))))
    made = []
    for number in range(count):
        row, epoch = rows[number % len(rows)], number // len(rows)
        poisoned = number % 400 == 7
        code = POISON[number // 400 % len(POISON)] if poisoned else row["certificate"]["plan"]
        made.append({"task_id": row["id"], "epoch": epoch, "code": code})
    return write_jsonl(folder / "answers.jsonl", made)


def alone(folder: Path, path: Path) -> tuple[Done, str]:
    """What the command says and writes on this machine."""
    done = herobench("score", "base", path, "-o", folder / "alone.jsonl", "--jobs", "2")
    return done, (folder / "alone.jsonl").read_text("utf-8")


def script(ray: Environment, name: str, *words: str | Path, cwd: Path, seconds: int = 700) -> dict[str, Any]:
    """What a script prints as JSON. It leaves no process of the environment behind."""
    done = ray.run("python", HERE / name, *words, cwd=cwd, extra=_PATIENT, seconds=seconds)
    assert done.returncode == 0, done.stderr[-3000:]
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("{")]
    left = subprocess.run(["pgrep", "--full", str(ray.path)], capture_output=True, text=True).stdout.split()
    assert left == []
    told: dict[str, Any] = json.loads(line)
    return told


def written(folder: Path) -> str:
    return "".join(path.read_text("utf-8") for path in sorted(folder.glob("part-*.jsonl")))


def test_plans_scored_while_nodes_and_workers_are_killed_get_the_rows_of_one_machine(
    ray: Environment, tmp_path: Path
) -> None:
    path = answers(tmp_path, _PLANS)
    done, text = alone(tmp_path, path)
    words = ("score", "base", path, "-o", tmp_path / "out", "--shard-rows", "40")
    told = script(ray, "killed_nodes.py", "3", "5", "1", *words, cwd=tmp_path)
    assert told["code"] == 0, told["stderr"]
    assert told["killed"]["nodes"] + told["killed"]["workers"] > 0
    assert told["stdout"] == done.stdout
    assert written(tmp_path / "out") == text
    assert not list((tmp_path / "out").glob(".*")), "what killed workers left is removed"


def test_a_command_that_lost_its_server_or_was_killed_goes_on_by_the_address(ray: Environment, tmp_path: Path) -> None:
    path = answers(tmp_path, 400)
    done, text = alone(tmp_path, path)
    told = script(ray, "by_address.py", "base", path, tmp_path / "out", cwd=tmp_path)
    assert told["servers"] == 1, "the cluster lost the first server for the command"
    assert told["without_cpu"]["code"] == 2
    assert told["without_cpu"]["stderr"].startswith("The cluster has no CPU for a worker")
    assert 0 < told["done"] < 20
    assert (told["again"]["code"], told["again"]["stdout"]) == (0, done.stdout)
    assert written(tmp_path / "out") == text


def test_pipelines_of_ray_data_score_and_make_tasks_and_lose_no_row_with_an_actor(
    ray: Environment, tmp_path: Path
) -> None:
    path = answers(tmp_path, 400)
    _, text = alone(tmp_path, path)
    told = script(ray, "pipelines.py", "base", path, tmp_path, cwd=tmp_path, seconds=600)
    assert told["killed"] == 1
    assert told["refused"][:2] == ["", ""]
    assert all("the dataset would hang: ask for fewer workers" in sentence for sentence in told["refused"][2:])

    def verdicts(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
        return sorted((row["task_id"], row["epoch"], row["outcome"], row["score"], row["actions"]) for row in rows)

    assert [row["error"] for row in told["scored"]] == [None] * 400
    assert verdicts(told["scored"]) == verdicts(list(map(json.loads, text.splitlines())))
    herobench("generate", "--count", "6", "--seed", "3", "-o", tmp_path / "tasks.jsonl", "--jobs", "1")
    made = (tmp_path / "tasks.jsonl").read_text("utf-8")
    assert told["generated"]["text"] == made
    assert list(map(json.loads, told["made"])) == list(map(json.loads, made.splitlines()))
    assert told["errors"] == [None] * 6
    assert told["proven"]["stdout"] == "6 of 6 tasks hold\n"
    assert told["analyzed"]["code"] == 0, told["analyzed"]["stderr"]
    assert told["analyzed"]["stdout"] == herobench("analyze", tmp_path / "alone.jsonl", "--format", "json").stdout
    check_other_suites(told, tmp_path)


def check_other_suites(told: dict[str, Any], folder: Path) -> None:
    """The runs, levels and results of other suites are those of this machine too."""
    assert told["asked"]["code"] == 0, told["asked"]["stderr"]
    again = herobench("score", folder / "questions", "-o", folder / "again.jsonl")
    # how the title wraps depends on the length of the folder's name and on the width that each process takes
    assert (told["again"]["code"], told["again"]["stdout"].split()) == (0, again.stdout.split())
    assert written(folder / "again") == (folder / "again.jsonl").read_text("utf-8")
    levels = ("--suite", "epoch", "--length", "4-8", "--people", "2", "--seed", "3", "--count", "4")
    herobench("generate", *levels, "-o", folder / "levels.jsonl", "--jobs", "1")
    assert [each["code"] for each in told["levels"]] == [0, 0]
    assert written(folder / "levels") == (folder / "levels.jsonl").read_text("utf-8")
    assert list(map(json.loads, told["drawn"])) == read_jsonl(folder / "levels.jsonl")
    assert told["levels"][1]["stdout"] == "4 of 4 tasks hold\n"
    samples = read_jsonl(folder / "questions" / "samples.jsonl")
    assert [row["error"] for row in told["results"]] == [None] * 20
    assert sorted((row["task_id"], row["won"]) for row in told["results"]) == sorted(
        (row["task_id"], row["won"]) for row in samples
    )
