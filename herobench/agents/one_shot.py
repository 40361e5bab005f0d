"""The plain agent: one call a turn, and the reply goes to the attempt as it came.

An attempt of one turn, such as a plan of the RPG, is one prompt and one reply. An attempt that does not end is left
unfinished after MOST_TURNS turns: longer attempts need an agent of their own.
"""

from __future__ import annotations

import asyncio
from time import perf_counter

from herobench.agents.agent import Ask, Unfinished
from herobench.suite import Attempt

MOST_TURNS = 1_000
"""Every turn sends the whole conversation again, so a run of endless attempts would fill the disk and cost money."""
_QUICK = 0.005
"""Seconds. After a turn that took less, the next one needs no thread: handing it over would take as long."""


class OneShot:
    """Adds nothing of its own to the conversation."""

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        """Ask, hand the reply over, and go on with what the attempt says next."""
        conversation = list(attempt.messages)
        is_quick = False
        for turn in range(1, MOST_TURNS + 1):
            reply = await ask(conversation, attempt.tools, branch=(f"Turn {turn}",))
            begun = perf_counter()
            told = attempt.step(reply) if is_quick else await asyncio.to_thread(attempt.step, reply)
            is_quick = perf_counter() - begun < _QUICK
            if told is None:
                return
            conversation += [reply.as_message(), *told]
            sent = getattr(attempt, "conversation", None)
            conversation = conversation if sent is None else list(sent)
        raise Unfinished(f"the attempt did not end in {MOST_TURNS:,} turns")
