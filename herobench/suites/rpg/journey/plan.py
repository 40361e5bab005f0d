"""Reads the plan of a reply: calls of actions, one or more a line, with values in quotes, and nothing else.

A plan is straight, since a script that could compute would hold a solver. It is read and never run. Each text is
looked at once, so that no reply makes it slow.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from herobench.suites.rpg.journey.walk import Call

MOST_CALLS = 100_000
"""The most actions of a plan: ten times what any plan of the longest road needs."""
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


class NotStraight(Exception):
    """Raised for a text that holds more than calls."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.reason, self.line = reason, line


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
