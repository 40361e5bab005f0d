"""The calls of a plan that is to be repaired: all that a straight plan says, or what another plan attempted.

A straight plan says its calls even behind the fight that ended it. What a program would have done there nobody knows,
so of a program there are the calls that it attempted, and behind them a broken one if an error or a limit ended it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from herobench.analysis.suites.rpg.repair.line import Call
from herobench.suites.rpg.game.episode import read_repeats
from herobench.suites.rpg.game.events import SIGNATURES, Action, Value

MOST_CALLS = 10_000
"""The actions that a plan may attempt."""
_MOST_TURNS = 300_000
_BREAKS_OFF = ("error", "limit")
_FAILURE = Action("error")


def calls_of(details: Mapping[str, Any], plan: str | None, trace: Mapping[str, Any] | None) -> Sequence[Call] | None:
    """Return the calls of a lost plan; None if the answer has no plan that could be played."""
    if details.get("ended") in ("no_code", "rejected", "gave_up") or trace is None:
        return None
    if details.get("track") == "straight" and plan is not None and details.get("mode") in (None, "plan"):
        said = straight_calls(plan)
        if said is not None:
            return said
    attempted = [event.action for event, times in read_repeats(trace) for _ in range(times)]
    end = [_FAILURE] if details.get("ended") in _BREAKS_OFF else []
    return [Call.of(action) for action in (*attempted[:MOST_CALLS], *end)]


def straight_calls(plan: str) -> Sequence[Call] | None:
    """Return the calls of a straight plan, as many as a plan may attempt; None if it is none."""
    try:
        body = ast.parse(plan).body
        return [Call.of(action) for action in islice(_actions(body, iter(range(_MOST_TURNS))), MOST_CALLS)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _actions(body: Sequence[ast.stmt], turns: Iterator[int]) -> Iterator[Action]:
    """Yield the calls of statements. Raise ValueError at one that a straight plan does not have, and when no turns of
    loops are left."""
    for statement in body:
        match statement:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=args, keywords=keywords)) if name in SIGNATURES:
                named = tuple((str(word.arg), _value(word.value)) for word in keywords)
                yield Action(name, tuple(map(_value, args)), named, statement.lineno)
            case ast.For(iter=ast.Call(func=ast.Name(id="range"), args=ends)):
                for _ in range(*map(ast.literal_eval, ends)):
                    if next(turns, None) is None:
                        raise ValueError("too many turns")
                    yield from _actions(statement.body, turns)
            case _:
                raise ValueError(statement)


def _value(node: ast.expr) -> Value:
    value: Value = ast.literal_eval(node)
    return value
