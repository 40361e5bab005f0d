"""Work in bulk: what is done with each of many inputs, and the engines that do it. Results come in the inputs' order.

    with closing(Local(jobs).results(Each(prove), tasks)) as proofs:
        for found in proofs: ...

`Local` is the engine of this machine: it works in this process, or in several. `herobench.cluster.on_ray` is the engine
of many machines. Both give calls to a crew of workers. The result of an input must not depend on where it is made,
because an input whose worker is lost is given to another one. Memory is constant: inputs are taken as results leave.

`Scorer.score_all` takes only `threaded`, and the judging of a run has threads of its own. Both share an open suite,
whose sandbox works in processes already. Workers would open the suite once more, at each call of a trainer; and the
attempts of a run end one by one, in no order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Generic, Protocol, TypeVar

from herobench.data.errors import InputError, UsageError

Given = TypeVar("Given")
Made = TypeVar("Made")
_Input = TypeVar("_Input", contravariant=True)
_Output = TypeVar("_Output", covariant=True)

_AHEAD = 2
"""Results that wait to leave, for each call that workers hold."""


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


# -- engines and their crews ------------------------------------------------------------------------------------------


class Lost(Exception):
    """Raised for a call whose worker is gone."""


class Crew(Protocol[_Input, _Output]):
    """Workers that are ready for one work."""

    losses: int
    """The number of workers that a call may lose before it is given up."""
    tries: int
    """The number of other exceptions of a call before it is given up."""

    @property
    def width(self) -> int:
        """The number of calls that it can run or hold ready now. It may grow and shrink."""
        ...

    def submit(self, given: _Input) -> object:
        """Begin a call, and return a handle, which can be a key of a mapping."""
        ...

    def ended(self, handles: Iterable[object]) -> Sequence[tuple[object, _Output | BaseException]]:
        """Wait until calls have ended. Return their handles, each with what the call returned or the exception."""
        ...

    def drop(self, handles: Iterable[object]) -> None:
        """Give up calls that have not ended."""
        ...


class Engine(Protocol):
    """A place where work is done."""

    def results(self, work: Work[Given, Made], things: Iterable[Given]) -> Generator[Made]:
        """Yield what a work makes of each thing, in order. Close it if you stop early, so that its workers end."""
        ...


# -- calls that may be lost, and are made again -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Done(Generic[Given, Made]):
    """A call that returned."""

    given: Given
    made: Made
    tries: int
    """The number of times that it was made, 1 if nothing went wrong."""


@dataclass(frozen=True, slots=True)
class GivenUp(Generic[Given]):
    """A call that failed too often."""

    given: Given
    reason: str
    error: BaseException


class _Call(Generic[Given, Made]):
    """A call, what went wrong with it so far, and how it ended."""

    def __init__(self, given: Given) -> None:
        self.given = given
        self.end: Done[Given, Made] | GivenUp[Given] | None = None
        self._wrong: Counter[bool] = Counter()

    def take(self, made: Any, crew: Crew[Given, Made]) -> None:
        """Take in what the call returned or raised. It has no end yet if it has to be made again."""
        tries = self._wrong.total() + 1
        if not isinstance(made, BaseException):
            self.end = Done(self.given, made, tries)
            return
        if isinstance(made, InputError | UsageError):
            raise made  # it would be raised anywhere
        lost = isinstance(made, Lost)
        self._wrong[lost] += 1
        if self._wrong[lost] >= (crew.losses if lost else crew.tries):
            self.end = GivenUp(self.given, f"after {tries} tries: {made or type(made).__name__}", made)


def ends(
    crew: Crew[Given, Made], things: Iterable[Given], *, in_order: bool = True
) -> Generator[Done[Given, Made] | GivenUp[Given]]:
    """Yield how the call for each thing ends: in the order of the things, or else in the order in which they end.

    A lost worker says nothing about the call, and other exceptions may come from one machine, such as a full disk: the
    call is made again. InputError and UsageError are raised. Close the generator if you stop early.
    """
    stream, again = iter(things), deque[_Call[Given, Made]]()
    running: dict[object, _Call[Given, Made]] = {}
    waiting: deque[_Call[Given, Made]] = deque()
    try:
        while True:
            while len(running) < crew.width:
                call = _next(stream, again, waiting, _AHEAD * crew.width)
                if call is None:
                    break
                running[crew.submit(call.given)] = call
            if not running:
                return
            for handle, made in crew.ended(running):
                call = running.pop(handle)
                call.take(made, crew)
                if call.end is None:
                    again.append(call)
            if not in_order:
                waiting = deque(sorted(waiting, key=lambda call: call.end is None))
            while waiting and (end := waiting[0].end) is not None:
                waiting.popleft()
                yield end
    finally:
        crew.drop(running)


def _next(
    stream: Iterator[Given], again: deque[_Call[Given, Made]], waiting: deque[_Call[Given, Made]], most: int
) -> _Call[Given, Made] | None:
    """Return the next call: one that went wrong, or a new one unless too many results wait to leave."""
    if again:
        return again.popleft()
    if len(waiting) < most:  # the bound on memory
        for given in stream:
            waiting.append(_Call(given))
            return waiting[-1]
    return None


def _made_or_raised(end: Done[Given, Made] | GivenUp[Given]) -> Made:
    """Return what a call returned, or raise what it raised: UsageError if its workers were lost."""
    if isinstance(end, GivenUp):
        raise UsageError(str(end.error)) if isinstance(end.error, Lost) else end.error
    return end.made


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
            with Processes(work, processes) as crew, closing(ends(crew, batches)) as calls:
                yield from chain.from_iterable(map(_made_or_raised, calls))
            return
        threads = self.jobs if work.has_threads else 1
        with work.open(threads) as make, closing(threaded(make, stream, threads)) as made:
            yield from made


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
