"""The progress of a team on one attempt: the parts of the plan that were accepted, and the hero after them.

Where the whole plan is one reply, the hero's state is simulated in the told world, and the accepted parts are handed
over together in the end. Where a game goes on part by part, each accepted part is carried out at once, and the state is
that of the game.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from herobench.agents.agent import Unfinished
from herobench.conversation import Reply
from herobench.rpg.briefing import Briefing, PartResult
from herobench.rpg.events import Action
from herobench.rpg.plan import as_answer
from herobench.rpg.world import Code
from herobench.suite import Attempt
from herobench.words import words_of

_MOST_REASON = 200
_WORDS = words_of("team")


def _calls(actions: Iterable[Action]) -> Sequence[Action]:
    """Return actions without their lines, which differ between a part and the whole plan."""
    return [action._replace(line=None) for action in actions]


class Progress:
    """What a team has done so far."""

    def __init__(self, attempt: Attempt) -> None:
        briefing = getattr(attempt, "briefing", None)
        if not isinstance(briefing, Briefing):
            raise TypeError("the attempt has no briefing of the RPG")
        self._attempt = attempt
        self._codes: list[str] = []
        self._before: tuple[Action, ...] = ()
        self._last: PartResult | None = None
        self.briefing = briefing
        self.done: list[str] = []
        """The accepted subtasks, in words."""
        self.over = False
        """True once the attempt takes no more."""

    @property
    def begun(self) -> bool:
        """True if a part was accepted or carried out, even one that went wrong in the game."""
        return self._last is not None

    @property
    def character(self) -> str:
        """The hero's record, as JSON."""
        return self._last.character if self._last else self.briefing.character()

    @property
    def owned(self) -> Sequence[Code]:
        """The codes of what the hero has."""
        return self._last.owned if self._last else self.briefing.owned()

    @property
    def goals(self) -> int:
        """The number of goals that are reached."""
        return self._last.goals if self._last else 0

    async def try_out(self, code: str) -> PartResult:
        """Try a part out in the told world, after all that was accepted. It is at fault if the whole plan changes it.

        Accepted parts are handed over as one text: there they share names, and the limits of a plan."""
        alone = await asyncio.to_thread(self.briefing.try_out, code, self._before)
        if not alone.faultless or not self._codes:
            return alone
        whole = await asyncio.to_thread(self.briefing.try_out, "".join([*self._codes, code]))
        if whole.faultless and _calls(whole.actions) == _calls((*self._before, *alone.actions)):
            return alone
        return replace(alone, faultless=False, told=_WORDS.fill("not_joined", fault=whole.told))

    async def accept(self, subtask: str, code: str, result: PartResult) -> str | None:
        """Add a part that was tried out. Return what went wrong with it in the game; None if nothing did."""
        if not self.briefing.in_parts:
            self.done.append(subtask)
            self._codes.append(code)
            self._before += result.actions
            self._last = result
            return None
        told = await asyncio.to_thread(self._attempt.step, Reply(as_answer(code), stop="agent"))
        self.over = told is None
        if self.over:
            return None
        self.briefing = self._attempt.briefing  # type: ignore[attr-defined]  # checked when we began
        self._last = self.briefing.last
        assert self._last is not None
        if not self._last.faultless:
            return self._last.told
        self.done.append(subtask)
        return None

    async def give_up(self, reason: str) -> None:
        """Say that the goal is impossible. It counts as the first answer only."""
        words = json.dumps(" ".join(reason.split())[:_MOST_REASON])
        told = await asyncio.to_thread(self._attempt.step, Reply(as_answer(f"give_up({words})"), stop="agent"))
        self.over = told is None

    async def hand_over(self) -> None:
        """Give the whole plan to the attempt, where it takes it in one reply. Raise Unfinished if there is none."""
        if self.briefing.in_parts or self.over:
            return
        if not self._codes:
            raise Unfinished("the team accepted no part of a plan")
        await asyncio.to_thread(self._attempt.step, Reply(as_answer("".join(self._codes)), stop="agent"))
        self.over = True
