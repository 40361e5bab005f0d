"""Reads plans: calls of actions with plain values, one a line, and nothing else. `next_land()` begins the day in the
next land.

A plan is straight, so it is read and never run. Each line is parsed by itself and is short, so no text makes that slow.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from herobench.suites.discover.game.day import ACTIONS, NEXT_LAND, Call, parameters
from herobench.suites.rpg.game.calls import NotStraight
from herobench.suites.rpg.game.events import Value
from herobench.suites.rpg.game.hero import NAME

MOST_LINES, MOST_WIDTH = 1_000, 200


def read_plan(text: str) -> list[Call]:
    """Return the calls of a plan. Raise NotStraight at the first line that holds anything else."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) > MOST_LINES:
        raise NotStraight(f"a plan has at most {MOST_LINES:,} lines", MOST_LINES)
    plan: list[Call] = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            plan += _calls_in(line.strip(), number)
    return plan


def _calls_in(line: str, number: int) -> list[Call]:
    if len(line) > MOST_WIDTH:
        raise NotStraight(f"a line has at most {MOST_WIDTH} characters", number)
    try:
        statements = ast.parse(line).body
        return [_call(statement) for statement in statements]
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotStraight("a plan holds only calls of actions, with their values written out", number) from error


def _call(statement: ast.stmt) -> Call:
    """Return the call of a statement. Raise ValueError for any other, and for values that do not fit."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        raise ValueError("no call")
    call = statement.value
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name not in (*ACTIONS, NEXT_LAND):
        raise ValueError(name)
    values = [ast.literal_eval(value) for value in call.args]
    if values[:1] == [NAME]:
        values = values[1:]  # the role-playing game has the hero's name first
    names = parameters(name)
    keywords = {keyword.arg or "": ast.literal_eval(keyword.value) for keyword in call.keywords}
    given = {**dict(zip(names, values, strict=False)), **keywords}
    if len(values) > len(names) or {*given} != {*names} or len(given) != len(values) + len(keywords):
        raise ValueError(f"the parameters of {name} are {', '.join(names)}")
    return Call(name, tuple(_plain(given[each]) for each in names))


def _plain(value: object) -> Value:
    if isinstance(value, str | int | float):
        return value
    raise ValueError("a value is a text or a number")


def days_of(plan: Iterable[Call]) -> list[list[Call]]:
    """Return the calls of each day of a plan."""
    days: list[list[Call]] = [[]]
    for call in plan:
        if call.name == NEXT_LAND:
            days.append([])
        else:
            days[-1].append(call)
    return days


def joined(days: Iterable[Iterable[Call]]) -> list[Call]:
    """Return days as one plan."""
    plan = [call for day in days for call in (Call(NEXT_LAND), *day)]
    return plan[1:]


def as_code(calls: Iterable[Call]) -> str:
    """Return calls as the text of a plan."""
    return "\n".join(f"{call.name}({', '.join(map(_written, call.values))})" for call in calls)


def _written(value: Value) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
