import json

import pytest

from herobench.suites.rpg.game.scoring import ideal
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.worlds.content import load_rules
from herobench.task_gen.rpg.tasks.spec import total_difficulty
from tests.conformance.published import REFERENCE, RUNS, replay, tasks, world

THROUGH_THE_SANDBOX = "gpt-oss-120b"
"""A run with refused crafts, invalid code and long plans."""


@pytest.mark.parametrize("run", RUNS)
def test_every_episode_has_its_published_outcome_and_reward(run: str) -> None:
    wrong = []
    for row, task, result in replay(run):
        told = (row["result"], row["reward"], row["ideal"], round(row["score"], 6))
        score = result.score
        seen = (score.outcome, score.reward, score.ideal_reward, round(score.score, 6))
        if told != seen:
            wrong.append((task.id, told, seen))
    assert wrong == []


def test_all_shared_episodes_are_compared() -> None:
    assert sum(len(replay(run)) for run in RUNS) == 1696


def test_the_sandbox_gives_the_same_episodes() -> None:
    with Sandbox(world(), load_rules(RUNS[THROUGH_THE_SANDBOX]["edition"])) as sandbox:
        for row, task, result in replay(THROUGH_THE_SANDBOX):
            assert sandbox.execute(task, row["code"]) == result.episode, task.id


def test_every_task_has_its_published_ideal_and_difficulty() -> None:
    expected = json.loads((REFERENCE / "expected.json").read_text("utf-8"))
    ours = {
        task.id: {"ideal_reward": len(ideal(task, world())), "total_difficulty": total_difficulty(world(), task)}
        for task in tasks("tasks.json").values()
    }
    assert len(expected) == 180
    assert ours == expected
