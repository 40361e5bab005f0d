"""The agents a1 and a2, after the paper's A-1 and A-2, with the forms in which their sub-agents answer.

a1 is a decomposer and a critic on two levels. On the first, the task becomes a plan of subtasks, which the critic
judges until it accepts one or the rounds are used up. On the second, each subtask becomes actions, which are tried out
in the told world and judged again. The accepted actions together are the plan.

a2 is a line of sub-agents with one small job each. A fight analyst estimates which gear wins which fight. The
curriculum agent plans subtasks with these estimates, and a critic judges them. For each subtask the decomposer lists
steps in words; it may ask a map expert and a craft expert, who alone read the told places and recipes. A second critic
judges the steps, and the action agent writes the code, which is tried out in the told world.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from herobench.agents.agent import Agent, Ask
from herobench.agents.dialog import Dialog, dialog_identity
from herobench.conversation import Form, Message
from herobench.prompts.words import load_words
from herobench.suite.contract import Attempt
from herobench.suites.rpg.agents.team import Subtask, Team, TeamPart, comments_on, in_words, plan_lines, tries
from herobench.suites.rpg.game.events import named_values
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.task import PlanTrack
from herobench.suites.rpg.play.execution import extract_code

_REPEATED = ("fight", "gather")
"""The actions that may be repeated until they have given enough."""
_UNTIL = """\
owned = {{}}
while {lacking}:
    status, body = {call}
    if status != 200:
        break
    owned = {{stack["code"]: stack["quantity"] for stack in body["character"]["inventory"]}}
"""


class NotPlanned(Exception):
    """Raised when a list of actions makes no plan, with the reason."""


def as_code(actions: Iterable[Mapping[str, Any]], track: PlanTrack) -> str:
    """Return listed actions as code. Raise NotPlanned for one that cannot be written on the track."""
    return "".join(_lines(number, action, track) for number, action in enumerate(actions, 1))


def _lines(number: int, action: Mapping[str, Any], track: PlanTrack) -> str:
    call, times, until = _call(action), action["times"], action["until"]
    if until and track == "straight":
        raise NotPlanned(f"action {number} waits with `until`, which a straight plan cannot do: say how often")
    if until and action["action"] not in _REPEATED:
        raise NotPlanned(f"action {number} has `until`, which only {' and '.join(_REPEATED)} can have")
    if until:
        lacking = " or ".join(f"owned.get({json.dumps(it['code'])}, 0) < {it['quantity']}" for it in until)
        return _UNTIL.format(lacking=lacking, call=call)
    return f"{call}\n" if times in (None, 1) else f"for _ in range({times}):\n    {call}\n"


def _call(action: Mapping[str, Any]) -> str:
    """Return the call of an action with the given arguments by name. The game refuses wrong or missing ones."""
    names = [name for name in named_values(action["action"]) if action[name] is not None]
    arguments = [f"{name}={json.dumps(action[name])}" for name in names]
    return f"{action['action']}({', '.join([json.dumps(NAME), *arguments])})"


_MOST_ENTRIES = 1_000
_MOST_QUESTIONS = 10
_TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_COUNT_OR_NULL = {"type": ["integer", "null"]}


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object that has all of its properties, as strict servers demand."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _one_of(*words: str) -> dict[str, Any]:
    # strict servers demand a type beside the words
    return {"type": "string", "enum": list(words)}


def _list(entry: Mapping[str, Any], least: int = 0, most: int = _MOST_ENTRIES) -> dict[str, Any]:
    return {"type": "array", "items": entry, "minItems": least, "maxItems": most}


SUBTASKS = Form(
    "subtasks",
    _object(
        subtasks=_list(
            _object(
                do=_one_of("craft", "fight", "gather"),
                code=_TEXT,
                quantity={"type": "integer", "minimum": 1},
                note=_TEXT_OR_NULL,
            ),
        ),
        give_up=_TEXT_OR_NULL,
    ),
)
"""A plan on the high level. `note` may tell the purpose of a subtask, or which gear to wear in a fight. `give_up` is
the reason why the goal is impossible; null if it is not."""

JUDGEMENT = Form("judgement", _object(accepted={"type": "boolean"}, comments=_TEXT_OR_NULL))
"""A critic's judgement."""

