"""The reward function of verl, found and called by verl's own reward manager, in a venv of its own."""

import json
from pathlib import Path

import pytest

from herobench.scorer import Scorer, TaskQuery
from tests.surfaces.environment import Environment, environment_with_torch

pytestmark = pytest.mark.packaging


@pytest.fixture(scope="module")
def verl(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = environment_with_torch(tmp_path_factory.mktemp("verl"), "verl>=0.9")
    assert tuple(map(int, made.version("verl").split(".")[:2])) >= (0, 9)
    return made


def test_its_reward_manager_gives_each_answer_the_score_of_the_scorer(verl: Environment, tmp_path: Path) -> None:
    knobs = {"dataset": "base", "limit": 3}
    with Scorer(TaskQuery(**knobs)) as scorer:
        first, *others = scorer.tasks
        answers = {first: scorer.solution(first)[0].text, **dict.fromkeys(others, "no idea")}
        results = [scorer.score(task_id, text) for task_id, text in answers.items()]
    script = Path(__file__).with_name("verl_scores.py")
    done = verl.run("python", script, json.dumps(knobs), json.dumps(answers), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert [row["reward_score"] for row in rows] == [result.reward for result in results] == [1.0, 0.0, 0.0]
    assert [row["reward_extra_info"]["failure"] for row in rows] == [result.failure or "" for result in results]
