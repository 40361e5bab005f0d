"""The conversation about one mystery: days of exploration by tools, and one plan. In the lane `told`, a plan alone.

The plan is one more day in each land, in the true world, and only it decides. It is asked for when the exploration
ends, however it ends, and once more where a reply has none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from statistics import mean
from typing import Any

from herobench.conversation import Message, Reply, Tool, ToolCall
from herobench.data.columns import blank
from herobench.data.documents import json_object
from herobench.suite.contract import Attempt, Verdict
from herobench.suites.discover.game.columns import DETAILS, DiscoverStyle
from herobench.suites.discover.game.day import NEW_DAY, NEXT_LAND, Answer, Call, Day, Exploration, answer_to
from herobench.suites.discover.game.knowledge import Knowledge, plan_wins, readings_of, worlds_in
from herobench.suites.discover.game.mystery import Mystery
from herobench.suites.discover.game.plan import days_of, read_plan
from herobench.suites.discover.prompts.telling import DONE, WORDS, opening, plan_question, told_plan, tools
from herobench.suites.rpg.game.calls import NotStraight
from herobench.suites.rpg.play.execution import extract_code
from herobench.suites.rpg.sandbox.wire import recordable

_MOST_CALLS = 100
"""The number of calls of one reply that are carried out at most."""
_MOST_VAIN = 20
"""The exploration is over after this many replies without an action."""
_MOST_IDLE = 2
"""The same for replies without a call in a row."""
_TOO_MANY: Answer = {"error": f"not carried out: a reply may have {_MOST_CALLS} calls"}
_OVER: Answer = {"error": "the exploration is over"}
_NO_TOOLS: Answer = {"error": "not carried out: a plan is asked for, and no call of a tool"}


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
        self._plan = extract_code(reply.text, "ignored", reply.stop) if reply.answer is None else reply.answer
        if self._plan is not None or self._asked_again:
            return None
        self._asked_again = True
        refused = [Message("tool", json.dumps(_NO_TOOLS), call_id=call.id) for call in reply.tool_calls]
        return [*refused, Message("user", WORDS.fill("plan_again"))]

    def grade(self) -> Verdict:
        """Play the plan in the true world."""
        mystery, known = self._mystery, self._known()
        plan, reason = _read(self._plan, len(mystery.lands))
        rows, days = list[dict[str, Any]](), list[Day]()
        for number, (hidden, calls) in enumerate(zip(mystery.lands, plan, strict=True)):
            if number:
                rows.append(_row(NEXT_LAND, {}, {"land": number + 1}, known[number].worlds))
            days.append(day := Day(hidden))
            for call in calls:
                if not day.is_over:
                    answer = answer_to(day, call.name, call.arguments)
                    rows.append(_row(call.name, call.arguments, answer, known[number].worlds))
        wins, lands_won = plan_wins(mystery.lands, known, plan), sum(day.won for day in days)
        won = lands_won == len(mystery.lands)
        details = {
            **known_details(mystery, self._style),
            **self._exploration_figures(known),
            "plan_chance": round(100 * wins / worlds_in(known), 2),
            "sure": wins == worlds_in(known),
            "lands_won": lands_won,
            "plan_actions": sum(len(day.events) for day in days),
            "end_reason": reason or _ending(days),
        }
        failure = None if won else self._failure(plan, wins)
        events = {"schema": 2, "exploration": self._rows(), "plan": rows}
        score = 100 * lands_won / len(mystery.lands)
        return Verdict(won, score, failure=failure, details=details, events=events)

    def _failure(self, plan: Sequence[Sequence[Call]], wins: int) -> str:
        if self._plan is None:
            return "no_plan"
        if wins:
            return "guess"
        mystery = self._mystery
        at_first = [Knowledge.at_first(laws) for laws in mystery.laws]
        return "refuted" if plan_wins(mystery.lands, at_first, plan) else "slip"

    def _known(self) -> Sequence[Knowledge]:
        """Return what the player could know for sure of each land."""
        return [
            Knowledge(laws, tuple((secret,) for secret in truth.shown(laws))) for _, laws, truth in self._mystery.lands
        ]

    def _exploration_figures(self, known: Sequence[Knowledge]) -> Mapping[str, Any]:
        """Return the figures of the exploration; none for a plan alone."""
        return {}

    def _rows(self) -> list[dict[str, Any]]:
        """Return the calls of the exploration."""
        return []


def _row(name: str, arguments: Mapping[str, Any], answer: Answer, worlds: int) -> dict[str, Any]:
    return {"name": name, "arguments": dict(arguments), "answer": answer, "left": worlds}


def _read(plan: str | None, lands: int) -> tuple[Sequence[Sequence[Call]], str | None]:
    """Return the calls of a plan's day in each land, none where it leaves a land out, and what is wrong with it."""
    nothing: Sequence[Sequence[Call]] = [()] * lands
    if plan is None:
        return nothing, "no reply has a plan"
    try:
        days = days_of(read_plan(plan))
    except NotStraight as fault:
        return nothing, f"line {fault.line}: {fault.reason}"
    while len(days) > lands and not days[-1]:
        days.pop()
    if len(days) > lands:
        return nothing, f"the plan begins more days than there are lands: {len(days)}"
    return [*days, *nothing[len(days) :]], None


def _ending(days: Sequence[Day]) -> str:
    """Return how a plan ended: how its first day that was lost did, if one was."""
    lost = next((number for number, day in enumerate(days) if not day.won), None)
    if lost is None:
        return "the lord is beaten" if len(days) == 1 else "all lords are beaten"
    place = f"land {lost + 1}: " if len(days) > 1 else ""
    return place + _loss(days[lost])


