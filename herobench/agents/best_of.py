"""An agent that lets the model choose the best of its answers: the simplest way to spend more calls on a task.

The model answers the same prompt a number of times. Then, as a critic, it sees all answers and chooses one. No answer
is tried out, so the choice is only as good as the model's judgement.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from herobench.agents.agent import Agent, Ask, Unfinished, read_count
from herobench.agents.dialog import Dialog, dialog_identity
from herobench.conversation import Form, Message, Reply
from herobench.prompts.words import load_words
from herobench.suite.contract import Attempt

_OWN = load_words("agents/best_of")


class BestOf(Agent):
    """Gives the answer that the model prefers among several."""

    modes = ("plan",)

    def __init__(self, argument: str = "5") -> None:
        self._count = read_count("best-of", argument)
        self.identity = dialog_identity(["agents/best_of"], [_form(self._count)])

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        """Ask for all answers, let the model choose, and give the chosen one to the attempt."""
        opening = list(attempt.messages)
        replies: list[Reply] = []
        try:
            for number in range(1, self._count + 1):
                branch = ("Answers", f"Answer {number}")
                replies.append(await ask(opening, attempt.tools, role="planner", branch=branch))
            choice, fault = await self._choice(opening, replies, Dialog(ask, ("Choice",))), None
        except Unfinished as end:
            if not replies:
                raise
            # Give the first answer: no choice was made, but the answers are paid for.
            choice, fault = 0, end
        if await asyncio.to_thread(attempt.step, replies[choice]) is not None:
            raise Unfinished("the agent best-of gives one answer, and the attempt goes on after it")
        if fault is not None:
            raise fault

    async def _choice(self, opening: Sequence[Message], replies: Sequence[Reply], dialog: Dialog) -> int:
        """Return the index of the answer that the model prefers. Equal answers need no choice."""
        texts = [reply.text for reply in replies]
        if len(set(texts)) == 1:
            return 0
        candidates = "\n\n".join(
            _OWN.fill("candidate", number=number, text=text) for number, text in enumerate(texts, 1)
        )
        question = Message("user", _OWN.fill("critic", count=len(texts), candidates=candidates))
        return int((await dialog.answer("critic", [*opening, question], _form(len(texts))))["choice"]) - 1


def _form(count: int) -> Form:
    return Form(
        "choice",
        {
            "type": "object",
            "properties": {
                "choice": {"type": "integer", "minimum": 1, "maximum": count},
                "reason": {"type": ["string", "null"]},
            },
            "required": ["choice", "reason"],
            "additionalProperties": False,
        },
    )
