"""Calls of a plan, read: what a straight plan says to do, one after the other."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from herobench.suites.rpg.game.decisions import PARSING
from herobench.suites.rpg.game.events import SIGNATURES, Action, CallError, RefusedAction, Value, bound
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.world import CONSUMABLE, slot_type


class NotStraight(Exception):
    """Raised for a text that holds more than calls, with the line of the first other thing."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.reason, self.line = reason, line


class Call(NamedTuple):
    """A call of a plan, with its values read; None if it ends a plan with an error or is always refused."""

    action: Action
    values: tuple[str | int | None, ...] | None = None
    is_broken: bool = False
    """True if it ends a plan with an error."""

    @classmethod
    def of(cls, action: Action) -> Call:
        """Read a call."""
        try:
            values = bound(action.name, action.args, action.keywords)
        except RefusedAction:
            return cls(action)
        except (CallError, KeyError):
            return cls(action, is_broken=True)
        if values[0] != NAME:
            return cls(action)
        if action.name in ("equip", "unequip") and values[-1] is None and slot_type(str(values[1])) == CONSUMABLE:
            return cls(action, values, is_broken=True)
        return cls(action, values)

    @classmethod
    def to(cls, name: str, *values: Value) -> Call:
        """Return a call of an action by the hero."""
        return cls.of(hero_action(name, *values))

    @property
    def name(self) -> str:
        """The name of the action."""
        return self.action.name

    @property
    def key(self) -> object:
        """What calls have in common that do the same."""
        return (self.name, self.values) if self.values is not None else self.action._replace(line=None)


def hero_action(name: str, *values: Value) -> Action:
    """Return an action of the hero."""
    return Action(name, (NAME, *values))


def as_line(action: Action) -> str:
    """Return an action as a line of a plan."""
    values = [*map(repr, action.args), *(f"{name}={value!r}" for name, value in action.keywords)]
    return f"{action.name}({', '.join(values)})\n"


PLACE_BOUND = frozenset({"fight", "gather", "craft", "buy"})
"""The actions that depend on the place."""


MOST_CALLS = 10_000
"""The actions that a plan may attempt, including those that the game refuses."""
_MOST_TURNS = 300_000


def straight_calls(plan: str) -> Sequence[Call] | None:
    """Return the calls of a straight plan, as many as any plan may attempt; None if it is none."""
    try:
        with PARSING:
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
                words = tuple((str(word.arg), _value(word.value)) for word in keywords)
                yield Action(name, tuple(map(_value, args)), words, statement.lineno)
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
