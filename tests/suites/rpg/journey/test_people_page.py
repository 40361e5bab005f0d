"""The page at which people walk roads, without a browser: what it is told, and what its answers are."""

import json
from pathlib import Path
from typing import Any

import pytest

from herobench.conversation import Message, Request
from herobench.suite.contract import SuiteSetting
from herobench.suites.rpg.journey.page import JourneyPage
from herobench.suites.rpg.journey.task import shipped_journeys
from herobench.suites.rpg.journey_suite import Journeys
from herobench.suites.rpg.refusals import RpgFault
from tests.program import herobench
from tests.refusals import raises
from tests.suites.rpg.journey.roads import journey
from tests.suites.rpg.journey.samples import sample

PAGE = JourneyPage()
TASK = journey(2, "maps", 1, 1)


def opening() -> Message:
    (message,) = Journeys(SuiteSetting(), {TASK.id: TASK}).open(TASK.id, 0).messages
    return message


def test_the_page_is_told_the_road_and_models_are_not_sent_it_twice() -> None:
    view = PAGE.view(Request(TASK.id, 0, [opening()]))
    assert view == {"task": TASK.id, "prompt": opening().text, "road": TASK.road.as_row()}
    assert json.loads(json.dumps(view)) == view
    assert opening().as_row() == {"role": "user", "content": opening().text}


def test_a_road_with_chance_is_refused_before_the_page_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    PAGE.check(TASK.as_row())
    with raises(RpgFault.CHANCE):
        PAGE.check(next(iter(shipped_journeys("luck-v1").values())).as_row())
    monkeypatch.chdir(tmp_path)
    done = herobench("play", "--dataset", "luck-v1", "--limit", "1", "--no-browse")
    assert (done.returncode, "http://" in done.stderr, [*tmp_path.iterdir()]) == (2, False, [])
    assert "people walk roads without it" in done.stderr


def test_only_a_text_is_an_answer() -> None:
    reply = PAGE.reply("```python\nleave()\n```")
    assert reply
    assert reply.text == "```python\nleave()\n```"
    wrong_answers: list[Any] = [None, 5, [["leave"]], {"name": "leave", "arguments": {}}]
    assert [PAGE.reply(answer) for answer in wrong_answers] == [None] * 4


def test_the_verdict_tells_the_regret_and_what_was_done() -> None:
    best = PAGE.verdict(sample(TASK, TASK.plan))
    assert (best["won"], best["time"], best["least"]) == (True, TASK.least, TASK.least)
    assert (best["mistakes"], best["regret"]) == (0, 0)
    worse = PAGE.verdict(sample(TASK, [("camp",), *TASK.plan]))
    assert (worse["won"], worse["mistakes"], worse["regret"]) == (False, 1, worse["time"] - worse["least"])
    assert [mistake["action"] for mistake in worse["events"]["mistakes"]] == [0]
    assert worse["events"]["actions"][:2] == [["camp"], list(TASK.plan[0])]
    assert PAGE.verdict({"details": {}, "events": None}) is None
