"""verifiers runs the distribution herobench-vf by its own commands, in a venv of its own, on loopback."""

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.scorer import Scorer, Wanted
from tests.surfaces.environment import ROOT, Environment, environment_of
from tests.surfaces.player_server import served

pytestmark = pytest.mark.packaging
PACKAGE = ROOT / "integrations" / "verifiers"
EPOCHS = {"suite": "epoch", "seed": 1, "count": 6, "length": "5-9", "mode": "plan"}
OFFLINE = ("--no-push", "--no-rich", "-c", "4")


@pytest.fixture(scope="module")
def verifiers(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = environment_of(tmp_path_factory.mktemp("verifiers"), "verifiers>=0.4", "uv", "--editable", str(PACKAGE))
    assert tuple(map(int, made.version("verifiers").split(".")[:2])) >= (0, 4)
    return made


def options(knobs: dict[str, Any], prefix: str) -> list[str]:
    return [word for name, value in knobs.items() for word in (f"--{prefix}.{name}", str(value))]


@pytest.mark.parametrize(
    ("knobs", "says"),
    [
        ({"suite": "rpg", "dataset": "base", "limit": 3}, None),
        ({"suite": "rpg", "dataset": "base", "limit": 2}, "no plan"),
        ({"suite": "rpg", "dataset": "base", "limit": 2, "mode": "feedback"}, None),
        ({"suite": "acp", "limit": 3}, None),
        ({"suite": "autumn", "limit": 1}, None),
        (EPOCHS, None),
        (EPOCHS, "no plan"),
    ],
    ids=["rpg", "rpg wrong", "rpg feedback", "acp", "autumn", "epochs", "epochs wrong"],
)
def test_an_evaluation_has_the_scores_of_the_scorer(
    verifiers: Environment, knobs: dict[str, Any], says: str | None, tmp_path: Path
) -> None:
    wanted = Wanted(**knobs)
    with served(wanted, says) as url:
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
    rewards = {trace["task"]["data"]["id"]: trace["rewards"]["herobench"]["score"] for trace in traces}
    results = [trace["info"]["herobench"] for trace in traces]
    with Scorer(wanted) as scorer:
        expected = {} if says is None else {id: scorer.score(id, [says] * 100) for id in scorer.tasks}
        assert rewards == {id: expected[id].reward if expected else 1.0 for id in scorer.tasks}
        failures = {result.failure for result in expected.values()} or {None}
        assert {result["failure"] for result in results} == failures
    assert all(trace["metrics"]["win"] == (says is None) for trace in traces)


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
