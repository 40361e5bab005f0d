"""Plans played without a game, in the sandbox and in plain Python: actions note how they were called and answer 200."""

from __future__ import annotations

import io
import sys
import traceback
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, NamedTuple

from hypothesis import settings
from hypothesis import strategies as st

from herobench.suites.rpg.game.episode import EndKind
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox.bounds import Limits, PlanBudget
from herobench.suites.rpg.sandbox.guards import guard_table
from herobench.suites.rpg.sandbox.language import compile_plan
from herobench.suites.rpg.sandbox.trees import FILENAME
from herobench.suites.rpg.sandbox.wire import Played, Scene
from herobench.suites.rpg.sandbox.worker import play
from herobench.suites.rpg.worlds.content import load_rules
from tests.builders import craft_task
from tests.sizes import many

ACTIONS = ("move", "fight", "gather", "craft", "equip", "unequip", "buy")
HUGE = Limits(steps=10**7, actions=10**6, output=10**7)
"""Limits that no test reaches by accident."""
steadily = settings(derandomize=True, deadline=None, database=None, max_examples=many(200))
"""The same examples each time, however slow the machine is."""


def recorded(plan: str, limits: Limits | None = None) -> Played:
    """Play a plan, and return its record."""
    return play(plan, dict.fromkeys(ACTIONS, lambda action, looks: (200, {})), limits or Limits())


def printed(plan: str) -> str:
    """Return the output of a plan that runs to its end."""
    played = recorded(plan, HUGE)
    assert played.ending.how == "finished", (played.ending, plan)
    return played.output


def plan_error(plan: str) -> str:
    """The error that ends a plan: its kind and message."""
    played = recorded(plan, HUGE)
    assert played.ending.how == "error", (played.ending, plan)
    return played.ending.reason or ""


def plan_limit(plan: str, limits: Limits | None = None) -> EndKind | None:
    """The kind of the limit that ends a plan."""
    played = recorded(plan, limits)
    assert played.ending.how == "limit", (played.ending, plan)
    return played.ending.kind


def count_steps(work: Callable[[PlanBudget], object]) -> int:
    """Return how many steps an operation takes on a budget."""
    most = 10**7
    budget = PlanBudget(Limits(steps=most))
    work(budget)
    return most - budget._steps


def steps_of_plan(plan: str, **given: object) -> int:
    """Return how many steps a plan without actions takes. It can read the given values by their names."""
    code = compile_plan(plan, ACTIONS)
    return count_steps(lambda budget: exec(code, {**guard_table(budget), **given}))


def request(world: World, plan: str, task: Task | None = None, limits: Limits | None = None) -> dict[str, Any]:
    """A worker's request to play a plan, by default in a task of the world that asks for a brick."""
    task = task or craft_task(world, "brick")
    scene = Scene(world, load_rules(), task)
    return {"plan": plan, "track": task.mechanics.plan, **scene.request(), "limits": asdict(limits or Limits())}


class Seen(NamedTuple):
    """The visible effects of a program: its attempts, its output, and the error that ended it."""

    attempts: tuple[Action, ...]
    output: str
    error: str | None
    line: int | None


def seen_in_the_sandbox(plan: str, limits: Limits | None = None) -> Seen | None:
    """Return the visible effects of a plan in the sandbox; None if it reaches a limit."""
    played = recorded(plan, limits)
    assert played.ending.how != "rejected", (played.ending, plan)
    if played.ending.how == "limit":
        return None
    return Seen(played.attempts, played.output, played.ending.reason, played.ending.line)


def seen_in_python(plan: str) -> Seen:
    """Return the visible effects of a plan that Python itself runs. For harmless plans only."""
    attempts: list[Action] = []
    output = io.StringIO()

    def recorder(name: str) -> Callable[..., object]:
        def call(*args: Any, **keywords: Any) -> object:
            named = tuple((key, _plain(value)) for key, value in keywords.items())
            attempts.append(Action(name, tuple(map(_plain, args)), named, sys._getframe(1).f_lineno))
            return 200, {}

        return call

    def shown(*values: object, sep: str = " ", end: str = "\n") -> None:
        print(*values, sep=sep, end=end, file=output)

    error = line = None
    try:
        surroundings = {"__name__": "__main__", "print": shown, **{name: recorder(name) for name in ACTIONS}}
        exec(compile(plan, FILENAME, "exec"), surroundings)
    except Exception as raised:
        message = raised.args[0] if raised.args and type(raised.args[0]) is str else ""
        error = f"{type(raised).__name__}: {message[:200]}" if message else type(raised).__name__
        line = [frame.lineno for frame in traceback.extract_tb(raised.__traceback__) if frame.filename == FILENAME][-1]
    return Seen(tuple(attempts), output.getvalue(), error, line)


def _plain(value: object) -> Any:
    """An argument as it is recorded: what is not plain is an empty text."""
    plain = value is None or type(value) in (str, bool, float) or (type(value) is int and abs(value) < 10**12)
    return value if plain else ""


_texts = st.text("abZ 0é'\"\\\n", max_size=4)
_floats = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 3))
scalars = st.none() | st.booleans() | st.integers(-50, 50) | _floats | _texts
"""Values that are keys."""
plain_values = st.recursive(
    scalars,
    lambda parts: (
        st.lists(parts, max_size=4)
        | st.lists(parts, max_size=3).map(tuple)
        | st.dictionaries(scalars, parts, max_size=3)
        | st.sets(st.integers(-50, 50), max_size=4)
        | st.frozensets(st.integers(-50, 50), max_size=3)
    ),
    max_leaves=8,
)
"""The values that plans compute with."""


def outcome(work: Callable[..., object], *args: object, **named: object) -> tuple[str, object]:
    """Return the result of a call, or its error in words."""
    try:
        return "value", work(*args, **named)
    except Exception as error:
        return type(error).__name__, str(error)
