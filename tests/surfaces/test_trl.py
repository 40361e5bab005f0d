"""Steps of GRPO by TRL's own trainer, with a tiny model of random weights on a processor, in a venv of its own."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.surfaces.environment import Environment, environment_of, install

pytestmark = pytest.mark.packaging
TORCH = "torch==2.13.0"


@pytest.fixture(scope="module")
def trl(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A venv with torch for processors, which only pip takes from a folder of wheels; no other torch is fetched."""
    made = environment_of(tmp_path_factory.mktemp("trl"))
    command = [sys.executable, "-m", "pip", "--python", made.bin / "python", "install", "--quiet", "--no-index"]
    done = subprocess.run([*command, "--no-deps", TORCH], capture_output=True, text=True, timeout=900)
    if done.returncode:
        pytest.skip(f"{TORCH} is in no folder of wheels here: {done.stderr.strip().splitlines()[-1]}")
    install(made, "trl>=1.16", TORCH)
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


def test_an_attempt_of_many_turns_begins_after_a_prefix_and_each_turn_is_paid(trl: Environment, tmp_path: Path) -> None:
    done = trl.run(
        "python", Path(__file__).with_name("trl_episodes.py"), cwd=tmp_path, extra={"PYTHONWARNINGS": "ignore"}
    )
    assert done.returncode == 0, done.stderr
    logged = json.loads(done.stdout.splitlines()[-1])
    assert sorted(logged["turn_rewards"]) == [[-0.625], [0.125, 0.125, 0.125]]
    assert logged["rewards/HeroBench/mean"] == pytest.approx((3 * 0.125 - 0.625) / 2)
    assert logged["tools/call_frequency"] == 2
    assert logged["tools/failure_frequency"] == 0