ACTIONS = Form(
    "actions",
    _object(
        actions=_list(
            _object(
                action=_one_of("move", "fight", "gather", "craft", "equip", "unequip", "buy"),
                x=_COUNT_OR_NULL,
                y=_COUNT_OR_NULL,
                code=_TEXT_OR_NULL,
                slot=_TEXT_OR_NULL,
                quantity=_COUNT_OR_NULL,
                times=_COUNT_OR_NULL,
                until={"type": ["array", "null"], "items": _object(code=_TEXT, quantity={"type": "integer"})},
            ),
            least=1,
        )
    ),
)
"""A subtask as actions. Parameters that an action does not need are null."""

ESTIMATES = Form(
    "estimates",
    _object(estimates=_list(_object(monster=_TEXT, gear=_list(_TEXT), wins={"type": "boolean"}, reason=_TEXT_OR_NULL))),
)
"""The outcome of fights, each with some gear in addition to what the hero wears."""

DECOMPOSITION = Form(
    "decomposition",
    _object(
        questions=_list(_object(expert=_one_of("map", "craft"), question=_TEXT), most=_MOST_QUESTIONS),
        steps=_list(_TEXT),
    ),
)
"""A subtask as steps in words, or questions to the experts before there are steps."""

ANSWER = Form("answer", _object(answer=_TEXT))
"""An expert's answer."""


_TEAM, _A1, _A2 = map(load_words, ("rpg/team", "rpg/a1", "rpg/a2"))


async def _judge(dialog: Dialog, role: str, question: str) -> str | None:
    """Ask a critic. Return the comments; None if it accepts."""
    judgement = await dialog.answer(role, [Message("user", question)], JUDGEMENT)
    return None if judgement["accepted"] else judgement["comments"] or _TEAM.fill("no_comments")


class A1(Agent):
    """A decomposer and a critic on two levels."""

    modes = ("plan", "feedback")
    suites = ("rpg",)

    def __init__(self) -> None:
        self.identity = dialog_identity(["rpg/team", "rpg/a1"], [SUBTASKS, JUDGEMENT, ACTIONS])

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        """Play with a team for this attempt."""
        await _DecomposerAndCritic(attempt, ask).play()


class _DecomposerAndCritic(Team):
    async def make_plan(self, dialog: Dialog, comments: str) -> Mapping[str, Any]:
        """Return the plan that the critic accepts, or the last one."""
        facts, plan = self.facts(), dict[str, Any]()
        for talk in tries(dialog):
            question = _A1.fill("decomposer", **facts, comments=comments_on(comments))
            plan = dict(await talk.answer("decomposer", [Message("user", question)], SUBTASKS))
            wrong = await _judge(talk, "critic", _A1.fill("critic", **facts, subtasks=plan_lines(plan)))
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
            question = _A1.fill("action_decomposer", **facts, comments=comments_on(part.fault, part.code))
            answer = await talk.answer("action decomposer", [Message("user", question)], ACTIONS)
            part = await self._try_out(answer)
            # a part that the game refuses needs no critic
            if part.result is None or not part.works:
                continue
            critic_facts = {**facts, "plan": part.code, "told": part.result.told, "after": part.result.character}
            wrong = await _judge(talk, "action critic", _A1.fill("action_critic", **critic_facts))
            working = part = TeamPart(part.code, part.result, wrong or "")
            if wrong is None:
                break
        return working or part

    async def _try_out(self, answer: Mapping[str, Any]) -> TeamPart:
        """Return listed actions as a part that was tried out."""
        try:
            code = as_code(answer["actions"], self.progress.briefing.track)
        except NotPlanned as reason:
            return TeamPart("", None, str(reason))
        result = await self.progress.try_out(code)
        return TeamPart(code, result, "" if result.faultless else result.told)


_QUESTIONS = 2
"""How often the decomposer of a subtask may ask the experts."""
_EXPERTS: Mapping[str, tuple[str, ...]] = {
    "map": ("places", "monsters"),
    "craft": ("recipes", "materials"),
}
"""The told sections that each expert reads."""


class A2(Agent):
    """A line of sub-agents with one small job each."""

    modes = ("plan", "feedback")
    suites = ("rpg",)

    def __init__(self) -> None:
        forms = [SUBTASKS, JUDGEMENT, ESTIMATES, DECOMPOSITION, ANSWER]
        self.identity = dialog_identity(["rpg/team", "rpg/a2"], forms)

    async def play(self, attempt: Attempt, ask: Ask) -> None:
        """Play with a team for this attempt."""
        await _Line(attempt, ask).play()


