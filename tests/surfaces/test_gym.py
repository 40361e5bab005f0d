"""Gymnasium makes, checks and plays the environments, in a venv of its own."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.reader import ROOT
from tests.surfaces.environment import Environment, environment_of

pytestmark = pytest.mark.packaging
LEARNERS = Path(__file__).with_name("gym_learners.py")


@pytest.fixture(scope="module")
def gym(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = environment_of(tmp_path_factory.mktemp("gym"), herobench="gym")
    assert tuple(map(int, made.version("gymnasium").split(".")[:2])) >= (1, 2)
    return made


def figures(gym: Environment, folder: Path, *words: str) -> Any:
    done = gym.run("python", LEARNERS, *words, cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_checks_of_gymnasium_pass_without_a_warning(gym: Environment, tmp_path: Path) -> None:
    assert figures(gym, tmp_path, "checks") == {"version": gym.version("gymnasium")}


def test_the_examples_of_the_page_do_what_it_says(gym: Environment, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "gym.md").read_text("utf-8")
    episode, _, numbered = re.findall(r"^```py\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    done = gym.run("python", "-c", episode + numbered, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "\nDONE. Now true: (has hester lantern)." in done.stdout
    assert "Discrete(1442)" in done.stdout


@pytest.mark.parametrize(
    "knobs",
    [
        {"suite": "rpg", "dataset": "base", "limit": 60},
        {"suite": "acp", "limit": 60},
        {"suite": "epoch", "seed": 1, "count": 9, "length": "5-9"},
        {"suite": "autumn", "limit": 6},
    ],
    ids=lambda knobs: knobs["suite"],
)
@pytest.mark.parametrize("says", ["oracle", "no idea"])
def test_an_episode_has_the_reward_of_the_scorer(
    gym: Environment, knobs: dict[str, Any], says: str, tmp_path: Path
) -> None:
    for row in figures(gym, tmp_path, "scores", json.dumps(knobs), says).values():
        assert row["same"]
        assert row["tasks"] == knobs.get("limit", knobs.get("count"))
        assert row["score"] == 1 if says == "oracle" else row["score"] < 1


def test_vector_environments_draw_the_same_tasks_in_one_process_and_in_many(gym: Environment, tmp_path: Path) -> None:
    found = figures(gym, tmp_path, "vector")
    assert found["sync"] == found["async"]
    assert found["sync"][1] == [0, 0]
    assert {"task_id", "failure", "win"} <= {*found["sync"][2]}


def test_a_table_of_values_learns_a_tiny_level_and_chance_does_not(gym: Environment, tmp_path: Path) -> None:
    found = figures(gym, tmp_path, "learners")
    assert found["random"] < 0.3
    assert found["table"] == 1
