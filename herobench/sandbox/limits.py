"""How much a plan may use.

Sized from data: the longest published plan takes 2,099 actions, which would be some 40,000 characters if each stood on
a line of its own; the longest that earned anything has 4,050. A leveling task takes a few thousand actions more than
its plain twin.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What one plan may use; beyond it the plan ends with `limit`."""

    actions: int = 10_000
    """Actions attempted, refused ones included."""
    steps: int = 300_000
    """Turns of loops, calls of the plan's own functions, and actions."""
    output: int = 20_000
    """Characters printed."""
    source: int = 100_000
    """Characters of code."""
    lines: int = 5_000
    """Lines of code."""
    width: int = 20_000
    """Characters of one line of code."""
    seconds: float = 10.0
    """Processor time: the last resort, for what is not counted above. Every other limit is reached at the same step on
    any machine, and the dearest plan known reaches one of them in less than half of this."""
    wall_seconds: float = 300.0
    """Wall-clock time after which a process is given up that does not even compute."""
    memory: int = 1 << 30
    """Bytes of address space of the worker process."""

    def as_row(self) -> dict[str, float]:
        """The limits as plain data."""
        return asdict(self)
