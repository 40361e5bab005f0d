"""The contract of an agent: it carries an attempt's conversation on with a model, in one call a turn or in many.

It asks through a function of the run, which paces, retries and keeps every call. Given the same replies, an agent must
ask the same again: a run that was killed replays its kept calls. Packages add agents by an entry point in the group
`herobench.agents`, whose value is called without arguments and returns an `Agent`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Protocol, cast

from herobench import plugins
from herobench.conversation import Message, Reply, Tool
from herobench.suite import Attempt


class Ask(Protocol):
    """Sends a conversation to the model and returns its reply. Let a ModelError pass: it ends the attempt."""

    def __call__(self, messages: Sequence[Message], tools: Sequence[Tool] = ()) -> Awaitable[Reply]:
        """Ask the model once."""
        ...


class Agent(Protocol):
    """Plays attempts."""

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        """Give replies to `attempt.step` until the attempt is over."""
        ...


def build_agent(name: str) -> Agent:
    """Make an agent by the name of its entry point. Raise UsageError when it cannot be made."""
    return cast("Agent", plugins.build(plugins.AGENTS, name, calls=["play"]))
