"""The agent a2, after the paper's A-2: a line of sub-agents, each with one small job.

A fight analyst estimates which gear wins which fight. The curriculum agent plans subtasks with these estimates, and a
critic judges them. For each subtask the decomposer lists steps in words; it may ask a map expert and a craft expert,
who alone read the told places and recipes. A second critic judges the steps, and the action agent writes the code,
which is tried out in the told world.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from herobench.agents.agent import Agent, Ask
from herobench.agents.dialog import Dialog, identity_of
from herobench.conversation import Message
from herobench.prompts.words import words_of
from herobench.suite.contract import Attempt
from herobench.suites.rpg.agents.forms import ANSWER, DECOMPOSITION, ESTIMATES, JUDGEMENT, SUBTASKS
from herobench.suites.rpg.agents.team import Subtask, Team, TeamPart, comments_on, in_words, judge, listed, tries
from herobench.suites.rpg.play.plan import extract_code

_QUESTIONS = 2
"""How often the decomposer of a subtask may ask the experts."""
_OWN = words_of("rpg/a2")
_EXPERTS: Mapping[str, tuple[str, ...]] = {
    "map": ("places", "monsters"),
    "craft": ("recipes", "materials"),
}
"""The sections of what is told that each expert reads."""


class A2(Agent):
    """A line of sub-agents with one small job each."""

    modes = ("plan", "feedback")
    suites = ("rpg",)

    def __init__(self) -> None:
        self.identity = identity_of(["rpg/team", "rpg/a2"], [SUBTASKS, JUDGEMENT, ESTIMATES, DECOMPOSITION, ANSWER])

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        """Play with a team for this attempt."""
        await _Line(attempt, ask).play()


class _Line(Team):
    # -- the first level ----------------------------------------------------------------------------------------------

    async def planned(self, dialog: Dialog, comments: str) -> Mapping[str, Any]:
        """Return the plan that the critic accepts, or the last one."""
        facts, plan = self.facts(), dict[str, Any]()
        facts["estimates"] = await self._estimates(dialog, facts)
        facts["told"] = self.progress.briefing.section("recipes", "materials", "monsters", "stats")
        for talk in tries(dialog):
            question = _OWN.fill("curriculum", **facts, comments=comments_on(comments))
            plan = dict(await talk.answer("curriculum", [Message("user", question)], SUBTASKS))
            question = _OWN.fill("curriculum_critic", **facts, subtasks=listed(plan))
            wrong = await judge(talk, "curriculum critic", question)
            if wrong is None:
                break
            comments = wrong
        return plan

    async def _estimates(self, dialog: Dialog, facts: Mapping[str, str]) -> str:
        """Return what the fight analyst says of the fights ahead."""
        told = self.progress.briefing.section("recipes", "monsters", "stats")
        question = _OWN.fill("fight_analyst", **facts, told=told)
        answer = await dialog.answer("fight analyst", [Message("user", question)], ESTIMATES)
        return "\n".join(_estimate(entry) for entry in answer["estimates"]) or _OWN.fill("no_fights")

    # -- the second level ---------------------------------------------------------------------------------------------

    async def part(self, dialog: Dialog, subtask: Subtask, number: str) -> TeamPart:
        """Return the code of the action agent for steps that the critic accepts, or for the last ones."""
        progress = self.progress
        facts = {**self.facts(), "subtask": in_words(subtask), "number": number}
        facts["owned"] = progress.briefing.describe_items(progress.owned)
        steps: Sequence[str] = ()
        answers, comments = "", ""
        for talk in tries(dialog, "Steps, try"):
            steps, answers = await self._steps(talk, facts, comments)
            seen = {**facts, "steps": _numbered(steps), "answers": answers}
            wrong = await judge(talk, "step critic", _OWN.fill("step_critic", **seen))
            if wrong is None:
                break
            comments = wrong
        return await self._written(dialog, {**facts, "steps": _numbered(steps), "answers": answers})

    async def _steps(self, dialog: Dialog, facts: Mapping[str, str], comments: str) -> tuple[Sequence[str], str]:
        """Return the decomposer's steps, and the answers of the experts that it asked."""
        talk = [Message("user", _OWN.fill("decomposer", **facts, comments=comments_on(comments)))]
        answers: list[str] = []
        for asked in range(_QUESTIONS + 1):
            answer = await dialog.answer("decomposer", talk, DECOMPOSITION)
            if not answer["questions"] or asked == _QUESTIONS:
                return answer["steps"], "\n\n".join(answers)
            told = [await self._asked(dialog, question) for question in answer["questions"]]
            answers += told
            reply = Message("assistant", json.dumps(answer, ensure_ascii=False))
            talk += [reply, Message("user", _OWN.fill("answers", answers="\n\n".join(told)))]
        raise AssertionError("unreachable: the last round returns")

    async def _asked(self, dialog: Dialog, question: Mapping[str, Any]) -> str:
        """Return a question with the answer of its expert."""
        expert, words = question["expert"], question["question"]
        told = self.progress.briefing.section(*_EXPERTS[expert])
        asked = _OWN.fill(f"{expert}_expert", told=told, question=words)
        answer = await dialog.answer(f"{expert} expert", [Message("user", asked)], ANSWER)
        return _OWN.fill("answer", question=words, answer=answer["answer"])

    async def _written(self, dialog: Dialog, facts: Mapping[str, str]) -> TeamPart:
        """Return the code of the action agent that works in the told world, or the last one."""
        part, form = TeamPart("", None, ""), self.progress.briefing.plan_form()
        for talk in tries(dialog, "Code, try"):
            question = _OWN.fill("action_agent", **facts, form=form, comments=comments_on(part.fault, part.code))
            code = extract_code(await talk.text("action agent", [Message("user", question)]))
            if code is None:
                part = TeamPart("", None, _OWN.fill("no_code"))
                continue
            result = await self.progress.try_out(code)
            part = TeamPart(f"{code}\n", result, "" if result.faultless else result.told)
            if part.works:
                break
        return part


def _estimate(entry: Mapping[str, Any]) -> str:
    outcome = "won" if entry["wins"] else "lost"
    return f"- {entry['monster']} in {', '.join(entry['gear']) or 'no other gear'}: {outcome}; {entry['reason'] or ''}"


def _numbered(steps: Sequence[str]) -> str:
    return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
