"""The deadline of a worker process. `worker_handle` asks it how long to wait for an answer.

It counts processor time, so that a busy machine changes no verdict. It also counts wall-clock time, for a process that
neither computes nor answers. Only Linux tells the processor time of another process; elsewhere wall-clock time counts
as processor time.
"""

from __future__ import annotations

import time


class Deadline:
    """The time by which a process must have answered the request that it was just sent."""

    __slots__ = ("_clock", "_computed", "_ends", "_pid")

    def __init__(self, pid: int, seconds: float, wall_seconds: float) -> None:
        self._pid = pid
        now = self._processor_time()
        self._clock = now is not None
        self._computed = seconds + (time.monotonic() if now is None else now)
        self._ends = time.monotonic() + wall_seconds

    def left(self) -> float:
        """Return how many seconds to wait before the next check. Raises TimeoutError when the time is over."""
        now = self._processor_time() if self._clock else time.monotonic()
        if now is None:
            return 0.0  # the process has just died; the caller sees that when it reads the pipe
        left = min(self._computed - now, self._ends - time.monotonic())
        if left <= 0:
            raise TimeoutError
        return left

    def _processor_time(self) -> float | None:
        """Return the processor time that the process has used; None if it is gone, or the system does not tell."""
        try:
            return time.clock_gettime(~self._pid << 3 | 2)  # Linux's number for the clock of a process
        except (OSError, AttributeError):
            return None
