"""The budget of one plan: count its steps, actions and output, so that the same plan always ends at the same step.

A step is one turn of a loop, one call or one action. C code that works on many values costs one step per 32 values,
which the guards charge. Once a limit is reached, every further step raises again, so a plan cannot continue; `play`
looks at `reached`, not at how the plan ended. Nothing here may depend on a clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from herobench.suites.rpg.game.episode import EndKind

MOST_VALUES = 50_000
"""The most values (elements, characters) that one operation may read or make."""
_PER_STEP = 5
"""2 ** _PER_STEP values cost one step. A power of two, because a shift is cheaper than a division."""
_PARTS_A_STEP = 4
"""2 ** _PARTS_A_STEP nodes of straight-line code cost one step."""
MOST_CALLS = 150
"""The greatest depth of nested calls in a plan."""
EXHAUSTED: Mapping[type, tuple[EndKind, str]] = {
    MemoryError: ("memory", "the plan takes more memory than it may"),
    RecursionError: ("depth", f"the plan's calls are nested more than {MOST_CALLS} deep"),
}
"""Errors of the machine that count as limits, each with the kind and the reason of its ending."""


def code_steps(trees: Iterable[Any]) -> int:
    """Return how many steps it costs to run some syntax trees once. `language` has stored the `size` of each."""
    size: int = sum(tree.size for tree in trees)
    return 1 + (size >> _PARTS_A_STEP)


class LimitReached(BaseException):
    """Raised in a plan when a limit is reached, or when the game is over.

    It is not an Exception, so no handler of the plan catches it."""

    def __init__(self, kind: EndKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class PlanBudget:
    """The steps, actions and characters of output that a plan has left."""

    __slots__ = ("_actions", "_characters", "_steps", "limits", "output", "reached")

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.output: list[str] = []
        self.reached: LimitReached | None = None
        self._steps = limits.steps
        self._actions = limits.actions
        self._characters = limits.output

    def tick(self, steps: int = 1) -> bool:
        """Count steps. Return True, so that the transformer can put a tick into a condition."""
        self._steps -= steps
        if self._steps < 0:
            self.stop("steps", f"the plan takes more than {self.limits.steps:,} steps")
        return True

    def charge(self, values: int) -> None:
        """Charge for an operation on some values. End the plan if they are too many for one operation."""
        # The code of tick() is repeated here: this is the function that plans call most.
        self._steps -= 1 + (values >> _PER_STEP)
        if values > MOST_VALUES:
            self.stop("memory", f"the plan works on more than {MOST_VALUES:,} values at once")
        if self._steps < 0:
            self.stop("steps", f"the plan takes more than {self.limits.steps:,} steps")

    def act(self) -> None:
        """Count one action."""
        self.tick()
        self._actions -= 1
        if self._actions < 0:
            self.stop("actions", f"the plan takes more than {self.limits.actions:,} actions")

    def print(self, text: str) -> None:
        """Keep what the plan prints, up to the limit."""
        self.charge(len(text))
        self.output.append(text[: max(0, self._characters)])  # the part up to the limit is kept for the user
        self._characters -= len(text)
        if self._characters < 0:
            self.stop("output", f"the plan prints more than {self.limits.output:,} characters")

    def too_much(self, what: str) -> NoReturn:
        """End the plan because one operation is too large for any budget."""
        self.stop("memory", what)

    def stop(self, kind: EndKind, reason: str) -> NoReturn:
        """End the plan for good: every further step raises too. Only the first reason counts."""
        if self.reached is None:
            self.reached = LimitReached(kind, reason)
        self._steps = -1  # so that every further tick raises too
        # A new exception each time, because a kept one would collect tracebacks.
        raise LimitReached(self.reached.kind, self.reached.reason)


@dataclass(frozen=True, slots=True)
class Limits:
    """The resources that one plan may use. A plan that needs more ends with `limit`."""

    actions: int = 10_000
    """Attempted actions, including those that the game refuses."""
    steps: int = 300_000
    """Turns of loops, calls of the plan's own functions, and actions."""
    output: int = 20_000
    """Characters printed."""
    source: int = 200_000
    """Characters of code."""
    lines: int = 9_000
    """Lines of code."""
    width: int = 20_000
    """Characters of one line of code."""
    seconds: float = 10.0
    """Processor time: the last resort, for work that is not counted above. The most expensive known plan reaches
    another limit in less than half of this time. Every other limit is reached at the same step on any machine."""
    wall_seconds: float = 300.0
    """Wall-clock time after which a process that does not even compute is killed."""
    memory: int = 1 << 30
    """Bytes of address space of the worker process."""
