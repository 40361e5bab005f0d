"""The opening of an attempt: what its agent would ask first. A dry run shows it, and nobody is asked.

Further questions depend on the replies, so they cannot be known before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from herobench.agents.agent import Agent, Unfinished
from herobench.conversation import Form, Message, Reply, Request, Tool
from herobench.errors import HeroBenchError, UsageError
from herobench.recorded import RecordedAttempt
from herobench.suite import Suite


class _Nobody:
    """Keeps what is asked, and ends the attempt there."""

    def __init__(self, task_id: str) -> None:
        self.asked: list[Request] = []
        self._task_id = task_id

    async def __call__(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] = (),
        *,
        role: str | None = None,
        form: Form | None = None,
        branch: Sequence[str] = (),
    ) -> Reply:
        self.asked.append(Request(self._task_id, 0, tuple(messages), tuple(tools), role, form))
        raise Unfinished("a dry run asks nothing")


def opening_of(suite: Suite, agent: Agent, task_id: str) -> Request:
    """Return the first request of an agent at a task. Raise UsageError if it fails before it asks."""
    nobody, fault = _Nobody(task_id), "it asks nothing"
    try:
        asyncio.run(agent.play(RecordedAttempt(suite, task_id, 0), nobody))
    except HeroBenchError:
        raise
    except (Exception, SystemExit) as error:  # the code of others
        fault = f"{type(error).__name__}: {error}"
    if not nobody.asked:
        raise UsageError(f"The agent fails at {task_id} before it asks: {fault}.")
    return nobody.asked[0]
