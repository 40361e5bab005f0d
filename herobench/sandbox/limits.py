"""The limits of a plan. The caller of the sandbox may set them; `budget`, `pool` and `worker_handle` enforce them.

The defaults come from data. The longest published plan takes 2,099 actions, about 40,000 characters if each had its own
line. The longest plan that earned anything has 4,050 characters. A leveling task takes a few thousand actions more than
the same task without leveling. The oracle's plan for a campaign of 4,000 decisions has 3,900 to 4,000 lines, 103,000 to
123,000 characters and up to 5,400 actions; models write comments between them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass


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

    def as_row(self) -> dict[str, float]:
        """Return the limits as plain data."""
        return asdict(self)
