"""The agent a1, after the paper's A-1: a decomposer and a critic, on two levels.

On the first level the task becomes a plan of subtasks, which the critic judges until it accepts one or the rounds are
used up. On the second level each subtask becomes actions, which are tried out in the told world and judged again. The
accepted actions together are the plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from herobench.agents.agent import Agent, Ask
from herobench.agents.dialog import Dialog, identity_of
from herobench.conversation import Message
from herobench.prompts.words import words_of
from herobench.suite.contract import Attempt
from herobench.suites.rpg.agents.forms import ACTIONS, JUDGEMENT, SUBTASKS, NotPlanned, code_of
from herobench.suites.rpg.agents.team import Subtask, Team, TeamPart, comments_on, in_words, judge, listed, tries

_OWN = words_of("rpg/a1")


class A1(Agent):
    """A decomposer and a critic on two levels."""

    modes = ("plan", "feedback")
    suites = ("rpg",)

    def __init__(self) -> None:
        self.identity = identity_of(["rpg/team", "rpg/a1"], [SUBTASKS, JUDGEMENT, ACTIONS])

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        """Play with a team for this attempt."""
        await _DecomposerAndCritic(attempt, ask).play()


class _DecomposerAndCritic(Team):
    async def planned(self, dialog: Dialog, comments: str) -> Mapping[str, Any]:
        """Return the plan that the critic accepts, or the last one."""
        facts, plan = self.facts(), dict[str, Any]()
        for talk in tries(dialog):
            question = _OWN.fill("decomposer", **facts, comments=comments_on(comments))
            plan = dict(await talk.answer("decomposer", [Message("user", question)], SUBTASKS))
            wrong = await judge(talk, "critic", _OWN.fill("critic", **facts, subtasks=listed(plan)))
            if wrong is None:
                break
            comments = wrong
        return plan

    async def part(self, dialog: Dialog, subtask: Subtask, number: str) -> TeamPart:
        """Return the actions that the critic accepts, or the last ones that work, or the last ones."""
        progress, part, working = self.progress, TeamPart("", None, ""), None
        facts = {**self.facts(), "subtask": in_words(subtask), "number": number}
        facts["involved"] = progress.briefing.describe([subtask["code"], *progress.owned])
        for talk in tries(dialog):
            question = _OWN.fill("action_decomposer", **facts, comments=comments_on(part.fault, part.code))
            answer = await talk.answer("action decomposer", [Message("user", question)], ACTIONS)
            part = await self._tried(answer)
            # what the game refuses needs no critic
            if part.result is None or not part.works:
                continue
            seen = {**facts, "plan": part.code, "told": part.result.told, "after": part.result.character}
            wrong = await judge(talk, "action critic", _OWN.fill("action_critic", **seen))
            working = part = TeamPart(part.code, part.result, wrong or "")
            if wrong is None:
                break
        return working or part

    async def _tried(self, answer: Mapping[str, Any]) -> TeamPart:
        """Return listed actions as a part that was tried out."""
        try:
            code = code_of(answer["actions"], self.progress.briefing.track)
        except NotPlanned as reason:
            return TeamPart("", None, str(reason))
        result = await self.progress.try_out(code)
        return TeamPart(code, result, "" if result.faultless else result.told)
