"""A team of sub-agents on one attempt: a plan of subtasks on the first level, and work on each of them on the second.

The two architectures differ in who makes the plan and who turns a subtask into a part of it. They share the way between
the levels: if a subtask cannot be made executable, or goes wrong in the game, the work returns to the first level with
a description of the fault.
"""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from herobench.agents.agent import Ask, Unfinished
from herobench.agents.dialog import Dialog
from herobench.conversation import Reply
from herobench.prompts.words import load_words
from herobench.suite.contract import Attempt
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.world import Code
from herobench.suites.rpg.play.briefing import Briefing, PartResult
from herobench.suites.rpg.play.execution import as_answer

_MOST_REASON = 200
_WORDS = load_words("rpg/team")


def _calls(actions: Iterable[Action]) -> Sequence[Action]:
    """Return actions without lines, which differ between a part and the whole plan."""
    return [action._replace(line=None) for action in actions]


def rpg_briefing(attempt: Attempt) -> Briefing:
    """Return the briefing of an attempt at a task of the RPG. Raise TypeError for an attempt of another suite."""
    if not isinstance(briefing := attempt.briefing, Briefing):
        raise TypeError("the attempt has no briefing of the RPG")
    return briefing


class TeamProgress:
    """What a team has done so far."""

    def __init__(self, attempt: Attempt) -> None:
        self.briefing = rpg_briefing(attempt)
        self._attempt = attempt
        self._codes: list[str] = []
        self._before: tuple[Action, ...] = ()
        self._last: PartResult | None = None
        self.done: list[str] = []
        """The accepted subtasks, in words."""
        self.over = False
        """True once the attempt takes no more."""

    @property
    def begun(self) -> bool:
        """True if a part was accepted or carried out, even if it went wrong in the game."""
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
    def reached(self) -> bool:
        """True if the goal is reached."""
        return self._last is not None and self._last.reached

    async def try_out(self, code: str) -> PartResult:
        """Try a part out in the told world, after the accepted parts. It has a fault if it acts differently in one
        text.

        Accepted parts are handed over as one text, where they share names and the limits of a plan."""
        alone = await asyncio.to_thread(self.briefing.try_out, code, self._before)
        if not alone.faultless or not self._codes:
            return alone
        whole = await asyncio.to_thread(self.briefing.try_out, "".join([*self._codes, code]))
        if whole.faultless and _calls(whole.actions) == _calls((*self._before, *alone.actions)):
            return alone
        return replace(alone, faultless=False, told=_WORDS.fill("not_joined", fault=whole.told))

    async def accept(self, subtask: str, code: str, result: PartResult) -> str | None:
        """Add a part that was tried out. Return what went wrong in the game; None if nothing did."""
        if not self.briefing.in_parts:
            self.done.append(subtask)
            self._codes.append(code)
            self._before += result.actions
            self._last = result
            return None
        messages = await asyncio.to_thread(self._attempt.step, Reply(as_answer(code), stop="agent"))
        self.over = messages is None
        if self.over:
            return None
        self.briefing = rpg_briefing(self._attempt)
        self._last = self.briefing.last
        assert self._last is not None
        if not self._last.faultless:
            return self._last.told
        self.done.append(subtask)
        return None

    async def give_up(self, reason: str) -> None:
        """Say that the goal is impossible. This counts only as the first answer."""
        words = json.dumps(" ".join(reason.split())[:_MOST_REASON])
        messages = await asyncio.to_thread(self._attempt.step, Reply(as_answer(f"give_up({words})"), stop="agent"))
        self.over = messages is None

    async def hand_over(self) -> None:
        """Give the whole plan to an attempt with one reply. Raise Unfinished if there is no plan."""
        if self.briefing.in_parts or self.over:
            return
        if not self._codes:
            raise Unfinished("the team accepted no part of a plan")
        await asyncio.to_thread(self._attempt.step, Reply(as_answer("".join(self._codes)), stop="agent"))
        self.over = True


_ROUNDS = 3
"""How often a plan or subtask is judged, and how often a part is written until it works."""
_PLANS = 5
"""How many plans are made on the first level."""
_MOST_TITLE = 60
"""The most characters of a subtask that name its branch."""

