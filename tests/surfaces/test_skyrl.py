"""SkyRL-Gym makes and steps the environment, in a venv of its own."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.environment import Environment, make_environment

pytestmark = pytest.mark.packaging
EPISODES = Path(__file__).with_name("skyrl_episodes.py")


@pytest.fixture(scope="module")
def skyrl(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = make_environment(tmp_path_factory.mktemp("skyrl"), "skyrl-gym>=0.4")
    assert tuple(map(int, made.version("skyrl-gym").split(".")[:2])) >= (0, 4)
    return made


@pytest.mark.parametrize(
    "knobs",
    [
        {"suite": "rpg", "dataset": "base", "limit": 60},
        {"suite": "rpg", "dataset": "base", "limit": 3, "mode": "feedback"},
        {"suite": "acp", "limit": 60},
        {"suite": "epoch", "limit": 9, "mode": "plan"},
        {"suite": "autumn", "limit": 6, "mode": "actions"},
        {"suite": "rpg", "dataset": "base", "limit": 3, "mode": "tools"},
        {"suite": "epoch", "limit": 3, "mode": "tools"},
    ],
    ids=lambda knobs: f"{knobs['suite']}-{knobs.get('mode', 'plan')}",
)
@pytest.mark.parametrize("says", ["oracle", "no idea"])
def test_an_episode_has_the_reward_of_the_scorer(
    skyrl: Environment, knobs: dict[str, Any], says: str, tmp_path: Path
) -> None:
    done = skyrl.run("python", EPISODES, json.dumps(knobs), says, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["same"]
    assert figures["tasks"] == knobs["limit"]
    assert figures["score"] == 1 if says == "oracle" else figures["score"] < 1


@pytest.mark.parametrize(
    "knobs",
    [
        {"suite": "rpg", "dataset": "base", "difficulty": "3", "limit": 3, "mode": "feedback"},
        {"suite": "autumn", "task_id": "bubbles-planning", "mode": "actions"},
        {"suite": "epoch", "dataset": "epochs-v1", "levels": "3", "mode": "tools"},
    ],
    ids=lambda knobs: knobs["suite"],
)
def test_an_episode_begins_after_a_prefix_and_each_turn_is_paid(
    skyrl: Environment, knobs: dict[str, Any], tmp_path: Path
) -> None:
    done = skyrl.run("python", EPISODES, json.dumps(knobs), "credit", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["same"]
    assert figures["end"] == 1
    assert figures["progress"] <= 1
    assert 0 < figures["potential"] < 1  # about half of the way is left


def test_a_window_is_refused_with_a_sentence(skyrl: Environment, tmp_path: Path) -> None:
    knobs = {"suite": "autumn", "limit": 1, "mode": "actions", "window": 2}
    done = skyrl.run("python", EPISODES, json.dumps(knobs), "no idea", cwd=tmp_path)
    assert "window says which turns a model is sent" in done.stderr
