"""An attempt at a task in each mode: with one reply, with a plan in parts, or with tools.

In the first two, the sandbox runs the plan. In the last, the game carries out each call at once. Nothing that the model
wrote runs then: its calls are names with JSON, and the game checks every argument.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from math import inf
from typing import Any, Self

from herobench.conversation import Message, Reply, Tool, ToolCall
from herobench.data.documents import json_object
from herobench.data.errors import UsageError
from herobench.prompts.rpg.modes import go_on, render_feedback, render_tools, task_tools, told_after_part
from herobench.prompts.rpg.render import render_prompt
from herobench.suite.contract import Attempt, Distance, Verdict
from herobench.suites.rpg.game.episode import FINISHED, Ending, Episode, defeat, gave_up, over_budget
from herobench.suites.rpg.game.events import SIGNATURES, Action, CallError, Event, Fought
from herobench.suites.rpg.game.game import Game, OverBudget
from herobench.suites.rpg.game.hero import NAME
from herobench.suites.rpg.game.position import GamePosition
from herobench.suites.rpg.game.responses import brief_response, character
from herobench.suites.rpg.game.scoring import has_won
from herobench.suites.rpg.game.task import Task, Told, reaches
from herobench.suites.rpg.play.briefing import Briefing, part_result
from herobench.suites.rpg.play.execution import FileAnswer, as_verdict, first_lines, plan_in, score_answer, verdict_on
from herobench.suites.rpg.refusals import RpgFault
from herobench.suites.rpg.sandbox import Sandbox
from herobench.suites.rpg.sandbox.wire import recordable

DistanceOf = Callable[[GamePosition], Distance | None]
"""Says how many actions a position is from a win; None where nobody knows."""


class PlanAttempt(Attempt):
    """One prompt, and one reply with the whole plan, which runs when the attempt is graded."""

    def __init__(self, sandbox: Sandbox, task: Task, epoch: int, lane: Told = "plan") -> None:
        self._sandbox = sandbox
        self._task = task
        self._epoch = epoch
        self._lane = lane

    @property
    def messages(self) -> Sequence[Message]:
        """The prompt."""
        return [Message("user", render_prompt(self._sandbox.world, self._task, self._sandbox.rules, self._lane))]

    @property
    def briefing(self) -> Briefing:
        """The told part of the task, for agents of this suite. Raise UsageError in a lane, which it does not tell."""
        if self._lane != "plan":
            raise UsageError(RpgFault.LANE_NOT_READ, lane=self._lane)
        return Briefing(self._sandbox, self._task)

    def step(self, reply: Reply) -> None:
        """Take the reply; the attempt is over."""
        self._reply = reply

    def grade(self) -> Verdict:
        """Run the plan and score its episode."""
        reply = self._reply
        plan = plan_in(reply, self._sandbox.rules)
        answer = FileAnswer(self._task.id, self._epoch, plan, reply.model, reply.usage.output)
        return as_verdict(score_answer(self._sandbox, self._task, answer), "plan", self._lane)


MOST_PARTS = 1_000
"""The most parts of an attempt."""
_MOST_IDLE_PARTS = 3
"""An attempt is over after this many parts in a row without an action."""


class FeedbackAttempt(Attempt):
    """A game that each reply continues with a part of a plan."""

    def __init__(self, sandbox: Sandbox, task: Task, distance: DistanceOf = lambda _: None) -> None:
        self._sandbox, self._measure = sandbox, distance
        self._task = task
        self._scene = sandbox.scene(task)
        self._most = sandbox.limits.actions
        self._plans: list[str] = []
        self._parts: list[Episode] = []

    @property
    def messages(self) -> Sequence[Message]:
        """The opening."""
        world, rules = self._sandbox.world, self._sandbox.rules
        return [Message("user", render_feedback(world, self._task, rules, MOST_PARTS, self._most))]

    @property
    def briefing(self) -> Briefing:
        """The told part of the task with the present hero, for agents of this suite."""
        game = self._scene.game
        last = part_result(self._task, game, self._parts[-1]) if self._parts else None
        return Briefing(self._sandbox, self._task, game, last)

    def step(self, reply: Reply) -> Sequence[Message] | None:
        """Run the next part. Return its result, or None when the game is over."""
        plan = plan_in(reply, self._sandbox.rules)
        self._plans.append(plan or "")
        self._parts.append(self._sandbox.go_on(self._scene, plan))
        if self._is_played_out() or self._early_end:
            return None
        left = MOST_PARTS - len(self._parts)
        return [Message("user", told_after_part(self._scene.game, self._parts[-1], left, self._left))]

    @property
    def _left(self) -> int:
        """The number of actions left."""
        return self._most - len(self._scene.game.events)

    def _is_played_out(self) -> bool:
        game = self._scene.game
        is_over = game.over or self._parts[-1].ending.how == "gave_up"
        return is_over or has_won(self._task, self._scene.rules, game.events)

    @property
    def _early_end(self) -> str | None:
        """Why the attempt ends before the game is played out; None if it does not."""
        parts = self._parts
        if self._is_played_out():
            return None
        if len(parts) >= _MOST_IDLE_PARTS and not any(part.events for part in parts[-_MOST_IDLE_PARTS:]):
            return f"{_MOST_IDLE_PARTS} parts in a row attempted no action"
        if len(parts) >= MOST_PARTS:
            return f"the limit of {MOST_PARTS:,} parts is reached"
        return f"the limit of {self._most:,} actions is reached" if self._left <= 0 else None

    def grade(self) -> Verdict:
        """Score the episode that all parts make."""
        verdict = verdict_on(self._sandbox, self._task, self._episode(), "feedback")
        return replace(verdict, unfinished=self._early_end)

    def distance(self) -> Distance | None:
        """Return how many actions the hero is from a win."""
        game = self._scene.game
        if self._parts and self._parts[-1].ending.how == "gave_up":
            return _given_up(self._task)
        return self._measure(GamePosition.of(self._task, game))

    def _episode(self) -> Episode:
        """Return all events, with their lines in the joined plan."""
        lines = list(first_lines(self._plans))
        events = [_shift(event, line) for part, line in zip(self._parts, lines, strict=True) for event in part.events]
        output = "".join(part.output for part in self._parts)
        return Episode(tuple(events), self._ending(lines[-1]), output)

    def _ending(self, line: int) -> Ending:
        """Return the ending of the last part if it ended the game, or if no part did anything."""
        last = self._parts[-1].ending
        if self._scene.begun and not self._scene.game.over:
            return FINISHED
        return Ending(last.how, last.reason, last.line and last.line + line, last.kind, last.error, last.stated)


def _shift(event: Event, line: int) -> Event:
    """Return an event of a part with its line in the joined plan."""
    action = event.action
    return event._replace(action=action._replace(line=action.line and action.line + line))


_MOST_IDLE_REPLIES = 2
"""An attempt is over after this many replies in a row without a call."""
_MOST_VAIN = 20
"""An attempt is over after this many replies in a row without an action."""
_MOST_CALLS = 100
"""The number of calls of one reply that are carried out at most."""
_MOST_FIGHTS = 1_000
"""The most fights of one call."""

_MOST_REASON = 200

Body = dict[str, Any]

_TOO_MANY: Body = {"error": f"not carried out: a reply may have {_MOST_CALLS} calls"}


class ToolAttempt(Attempt):
    """A game played with tools, one for each action; each call is carried out at once."""

    waits = False

    def __init__(self, sandbox: Sandbox, task: Task, distance: DistanceOf = lambda _: None) -> None:
        self._sandbox, self._measure = sandbox, distance
        self._task = task
        self._rules = task.rules(sandbox.rules)
        self._game = Game(sandbox.world, self._rules, task.hero, task.seed)
        self._most = sandbox.limits.actions
        self._calls = 0
        self._idle = 0
        self._vain = 0
        self._reached = False
        """True if the goal is reached."""
        self._ending: Ending | None = None

    @property
    def messages(self) -> Sequence[Message]:
        """The opening."""
        return [Message("user", render_tools(self._sandbox.world, self._task, self._sandbox.rules, self._most))]

    @property
    def tools(self) -> Sequence[Tool]:
        """One tool for each action."""
        return task_tools(self._task)

    @property
    def briefing(self) -> Briefing:
        """The told part of the task with the present hero, for agents of this suite."""
        return Briefing(self._sandbox, self._task, self._game)

    def fork(self) -> Self:
        """Return a copy that goes on by itself."""
        twin = copy(self)
        twin._game = self._game.fork()
        return twin

    def distance(self) -> Distance | None:
        """Return how many actions the hero is from a win."""
        if self._ending and self._ending.how == "gave_up":
            return _given_up(self._task)
        return self._measure(GamePosition.of(self._task, self._game))

    def step(self, reply: Reply) -> Sequence[Message] | None:
        """Carry out the calls of a reply. Return their results, or None when the game is over."""
        before = len(self._game.events)
        self._idle = 0 if reply.tool_calls else self._idle + 1
        messages = [
            Message("tool", json.dumps(self._result(call) if number < _MOST_CALLS else _TOO_MANY), call_id=call.id)
            for number, call in enumerate(reply.tool_calls)
        ]
        self._vain = 0 if len(self._game.events) > before else self._vain + 1
        if self._is_over():
            return None
        return messages or [Message("user", go_on())]

    def _is_over(self) -> bool:
        return self._is_played_out() or self._early_end is not None

    def _is_played_out(self) -> bool:
        return self._ending is not None or self._reached

    @property
    def _early_end(self) -> str | None:
        """Why the attempt ends before the game is played out; None if it does not."""
        if self._is_played_out():
            return None
        if self._idle >= _MOST_IDLE_REPLIES:
            return f"{_MOST_IDLE_REPLIES} replies in a row called no tool"
        if self._vain >= _MOST_VAIN:
            return f"{_MOST_VAIN} replies in a row attempted no action"
        return f"the limit of {self._most:,} actions is reached" if len(self._game.events) >= self._most else None

    # -- calls ---------------------------------------------------------------------------------------------------------

    def _result(self, call: ToolCall) -> Body:
        """Carry out a call. A call after the end of the game does nothing."""
        self._calls += 1
        if self._is_over():
            return {"error": "the game is over"}
        arguments = json_object(call.arguments or "{}")
        if arguments is None:
            return {"error": "the arguments are not a JSON object"}
        if call.name == "look":
            return character(self._game.world, self._game.hero)
        if call.name == "give_up" and self._task.mechanics.closed:
            return self._give_up(arguments)
        if call.name not in SIGNATURES:
            return {"error": f"there is no tool {call.name[:_MOST_REASON]!r}"}
        times = _times(arguments.pop("times", 1)) if call.name == "fight" else 1
        if times is None:
            return {"error": f"times is a whole number from 1 to {_MOST_FIGHTS}"}
        return self._do(call.name, arguments, times)

    def _give_up(self, arguments: Mapping[str, Any]) -> Body:
        if self._game.events:
            return {"error": "it is too late to give up: an action was attempted"}
        self._ending = gave_up(str(arguments.get("reason", ""))[:_MOST_REASON], _share(arguments.get("p")))
        return {"gave_up": True}

    def _do(self, name: str, arguments: Mapping[str, Any], times: int) -> Body:
        """Attempt an action. A fight may repeat until it is refused or lost, or the goal is reached."""
        keywords = tuple((key, recordable(value)) for key, value in {**arguments, "name": NAME}.items())
        action = Action(name, (), keywords, self._calls)
        before = len(self._game.events)
        try:
            for _ in range(times):
                if not self._act(action):
                    break
        except OverBudget:
            self._ending = over_budget(len(self._game.events), self._calls)
        except CallError as error:
            return {"error": str(error)[:_MOST_REASON]}
        done = self._game.events[before:]
        return self._result_body(done) if done else {"error": "the budget is used up"}

    def _act(self, action: Action) -> bool:
        """Attempt an action once. Return whether it may be repeated."""
        event = self._game.act(action)
        self._reached = self._reached or reaches(self._task, event)
        if self._game.over:
            assert isinstance(event.detail, Fought)
            self._ending = defeat(self._game.world.monsters[event.detail.monster].name, action.line)
        return event.ok and not _is_lost(event) and not self._is_over()

    def _result_body(self, events: Sequence[Event]) -> Body:
        """Return the result of the last of some attempts, and their number."""
        status, body = brief_response(self._game, events[-1])
        tool_result: Body = {"status": status, **body}
        if len(events) > 1:
            tool_result |= {"fights": len(events), "all_drops": _all_drops(events)}
        return tool_result

    # -- the verdict ---------------------------------------------------------------------------------------------------

    def grade(self) -> Verdict:
        """Score what the calls did. An attempt without a call is an answer without a plan."""
        ending = self._ending or (FINISHED if self._calls else Ending("no_code", "no tool was called"))
        verdict = verdict_on(self._sandbox, self._task, Episode(tuple(self._game.events), ending), "tools")
        return replace(verdict, unfinished=self._early_end)


def _given_up(task: Task) -> Distance:
    """Return the distance after a refusal, which wins an impossible task and loses any other."""
    over = 0 if task.impossible is not None else inf
    return Distance(over, over)


def _times(value: object) -> int | None:
    return value if type(value) is int and 1 <= value <= _MOST_FIGHTS else None


def _share(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    return None


def _all_drops(events: Sequence[Event]) -> list[Body]:
    """Return what fights dropped in all: if drops fall by chance, the last fight does not tell it."""
    drops: Counter[str] = Counter()
    for event in events:
        if isinstance(event.detail, Fought):
            drops.update(dict(event.detail.drops))
    return [{"code": code, "quantity": quantity} for code, quantity in drops.items()]


def _is_lost(event: Event) -> bool:
    return isinstance(event.detail, Fought) and not event.detail.won