Subtask = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TeamPart:
    """A subtask as a part of the plan, with its result in the told world, or its last fault."""

    code: str
    result: PartResult | None
    fault: str

    @property
    def works(self) -> bool:
        """True if it went without a fault."""
        return self.result is not None and self.result.faultless


class Team(ABC):
    """The sub-agents of one attempt."""

    def __init__(self, attempt: Attempt, ask: Ask) -> None:
        self.progress = TeamProgress(attempt)
        self._dialog = Dialog(ask)

    @abstractmethod
    async def make_plan(self, dialog: Dialog, comments: str) -> Mapping[str, Any]:
        """Return a plan in the form `subtasks`, from the present state. The comments are on the last plan."""

    @abstractmethod
    async def part(self, dialog: Dialog, subtask: Subtask, number: str) -> TeamPart:
        """Turn a subtask into a part of the plan. `number` is, for example, `2 of 7`."""

    async def play(self) -> None:
        """Plan and work until the goal is reached, and hand over the plan. Raise Unfinished if it is not reached."""
        fault: str | None = ""
        try:
            for number in range(1, _PLANS + 1):
                fault = await self._advance(self._dialog.within(f"High-level plan {number}"), fault or "")
                if fault is None:
                    break
        except Unfinished as end:
            fault = str(end)
        if fault is None or self.progress.done:
            await self.progress.hand_over()
        if fault is not None:
            raise Unfinished(fault)

    async def _advance(self, dialog: Dialog, fault: str) -> str | None:
        """Plan from the present state, and carry the plan out. Return what was wrong; None if all is done."""
        plan = await self.make_plan(dialog, fault)
        if (reason := _given_up(plan)) and self.progress.briefing.takes_refusals and not self.progress.begun:
            await self.progress.give_up(reason)
            return None
        for number, subtask in enumerate(plan["subtasks"], 1):
            wrong = await self._work(dialog, subtask, f"{number} of {len(plan['subtasks'])}")
            if wrong is not None or self.progress.over:
                return wrong
        return None if self.progress.reached else _WORDS.fill("not_reached")

    async def _work(self, dialog: Dialog, subtask: Subtask, number: str) -> str | None:
        """Do a subtask. Return what was wrong; None if nothing was."""
        title = in_words(subtask)
        part = await self.part(dialog.within(f"Subtask {number}: {title[:_MOST_TITLE]}"), subtask, number)
        if part.result is None or not part.works:
            return _WORDS.fill("not_executable", subtask=title, fault=part.fault)
        wrong = await self.progress.accept(title, part.code, part.result)
        return None if wrong is None else _WORDS.fill("failed", subtask=title, fault=wrong)

    # -- what sub-agents are told -------------------------------------------------------------------------------------

    def facts(self) -> dict[str, str]:
        """Return what the task tells, with the present hero and what was done so far."""
        done = [f"- {subtask}" for subtask in self.progress.done] or [_WORDS.fill("nothing")]
        return {**self.progress.briefing.facts, "character": self.progress.character, "done": "\n".join(done)}


def tries(dialog: Dialog, title: str = "Try") -> Iterator[Dialog]:
    """Yield a branch of the dialog for each round."""
    for number in range(1, _ROUNDS + 1):
        yield dialog.within(f"{title} {number}")


def comments_on(comments: str, last: str = "") -> str:
    """Return comments, below the answer that they are on, as a section of a question; empty without comments."""
    if not comments:
        return ""
    last_words = _WORDS.fill("last", answer=last) if last else ""
    return _WORDS.fill("comments", comments=comments, last=last_words)


def plan_lines(plan: Mapping[str, Any]) -> str:
    """Return a plan on the first level as a list for its critic."""
    if reason := _given_up(plan):
        return _WORDS.fill("given_up", reason=reason)
    return "\n".join(f"{number}. {in_words(subtask)}" for number, subtask in enumerate(plan["subtasks"], 1))


def _given_up(plan: Mapping[str, Any]) -> str:
    """Return the reason why a plan gives up the goal; empty if it does not. Some models write "" for null."""
    return (plan["give_up"] or "").strip()


def in_words(subtask: Subtask) -> str:
    """Return a subtask in words: `craft 2 iron_bar (for the sword)`."""
    note = f" ({subtask['note']})" if subtask["note"] else ""
    return f"{subtask['do']} {subtask['quantity']} {subtask['code']}{note}"
