"""The conversation about one mystery: an exploration by tools, one plan, and a form. In the lane `told`, a plan alone.

The exploration is a game in the true world, and the plan runs in the sandbox, from the start, in the same world. Only
the plan decides. It is asked for once more where a reply has none, in both lanes alike, since their figures are
compared. The form asks what differs; its answer is kept as facts of the sample and changes no score.

Agents that are made for the RPG plan by a briefing: the told world with the differences that they state. Plans are
never tried out in the true world, except in the lane `told`, which tells all differences.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple

from herobench.conversation import Message, Reply, Tool, ToolCall, json_blocks
from herobench.data.columns import blank
from herobench.data.documents import json_object
from herobench.suite.contract import Attempt, Verdict
from herobench.suites.discover.game.columns import DETAILS, DiscoverStyle
from herobench.suites.discover.game.families import FAMILIES, Change
from herobench.suites.discover.game.mystery import RESET, Answer, Exploration, Mystery, Truth
from herobench.suites.discover.prompts.telling import (
    WORDS,
    believed_rules,
    opening,
    plan_question,
    told_plan,
    tools,
)
from herobench.suites.rpg.game.episode import Episode, write_trace
from herobench.suites.rpg.game.events import OK, Action
from herobench.suites.rpg.game.scoring import goals_reached, score
from herobench.suites.rpg.play.briefing import Briefing, PartResult, Unexplored
from herobench.suites.rpg.play.execution import plan_in
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.sandbox.wire import recordable

DONE = "done"
_MOST_CALLS = 100
"""The number of calls of one reply that are carried out at most."""
_MOST_VAIN = 20
"""The exploration is over after this many replies in a row without an action."""
_MOST_IDLE = 2
"""The same for replies without a call."""
_MOST_FORM = 100_000
"""The longest answer in which a form is looked for, in characters."""
_TOO_MANY: Answer = {"error": f"not carried out: a reply may have {_MOST_CALLS} calls"}
_OVER: Answer = {"error": "the exploration is over"}
_NO_TOOLS: Answer = {"error": "not carried out: a plan is asked for, and no call of a tool"}


class CallFinding(NamedTuple):
    """Says what a model learned from one call of the exploration."""

    surprise: bool
    """True if the told world would have answered the call otherwise."""
    nothing: bool
    """True if the game refused the call for want of a place or a thing, or answered it alike before, in this gear."""


class MysteryAttempt(Attempt):
    """What both kinds of attempts share: the plan, and the verdict on it."""

    waits = False

    def __init__(self, mystery: Mystery, style: DiscoverStyle) -> None:
        self._mystery, self._style = mystery, style
        self._plan: str | None = None
        self._asked_again = False

    @property
    def plan(self) -> str | None:
        """The plan that was given; None before it, and if there is none."""
        return self._plan

    def _take_plan(self, reply: Reply) -> Sequence[Message] | None:
        """Take the plan of a reply. Return what asks for it once more; None if there is one, or none again."""
        self._plan = plan_in(reply, self._mystery.true.rules)
        if self._plan is not None or self._asked_again:
            return None
        self._asked_again = True
        return [*_refuse_calls(reply), Message("user", WORDS.fill("plan_again"))]

    def grade(self) -> Verdict:
        """Run the plan in the true world."""
        mystery, true = self._mystery, self._mystery.true
        episode = _run(mystery, true, self._plan)
        plan_score = score(mystery.task, true.world, true.rules, episode)
        is_win = plan_score.outcome == "win"
        details = {
            **known_details(mystery, self._style),
            **self._exploration_figures(),
            "plan_actions": len(episode.events),
            "ended": episode.ending.how,
            "end_reason": episode.ending.reason,
            "goals_reached": goals_reached(mystery.task, episode.events),
        }
        return Verdict(
            is_win,
            plan_score.score,
            progress=plan_score.progress_before_end,
            failure=None if is_win else self._failure(),
            details=details,
            events={"schema": 1, **self._events(), "plan": write_trace(episode.events)},
        )

    def _failure(self) -> str:
        if self._plan is None:
            return "no_plan"
        told_truth = self._mystery.told
        plan_score = score(self._mystery.task, *told_truth, _run(self._mystery, told_truth, self._plan))
        return "believed" if plan_score.outcome == "win" else "plan"

    def _exploration_figures(self) -> Mapping[str, Any]:
        """Return the figures of the exploration and of the form; none for a plan alone."""
        return {}

    def _events(self) -> Mapping[str, Any]:
        """Return the calls of the exploration, and what the form states."""
        return {"exploration": [], "stated": None}


def _refuse_calls(reply: Reply) -> list[Message]:
    """Answer the calls of a reply that is to have a plan: models refuse a conversation with unanswered calls."""
    return [Message("tool", json.dumps(_NO_TOOLS), call_id=call.id) for call in reply.tool_calls]


def _run(mystery: Mystery, truth: Truth, plan: str | None) -> Episode:
    with Sandbox(*truth) as sandbox:
        return sandbox.execute(mystery.task, plan)


def known_details(mystery: Mystery, style: DiscoverStyle) -> dict[str, Any]:
    """Return the details that are known without a reply; null in the others."""
    return {
        **blank(DETAILS),
        "mode": "plan" if style.lane == "told" else "tools",
        "told": style.lane,
        "disclosure": style.disclosure,
        "goal": style.goal,
        "changes": len(mystery.changes),
        "facts": mystery.facts,
        "families": sorted(change.family for change in mystery.changes),
        "decisions": mystery.decisions,
        "oracle_actions": mystery.certificate.actions,
        "budget_actions": mystery.budget.actions,
        "budget_resets": mystery.budget.resets,
        "goals": len(mystery.task.goals),
        "twin_of": mystery.twin_of,
    }


class BelievedBriefing(Briefing):
    """Briefs an agent about a mystery in the world that the agent believes in: the told one with some differences."""

    def __init__(self, mystery: Mystery, changes: Collection[Change]) -> None:
        super().__init__(Sandbox(*mystery.with_changes(changes)), mystery.task)
        self._changes = changes

    @cached_property
    def facts(self) -> Mapping[str, str]:
        """The texts that fill prompts. They show the records of the believed world, and tell the rules that differ."""
        facts, rules = super().facts, believed_rules(self._changes)
        return {**facts, **{name: f"{facts[name]}{rules}" for name in ("actions", "fights")}}

    def try_out(self, plan: str, before: Iterable[Action] = ()) -> PartResult:
        """Try a plan out in the believed world. Its process ends at once: nobody closes a briefing."""
        with self._sandbox:
            return super().try_out(plan, before)


class MysteryBriefing(Unexplored):
    """The briefing of a mystery before and while it is explored."""

    def __init__(self, mystery: Mystery, disclosure: str = "told") -> None:
        self._mystery, self._disclosure = mystery, disclosure

    @property
    def form(self) -> str:
        """The question in what the world differs."""
        return WORDS.fill("form")

    @property
    def tells_form_first(self) -> bool:
        """True if the prompt tells the families, which the form names too."""
        return self._disclosure == "told"

    def briefing_with(self, statements: Iterable[Mapping[str, Any]]) -> tuple[Briefing, Sequence[Mapping[str, Any]]]:
        """Return the briefing of the told world with stated differences, and those that cannot be, or not together."""
        possible = {change.plain: (change, site) for site in self._mystery.sites for change in site.rivals}
        changes, wrong, used_things = list[Change](), list[Mapping[str, Any]](), set[str]()
        for row in statements:
            change, site = possible.get(Change(row["family"], row["subject"], row["value"]).plain, (None, None))
            things = {*site.things} or {site.family} if site else set[str]()
            if change is None or things & used_things:
                wrong.append(row)
                continue
            changes.append(change)
            used_things |= things
        return BelievedBriefing(self._mystery, changes), wrong


class ToldAttempt(MysteryAttempt):
    """One prompt that tells all that differs, and a reply with the plan."""

    @property
    def briefing(self) -> BelievedBriefing:
        """The briefing of the true world, which is told."""
        return BelievedBriefing(self._mystery, self._mystery.changes)

    @property
    def messages(self) -> Sequence[Message]:
        """The prompt."""
        return [Message("user", told_plan(self._mystery))]

    def step(self, reply: Reply) -> Sequence[Message] | None:
        """Take the plan, or ask for it once more; then the attempt is over."""
        return self._take_plan(reply)


class FoundAttempt(MysteryAttempt):
    """An exploration by tools, a plan, and the form."""

    def __init__(self, mystery: Mystery, style: DiscoverStyle) -> None:
        super().__init__(mystery, style)
        self._lab = Exploration(mystery.true, mystery.task)
        self._calls: list[tuple[str, Mapping[str, Any], Answer]] = []
        self._phase = "explore"
        self._idle = self._vain = self._all_vain = 0
        self._stated: list[Change] | None = None

    @property
    def briefing(self) -> MysteryBriefing:
        """The briefing that an agent gets once it says in what the world differs."""
        return MysteryBriefing(self._mystery, self._style.disclosure)

    @property
    def messages(self) -> Sequence[Message]:
        """The opening."""
        return [Message("user", opening(self._mystery, self._style))]

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools of the exploration; none after it."""
        return tools(self._mystery) if self._phase == "explore" else ()

    def step(self, reply: Reply) -> Sequence[Message] | None:
        """Carry out the calls of a reply, or take its plan or its form."""
        if self._phase == "explore":
            return self._explore(reply)
        if self._phase == "plan":
            if (question := self._take_plan(reply)) is not None:
                return question
            self._phase = "form"
            return [*_refuse_calls(reply), Message("user", WORDS.fill("form"))]
        self._stated = form_in(reply.final_text)
        return None

    def _explore(self, reply: Reply) -> Sequence[Message]:
        before = len(self._lab.events)
        self._idle = 0 if reply.tool_calls else self._idle + 1
        messages = [
            Message("tool", json.dumps(self._result(call) if number < _MOST_CALLS else _TOO_MANY), call_id=call.id)
            for number, call in enumerate(reply.tool_calls)
        ]
        is_vain = len(self._lab.events) == before
        self._vain = self._vain + 1 if is_vain else 0
        self._all_vain += is_vain
        most = _MOST_VAIN + self._mystery.budget.actions
        if self._idle >= _MOST_IDLE or self._vain >= _MOST_VAIN or self._all_vain >= most:
            self._phase = "plan"
        if self._phase == "plan":
            return [*messages, Message("user", plan_question(self._mystery))]
        return messages or [Message("user", WORDS.fill("go_on"))]

    def _result(self, call: ToolCall) -> Answer:
        """Carry out a call, and tell what is left of the budget."""
        budget = self._mystery.budget
        if self._phase != "explore":
            return _OVER
        arguments = json_object(call.arguments or "{}")
        if arguments is None:
            return {"error": "the arguments are not a JSON object"}
        if call.name == DONE:
            self._phase = "plan"
            return {"done": True}
        if call.name == RESET and self._lab.resets >= budget.resets:
            return {"error": "all resets are used up"}
        plain_arguments = {name: recordable(value) for name, value in arguments.items()}
        answer = self._lab.call(call.name, plain_arguments)
        if "status" in answer or call.name == RESET:  # a tool that does not exist does nothing, whatever it is told
            self._calls.append((call.name, plain_arguments, answer))
        budget_left = {"actions": budget.actions - len(self._lab.events), "resets": budget.resets - self._lab.resets}
        if not budget_left["actions"]:
            self._phase = "plan"
        return {**answer, "left": budget_left}

    # -- the verdict --------------------------------------------------------------------------------------------------

    def _exploration_figures(self) -> Mapping[str, Any]:
        acts = [
            finding for finding, (_, _, answer) in zip(self.findings(), self._calls, strict=True) if "status" in answer
        ]
        return {
            "explored": len(self._lab.events),
            "resets": self._lab.resets,
            "refused": sum(not event.ok for event in self._lab.events),
            "told_nothing": sum(finding.nothing for finding in acts),
            "decisive": next((number for number, finding in enumerate(acts, 1) if finding.surprise), None),
            "surprises": sum(finding.surprise for finding in acts),
            **self._naming_details(),
        }

    def findings(self) -> list[CallFinding]:
        """Return what each call of the exploration told."""
        told_lab, true = (Exploration(truth, self._mystery.task) for truth in (self._mystery.told, self._mystery.true))
        past_calls: set[str] = set()
        findings = []
        for name, arguments, answer in self._calls:
            hero = true.game.hero
            key = json.dumps([name, arguments, hero.place, sorted(hero.worn.items()), answer], default=str)
            true.call(name, arguments)
            idle = answer.get("status", OK) != OK and name != "craft"
            again = key in past_calls and name not in ("equip", "unequip")
            findings.append(
                CallFinding(answer != told_lab.call(name, arguments), "status" in answer and (idle or again))
            )
            past_calls.add(key)
        return findings

    def _naming_details(self) -> Mapping[str, Any]:
        if self._stated is None:
            return {}
        true, stated_changes = (
            {change.plain for change in changes} for changes in (self._mystery.changes, self._stated)
        )
        return {
            "stated": len(stated_changes),
            "stated_right": len(stated_changes & true),
            "named": stated_changes == true,
        }

    def _events(self) -> Mapping[str, Any]:
        calls = [
            {"name": name, "arguments": dict(arguments), "answer": answer} for name, arguments, answer in self._calls
        ]
        return {
            "exploration": calls,
            "stated": None if self._stated is None else [change._asdict() for change in self._stated],
        }


def form_in(text: str) -> list[Change] | None:
    """Return what the form in a text states; None if there is no form. Entries that are none are left out."""
    text = text[:_MOST_FORM]
    start, end = text.find("["), text.rfind("]")
    for candidate in [*json_blocks(text), text[start : end + 1] if 0 <= start < end else "", text]:
        with suppress(ValueError, RecursionError):
            rows = json.loads(candidate)
            if isinstance(rows, list):
                return [Change(*entry) for row in rows if (entry := _entry(row))]
    return None


def _entry(row: object) -> tuple[str, str, int | str] | None:
    if not isinstance(row, dict):
        return None
    family, subject, value = row.get("family"), row.get("subject", ""), row.get("value")
    if not isinstance(family, str) or family not in FAMILIES or not isinstance(subject, str | None):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    return family, subject or "", value
