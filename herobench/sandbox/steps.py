"""A plan as a list of steps: nine of ten plans are nothing but calls of actions and counted loops around them.

`language` reads such a plan with `steps_of`, and `play` follows it without compiling it. It looks at nothing, so the
worker plays no game for it: it takes a third of the time of a compiled plan. The steps do, count and end what the
compiled plan would: a fuzzer holds the two equal. Whatever is in any doubt has no steps and is compiled, so nothing is
refused here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from herobench.rpg.events import Action
from herobench.sandbox.budget import Budget
from herobench.sandbox.played import recordable
from herobench.sandbox.rejected import Rejected
from herobench.sandbox.repeats import Place
from herobench.sandbox.straight import check_straight, literal
from herobench.sandbox.trees import straight

_SIMPLE_NAME = re.compile(r"(?!__)[A-Za-z_][A-Za-z0-9_]{0,49}")
_DOUBTFUL = 10**18
"""Numbers from here on may be refused by the language for their length."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A counted loop."""

    turns: range
    cost: int
    """The steps of the budget that a turn takes."""
    line: int
    """The line of the first statement of its body."""
    body: Sequence[Action | Loop]


Steps = Sequence[Action | Loop]


class _Doubt(Exception):
    """Raised at what may be anything but calls and loops."""


def steps_of(tree: ast.Module, actions: Collection[str], places: Iterable[Place] | None = None) -> Steps | None:
    """Return a plan as steps; None for one that has to be compiled. `language` has stored the size of each node.

    With `places` the tree has the different statements of the plan, and they say which of them stands where."""
    try:
        check_straight(tree, actions)
        if places is None:
            return _block(tree.body)
        found = [(statement.lineno, _block([statement])) for statement in tree.body]
    except (Rejected, _Doubt):
        return None
    return [_moved(step, line - found[which][0]) for which, line in places for step in found[which][1]]


def _moved(step: Action | Loop, lines: int) -> Action | Loop:
    """Return a step that stands a number of lines further down."""
    if isinstance(step, Loop):
        return Loop(step.turns, step.cost, step.line + lines, [_moved(inner, lines) for inner in step.body])
    assert step.line is not None
    return Action(step.name, step.args, step.keywords, step.line + lines)


def _block(statements: Iterable[ast.stmt]) -> Steps:
    steps: list[Action | Loop] = []
    for statement in statements:
        if isinstance(statement, ast.For):
            steps.append(_loop(statement))
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            steps.append(_call(statement.value))
    return steps


def _loop(loop: ast.For) -> Loop:
    assert isinstance(loop.target, ast.Name)
    assert isinstance(loop.iter, ast.Call)
    _sure(loop.target.id)
    ends = [_number(end) for end in loop.iter.args]
    return Loop(range(*ends), straight(loop.body), loop.body[0].lineno, _block(loop.body))


def _call(call: ast.Call) -> Action:
    assert isinstance(call.func, ast.Name)
    named = [(_sure(keyword.arg), recordable(_value(keyword.value))) for keyword in call.keywords]
    if len(dict(named)) < len(named):  # the compiler refuses a name that is given twice
        raise _Doubt
    args = tuple([recordable(_value(argument)) for argument in call.args])
    return Action(call.func.id, args, tuple(named), call.lineno)


def _sure(name: str | None) -> str:
    if name is None or not _SIMPLE_NAME.fullmatch(name):
        raise _Doubt
    return name


def _value(written: ast.expr) -> str | int:
    value = literal(written)
    if value is None or (isinstance(value, int) and value >= _DOUBTFUL):
        raise _Doubt
    return -value if isinstance(value, int) and _is_negative(written) else value


def _number(written: ast.expr) -> int:
    value = _value(written)
    assert isinstance(value, int)
    return value


def _is_negative(written: ast.expr) -> bool:
    return isinstance(written, ast.UnaryOp) and isinstance(written.op, ast.USub)


class Walk:
    """Follows steps. `line` is the line of the plan that it has come to."""

    __slots__ = ("_act", "_budget", "line")

    def __init__(self, act: Callable[[Action], object], budget: Budget) -> None:
        self._act = act
        self._budget = budget
        self.line: int | None = None

    def follow(self, steps: Steps) -> None:
        """Do the steps in their order. What an action or the budget raises is raised."""
        for step in steps:
            if isinstance(step, Loop):
                for _ in step.turns:
                    self.line = step.line
                    self._budget.tick(step.cost)
                    self.follow(step.body)
            else:
                self.line = step.line
                self._budget.act()
                self._act(step)
