"""Finds the dialect of a server: asks again in another one when a request is refused, once for a run.

Requests with a part that this server has not taken yet go one at a time at first: otherwise all that are sent together
would be refused together. The caller sends and reads; `dialect` says what to try.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from herobench.conversation import Reply
from herobench.models.dialect import LESSONS, Body, Dialect, other_dialects, parts_of
from herobench.models.refusals import FAILURES, failure_of

_HEAD_START = 3.0
"""The longest that requests wait for one that tries something, in seconds. A refusal comes at once, a reply may not."""


class Negotiation:
    """Asks one server, and remembers the dialect that it takes. All requests of a model share it."""

    def __init__(self, dialect: Dialect, learned: Callable[[Dialect, str], None]) -> None:
        """Begin with a dialect. `learned` gets each new one, and a sentence that says what is new."""
        self._dialect = dialect
        self._learned = learned
        self._taken: set[str] = set()
        """The parts that the server has taken."""
        self._door = asyncio.Lock()

    async def ask(
        self, body_in: Callable[[Dialect], Body], once: Callable[[Body, Callable[[], None]], Awaitable[Reply]]
    ) -> Reply:
        """Ask, and ask again in another dialect as long as the server refuses a part that can be sent otherwise.

        `body_in` returns the body of the request in a dialect. `once` sends a body, calls the function that it gets
        when the server has taken it, and returns the reply.
        """
        dialect, held = self._dialect, False
        body = body_in(dialect)
        if parts_of(body) - self._taken:
            held = await self._head_start()
            if dialect != self._dialect:  # another request has learned meanwhile
                dialect = self._dialect
                body = body_in(dialect)
        before, tried = dialect, {dialect}

        def release() -> None:
            nonlocal held
            if held:
                held = False
                self._door.release()

        def take() -> None:
            self._take(body, before, dialect)
            release()

        if not parts_of(body) - self._taken:
            release()
        try:
            while True:
                try:
                    return await once(body, take)
                except FAILURES as error:
                    made = ((other, body_in(other)) for other in other_dialects(dialect, body, failure_of(error)))
                    found = next((pair for pair in made if pair[0] not in tried and pair[1] != body), None)
                    if found is None:
                        raise
                    dialect, body = found
                    tried.add(dialect)
        finally:
            release()

    async def _head_start(self) -> bool:
        """Wait until no other request tries anything, but not long. Return whether this one may try alone."""
        try:
            async with asyncio.timeout(_HEAD_START):
                return await self._door.acquire()
        except TimeoutError:
            return False

    def _take(self, body: Body, before: Dialect, dialect: Dialect) -> None:
        """Note that the server took a body. `before` is the dialect that was tried first."""
        self._taken |= parts_of(body)
        for name, value in dialect.as_row().items():
            if value != getattr(before, name) and value != getattr(self._dialect, name):
                self._dialect = replace(self._dialect, **{name: value})
                self._learned(self._dialect, LESSONS[name](self._dialect))
