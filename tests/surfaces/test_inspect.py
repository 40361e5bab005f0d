"""Inspect AI runs the suites by its own command, against the loopback server and with the oracle as a solver."""

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.scorer import Scorer, Wanted
from tests.surfaces.environment import Environment, environment_of
from tests.surfaces.page import commands_of
from tests.surfaces.player_server import served

pytestmark = pytest.mark.packaging
LOCAL = ["--model", "openai-api/local/oracle"]
QUIET = ["--display", "plain"]

READ = """
import json, sys
from inspect_ai.log import list_eval_logs, read_eval_log
for info in list_eval_logs(sys.argv[1]):
    log = read_eval_log(info)
    for sample in log.samples:
        (score,) = sample.scores.values()
        print(json.dumps([log.status, log.eval.task, sample.id, sample.epoch, score.value, score.metadata["failure"]]))
"""


@pytest.fixture(scope="module")
def inspect(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A venv with Inspect, of a version that has what we use."""
    made = environment_of(tmp_path_factory.mktemp("inspect"), herobench="inspect")
    assert [int(part) for part in made.version("inspect-ai").split(".")[:3]] >= [0, 3, 280]
    return made


def evaluated(inspect: Environment, words: list[str], cwd: Path, url: str = "") -> list[list[Any]]:
    """Run `inspect eval`, and return a row for each sample: status, task, id, epoch, score, cause of failure."""
    local = {"LOCAL_API_KEY": "none", "LOCAL_BASE_URL": url}
    cwd.mkdir()
    done = inspect.run(*words, *QUIET, "--log-dir", "logs", cwd=cwd, extra=local)
    assert done.returncode == 0, done.stdout + done.stderr
    shown = inspect.run("python", "-c", READ, "logs", cwd=cwd)
    assert shown.returncode == 0, shown.stderr
    return [json.loads(line) for line in shown.stdout.splitlines()]


def wins(rows: list[list[Any]]) -> bool:
    return all(row[0] == "success" and row[4] == {"win": 1.0, "score": 1.0} and row[5] is None for row in rows)


def test_the_commands_of_the_page_win_all_tasks(inspect: Environment, tmp_path: Path) -> None:
    plans, tools, *oracles = commands_of("inspect.md", "inspect")
    with served(Wanted(difficulty="1-3")) as url:
        rows = evaluated(inspect, plans, tmp_path / "plans", url)
    assert len(rows) == 60
    assert wins(rows)
    with served(Wanted(difficulty="1", limit=2, mode="tools")) as url:
        rows = evaluated(inspect, tools, tmp_path / "tools", url)
    assert sorted(row[3] for row in rows) == [1, 1, 2, 2]
    assert wins(rows)
    for number, words in enumerate(oracles):
        rows = evaluated(inspect, words, tmp_path / str(number))
        assert len(rows) == (12, 4)[number]
        assert wins(rows)


def test_a_wrong_plan_scores_what_the_scorer_says_and_windows_of_messages_are_kept(
    inspect: Environment, tmp_path: Path
) -> None:
    wanted = Wanted(dataset="base", limit=60)
    with Scorer(wanted) as scorer:
        plan = scorer.solution(next(iter(scorer.tasks)))[0].text
        expected = {
            task_id: ({"win": float(result.won), "score": result.reward}, result.failure)
            for task_id in scorer.tasks
            for result in [scorer.score(task_id, plan)]
        }
    assert len({json.dumps(said) for said in expected.values()}) > 2
    with served(wanted, plan) as url:
        words = ["inspect", "eval", "herobench/rpg", "-T", "dataset=base", "-T", "limit=60", *LOCAL]
        rows = evaluated(inspect, words, tmp_path / "plans", url)
    assert {row[2]: (row[4], row[5]) for row in rows} == expected
    # hints=off is false in YAML, and a window of 2 sends less than the whole conversation
    with served(Wanted(suite="epoch", hints="off", window=2)) as url:
        words = ["inspect", "eval", "herobench/epoch", "-T", "hints=off", "-T", "window=2", *LOCAL]
        rows = evaluated(inspect, words, tmp_path / "windows", url)
    assert len(rows) == 6
    assert wins(rows)


def test_a_wrong_argument_is_refused_with_a_sentence(inspect: Environment, tmp_path: Path) -> None:
    done = inspect.run("inspect", "eval", "herobench/rpg", "-T", "length=3", "--model", "none/none", cwd=tmp_path)
    assert done.returncode == 2
    assert "Error: length is a knob of tasks that are made anew: give a seed too." in done.stderr
    assert "Traceback" not in done.stdout + done.stderr
