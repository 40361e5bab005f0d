"""The benchmark's own way: one prompt, one reply, which is the answer."""

from __future__ import annotations

from herobench.agents.agent import Ask
from herobench.conversation import Message, Reply


class OneShot:
    """Asks once."""

    async def attempt(self, question: Question, ask: Ask) -> Reply:
        """The reply to the prompt."""
        return await ask([Message("user", question.prompt)])
