"""Gymnasium makes, checks and plays the environments, in a venv of its own."""

import json
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.environment import Environment, make_environment
from tests.surfaces.page import page_text

pytestmark = pytest.mark.packaging
PLAYERS = Path(__file__).with_name("gym_players.py")


@pytest.fixture(scope="module")
def gym(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = make_environment(tmp_path_factory.mktemp("gym"), herobench="gym")
    assert tuple(map(int, made.version("gymnasium").split(".")[:2])) >= (1, 2)
    return made


def figures(gym: Environment, folder: Path, *words: str) -> Any:
    done = gym.run("python", PLAYERS, *words, cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_an_import_without_the_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(ModuleNotFoundError, match=r"need gymnasium: pip install 'herobench\[gym\]'\."):
        import_module("herobench.surfaces.gym")


def test_the_checks_of_gymnasium_pass_without_a_warning(gym: Environment, tmp_path: Path) -> None:
    assert figures(gym, tmp_path, "checks") == {"version": gym.version("gymnasium")}


def test_the_examples_of_the_page_do_what_it_says(gym: Environment, tmp_path: Path) -> None:
    page = page_text("surfaces.md", "Gymnasium")
    episode, _ = re.findall(r"^```py\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    done = gym.run("python", "-c", episode, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "\nDONE. Now true: (has hester lantern)." in done.stdout


@pytest.mark.parametrize(
    "knobs",
    [
        {"suite": "rpg", "dataset": "base", "limit": 60},
        {"suite": "acp", "limit": 60},
        {"suite": "epoch", "limit": 9},
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
        assert row["tasks"] == knobs["limit"]
        assert row["score"] == 1 if says == "oracle" else row["score"] < 1


@pytest.mark.parametrize(
    "knobs",
    [
        {"suite": "rpg", "dataset": "base", "limit": 6},
        {"suite": "epoch", "dataset": "epochs-v1", "levels": "1-4"},
        {"suite": "autumn", "limit": 3},
    ],
    ids=lambda knobs: knobs["suite"],
)
def test_an_episode_begins_after_a_prefix_and_its_forks_are_paid_alike(
    gym: Environment, knobs: dict[str, Any], tmp_path: Path
) -> None:
    end, progress, potential = figures(gym, tmp_path, "credit", json.dumps(knobs))
    assert end == ["end", 1.0, True, True]
    assert progress[2:] == potential[2:] == [True, True]
    assert progress[1] <= 1  # what the prefix reached is paid to nobody
    assert 0 < potential[1] < 1  # about half of the way is left


def test_vector_environments_draw_the_same_tasks_in_one_process_and_in_many(gym: Environment, tmp_path: Path) -> None:
    found = figures(gym, tmp_path, "vector")
    assert found["sync"] == found["async"]
    assert found["sync"][1] == [0, 0]
    assert {"task_id", "failure", "win"} <= {*found["sync"][2]}


def test_a_lost_plan_has_its_cause_and_line_and_a_win_has_no_failure(gym: Environment, tmp_path: Path) -> None:
    lost = "all calls were carried out, and the goal was not reached"
    assert figures(gym, tmp_path, "endings") == {
        "rpg": [
            ["invalid_code", "the answer has no plan in it", None],
            ["execution", "move: 404, Map not found.", 2],
            ["invalid_code", "IndexError: list index out of range", 2],
            [None, None, None],
        ],
        "epoch": [
            ["format", "format-error", None],
            ["format", "move: format-error", 1],
            ["premature", lost, None],
            [None, None, None],
        ],
    }


def test_wrong_options_settings_and_actions_are_refused_with_a_sentence(gym: Environment, tmp_path: Path) -> None:
    assert figures(gym, tmp_path, "refusals") == [
        'reset has no option "task": there are task_id, epoch and prefix.',
        "There is no task '5' among the 3 tasks of epochs-v1.",
        'epoch is "0": give a whole number of 0 or more.',
        "epoch is -1: give a whole number of 0 or more.",
        "The prefix has 4 turns, and the attempt at L01 is over after 4: give fewer.",
        "An action is a text, and not 5.",
        'turns is "20": give a whole number of 1 or more.',
        'reward is "dense": give one of end, progress, potential.',
        "window says which turns a model is sent. Here that is up to whoever asks it: leave it out.",
    ]
