"""The deadline of a worker process: the processor time it may use, so that a busy machine changes no verdict.

Wall-clock time is looked at too, for a process that neither computes nor answers. Where the system does not tell the
processor time of another process (Linux does), wall-clock time counts as processor time.
"""

from __future__ import annotations

import time


class Deadline:
    """When to give a process up that has just been asked something."""

    __slots__ = ("_clock", "_computed", "_ends", "_pid")

    def __init__(self, pid: int, seconds: float, wall_seconds: float) -> None:
        self._pid = pid
        now = self._processor_time()
        self._clock = now is not None
        self._computed = seconds + (time.monotonic() if now is None else now)
        self._ends = time.monotonic() + wall_seconds

    def left(self) -> float:
        """Return for how many seconds to wait before looking again. Raises TimeoutError when the time is over."""
        now = self._processor_time() if self._clock else time.monotonic()
        if now is None:
            return 0.0  # the process has just died, which the pipe tells
        left = min(self._computed - now, self._ends - time.monotonic())
        if left <= 0:
            raise TimeoutError
        return left

    def _processor_time(self) -> float | None:
        """The processor time that the process has used; None where the system does not tell, or it is gone."""
        try:
            return time.clock_gettime(~self._pid << 3 | 2)  # Linux's number for the clock of a process
        except (OSError, AttributeError):
            return None
