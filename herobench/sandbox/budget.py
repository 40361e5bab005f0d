"""The budget of one plan: what it may still do, counted, so that the same plan always ends at the same step.

One step is one turn of a loop, one call, one action; work that C code does on many values at once costs a step for
every 32 of them. Nothing here looks at a clock. Once something is used up the plan is over, whatever it does about
it: every further step raises again, and the host looks at `reached`, not at how the plan came to its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from herobench.rpg.episode import EndKind
from herobench.sandbox.limits import Limits

MOST_VALUES = 50_000
"""The most values (elements, characters) that one operation may touch or make."""
_PER_STEP = 5
"""Two to the power of this many values cost one step."""
MOST_CALLS = 150
"""How deeply a plan's calls may nest."""
EXHAUSTED: Mapping[type, tuple[EndKind, str]] = {
    MemoryError: ("memory", "the plan takes more memory than it may"),
    RecursionError: ("depth", f"the plan's calls are nested more than {MOST_CALLS} deep"),
}
"""The errors that are limits: which, and in what words."""


class LimitReached(BaseException):
    """Raised in a plan when its budget is used up: not an Exception, so that no handler of the plan's can catch it."""

    def __init__(self, kind: EndKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class Budget:
    """What a plan has left."""

    __slots__ = ("_actions", "_characters", "_steps", "limits", "output", "reached")

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.output: list[str] = []
        self.reached: LimitReached | None = None
        self._steps = limits.steps
        self._actions = limits.actions
        self._characters = limits.output

    def tick(self, steps: int = 1) -> bool:
        """Count one step, or more; true, so that it can stand in conditions."""
        self._steps -= steps
        if self._steps < 0:
            self.stop("steps", f"the plan takes more than {self.limits.steps:,} steps")
        return True

    def charge(self, values: int) -> None:
        """Count an operation that touches so many values; too many at once end the plan."""
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
        """Keep what the plan prints, as far as the limit lets."""
        self.charge(len(text))
        self.output.append(text[: max(0, self._characters)])
        self._characters -= len(text)
        if self._characters < 0:
            self.stop("output", f"the plan prints more than {self.limits.output:,} characters")

    def too_much(self, what: str) -> NoReturn:
        """End the plan for something that is beyond any budget."""
        self.stop("memory", what)

    def stop(self, kind: EndKind, reason: str) -> NoReturn:
        """End the plan; the first time is the one that counts."""
        if self.reached is None:
            self.reached = LimitReached(kind, reason)
        self._steps = -1
        raise LimitReached(self.reached.kind, self.reached.reason)
