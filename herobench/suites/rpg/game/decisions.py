"""The length of a plan in decisions: its actions, where the same action several times in a row is one.

Repeated work is not a decision. A plan that gathers ten times in a row decides once. The count works on the list of
calls, so a plan counts the same with and without loops:

    gather gather gather craft gather craft fight    7 actions
    gather craft gather craft fight                  5 decisions

A block of several actions that repeats counts each time. If it counted once, a plan that goes round all monsters
again and again would be short.

Scored rows have this figure for the plan in the task's certificate. The analysis uses it as the length of the task. The
lanes `gear` and `steps` tell the decisions of that plan.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from itertools import chain, groupby, islice
from threading import Lock
from typing import Any, NamedTuple

from herobench.suites.rpg.game.events import CallError, RefusedAction, bound
from herobench.suites.rpg.game.task import Certificate

PARSING = Lock()
"""Held while parsing: Python 3.11 counts the depth of all syntax trees together, and fails if two threads parse."""


def decisions(calls: Iterable[Hashable]) -> int:
    """Return the number of calls that differ from the one before."""
    return sum(1 for _ in groupby(calls))


def plan_decisions(certificate: Certificate) -> int | None:
    """Return the number of decisions of the plan in a certificate; None if it is not a plain list of calls."""
    return _count(certificate.plan, certificate.actions)


@lru_cache(maxsize=4096)  # every sample of a task asks again
def _count(plan: str, actions: int) -> int | None:
    try:
        return decisions(_expand(plan, actions))
    except (SyntaxError, ValueError):
        return None


class Decision(NamedTuple):
    """One decision of a plan: an action with its values, without the hero's name, and how often it is done in a row.

    `fight_until` and `gather_until` are repeated until the hero owns enough; their one value says of what, by code.
    """

    action: str
    values: tuple[Any, ...]
    times: int


def certified_decisions(certificate: Certificate) -> tuple[Decision, ...] | None:
    """Return the decisions of the plan in a certificate; None if it is not a plain list of calls."""
    try:
        calls = groupby(_expand(certificate.plan, certificate.actions))
        return tuple(_decision(call, sum(1 for _ in equal)) for call, equal in calls)
    except (SyntaxError, ValueError):
        return None


def _decision(call: tuple[Any, ...], times: int) -> Decision:
    name, values, *more = call
    if isinstance(values, tuple):
        return Decision(name, values[1:], times)
    if more or name not in _UNTIL:
        raise ValueError(call)
    return Decision(name, (dict(ast.literal_eval(values)),), times)


_UNTIL = ("fight_until", "gather_until")


@lru_cache(maxsize=16)  # a prompt that tells a plan counts it before
def _expand(plan: str, actions: int) -> tuple[tuple[Any, ...], ...]:
    """Return the calls of a plan in order, with loops written out. Raise SyntaxError or ValueError for another plan."""
    # long plans without loops repeat their lines: to parse such a plan as a whole takes ten times as long
    lines = plan.split("\n")
    alone = {line: _read_alone(line) for line in set(lines)}
    calls = _calls(_parse(plan)) if None in alone.values() else chain.from_iterable(alone[line] or () for line in lines)
    # a plan has no more calls than actions, which bounds the expansion of its loops
    return tuple(islice(calls, actions))


def _read_alone(line: str) -> tuple[tuple[Any, ...], ...] | None:
    """Return the calls of a line; None for a loop, and for a line that is a part of something or cannot be counted."""
    try:
        body = _parse(line)
        return None if any(isinstance(each, ast.For) for each in body) else tuple(_calls(body))
    except (SyntaxError, ValueError):
        return None


def _parse(code: str) -> list[ast.stmt]:
    with PARSING:
        return ast.parse(code).body


def _calls(body: Iterable[ast.stmt]) -> Iterator[tuple[Any, ...]]:
    """Yield the calls of a plan in order. Raise ValueError at a statement other than a call, loop or function."""
    for statement in body:
        match statement:
            case ast.FunctionDef():
                pass  # each call of it is one step
            case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=args, keywords=keywords)):
                yield _call(name, args, keywords)
            case ast.For(
                target=ast.Name(),
                iter=ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(times))], keywords=[]),
                orelse=[],
            ):
                for _ in range(times):
                    call = None
                    for call in _calls(statement.body):
                        yield call
                    if call is None:  # no time has any, and there may be very many
                        break
            case _:
                raise ValueError(statement)


def _call(name: str, args: list[ast.expr], keywords: list[ast.keyword]) -> tuple[Any, ...]:
    """Return a call of an action with its values, however they are written; other calls as text."""
    try:
        values = tuple(map(ast.literal_eval, args))
        by_name = tuple((str(keyword.arg), ast.literal_eval(keyword.value)) for keyword in keywords)
        return name, bound(name, values, by_name)
    except (CallError, KeyError, RefusedAction, TypeError):
        return name, *map(ast.unparse, (*args, *(keyword.value for keyword in keywords)))
