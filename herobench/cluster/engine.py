"""The contract of an engine, which runs calls on many workers, and the patience with calls that fail.

A worker that is lost says nothing about the call, so the call is made again. A call that raises InputError or
UsageError would raise it anywhere: it ends the job. Any other exception may come from one machine, such as a full disk,
so the call gets a few more tries.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from herobench.data.errors import InputError, UsageError

_LOSSES = 10
"""The number of workers that a call may lose before it is given up."""
_TRIES = 3
"""The number of exceptions of a call before it is given up."""

Given = TypeVar("Given")
Made = TypeVar("Made")


class Lost(Exception):
    """Raised for a call whose worker is gone."""


class Engine(Protocol):
    """Runs calls. It holds each function once, however often it is called."""

    @property
    def width(self) -> int:
        """The number of calls that it can run or hold ready now. It grows and shrinks with the cluster."""
        ...

    def submit(self, function: Callable[[Any], Any], thing: Any) -> object:
        """Begin a call, and return a handle, which can be a key of a mapping."""
        ...

    def ended(self, handles: Iterable[object]) -> Sequence[tuple[object, Any]]:
        """Wait until calls have ended. Return their handles, each with what the call returned or the exception."""
        ...

    def drop(self, handles: Iterable[object]) -> None:
        """Give up calls that have not ended."""
        ...


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


def results(
    engine: Engine, function: Callable[[Given], Made], things: Iterable[Given]
) -> Generator[Done[Given, Made] | GivenUp[Given]]:
    """Yield what a function makes of each thing, in the order in which the calls end. No thing is left out.

    Close the generator if you stop early: it gives up the calls that have not ended.
    """
    ahead, again = iter(things), deque[_Call[Given]]()
    running: dict[object, _Call[Given]] = {}
    try:
        while True:
            for call in _next(ahead, again, engine.width - len(running)):
                running[engine.submit(function, call.thing)] = call
            if not running:
                return
            for handle, made in engine.ended(running):
                call = running.pop(handle)
                if not isinstance(made, BaseException):
                    yield Done(call.thing, made, call.tries + 1)
                elif reason := call.given_up(made):
                    yield GivenUp(call.thing, reason)
                else:
                    again.append(call)
    finally:
        engine.drop(running)


class _Call(Generic[Given]):
    """A call, and what went wrong with it so far."""

    def __init__(self, thing: Given) -> None:
        self.thing = thing
        self._wrong: Counter[bool] = Counter()

    @property
    def tries(self) -> int:
        """The number of times that it went wrong."""
        return self._wrong.total()

    def given_up(self, error: BaseException) -> str | None:
        """Take in what went wrong. Return the reason if the call is not made again; raise what no retry can cure."""
        if isinstance(error, InputError | UsageError):
            raise error
        lost = isinstance(error, Lost)
        self._wrong[lost] += 1
        if self._wrong[lost] < (_LOSSES if lost else _TRIES):
            return None
        return f"after {self.tries} tries: {error or type(error).__name__}"


def _next(ahead: Iterable[Given], again: deque[_Call[Given]], room: int) -> Iterable[_Call[Given]]:
    """Yield the next calls, at most so many: first those that went wrong."""
    for _ in range(room):
        if again:
            yield again.popleft()
            continue
        for thing in ahead:
            yield _Call(thing)
            break
        else:
            return
