"""Work in bulk: what is done with each of many inputs, and the engines that do it. Results come in the inputs' order.

    with closing(Local(jobs).results(Each(prove), tasks)) as proofs:
        for found in proofs: ...

`Local` is the engine of this machine: it works in this process, or in several. `herobench.cluster.on_ray` is the engine
of many machines. The result of an input must not depend on where it is made, because an input whose worker is lost is
given to another one. `Local` needs constant memory: it takes inputs as results leave.

`Scorer.score_all` takes only `threaded`, and the judging of a run has threads of its own. Both share an open suite,
whose sandbox works in processes already. Workers would open the suite once more, at each call of a trainer; and the
attempts of a run end one by one, in no order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from itertools import chain, islice
from typing import Generic, Protocol, TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")

_AHEAD = 2
"""Results that wait to leave, for each thread."""


class Work(ABC, Generic[Given, Made]):
    """What is done with each input. It is pickled, and each worker opens it once."""

    worth: int | None = 20
    """The number of inputs that pays for the start of a process; None for work that no other process can do."""
    batch: int = 1
    """The number of inputs that a process is handed at a time: several if each takes only milliseconds."""
    has_threads: bool = False
    """True if threads may share what `open` gives, and work faster together than one does."""

    @abstractmethod
    def open(self, threads: int) -> AbstractContextManager[Callable[[Given], Made]]:
        """Open the resources of the work, such as a sandbox. Return the function that up to `threads` threads call."""


@dataclass(frozen=True)
class Each(Work[Given, Made]):
    """Calls a function of a module, which needs nothing opened, with each input."""

    function: Callable[[Given], Made]
    worth: int | None = 20

    def open(self, threads: int) -> AbstractContextManager[Callable[[Given], Made]]:
        """Give the function."""
        return nullcontext(self.function)


class Engine(Protocol):
    """A place where work is done."""

    def results(self, work: Work[Given, Made], things: Iterable[Given]) -> Generator[Made]:
        """Yield what a work makes of each thing, in order. Close it if you stop early, so that its workers end."""
        ...


# -- this machine -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Local:
    """This machine. It works in this process, or in up to `jobs` others if there are enough inputs for that."""

    jobs: int

    def results(self, work: Work[Given, Made], things: Iterable[Given]) -> Generator[Made]:
        """Yield what a work makes of each thing, in order. Close it if you stop early, so that its workers end."""
        stream = iter(things)
        worth = work.worth
        first = list(islice(stream, self.jobs * worth)) if worth and self.jobs > 1 else []
        stream = chain(first, stream)
        if worth and (processes := len(first) // worth) > 1:
            from herobench.work.processes import Processes  # a command that needs none does not load it

            batches: Iterator[list[Given]] = iter(lambda: list(islice(stream, work.batch)), [])
            with Processes(work, processes) as workers:
                yield from chain.from_iterable(workers.results(batches))
            return
        threads = self.jobs if work.has_threads else 1
        with work.open(threads) as make, closing(threaded(make, stream, threads)) as results:
            yield from results


def threaded(function: Callable[[Given], Made], things: Iterable[Given], threads: int) -> Generator[Made]:
    """Yield the result of a function for each thing, in order, with `threads` threads calling it."""
    if threads == 1:
        yield from map(function, things)
        return
    waiting: deque[Future[Made]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for thing in things:
                waiting.append(pool.submit(function, thing))
                if len(waiting) > threads * _AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
