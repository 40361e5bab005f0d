"""The sub-agents that explore a world which differs from its description: an analyst and an experimenter.

The analyst reads what is told and all calls so far with their answers. It states in what the world differs, and says
what to try next, or that enough is known. The experimenter tries that by calls of the attempt's own tools. Neither is
told more than a model that plays the attempt alone.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from herobench.agents.agent import Ask
from herobench.agents.dialog import Dialog
from herobench.conversation import Form, Message, Reply, ToolCall
from herobench.prompts.words import load_words
from herobench.suite.contract import Attempt
from herobench.suites.rpg.agents.team import comments_on, tries
from herobench.suites.rpg.play.briefing import Briefing, Unexplored

FOLDER = "rpg/explorers"
_WORDS = load_words(FOLDER)
_MOST_EXPERIMENTS = 40
_MOST_TURNS = 20
"""The most replies of the experimenter in one experiment."""
_MOST_DIFFERENCES = 20

_DIFFERENCE = {
    "type": "object",
    "properties": {
        "family": {"type": "string"},
        "subject": {"type": "string"},
        "value": {"type": ["integer", "string"]},
    },
    "required": ["family", "subject", "value"],
    "additionalProperties": False,
}
FINDINGS = Form(
    "findings",
    {
        "type": "object",
        "properties": {
            "differences": {"type": "array", "items": _DIFFERENCE, "maxItems": _MOST_DIFFERENCES},
            "enough": {"type": "boolean"},
            "experiment": {"type": ["string", "null"]},
        },
        "required": ["differences", "enough", "experiment"],
        "additionalProperties": False,
    },
)
"""The analyst's answer: it states the differences that it believes in, and asks for an experiment if it is not sure."""


async def explore(attempt: Attempt, ask: Ask, unexplored: Unexplored) -> tuple[Briefing, str]:
    """Explore the world of an attempt until enough is known or the budget is used up, and end the exploration.

    Return the briefing of the world as it is believed to be, and the differences as JSON."""
    return await _Exploration(attempt, Dialog(ask, ("Exploration",)), unexplored).play()


class _Exploration:
    def __init__(self, attempt: Attempt, dialog: Dialog, unexplored: Unexplored) -> None:
        self._attempt, self._dialog, self._unexplored = attempt, dialog, unexplored
        self._opening = attempt.messages[0].text
        self._log: list[str] = []

    @property
    def _facts(self) -> Mapping[str, str]:
        return {"opening": self._opening, "log": "\n".join(self._log) or _WORDS.fill("nothing")}

    async def play(self) -> tuple[Briefing, str]:
        last_findings = None
        for number in range(1, _MOST_EXPERIMENTS + 1):
            dialog = self._dialog.within(f"Experiment {number}")
            findings, briefing = await self._findings(dialog)
            if findings["enough"] or not self._attempt.tools:
                last_findings = findings, briefing
                break
            await self._experiment(dialog, findings["experiment"] or _WORDS.fill("no_experiment"))
        if self._attempt.tools:
            await asyncio.to_thread(self._attempt.step, Reply("", (ToolCall("done", "done", "{}"),), stop="agent"))
            if not self._unexplored.tells_form_first:
                last_findings = None  # it was said without the form
        findings, briefing = last_findings or await self._findings(self._dialog.within("End"))
        return briefing, json.dumps(findings["differences"])

    async def _findings(self, dialog: Dialog) -> tuple[Mapping[str, Any], Briefing]:
        """Return what the analyst finds, and the world by that. Differences that cannot be are left out in the end."""
        is_over = not self._attempt.tools
        reads_form = is_over or self._unexplored.tells_form_first
        words = {
            "form": self._unexplored.form if reads_form else _WORDS.fill("no_form"),
            "state": _WORDS.fill("is_over" if is_over else "goes_on"),
        }
        comments = ""
        for talk in tries(dialog, "Findings, try"):
            question = _WORDS.fill("analyst", **self._facts, **words, comments=comments_on(comments))
            findings = await talk.answer("analyst", [Message("user", question)], FINDINGS)
            briefing, wrong = self._unexplored.briefing_with(findings["differences"])
            if not wrong or not reads_form:
                break
            comments = _WORDS.fill("impossible", wrong="\n".join(f"- {json.dumps(dict(row))}" for row in wrong))
        return findings, briefing

    async def _experiment(self, dialog: Dialog, idea: str) -> None:
        """Let the experimenter try something, until it calls no tool or the exploration is over."""
        conversation = [Message("user", _WORDS.fill("experimenter", **self._facts, experiment=idea))]
        for turn in range(1, _MOST_TURNS + 1):
            reply = await dialog.within(f"Turn {turn}").turn("experimenter", conversation, self._attempt.tools)
            if turn > 1 and not reply.tool_calls:
                return
            messages = await asyncio.to_thread(self._attempt.step, reply) or []
            for call, answer in zip(reply.tool_calls, messages, strict=False):
                self._log.append(f"{call.name} {call.arguments} -> {answer.text}")
            conversation += [reply.as_message(), *messages]
            if not reply.tool_calls or not self._attempt.tools:
                return