class _Line(Team):
    # -- the first level ----------------------------------------------------------------------------------------------

    async def make_plan(self, dialog: Dialog, comments: str) -> Mapping[str, Any]:
        """Return the plan that the critic accepts, or the last one."""
        facts, plan = self.facts(), dict[str, Any]()
        facts["estimates"] = await self._estimates(dialog, facts)
        facts["told"] = self.progress.briefing.section("recipes", "materials", "monsters", "stats")
        for talk in tries(dialog):
            question = _A2.fill("curriculum", **facts, comments=comments_on(comments))
            plan = dict(await talk.answer("curriculum", [Message("user", question)], SUBTASKS))
            question = _A2.fill("curriculum_critic", **facts, subtasks=plan_lines(plan))
            wrong = await _judge(talk, "curriculum critic", question)
            if wrong is None:
                break
            comments = wrong
        return plan

    async def _estimates(self, dialog: Dialog, facts: Mapping[str, str]) -> str:
        """Return the estimates of the fight analyst."""
        section = self.progress.briefing.section("recipes", "monsters", "stats")
        question = _A2.fill("fight_analyst", **facts, told=section)
        answer = await dialog.answer("fight analyst", [Message("user", question)], ESTIMATES)
        return "\n".join(_estimate(entry) for entry in answer["estimates"]) or _A2.fill("no_fights")

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
            critic_facts = {**facts, "steps": _numbered_lines(steps), "answers": answers}
            wrong = await _judge(talk, "step critic", _A2.fill("step_critic", **critic_facts))
            if wrong is None:
                break
            comments = wrong
        return await self._write_code(dialog, {**facts, "steps": _numbered_lines(steps), "answers": answers})

    async def _steps(self, dialog: Dialog, facts: Mapping[str, str], comments: str) -> tuple[Sequence[str], str]:
        """Return the decomposer's steps, and the answers of the experts that it asked."""
        talk = [Message("user", _A2.fill("decomposer", **facts, comments=comments_on(comments)))]
        answers: list[str] = []
        for round_number in range(_QUESTIONS + 1):
            answer = await dialog.answer("decomposer", talk, DECOMPOSITION)
            if not answer["questions"] or round_number == _QUESTIONS:
                return answer["steps"], "\n\n".join(answers)
            expert_answers = [await self._ask_expert(dialog, question) for question in answer["questions"]]
            answers += expert_answers
            reply = Message("assistant", json.dumps(answer, ensure_ascii=False))
            talk += [reply, Message("user", _A2.fill("answers", answers="\n\n".join(expert_answers)))]
        raise AssertionError("unreachable: the last round returns")

    async def _ask_expert(self, dialog: Dialog, question: Mapping[str, Any]) -> str:
        """Return a question with the answer of its expert."""
        expert, words = question["expert"], question["question"]
        section = self.progress.briefing.section(*_EXPERTS[expert])
        prompt = _A2.fill(f"{expert}_expert", told=section, question=words)
        answer = await dialog.answer(f"{expert} expert", [Message("user", prompt)], ANSWER)
        return _A2.fill("answer", question=words, answer=answer["answer"])

    async def _write_code(self, dialog: Dialog, facts: Mapping[str, str]) -> TeamPart:
        """Return the code of the action agent that works in the told world, or the last one."""
        part, form = TeamPart("", None, ""), self.progress.briefing.plan_form()
        for talk in tries(dialog, "Code, try"):
            question = _A2.fill("action_agent", **facts, form=form, comments=comments_on(part.fault, part.code))
            code = extract_code(await talk.text("action agent", [Message("user", question)]))
            if code is None:
                part = TeamPart("", None, _A2.fill("no_code"))
                continue
            result = await self.progress.try_out(code)
            part = TeamPart(f"{code}\n", result, "" if result.faultless else result.told)
            if part.works:
                break
        return part


def _estimate(entry: Mapping[str, Any]) -> str:
    outcome = "won" if entry["wins"] else "lost"
    return f"- {entry['monster']} in {', '.join(entry['gear']) or 'no other gear'}: {outcome}; {entry['reason'] or ''}"


def _numbered_lines(steps: Sequence[str]) -> str:
    return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
