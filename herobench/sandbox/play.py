"""Play one plan: read it, run it against a table of actions, and record what it attempts. `worker` calls `play`.

The functions in the table get each attempted action and return what the plan sees. The result that counts is the list
of attempts, in order, each with its line. This module must not depend on games or processes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import CodeType, FrameType, TracebackType
from typing import Any

from herobench.sandbox.budget import EXHAUSTED, MOST_CALLS, LimitReached, Limits, PlanBudget
from herobench.sandbox.guards import guard_table
from herobench.sandbox.language import Steps, StepWalk, read_plan
from herobench.sandbox.straight import Rejected
from herobench.sandbox.transformer import QUIET
from herobench.sandbox.trees import FILENAME
from herobench.sandbox.wire import Played, recordable
from herobench.suites.rpg.game.events import FINISHED, GAME_ENDS, Action, Ending, EndKind
from herobench.suites.rpg.game.task import PlanTrack

_FRAMES = 12 * MOST_CALLS
"""The most Python frames of a plan: more than its deepest calls and their guards need."""
Act = Callable[[Action, bool], object]
"""Carries out an attempt and returns what the plan sees. The flag tells whether the plan uses that value."""


class LastAction(Exception):
    """Raised by an `Act` at an attempt after which the plan may do nothing more."""

    def __init__(self, kind: EndKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


def play(
    source: str,
    actions: Mapping[str, Act],
    limits: Limits,
    track: PlanTrack = "program",
    unseen: Act | None = None,
) -> Played:
    """Run a plan of a track until it ends in any way.

    `unseen` carries out every attempt of a plan that never uses results, because it has only calls and counted loops.
    It must raise what the actions would raise. By default the actions are called."""
    attempts: list[Action] = []
    budget = PlanBudget(limits)
    try:
        plan = read_plan(source, actions, track)
    except Rejected as rejected:
        return Played((), Ending("rejected", rejected.reason, rejected.line, rejected.kind), "")
    if isinstance(plan, CodeType):
        ending = _run(plan, _surroundings(actions, attempts, budget), budget)
    else:
        acts = actions if unseen is None else dict.fromkeys(actions, unseen)
        ending = _follow(plan, acts, attempts, budget)
    return Played(tuple(attempts), ending, "".join(budget.output))


def _run(code: CodeType, surroundings: dict[str, Any], budget: PlanBudget) -> Ending:
    # LimitReached is a BaseException, and a plan must never end its worker.
    try:
        with _frames_at_most(_FRAMES):
            exec(code, surroundings)  # noqa: S102 - the one place where a plan runs
    except BaseException as error:
        return _uncaught(error, _line(error.__traceback__), budget)
    return _limit(budget.reached, None) if budget.reached else FINISHED


def _follow(steps: Steps, actions: Mapping[str, Act], attempts: list[Action], budget: PlanBudget) -> Ending:
    walk = StepWalk(lambda action: _carried_out(action, actions[action.name], False, attempts, budget), budget)
    try:
        walk.follow(steps)
    except BaseException as error:
        return _uncaught(error, walk.line, budget)
    return FINISHED


def _uncaught(error: BaseException, line: int | None, budget: PlanBudget) -> Ending:
    """Return the ending for an uncaught error. A limit that was reached before the error counts instead."""
    if budget.reached:
        return _limit(budget.reached, line)
    if type(error) in EXHAUSTED:
        kind, reason = EXHAUSTED[type(error)]
        return Ending("limit", reason, line, kind)
    return Ending("error", _described(error), line, "runtime", type(error).__name__)


def _limit(reached: LimitReached, line: int | None) -> Ending:
    return Ending(GAME_ENDS.get(reached.kind, "limit"), reached.reason, line, reached.kind)


@contextmanager
def _frames_at_most(depth: int) -> Iterator[None]:
    """Let Python's frames nest `depth` deeper than now."""
    before, here = sys.getrecursionlimit(), 0
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        here, frame = here + 1, frame.f_back
    # Python limits all frames together, and the caller may be at any depth: each plan must have the same room.
    sys.setrecursionlimit(here + depth)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _described(error: BaseException) -> str:
    """Return the type and message of an error. Only a plain text counts as a message; nothing else is rendered here."""
    message = error.args[0] if error.args and type(error.args[0]) is str else ""
    return f"{type(error).__name__}: {message[:200]}" if message else type(error).__name__


def _line(trace: TracebackType | None) -> int | None:
    """Return the innermost line of the plan that an error passed through."""
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILENAME:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _surroundings(actions: Mapping[str, Act], attempts: list[Action], budget: PlanBudget) -> dict[str, Any]:
    """Return the globals of one plan."""
    table = guard_table(budget)
    for name, act in actions.items():
        table[name] = _recorded(name, act, True, attempts, budget)
        table[QUIET + name] = _recorded(name, act, False, attempts, budget)
    return table


def _recorded(name: str, act: Act, looks: bool, attempts: list[Action], budget: PlanBudget) -> Callable[..., object]:
    """Return an action as the plan calls it: it counts, carries out and records the attempt."""

    def call(*args: object, **keywords: object) -> object:
        budget.act()
        named = tuple([(key, recordable(value)) for key, value in keywords.items()]) if keywords else ()
        action = Action(name, tuple([recordable(value) for value in args]), named, _calling_line())
        return _carried_out(action, act, looks, attempts, budget)

    call.__name__ = call.__qualname__ = name
    return call


def _carried_out(action: Action, act: Act, looks: bool, attempts: list[Action], budget: PlanBudget) -> object:
    """Carry out an action that was counted, and record the attempt. Return what the plan sees."""
    try:
        answer = act(action, looks)
    except LastAction as end:
        attempts.append(action)
        budget.stop(end.kind, str(end))
    attempts.append(action)  # only now: a call with wrong arguments raises in act, and is not an attempt
    return answer


def _calling_line() -> int | None:
    """Return the line of the plan that called the action, perhaps through a builtin such as `map`."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename != FILENAME:
        frame = frame.f_back
    return frame.f_lineno if frame else None
