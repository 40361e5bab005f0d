"""The agent a1, after the paper's A-1: a decomposer and a critic, on two levels.

On the first level the task becomes a plan of subtasks, which the critic judges until it accepts one or the rounds are
used up. On the second level each subtask becomes actions, which are tried out in the told world and judged again. The
accepted actions together are the plan. A subtask that cannot be made executable goes back to the first level, with what
was wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from herobench.agents.agent import Ask, Unfinished
from herobench.agents.dialog import WORDS, Dialog
from herobench.conversation import Message
from herobench.rpg.agents.action_list import NotPlanned, code_of
from herobench.rpg.agents.forms import ACTIONS, JUDGEMENT, SUBTASKS
from herobench.rpg.agents.progress import Progress
from herobench.rpg.briefing import PartResult
from herobench.suite import Attempt
from herobench.words import words_of

_ROUNDS = 3
"""How often a critic is asked about one plan or subtask."""
_PLANS = 5
"""How many plans are made on the first level."""
_OWN = words_of("a1")

Subtask = Mapping[str, Any]


class A1:
    """A decomposer and a critic on two levels."""

    modes = ("plan", "feedback")
    suites = ("rpg",)

    def __init__(self) -> None:
        self.identity = {"agent_prompts": f"{_OWN.digest()} {WORDS.digest()}"}

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        """Plan on the first level, then work on the subtasks; plan anew from there when one cannot be done."""
        team = _Team(attempt, ask)
        fault: str | None = None
        try:
            for _ in range(_PLANS):
                fault = await team.advance(fault)
                if fault is None:
                    break
        except Unfinished as end:
            fault = str(end)
        await team.hand_over(fault)


class _Team:
    """The sub-agents of one attempt."""

    def __init__(self, attempt: Attempt, ask: Ask) -> None:
        self._progress = Progress(attempt)
        self._dialog = Dialog(ask)

    async def hand_over(self, fault: str | None) -> None:
        """Give the plan to the attempt. Raise Unfinished when it is not all that the task asks for."""
        if fault is None or self._progress.done:
            await self._progress.hand_over()
        if fault is not None:
            raise Unfinished(fault)

    # -- the first level ----------------------------------------------------------------------------------------------

    async def advance(self, fault: str | None) -> str | None:
        """Plan from where the hero stands, and work on that. Return what was wrong; None if all is done."""
        planned = await self._plan(fault)
        if planned["give_up"] is not None and self._may_give_up:
            await self._progress.give_up(planned["give_up"])
            return None
        return await self._work(planned["subtasks"])

    @property
    def _may_give_up(self) -> bool:
        return self._progress.briefing.takes_refusals and not self._progress.done

    async def _plan(self, fault: str | None) -> Mapping[str, Any]:
        """Return subtasks that lead to the goal, or a refusal: what the critic accepts, or what was said last."""
        facts = self._facts()
        comments = fault or ""
        planned: Mapping[str, Any] = {}
        for _ in range(_ROUNDS):
            question = _OWN.fill("decomposer", **facts, comments=_comments(comments))
            planned = await self._dialog.answer("decomposer", [Message("user", question)], SUBTASKS)
            judged = await self._judge("critic", _OWN.fill("critic", **facts, subtasks=_listed(planned)))
            if judged["accepted"]:
                break
            comments = judged["comments"] or _OWN.fill("no_comments")
        return planned

    def _facts(self) -> dict[str, str]:
        progress = self._progress
        done = "\n".join(f"- {subtask}" for subtask in progress.done) or _OWN.fill("nothing")
        return {**progress.briefing.facts(), "character": progress.character, "done": done}

    async def _judge(self, role: str, question: str) -> Mapping[str, Any]:
        return await self._dialog.answer(role, [Message("user", question)], JUDGEMENT)

    # -- the second level ---------------------------------------------------------------------------------------------

    async def _work(self, subtasks: Sequence[Subtask]) -> str | None:
        """Make the subtasks executable, one after the other. Return what was wrong with one; None if all are done."""
        for number, subtask in enumerate(subtasks, 1):
            title = _words(subtask)
            code, result, fault = await self._actions(title, f"{number} of {len(subtasks)}", subtask["code"])
            if result is None or not result.faultless:
                return _OWN.fill("not_executable", subtask=title, fault=fault)
            wrong = await self._progress.accept(title, code, result)
            if self._progress.over:
                return None
            if wrong is not None:
                return _OWN.fill("failed", subtask=title, fault=wrong)
        reached, goals = self._progress.goals, len(self._progress.briefing.goals)
        return None if reached >= goals else _OWN.fill("not_reached", reached=reached, goals=goals)

    async def _actions(self, title: str, number: str, code: str) -> tuple[str, PartResult | None, str]:
        """Return the plan of a subtask with its result in the told world, and what was wrong with it in the end."""
        progress, fault = self._progress, ""
        plan, result = "", None
        facts = {**progress.briefing.facts(), "character": progress.character, "subtask": title, "number": number}
        facts["involved"] = progress.briefing.describe([code, *progress.owned])
        for _ in range(_ROUNDS):
            question = _OWN.fill("action_decomposer", **facts, comments=_comments(fault))
            listed = await self._dialog.answer("action decomposer", [Message("user", question)], ACTIONS)
            try:
                plan = code_of(listed["actions"], progress.briefing.track)
            except NotPlanned as reason:
                result, fault = None, str(reason)
                continue
            result = await progress.try_out(plan)
            if not result.faultless:
                # what the game refuses needs no critic
                fault = result.told
                continue
            seen = {**facts, "plan": plan, "told": result.told, "after": result.character}
            judged = await self._judge("action critic", _OWN.fill("action_critic", **seen))
            if judged["accepted"]:
                break
            fault = judged["comments"] or _OWN.fill("no_comments")
        return plan, result, fault


def _comments(comments: str) -> str:
    return _OWN.fill("comments", comments=comments) if comments else ""


def _listed(planned: Mapping[str, Any]) -> str:
    """Return what was planned as a list for the critic."""
    if planned["give_up"] is not None:
        return _OWN.fill("given_up", reason=planned["give_up"])
    return "\n".join(f"{number}. {_words(subtask)}" for number, subtask in enumerate(planned["subtasks"], 1))


def _words(subtask: Subtask) -> str:
    """Return a subtask in words: `craft 2 iron_bar (for the sword)`."""
    note = f" ({subtask['note']})" if subtask["note"] else ""
    return f"{subtask['do']} {subtask['quantity']} {subtask['code']}{note}"
