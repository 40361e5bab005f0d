"""The parent's side of a worker process: start it, send it requests, kill it. Used by `pool`.

The parent must never wait for a worker without a deadline, and never run code of a plan. `wire` checks the answers of
workers. A wrong or late answer kills the worker and counts as a `limit` of the plan.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from herobench.data.errors import SandboxError
from herobench.suites.rpg.game.episode import EndKind
from herobench.suites.rpg.game.world import World
from herobench.suites.rpg.sandbox.bounds import Limits
from herobench.suites.rpg.sandbox.wire import HEAD, Malformed, decode, frame, frame_length, hello_layers, most_bytes


class Deadline:
    """The time limit for a process to answer the request that it was just sent."""

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
            return 0.0  # the process has just died; the caller sees it when reading the pipe
        left = min(self._computed - now, self._ends - time.monotonic())
        if left <= 0:
            raise TimeoutError
        return left

    def _processor_time(self) -> float | None:
        """Return the processor time used by the process; None if it is gone or the system cannot tell."""
        try:
            return time.clock_gettime(~self._pid << 3 | 2)  # Linux's number for the clock of a process
        except (OSError, AttributeError):
            return None


_START_SECONDS = 60.0
_AT_ONCE = 1 << 20
"""The most bytes that are read from a pipe at once."""


class WorkerLost(Exception):
    """Raised when a worker gives no valid answer in time. The worker is dead by then."""

    def __init__(self, kind: EndKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class WorkerHandle:
    """One worker process, started and confined."""

    def __init__(self, world: World | None, limits: Limits) -> None:
        # no packages of the user, no modules from the working directory
        command = [sys.executable, "-s", "-P", *_bytecode_options(), "-m", "herobench.suites.rpg.sandbox.worker"]
        self._wall_seconds = limits.wall_seconds
        self._most_bytes = most_bytes(limits)
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,  # nobody reads it, and a full pipe would block the worker
                start_new_session=True,  # the worker leads a group of its own, which is killed as one
                cwd=os.sep,
                env={"PYTHONHASHSEED": "0"},  # so that sets have the same order in every worker
            )
        except OSError as error:  # for example, no descriptors or no processes are left
            raise SandboxError(f"A worker process does not start: {error.strerror or error}.") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests = self._process.stdin.fileno()
        self._answers = self._process.stdout.fileno()
        os.set_blocking(self._requests, False)
        os.set_blocking(self._answers, False)
        try:
            source, digest = (world.source, world.digest) if world else (None, None)
            hello = self.ask({"world": source, "memory": limits.memory}, _START_SECONDS)
            self.layers = hello_layers(hello, digest)
        except WorkerLost as lost:
            raise SandboxError(f"A worker process does not start: {lost.reason}.") from lost
        except Malformed as malformed:
            self.kill()
            raise SandboxError(f"A worker process does not start: it sent {malformed}.") from malformed
        except BaseException:
            self.kill()
            raise

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def ask(self, request: Mapping[str, Any], seconds: float, most: int | None = None) -> Any:
        """Send a request and return its answer, of at most as many bytes as the worker's limits allow, or `most`.

        Kill the worker and raise WorkerLost if no valid answer comes within `seconds` of processor time."""
        deadline = Deadline(self._process.pid, seconds, self._wall_seconds)
        try:
            self._send(frame(request), deadline)
            length = frame_length(self._receive(HEAD, deadline), most or self._most_bytes)
            return decode(self._receive(length, deadline))
        except TimeoutError:
            lost = WorkerLost("wall_clock", f"the plan takes longer than {seconds:g} seconds")
        except (EOFError, BrokenPipeError, ConnectionError):
            lost = WorkerLost("killed", "the plan's process died")
        except Malformed as malformed:
            lost = WorkerLost("protocol", f"the plan's process sent {malformed}")
        self.kill()
        raise lost

    def _send(self, data: bytes, deadline: Deadline) -> None:
        left = memoryview(data)
        while left:
            try:
                left = left[os.write(self._requests, left) :]
            except BlockingIOError:
                _wait(self._requests, selectors.EVENT_WRITE, deadline)

    def _receive(self, count: int, deadline: Deadline) -> bytes:
        parts = []
        while count:
            try:
                part = os.read(self._answers, min(count, _AT_ONCE))
            except BlockingIOError:
                _wait(self._answers, selectors.EVENT_READ, deadline)
                continue
            if not part:
                raise EOFError
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def kill(self) -> None:
        """Kill the process and its children."""
        if self._process.returncode is None:  # once it has ended, its id may belong to another process
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                self._process.kill()
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()


def _bytecode_options() -> list[str]:
    """Return the options by which a worker uses the same bytecode files as this process.

    Workers do not inherit the environment variables for this. A worker imports before it is confined; without bytecode
    files, each start would compile the modules that only workers import.
    """
    # absolute, because a worker has another working directory
    prefix = ["-X", f"pycache_prefix={Path(sys.pycache_prefix).absolute()}"] if sys.pycache_prefix else []
    return [*prefix, *(["-B"] if sys.dont_write_bytecode else [])]


def _wait(descriptor: int, event: int, deadline: Deadline) -> None:
    """Wait until a pipe is ready. Raises TimeoutError at the deadline."""
    with selectors.PollSelector() as selector:  # a PollSelector needs no descriptor, and there may be none left
        selector.register(descriptor, event)
        while not selector.select(deadline.left()):  # on a busy machine, the process has used less time than has passed
            pass
