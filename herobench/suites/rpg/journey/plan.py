"""The answers to journeys: a plan, or on a road with chance a policy.

A plan is calls of actions, one or more a line, with values in quotes, and nothing else. It is straight, since a script
that could compute would hold a solver. It is read and never run. Each text is looked at once, so that no reply makes it
slow.

A policy is a program that calls the actions and sees the hero after each. The sandbox runs it once for each of `WALKS`
seeds of luck, the same ones for everybody. Its budget of steps is enough to look up what a policy says, and too small
to search: a search of one region takes thousands of steps.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from herobench.suites.rpg.game.calls import NotStraight
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.walk import Call, Refused, act, draw_luck, start

MOST_CALLS = 100_000
"""The most actions of a plan: ten times what any plan of the longest road needs."""
_MOST_PARTS, _PARTS_A_REGION = 1_000, 20
"""The most parts of a plan in parts, and those for each region: more than best plans have actions."""
_CALL = re.compile(
    r"""[ \t;]*+(?P<name>[a-z_]++)[ \t]*+\([ \t]*+
    (?P<values>(?:(?:"[^"\\\n]{0,40}+"|'[^'\\\n]{0,40}+')[ \t]*+(?:,[ \t]*+(?!\))|(?=\))))*+)\)[ \t;]*+""",
    re.VERBOSE,
)
_VALUE = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_NO_CALL = re.compile(r"[ \t]*+(?:#.*+)?")


class PlanLine(NamedTuple):
    """An action of a plan, with the number of its line."""

    call: Call
    line: int


def read_plan(text: str) -> list[PlanLine]:
    """Return the calls of a plan. Raise NotStraight at the first line that holds anything else."""
    plan: list[PlanLine] = []
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        end = 0
        while match := _CALL.match(line, end):
            values = tuple(first or second for first, second in _VALUE.findall(match["values"]))
            plan.append(PlanLine((match["name"], *values), number))
            end = match.end()
        if not _NO_CALL.fullmatch(line, end):
            raise NotStraight("a plan holds only calls of actions, with their values in quotes", number)
        if len(plan) > MOST_CALLS:
            raise NotStraight(f"a plan has at most {MOST_CALLS:,} actions", number)
    return plan


def as_code(plan: Sequence[Call]) -> str:
    """Return actions as the text of a plan."""
    return "\n".join(f"{name}({', '.join(map(_quote, values))})" for name, *values in plan)


def _quote(value: str) -> str:
    return f'"{value}"'


def most_parts(road: Road) -> int:
    """Return the most parts that a plan in parts may have."""
    return min(_MOST_PARTS, _PARTS_A_REGION * len(road.regions))


# -- policies ---------------------------------------------------------------------------------------------------------


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
