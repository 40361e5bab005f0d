"""The turns of an attempt that sends a model only the latest of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from copy import copy
from itertools import chain

from herobench.conversation import Message, Reply


class TurnWindow:
    """The latest turns of a conversation: each is a reply with the messages that answer it."""

    def __init__(self, most: int) -> None:
        self._turns: deque[tuple[Message, ...]] = deque(maxlen=most)

    def add(self, reply: Reply, results: Sequence[Message]) -> None:
        """Add a turn, and drop the oldest one if there are too many."""
        self._turns.append((reply.as_message(), *results))

    def fork(self) -> TurnWindow:
        """Return a copy that goes on by itself."""
        twin = copy(self)
        twin._turns = self._turns.copy()
        return twin

    def before_last(self) -> list[Message]:
        """Return the messages of the turns without the last one, which suites tell at more length."""
        return [*chain.from_iterable(self._turns)][:-1]


def tool_results(reply: Reply, result: str, not_carried_out: str) -> list[Message]:
    """Return the results of a reply's calls. Only the first call was carried out."""
    calls = enumerate(reply.tool_calls)
    return [Message("tool", not_carried_out if number else result, call_id=call.id) for number, call in calls]
