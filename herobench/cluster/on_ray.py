"""Ray Data as an engine, on the cluster of this machine, the one that RAY_ADDRESS names, or a new one.

Each input is a block of a dataset, and actors that hold an open work map the blocks. Ray Data places the actors,
restarts them, repeats the calls of lost ones, and spills what the memory does not hold.
"""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from herobench.cluster.refusals import ClusterFault
from herobench.data.errors import UsageError
from herobench.work.engine import Given, Made, Work
from herobench.work.processes import pickled_error

_QUIET = {"RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", "RAY_BACKEND_LOG_LEVEL": "fatal"}
"""Variables that keep Ray from printing a warning for each process and each actor."""


@contextmanager
def ray_engine(name: str, jobs: int | None) -> Iterator[RayEngine]:
    """Connect to a cluster by the value of `--on`. `jobs` is the most calls at a time; None for all CPUs."""
    if name != "ray":
        raise UsageError(ClusterFault.NO_ENGINE, name=name)
    for variable, value in _QUIET.items():
        os.environ.setdefault(variable, value)
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise UsageError(ClusterFault.NO_RAY) from error
    # Ray prints warnings about lost nodes to standard output, which is for the result of the command.
    with Path(os.devnull).open("w") as nothing, redirect_stdout(nothing), ExitStack() as session:
        if not ray.is_initialized():
            try:
                own = {} if "RAY_ADDRESS" in os.environ else {"include_dashboard": False}
                ray.init(logging_level=logging.ERROR, log_to_driver=False, **own)
            except Exception as error:
                raise UsageError(ClusterFault.NO_CLUSTER, error=error) from error
            session.callback(ray.shutdown)
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars, context.execution_options.preserve_order = False, True
        cpus = int(ray.cluster_resources().get("CPU", 0))
        if cpus < 1:
            raise UsageError(ClusterFault.NO_CPU)
        yield RayEngine(min(jobs or cpus, cpus))


class RayEngine:
    """Works on a cluster with a number of actors."""

    def __init__(self, actors: int) -> None:
        self._actors = actors

    def results(self, work: Work[Given, Made], things: Iterable[Given]) -> Generator[Made]:
        """Yield what a work makes of each thing, in order. Raise what a call raised."""
        import pyarrow as pa
        import ray

        try:
            blocks = [ray.put(pa.table({"given": [pickle.dumps(thing)]})) for thing in things]
            if not blocks:
                return
            made = ray.data.from_arrow_refs(blocks).map_batches(
                _Caller,
                fn_constructor_args=(pickle.dumps(work),),
                batch_size=1,
                compute=ray.data.ActorPoolStrategy(size=min(self._actors, len(blocks))),
                num_cpus=1,
            )
            for row in made.iter_rows():
                result = pickle.loads(row["made"])  # noqa: S301 - our own bytes
                if isinstance(result, Exception):
                    raise result
                yield result
        except ray.exceptions.RayError as error:
            reason = next(iter(str(error).splitlines()), type(error).__name__)
            raise UsageError(ClusterFault.JOB_LOST, ["The same command makes the rest."], reason=reason) from error


class _Caller:
    """An actor that applies a work to batches of one input. It opens the work once."""

    def __init__(self, work: bytes) -> None:
        self._work = work
        self._make: Callable[[Any], Any] | None = None
        self._held = ExitStack()

    def __call__(self, batch: Any) -> dict[str, list[bytes]]:
        """Return what the work makes of the input, or its exception: one that is raised would end the dataset."""
        try:
            if self._make is None:
                self._make = self._held.enter_context(pickle.loads(self._work).open(1))  # noqa: S301 - our own bytes
            return {"made": [pickle.dumps(self._make(pickle.loads(*batch["given"])))]}  # noqa: S301 - our own bytes
        except Exception as error:
            return {"made": [pickled_error(error)]}
