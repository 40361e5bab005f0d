"""The plain agent: one call a turn, and the reply goes to the attempt as it came.

An attempt of one turn, such as a plan of the RPG, is one prompt and one reply.
"""

from __future__ import annotations

import asyncio

from herobench.agents.agent import Ask
from herobench.suite import Attempt


class OneShot:
    """Adds nothing of its own to the conversation."""

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        """Ask, hand the reply over, and go on with what the attempt says next."""
        conversation = list(attempt.messages)
        while True:
            reply = await ask(conversation, attempt.tools)
            told = await asyncio.to_thread(attempt.step, reply)
            if told is None:
                return
            conversation += [reply.as_message(), *told]
