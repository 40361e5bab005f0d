"""The phases of the suite autumn against transcripts of the reference's own: actions on offer, rewards and endings.

Documented mistakes of the reference are left out: it offers `quit` twice, and in change detection a reset that fails;
and it scores the time of submission there, so its totals are compared with the formula at that time. The changed
program is not at hand: a clock whose condition is true from the sixth step on stands in for it.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from herobench.suites.autumn.episode.challenge import Challenge, Detection, Mask, Planning, Prediction, Test
from herobench.suites.autumn.episode.episode import Episode
from herobench.suites.autumn.episode.phase import FilmSeen, WorldSeen
from herobench.suites.autumn.episode.tests import DetectionTest, PredictionTest, score_frame
from tests.builders import SHARED

pytestmark = pytest.mark.conformance

REFERENCE = SHARED / "reference" / "autumn"
RESET_OF_DETECTION = {"reset"}


def read(name: str) -> Any:
    return json.loads((REFERENCE / name).read_text("utf-8"))


@cache
def colors() -> dict[int, str]:
    pairs = (
        line.split(":") for line in (REFERENCE / "example/color_dict.yaml").read_text("utf-8").splitlines() if line
    )
    return {int(number): name.strip() for number, name in pairs}


def named(rows: list[list[int]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(colors()[cell] for cell in row) for row in rows)


def said(action: dict[str, Any]) -> str:
    return f"click {action['x']} {action['y']}" if action["type"] == "click" else str(action["type"])


def prediction() -> Prediction:
    asked = read("example/prompts/ice_mfp.json")
    frames = [observation["masked_grid"] for observation in asked["observations"]]
    hidden = [(x, y) for y, row in enumerate(frames[-1]) for x, cell in enumerate(row) if cell == 0]
    (left, top), (right, bottom) = hidden[0], hidden[-1]
    since = next(number for number, frame in enumerate(frames) if frame[top][left] == 0)
    mask = Mask(left, top, right - left + 1, bottom - top + 1, since)
    actions = tuple(said(observation["action"]) for observation in asked["observations"][1:])
    choice = read("example/answers/ice_mfp.json")["correct_idx"]
    return Prediction(actions, mask, tuple(map(named, asked["choices"])), choice)


def planning() -> Planning:
    asked = read("example/prompts/ice_planning.json")
    return Planning(named(asked["goal"]), tuple(map(tuple, asked["mask"])), ())


def detection() -> Detection:
    clock = program().rstrip()[:-1] + "(: since Number) (= since (initnext 0 (+ (prev since) 1))))"
    return Detection(clock, "> since 5", (), 6)


def program() -> str:
    return (REFERENCE / "programs/mara_ice.sexp").read_text("utf-8")


TESTS = {"mfp": prediction, "planning": planning, "cd": detection, "interactive": planning}


def transcripts() -> list[str]:
    return sorted(path.stem for path in (REFERENCE / "protocol").glob("*.json"))


def play_episode(name: str) -> tuple[Episode, str]:
    kind = name.split("_")[0]
    test: Test = TESTS[kind]()
    stack = "all" if "stacked" in name else "off"
    episode = Episode(Challenge("ice", "ice", "Ice", "physical", False, (), program(), 0, test, {}), stack=stack)
    if kind != "interactive":
        episode.act("go-to-test")
    return episode, kind


@pytest.mark.parametrize("name", transcripts())
def test_a_transcript_has_the_same_offers_rewards_and_ending(name: str) -> None:
    transcript = read(f"protocol/{name}.json")
    episode, kind = play_episode(name)
    absent = RESET_OF_DETECTION if kind == "cd" else set()
    offered: set[str] = set()
    for step in transcript["log"]:
        if step["action"] is not None:
            episode.act(step["action"])
        offered = set(step.get("offered", offered)) - absent
        if kind == "interactive":
            assert (episode.test is not None) == step.get("terminal", False)
        elif "exception" not in step:
            assert (episode.result is not None or nothing_chosen(episode, step)) == step.get("terminal", False)
        if "terminal" not in step or not step["terminal"]:
            assert set(episode.offered) == offered
        if isinstance(seen := episode.seen, WorldSeen) and seen.stills:
            first = seen.stills[0]
            assert step["obs_head"].startswith(f"Frame time: {first.time}\nAction took: {first.action}\n")
        if isinstance(seen, FilmSeen) and "loc" in step:
            assert (f"{seen.position}/{seen.last}", seen.action) == (step["loc"], step["action_took"])
    assert final_reward(episode, transcript["log"][-1]) == pytest.approx(transcript["total"], abs=1e-6)


def nothing_chosen(episode: Episode, step: dict[str, Any]) -> bool:
    """Whether the reference takes a submission without a choice, which is refused here."""
    test = episode.test
    return isinstance(test, DetectionTest) and test.chosen is None and step["action"] == "Submit choice"


def final_reward(episode: Episode, last: dict[str, Any]) -> float:
    """The reward, in change detection that of the time of submission."""
    test = episode.test
    if isinstance(test, DetectionTest) and last["terminal"]:
        assert (test.trigger, test.last + 1) == (last["T"], last["frames"])
        score = score_frame(last["time"] - 1, test.trigger)
        return -1.0 if score is None else score
    return episode.result.reference_reward if episode.result else 0.0


def test_the_example_prediction_is_played_as_recorded() -> None:
    frames = [named(observation["masked_grid"]) for observation in read("example/prompts/ice_mfp.json")["observations"]]
    asked = prediction()
    episode, _ = play_episode("mfp")
    assert isinstance(episode.test, PredictionTest)
    for number, frame in enumerate(frames):
        if number:
            episode.act("step")
        shown = [["transparent" if cell == "mask" else cell for cell in row] for row in episode.seen.grid]
        assert tuple(map(tuple, shown)) == frame
    episode.act(f"choose_option_{asked.choice}")
    assert episode.result == ("answered", 1.0, 1.0)


def test_the_example_goal_is_reached_with_the_last_action_of_a_plan() -> None:
    episode, _ = play_episode("planning")
    plan = [*["left"] * 3, *["down", "noop"] * 3, *["noop"] * 14, "click 0 0"]
    for action in plan:
        assert episode.result is None
        episode.act(action)
    assert episode.result == ("solved", 1.0, 1.0)
