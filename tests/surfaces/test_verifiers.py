"""verifiers runs the distribution herobench-vf by its own commands, in a venv of its own, on loopback."""

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.scorer import Scorer, Wanted
from tests.sizes import SURFACE_TASKS
from tests.surfaces.environment import ROOT, Environment, environment_of
from tests.surfaces.player_server import served

pytestmark = pytest.mark.packaging
PACKAGE = ROOT / "integrations" / "verifiers"
EPOCHS = {"suite": "epoch", "seed": 1, "count": SURFACE_TASKS, "length": "5-9", "mode": "plan"}
OFFLINE = ("--no-push", "--no-rich", "-c", "4")


@pytest.fixture(scope="module")
def verifiers(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = environment_of(tmp_path_factory.mktemp("verifiers"), "verifiers>=0.4", "uv", "--editable", str(PACKAGE))
    assert tuple(map(int, made.version("verifiers").split(".")[:2])) >= (0, 4)
    return made


OWN = ("suite", "dataset", "seed", "length", "count", "limit", "mode")
RPG = {"suite": "rpg", "dataset": "base", "limit": SURFACE_TASKS}
ACP = {"suite": "acp", "limit": SURFACE_TASKS}
AUTUMN = {"suite": "autumn", "limit": SURFACE_TASKS, "total": 3}


def options(knobs: dict[str, Any], prefix: str) -> list[str]:
    named = {name if name in OWN else f"settings.{name}": value for name, value in knobs.items()}
    return [word for name, value in named.items() for word in (f"--{prefix}.{name}", str(value))]


@pytest.mark.parametrize(
    ("knobs", "right"),
    [
        (RPG, True),
        (RPG, False),
        ({**RPG, "limit": 2, "mode": "feedback"}, True),
        (ACP, True),
        (ACP, False),
        ({"suite": "autumn", "limit": 1}, True),
        (AUTUMN, False),
        (EPOCHS, True),
        (EPOCHS, False),
    ],
    ids=["rpg", "rpg wrong", "rpg feedback", "acp", "acp wrong", "autumn", "autumn wrong", "epochs", "epochs wrong"],
)
def test_an_evaluation_has_the_scores_of_the_scorer(
    verifiers: Environment, knobs: dict[str, Any], right: bool, tmp_path: Path
) -> None:
    wanted = Wanted(**knobs)
    with Scorer(wanted) as scorer:
        solutions = {task_id: scorer.solution(task_id) for task_id in scorer.tasks}
        first = solutions[next(iter(solutions))][0]  # what wins the first task wins few others
        said = solutions if right else dict.fromkeys(solutions, [first] * 100)
        expected = {task_id: scorer.score(task_id, turns) for task_id, turns in said.items()}
    assert right == all(result.won for result in expected.values())
    with served(wanted, None if right else first.text) as url:
        done = verifiers.run(
            *("vf-eval", "herobench-vf", "-m", "oracle", "--client.base-url", url, "--client.api-key-var", "KEY"),
            *(*OFFLINE, "-o", "out", *options(knobs, "env.taskset")),
            cwd=tmp_path,
            extra={"KEY": "none"},
        )
    assert done.returncode == 0, done.stderr
    (file,) = tmp_path.glob("out/*/traces.jsonl")
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    traces = [trace for row in rows for trace in row.get("traces", [row])]
    told = {trace["task"]["data"]["id"]: trace for trace in traces}
    assert len(told) == len(traces)
    assert {task_id: trace["rewards"]["herobench"]["score"] for task_id, trace in told.items()} == {
        task_id: result.reward for task_id, result in expected.items()
    }
    for task_id, result in expected.items():
        assert told[task_id]["info"]["herobench"]["failure"] == result.failure
        assert told[task_id]["metrics"]["win"] == result.won


def test_a_validation_finds_every_task_right(verifiers: Environment, tmp_path: Path) -> None:
    knobs = {"suite": "epoch", "seed": 1, "count": 3, "length": "5-6"}
    local = ("--runtime.type", "subprocess", "-o", "out")
    done = verifiers.run("vf-validate", "herobench-vf", *options(knobs, "taskset"), *local, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (file,) = tmp_path.glob("out/*/summary.json")
    summary = json.loads(file.read_text("utf-8"))
    assert summary["checks"]["gold"]["valid"] == summary["checks"]["noop"]["valid"] == summary["total"] == 3


def test_a_mode_with_tools_is_refused_with_a_sentence(verifiers: Environment, tmp_path: Path) -> None:
    knobs = {"suite": "epoch", "mode": "tools"}
    local = ("--runtime.type", "subprocess", "-o", "out")
    done = verifiers.run("vf-validate", "herobench-vf", *options(knobs, "taskset"), *local, cwd=tmp_path)
    assert done.returncode != 0
    assert "This mode of epoch is played by calls of tools: verifiers gets texts only." in done.stdout + done.stderr