def _loss(day: Day) -> str:
    if day.over:
        return "the fight with the lord is lost"
    refused = next((event for event in day.events if not event.ok), None)
    if refused:
        return f"the plan ends before the lord is fought; first refused: {refused.action.name} ({refused.reason})"
    return "the plan ends before the lord is fought"


def known_details(mystery: Mystery, style: DiscoverStyle) -> dict[str, Any]:
    """Return the details that are known without a reply; null in the others."""
    return {
        **blank(DETAILS),
        "mode": "plan" if style.lane == "told" else "tools",
        "told": style.lane,
        "laws": mystery.words,
        "lands": len(mystery.lands),
        "bits_hidden": round(mystery.bits, 3),
        "days": mystery.days,
        "expected_days": mystery.certificate.expected,
        "twin_of": mystery.twin_of,
    }


class ToldAttempt(MysteryAttempt):
    """One prompt that tells what is hidden, and a reply with the plan."""

    @property
    def messages(self) -> Sequence[Message]:
        """The prompt."""
        return [Message("user", told_plan(self._mystery))]

    def step(self, reply: Reply) -> Sequence[Message] | None:
        """Take the plan, or ask for it once more; then the attempt is over."""
        return self._take_plan(reply)


class FoundAttempt(MysteryAttempt):
    """Days of exploration by tools, and a plan."""

    def __init__(self, mystery: Mystery, style: DiscoverStyle) -> None:
        super().__init__(mystery, style)
        self._exploration = Exploration(mystery.lands, mystery.days)
        self._calls: list[tuple[str, Mapping[str, Any], Answer]] = []
        self._explores = True
        self._idle = self._vain = 0

    @property
    def messages(self) -> Sequence[Message]:
        """The opening."""
        return [Message("user", opening(self._mystery))]

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools of the exploration; none after it."""
        return tools(self._mystery) if self._explores else ()

    def step(self, reply: Reply) -> Sequence[Message] | None:
        """Carry out the calls of a reply, or take its plan."""
        if not self._explores:
            return self._take_plan(reply)
        before = len(self._calls)
        messages = [
            Message("tool", json.dumps(self._result(call) if number < _MOST_CALLS else _TOO_MANY), call_id=call.id)
            for number, call in enumerate(reply.tool_calls)
        ]
        self._idle = 0 if reply.tool_calls else self._idle + 1
        self._vain += len(self._calls) == before
        if self._idle >= _MOST_IDLE or self._vain >= _MOST_VAIN:
            self._explores = False
        if not self._explores:
            return [*messages, Message("user", plan_question(self._mystery))]
        return messages or [Message("user", WORDS.fill("go_on"))]

    def _result(self, call: ToolCall) -> Answer:
        """Carry out a call, and tell what is left of the budget."""
        if not self._explores:
            return _OVER
        arguments = json_object(call.arguments or "{}")
        if arguments is None:
            return {"error": "the arguments are not a JSON object"}
        if call.name == DONE:
            self._explores = False
            return {"done": True}
        plain_arguments = {name: recordable(value) for name, value in arguments.items()}
        answer = self._exploration.call(call.name, plain_arguments)
        if "status" in answer or "day" in answer:
            self._calls.append((call.name, plain_arguments, answer))
        if self._exploration.is_over:
            self._explores = False
        return {**answer, "left": self._exploration.left}

    # -- the verdict --------------------------------------------------------------------------------------------------

    def _known(self) -> Sequence[Knowledge]:
        return [history[-1] for history in self._histories()]

    def _histories(self) -> Iterator[Sequence[Knowledge]]:
        """Yield for each land what is known before its first day, and after each."""
        for laws, visit in zip(self._mystery.laws, self._exploration.visits, strict=True):
            yield list(accumulate(visit, _after_day, initial=Knowledge.at_first(laws)))

    def _exploration_figures(self, known: Sequence[Knowledge]) -> Mapping[str, Any]:
        mystery, days, histories = self._mystery, self._exploration.days, list(self._histories())
        events = [event for day in days for event in day.events]
        vain = [before == after for history in histories for before, after in pairwise(history)]
        sure_after = [next((day for day, each in enumerate(history) if each.is_sure), None) for history in histories]
        excluded = [1 - (each.worlds - 1) / (laws.worlds - 1) for each, laws in zip(known, mystery.laws, strict=True)]
        bits, needed = sum(each.bits for each in known), [day for day in sure_after if day is not None]
        return {
            "explored": len(events),
            "refused": sum(not event.ok for event in events),
            "days_used": sum(bool(day.events) for day in days),
            "told_nothing": sum(bool(day.events) and nothing for day, nothing in zip(days, vain, strict=True)),
            "bits": round(bits, 3),
            "bits_left": round(mystery.bits - bits, 3),
            "excluded": round(100 * mean(excluded), 2),
            "days_over": None if len(needed) < len(histories) else round(sum(needed) - mystery.certificate.expected, 2),
        }

    def _rows(self) -> list[dict[str, Any]]:
        mystery, rows = self._mystery, list[dict[str, Any]]()
        replay, known = Exploration(mystery.lands, mystery.days), Knowledge.at_first(mystery.laws[0])
        for name, arguments, answer in self._calls:
            before = replay.today
            replay.call(name, arguments)
            if name == NEW_DAY:
                known = known.after(readings_of(before))
            elif name == NEXT_LAND:
                known = Knowledge.at_first(mystery.laws[replay.land])
            rows.append(_row(name, arguments, answer, known.after(readings_of(replay.today)).worlds))
        return rows


def _after_day(known: Knowledge, day: Day) -> Knowledge:
    return known.after(readings_of(day))
