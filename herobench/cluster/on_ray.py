"""Ray as an engine: `ray` for the cluster of this machine or a new one, `ray://HOST:PORT` for one elsewhere.

Shards are Ray tasks, not actors: a task is placed wherever a CPU is free, even on a machine that joins later, and a
worker keeps its open work for the next task. Retries of Ray are off, so that the job sees and counts each loss.
"""

from __future__ import annotations

import atexit
import logging
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, Generic, Protocol
from uuid import uuid4

from herobench.cluster.store import Unreachable
from herobench.data.errors import UsageError
from herobench.work.engine import Crew, Given, GivenUp, Lost, Made, Work, ends

NAME = "ray"
_AHEAD = 2
"""The number of calls for each CPU: one that runs, and one that waits for its turn."""
_PATIENCE = 5.0
"""The seconds after which a wait ends to check the size of the cluster again."""

_CONNECTIONS = 5
"""The most attempts to connect. A cluster may lose the server that it forks for a command (ray-project/ray#63202: up to
one in ten)."""


@contextmanager
def ray_engine(name: str, jobs: int | None) -> Generator[RayEngine]:
    """Connect to a cluster by the value of `--on`. `jobs` is the most calls at a time; None for all CPUs."""
    ray = _ray()
    address = _address(name)
    # Ray prints warnings about lost nodes to standard output, which is for the result of the command.
    with Path(os.devnull).open("w") as nothing, redirect_stdout(nothing):
        if ray.is_initialized():
            yield RayEngine(ray, jobs)
            return
        _connect(ray, address)
        try:
            yield RayEngine(ray, jobs)
        finally:
            ray.shutdown()


def _connect(ray: Any, address: str | None) -> None:
    own = {} if address or os.environ.get("RAY_ADDRESS") else {"include_dashboard": False}
    where = address or "this machine"
    for left in reversed(range(_CONNECTIONS)):
        try:
            ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False, **own)
            return
        except ConnectionAbortedError as error:
            if not left:
                reason = str(error).strip().splitlines()[-1]
                raise UsageError(f"The Ray cluster at {where} starts no server for this command: {reason}") from error
        except Exception as error:
            raise UsageError(f"No Ray cluster answers at {where}: {error}") from error


def _address(name: str) -> str | None:
    """Return the address in a value of `--on`; None for the cluster that Ray finds by itself, or a new one."""
    if name == NAME:
        return None
    if name.startswith(f"{NAME}://") and len(name) > len(f"{NAME}://"):
        return name
    raise UsageError(f"--on is {name!r}: give ray, or the address of a cluster such as ray://head:10001.")


def _ray() -> Any:
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else Ray warns in each process
    try:
        import ray
    except ImportError as error:
        raise UsageError("--on ray needs the library ray: pip install 'herobench[ray]'.") from error
    return ray


class CrewEngine(Protocol):
    """An engine that reports the end of each call, such as a shard."""

    def crew(self, work: Work[Given, Made]) -> AbstractContextManager[Crew[Given, Made]]:
        """Return the workers for a work."""
        ...


class RayEngine:
    """Works on a cluster."""

    def __init__(self, ray: Any, jobs: int | None) -> None:
        self._ray = ray
        self._jobs = jobs
        self._task = ray.remote(num_cpus=1, max_retries=0, scheduling_strategy="SPREAD")(_call)
        if self.cpus < 1:
            raise UsageError(
                "The cluster has no CPU for a worker, so that the job would wait for ever: add a node, "
                "or give its nodes at least one CPU each."
            )

    @property
    def cpus(self) -> float:
        """The CPUs of the cluster now."""
        return float(self._ray.cluster_resources().get("CPU", 0))

    @contextmanager
    def crew(self, work: Work[Given, Made]) -> Iterator[RayCrew[Given, Made]]:
        """Store the work where all workers find it, and yield its crew."""
        yield RayCrew(self, self._ray, self._task, self._jobs, self._ray.put(work))

    def results(self, work: Work[Given, Made], things: Iterable[Given]) -> Generator[Made]:
        """Yield the result for each thing, in order. Raise Unreachable if one was given up."""
        with self.crew(work) as crew:
            for end in ends(crew, things):
                if isinstance(end, GivenUp):
                    raise Unreachable(f"{end.given} cannot be read {end.reason}")
                yield end.made


class RayCrew(Generic[Given, Made]):
    """Runs the calls of one work as tasks of a cluster."""

    losses, tries = 10, 3

    def __init__(self, engine: RayEngine, ray: Any, task: Any, jobs: int | None, work: Any) -> None:
        self._engine, self._ray, self._task, self._jobs = engine, ray, task, jobs
        # In a list, since Ray would otherwise fetch it for each call.
        self._work = (uuid4().hex, [work])

    @property
    def width(self) -> int:
        """The number of calls at a time: the requested number, or some for each CPU of the cluster."""
        return self._jobs or max(1, int(self._engine.cpus)) * _AHEAD

    def submit(self, given: Given) -> object:
        """Begin a call."""
        return self._task.remote(*self._work, given)

    def ended(self, handles: Iterable[object]) -> Sequence[tuple[object, Made | BaseException]]:
        """Wait until calls have ended."""
        ended, _ = self._ray.wait(list(handles), num_returns=1, timeout=_PATIENCE)
        return [(handle, self._result(handle)) for handle in ended]

    def drop(self, handles: Iterable[object]) -> None:
        """Give up calls."""
        for handle in handles:
            self._ray.cancel(handle, force=True)

    def _result(self, handle: object) -> Any:
        """Return what a call returned, or its exception."""
        errors = self._ray.exceptions
        try:
            return self._ray.get(handle)
        except errors.RayTaskError as error:
            return error.cause if isinstance(error.cause, BaseException) else error
        except errors.RayError as error:
            return Lost(f"the worker was lost ({type(error).__name__}: {next(iter(str(error).splitlines()), '')})")


# -- in a worker of the cluster ---------------------------------------------------------------------------------------


def _call(name: str, reference: list[Any], given: Any) -> Any:
    """Apply a work to an input. The work stays open for the next call."""
    if name not in _open:
        import ray

        _close()
        _open[name] = _held.enter_context(ray.get(reference[0]).open(1))
    return _open[name](given)


_open: dict[str, Callable[[Any], Any]] = {}
"""The open work of this process by its name: only one at a time, since it may hold a sandbox."""
_held = ExitStack()


@atexit.register
def _close() -> None:
    """Close the work of this process."""
    _open.clear()
    _held.close()
