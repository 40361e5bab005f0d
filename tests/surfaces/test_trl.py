"""Steps of GRPO by TRL's own trainer, with a tiny model of random weights on a processor, in a venv of its own."""

import json
from pathlib import Path

import pytest

from tests.surfaces.environment import Environment, environment_with_torch

pytestmark = pytest.mark.packaging


@pytest.fixture(scope="module")
def trl(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = environment_with_torch(tmp_path_factory.mktemp("trl"), "trl>=1.16")
    assert tuple(map(int, made.version("trl").split(".")[:2])) >= (1, 16)
    return made


def test_a_step_of_grpo_logs_rewards_and_the_causes_of_failures(trl: Environment, tmp_path: Path) -> None:
    done = trl.run("python", Path(__file__).with_name("grpo_step.py"), cwd=tmp_path, extra={"PYTHONWARNINGS": "ignore"})
    assert done.returncode == 0, done.stderr
    logged = json.loads(done.stdout.splitlines()[-1])
    assert logged["step"] == 1
    assert logged["changed"]
    assert logged["herobench/unmeasured"] == 0
    assert logged["rewards/reward/mean"] == logged["herobench/score"] == 0
    assert logged["rewards/async_reward/mean"] == logged["herobench/progress"] == 0
    assert len(logged["failures"]) >= 4
    assert all(logged["failures"])
    assert "All 4 completions have 16 tokens, and none wins" in done.stderr
    assert [won for batch in logged["told"] for _, won in batch] == [0.0] * 4


def test_an_attempt_of_many_turns_begins_after_a_prefix_and_each_turn_is_paid(trl: Environment, tmp_path: Path) -> None:
    done = trl.run(
        "python", Path(__file__).with_name("trl_episodes.py"), cwd=tmp_path, extra={"PYTHONWARNINGS": "ignore"}
    )
    assert done.returncode == 0, done.stderr
    logged = json.loads(done.stdout.splitlines()[-1])
    assert sorted(logged["turn_rewards"]) == [[-0.625], [0.125, 0.125, 0.125]]
    assert logged["rewards/HeroBench/mean"] == pytest.approx((3 * 0.125 - 0.625) / 2)
    assert logged["copies"] == [3 * 0.125] * 3
    assert logged["tools/call_frequency"] == 2
    assert logged["tools/failure_frequency"] == 0
