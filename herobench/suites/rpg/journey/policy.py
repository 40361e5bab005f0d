"""The answer for a road with chance: a policy, which is a program that calls the actions and sees the hero after each.

The sandbox runs it once for each of `WALKS` seeds of luck, the same ones for everybody. Its budget of steps is enough
to look up what a policy says, and too small to search: a search of one region takes thousands of steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.walk import Call, Refused, act, draw_luck, start

WALKS = 16
"""How many times a policy walks a road."""
STEPS_A_REGION = 100
"""The steps that a walk may take, for each region."""
PARTS_A_REGION = 500
"""The parts that the code may have, for each region: so long a program cannot write a search out."""


def luck_seeds(task_id: str) -> list[str]:
    """Return the seeds of luck for a task."""
    return [f"{task_id}/{number}" for number in range(1, WALKS + 1)]


def as_call(action: Action) -> Call:
    """Return what a policy attempted as a call of an action."""
    return (action.name, *(str(value) for value in (*action.args, *dict(action.keywords).values())))


class LiveWalk:
    """A walk whose actions are told one by one."""

    def __init__(self, road: Road, luck: str) -> None:
        self._road, self._luck = road, luck
        self._position = start(road)

    def act(self, action: Action) -> Mapping[str, Any] | None:
        """Carry out an action. Return what the policy sees of the hero, or None at the end of the walk."""
        call = as_call(action)
        outcome = act(self._road, self._position, call, draw_luck(self._luck, self._position, call))
        if isinstance(outcome, Refused):
            return None
        self._position = outcome[1]
        if self._position.region == len(self._road.regions):
            return None
        gear = [kind for kind, _ in self._position.gear]
        return {"hearts": self._position.hearts, "bag": list(self._position.bag), "gear": gear}
