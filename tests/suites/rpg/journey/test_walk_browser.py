"""The rules of a journey in the browser: the pages walk by them, and nothing else would show that they differ."""

import json
from importlib.resources import files
from random import Random
from typing import Any

import pytest

from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.task import Dials
from herobench.suites.rpg.journey.walk import Position, Refused, act, draw_luck, legal_calls, start
from herobench.task_gen.rpg.journey.draw import draw_road

pytestmark = pytest.mark.slow
RULES = files("herobench.suites.rpg.journey.page").joinpath("files", "walk.js").read_text("utf-8")
WALK = """
return arguments[0].map(([road, calls, draws]) => {
  const steps = walkRoad(road, calls, draws);
  const positions = [startOfRoad(road), ...steps.map(step => step.after)];
  const told = ({call, time, after}) => [call, time, after];
  return [steps.at(-1).clock, positions.map(position => possibleSteps(road, position).map(told))];
});"""


def position_row(position: Position) -> dict[str, Any]:
    row: dict[str, Any] = json.loads(json.dumps(position._asdict()))
    return row


def choices(road: Road, position: Position) -> list[tuple[tuple[str, ...], int, Position]]:
    """All that can be done, with the time and the position behind it."""
    steps = []
    for call in legal_calls(road, position):
        outcome = act(road, position, call)
        assert not isinstance(outcome, Refused)
        steps.append((call, *outcome))
    return steps


def wander(road: Road, chance: Random) -> tuple[list[Any], list[Any], list[Any]]:
    """The calls of one who does anything that he can, gear first, their draws, and what the page should say of it."""
    position, clock, calls, draws = start(road), 0, list[Any](), list[Any]()
    menus = [choices(road, position)]
    while menus[-1] and len(calls) < 80:
        makes = [each for each in menus[-1] if each[0][0] in ("gather", "craft")]
        call, time, _ = chance.choice(makes if makes and chance.random() < 0.7 else menus[-1])
        draws.append(draw_luck("luck", position, call))
        outcome = act(road, position, call, draws[-1])
        assert not isinstance(outcome, Refused)
        position = outcome[1]
        clock += time
        calls.append(call)
        menus.append(choices(road, position))
    return (
        calls,
        draws,
        [clock, [[[list(call), time, position_row(after)] for call, time, after in menu] for menu in menus]],
    )


def test_the_browser_walks_as_python_does(driver: Any) -> None:
    chance, walks, answers = Random(7), [], []
    for number in range(36):
        sites: Any = "hand" if number % 4 == 3 else "maps"
        dials = Dials(4, sites, 1 + number % 3, 1 + number // 3 % 3, "on" if number % 5 == 4 else "off")
        road = draw_road(f"walk {number}", dials)
        calls, draws, menus = wander(road, chance)
        walks.append([road.as_row(), calls, draws])
        answers.append(menus)
    action_names = {name for _, calls, _ in walks for name, *_ in calls}
    assert action_names == {"gather", "craft", "fight", "rest", "camp", "drop", "leave"}
    driver.get("about:blank")
    assert driver.execute_script(RULES + WALK, walks) == answers
