"""verifiers runs the distribution herobench-vf by its own commands, in a venv of its own, on loopback."""

import json
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from herobench.scorer import Scorer, TaskQuery, TurnReward
from tests.sizes import SURFACE_TASKS
from tests.surfaces.environment import ROOT, Environment, make_environment
from tests.surfaces.page import page_text
from tests.surfaces.player_server import served

pytestmark = pytest.mark.packaging
PACKAGE = ROOT / "integrations" / "verifiers"
EPOCHS = {"suite": "epoch", "limit": SURFACE_TASKS, "mode": "plan"}
OFFLINE = ("--no-push", "--no-rich", "-c", "4")


@pytest.fixture(scope="module")
def verifiers(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = make_environment(tmp_path_factory.mktemp("verifiers"), "verifiers>=0.4", "uv", "--editable", str(PACKAGE))
    assert tuple(map(int, made.version("verifiers").split(".")[:2])) >= (0, 4)
    return made


OWN = ("suite", "dataset", "difficulty", "seed", "length", "count", "limit", "mode", "prefix", "reward")
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
    wanted = TaskQuery(**knobs)
    with Scorer(wanted) as scorer:
        solutions = {task_id: scorer.solution(task_id) for task_id in scorer.tasks}
        first = solutions[next(iter(solutions))][0]  # what wins the first task wins few others
        said = solutions if right else dict.fromkeys(solutions, [first] * 100)
        expected = {task_id: scorer.score(task_id, turns) for task_id, turns in said.items()}
    assert right == all(result.won for result in expected.values())
    with served(wanted, None if right else first.text) as url:
        evaluate(verifiers, "herobench-vf", url, knobs, tmp_path)
    traces = read_traces(tmp_path)
    told = {trace["task"]["data"]["id"]: trace for trace in traces}
    assert len(told) == len(traces)
    assert {task_id: trace["rewards"]["herobench"]["score"] for task_id, trace in told.items()} == {
        task_id: result.reward for task_id, result in expected.items()
    }
    for task_id, result in expected.items():
        assert told[task_id]["info"]["herobench"]["failure"] == result.failure
        assert told[task_id]["metrics"]["win"] == result.won


def evaluate(verifiers: Environment, package: str, url: str, knobs: dict[str, Any], folder: Path) -> None:
    """Evaluate the oracle that a server plays, on the tasks of a package of verifiers."""
    done = verifiers.run(
        *("vf-eval", package, "-m", "oracle", "--client.base-url", url, "--client.api-key-var", "KEY"),
        *(*OFFLINE, "-o", "out", *options(knobs, "env.taskset")),
        cwd=folder,
        extra={"KEY": "none"},
    )
    assert done.returncode == 0, done.stderr


def read_traces(folder: Path) -> list[dict[str, Any]]:
    (file,) = folder.glob("out/*/traces.jsonl")
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return [trace for row in rows for trace in row.get("traces", [row])]


WAITING = {"suite": "autumn", "limit": 1, "total": 4, "window": 1}
CONFIG = """
model = "oracle"
[env.taskset]
id = "herobench-vf"
suite = "autumn"
limit = 1
settings = { total = 4, window = 1 }
"""


def test_a_window_is_kept_and_numbers_need_no_marks(verifiers: Environment, tmp_path: Path) -> None:
    (tmp_path / "eval.toml").write_text(CONFIG, "utf-8")
    asked: list[int] = []
    with served(TaskQuery(**WAITING), "I wait.", asked) as url:
        local = ("--client.base-url", url, "--client.api-key-var", "KEY")
        words = ("vf-eval", "@", "eval.toml", *local, *OFFLINE, "-o", "out")
        done = verifiers.run(*words, cwd=tmp_path, extra={"KEY": "none"})
        assert done.returncode == 0, done.stderr
        (trace,) = read_traces(tmp_path)
        with Scorer(TaskQuery(**WAITING)) as scorer:
            play = scorer.play(next(iter(scorer.tasks)))
            sent = []
            while not play.over:
                sent.append(len(play.conversation))
                play.say("I wait.")
        assert asked == sent
        assert trace["rewards"]["herobench"]["score"] == play.result().reward
        done = verifiers.run(*words, "--clean", "--env.agent.harness.id", "null", cwd=tmp_path, extra={"KEY": "none"})
    assert "This suite sends the last turns only" in done.stderr


def test_an_interrupted_attempt_keeps_its_trace(verifiers: Environment, tmp_path: Path) -> None:
    asked: list[int] = []
    knobs = {"suite": "autumn", "limit": 1}
    with served(TaskQuery(**knobs), "I wait.", asked) as url:
        local = ("--client.base-url", url, "--client.api-key-var", "KEY")
        command = ["vf-eval", "herobench-vf", "-m", "oracle", *local, *OFFLINE, "-o", "out"]
        command[0] = str(verifiers.bin / command[0])
        process = subprocess.Popen(
            [*command, *options(knobs, "env.taskset")],
            cwd=tmp_path,
            env=verifiers.variables({"KEY": "none"}),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while len(asked) < 3 and process.poll() is None:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    (trace,) = read_traces(tmp_path)
    assert "The attempt was interrupted." in json.dumps(trace["errors"])
    assert json.dumps(trace).count("I wait.") >= 2
    assert not trace["rewards"]


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


def test_a_truth_value_is_no_number_of_tasks(verifiers: Environment, tmp_path: Path) -> None:
    config = 'model = "oracle"\n[env.taskset]\nid = "herobench-vf"\nlimit = true\nseed = true\n'
    (tmp_path / "eval.toml").write_text(config, "utf-8")
    done = verifiers.run("vf-eval", "@", "eval.toml", *OFFLINE, "-o", "out", cwd=tmp_path)
    assert done.returncode != 0
    assert (done.stdout + done.stderr).count("and not true or false") == 2


def test_turns_are_paid_from_where_the_prefix_ends(verifiers: Environment, tmp_path: Path) -> None:
    knobs = {"suite": "rpg", "dataset": "base", "difficulty": "3", "limit": 1, "mode": "feedback"}
    with Scorer(TaskQuery(**knobs)) as scorer:
        (task_id,) = scorer.tasks
        play = scorer.play(task_id, prefix=-3)
        credit, expected = TurnReward(play, "potential"), []
        for turn in scorer.way(task_id)[-3:]:
            play.say(turn)
            expected.append(credit.of_turn())
    chosen = {**knobs, "prefix": -3, "reward": "potential"}
    with served(TaskQuery(**knobs), None) as url:
        evaluate(verifiers, "herobench-vf", url, chosen, tmp_path)
    (file,) = (tmp_path / "out").rglob("traces.jsonl")
    found = re.findall(r'"turn_rewards": ?(\[[^]]*\])', file.read_text("utf-8"))
    assert json.loads(found[-1]) == pytest.approx(expected)


def test_an_attempt_forked_twice_gets_equal_verdicts(verifiers: Environment, tmp_path: Path) -> None:
    (packages,) = verifiers.path.glob("lib/python*/site-packages")
    (program,) = re.findall(r"^```py\n(.*?)^```$", page_text("surfaces.md", "verifiers"), re.DOTALL | re.MULTILINE)
    oracle = "[play.say(reply) for reply in task.scorer.way(task.data.task_id)[:3]]"
    assert 'play.say("...")' in program
    program = program.replace('play.say("...")', oracle).replace("range(4)", "range(2)")
    (packages / "forks_vf.py").write_text(program, "utf-8")
    knobs = {"suite": "rpg", "dataset": "base", "difficulty": "3", "limit": 1, "mode": "feedback"}
    with Scorer(TaskQuery(**knobs)) as scorer:
        (task_id,) = scorer.tasks
        left = len(scorer.way(task_id)) - 3
    with served(TaskQuery(**knobs), None) as url:
        evaluate(verifiers, "forks_vf", url, {**knobs, "reward": "potential"}, tmp_path)
    one, other = read_traces(tmp_path)
    assert one["info"]["herobench"] == other["info"]["herobench"]
    assert one["info"]["herobench"]["won"]
    assert len(one["info"]["herobench"]["turn_rewards"]) == left
    assert one["rewards"]["herobench"]["score"] == other["rewards"]["herobench"]["score"] == 1.0
