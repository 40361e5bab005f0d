"""The seat of a person who plays: the run asks here as it asks a model, and the page answers.

The run lives in an event loop, the page's requests in threads of their own. Each question has a number, and an answer
names the question that it is for: a page that was left open, or sends an answer twice, acts only once.
"""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress
from threading import Condition
from typing import Any, NamedTuple

from herobench.conversation import Reply, Request

_ACTION = re.compile(r"[A-Za-z0-9_ !-]{1,40}")


class _Question(NamedTuple):
    number: int
    view: Any
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[str]


class Seat:
    """A person behind the protocol of a model. The run asks one question at a time."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._number = 0
        self._question: _Question | None = None
        self._begun: dict[tuple[str, int], None] = {}
        """The attempts of this session."""
        self._before = self._finished = self._total = 0
        self._left = self._over = False

    # -- the run ------------------------------------------------------------------------------------------------------

    def expect(self, before: int, total: int) -> None:
        """Take in how many attempts the run has, and how many are done."""
        self._before, self._total = before, total

    def finish(self) -> None:
        """Count an attempt that is stored."""
        self._finished += 1

    async def reply(self, request: Request) -> Reply:
        """Show the page what there is to see, and wait for the person's action.

        Raise CancelledError when the person is sent away: the attempt stays owed, with all that was done in it.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[str] = loop.create_future()
        with self._changed:
            if self._left:
                raise asyncio.CancelledError
            self._number += 1
            self._begun.setdefault((request.task_id, request.epoch))
            self._question = _Question(self._number, json.loads(request.messages[-1].text), loop, answer)
            self._changed.notify_all()
        return Reply(f"<action>{await answer}</action>", stop="stop")

    def leave(self) -> None:
        """Send the person away, since the run is being stopped."""
        with self._changed:
            self._left = True
            if self._question is not None:
                self._settle(self._question, None)

    async def close(self) -> None:
        """Tell the page that nothing more is asked."""
        with self._changed:
            self._question, self._over = None, True
            self._changed.notify_all()

    # -- the page -----------------------------------------------------------------------------------------------------

    def act(self, number: int, action: str) -> bool:
        """Answer a question. Return False if this text can be no action."""
        if not _ACTION.fullmatch(action):
            return False
        with self._changed:
            if self._question is not None and self._question.number == number:
                self._settle(self._question, action)
        return True

    def state(self, after: int, seconds: float) -> dict[str, Any]:
        """Wait for a question with a higher number, at most so long. Return how things stand."""
        with self._changed:
            self._changed.wait_for(lambda: self._over or self._is_asked(after), seconds)
            if self._over:
                return {"over": "done" if self._before + self._finished == self._total else "stopped"}
            if self._question is None:
                return {"number": after, "view": None}
            place = self._before + len(self._begun)
            return {"number": self._number, "place": place, "total": self._total, "view": self._question.view}

    def _is_asked(self, after: int) -> bool:
        return self._question is not None and self._question.number > after

    def _settle(self, question: _Question, action: str | None) -> None:
        """Hand an answer to the run, or cancel its question."""
        self._question = None
        with suppress(RuntimeError):  # the loop has ended: nobody waits
            question.loop.call_soon_threadsafe(_resolve, question.answer, action)


def _resolve(answer: asyncio.Future[str], action: str | None) -> None:
    if action is None:
        answer.cancel()
    elif not answer.done():
        answer.set_result(action)
