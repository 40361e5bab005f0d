"""What an agent is to a run: it takes a question to a model as often as it likes, and gives one answer.

It asks through a function that the run gives it, which waits its turn, asks again after failures and keeps every call,
in order. Asked the same, an agent should ask the model the same: a run that was killed in the middle of an attempt goes
through it again with the replies that it kept. Packages add agents by an entry point in the group `herobench.agents`,
whose value is called without arguments and returns an `Agent`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, cast

from herobench import plugins
from herobench.conversation import Message, Reply

Ask = Callable[[Sequence[Message]], Awaitable[Reply]]
"""Sends messages to the model and gives its reply. A ModelError from it ends the attempt: let it pass."""


class Agent(Protocol):
    """Asks a model."""

    async def attempt(self, question: Question, ask: Ask) -> Reply:
        """The reply that is the answer to a question."""
        ...


def build_agent(name: str) -> Agent:
    """An agent by its name. Raises UsageError where there is none."""
    build = cast("Callable[[], Agent]", plugins.load(plugins.AGENTS, name))
    return build()
