"""An attempt of one turn: a prompt, and a reply with the whole plan, which runs in the sandbox when it is graded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from herobench.conversation import Message, Reply
from herobench.data.errors import SuiteError
from herobench.prompts.rpg.modes import render_feedback, told_after_part
from herobench.prompts.rpg.render import render_prompt
from herobench.sandbox import Sandbox
from herobench.suite.contract import Attempt, Verdict
from herobench.suites.rpg.game.episode import FINISHED, Ending, Episode
from herobench.suites.rpg.game.events import Event
from herobench.suites.rpg.game.scoring import has_won
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.play.answer_file import FileAnswer
from herobench.suites.rpg.play.briefing import Briefing, part_result
from herobench.suites.rpg.play.execution import score_answer, verdict_of, verdict_on
from herobench.suites.rpg.play.reply_plan import first_lines, plan_in


class PlanAttempt(Attempt):
    """One prompt and one reply."""

    def __init__(self, sandbox: Sandbox, task: Task, epoch: int) -> None:
        self._sandbox = sandbox
        self._task = task
        self._epoch = epoch
        self._reply: Reply | None = None

    @property
    def messages(self) -> Sequence[Message]:
        """The prompt."""
        return [Message("user", render_prompt(self._sandbox.world, self._task, self._sandbox.rules))]

    @property
    def briefing(self) -> Briefing:
        """The task as far as it is told, for agents of this suite."""
        return Briefing(self._sandbox, self._task)

    def step(self, reply: Reply) -> None:
        """Take the reply; the attempt is over."""
        self._reply = reply

    def grade(self) -> Verdict:
        """Run the plan and score its episode."""
        if self._reply is None:
            raise SuiteError(f"The attempt at {self._task.id} was graded before it had a reply.")
        reply = self._reply
        plan = plan_in(reply, self._sandbox.rules)
        answer = FileAnswer(self._task.id, self._epoch, plan, reply.model, reply.usage.output)
        return verdict_of(score_answer(self._sandbox, self._task, answer), "plan")


MOST_PARTS = 1_000
"""The most parts of an attempt. The longest campaigns have some 400 goals and a few crafts for each."""
_MOST_IDLE = 3
"""An attempt is over after so many parts in a row that attempted no action."""


class FeedbackAttempt(Attempt):
    """A game that goes on from reply to reply."""

    def __init__(self, sandbox: Sandbox, task: Task) -> None:
        self._sandbox = sandbox
        self._task = task
        self._scene = sandbox.scene(task)
        self._plans: list[str] = []
        self._parts: list[Episode] = []

    @property
    def messages(self) -> Sequence[Message]:
        """The opening."""
        world, rules = self._sandbox.world, self._sandbox.rules
        return [Message("user", render_feedback(world, self._task, rules, MOST_PARTS, self._sandbox.limits.actions))]

    @property
    def briefing(self) -> Briefing:
        """The task as far as it is told, for agents of this suite, with the hero as he stands."""
        game = self._scene.game
        last = part_result(self._task, game, self._parts[-1]) if self._parts else None
        return Briefing(self._sandbox, self._task, game, last)

    def step(self, reply: Reply) -> Sequence[Message] | None:
        """Run the next part. Return what came of it, or None when the game is over."""
        plan = plan_in(reply, self._sandbox.rules)
        self._plans.append(plan or "")
        self._parts.append(self._sandbox.go_on(self._scene, plan))
        if self._is_played_out() or self._unfinished:
            return None
        left = MOST_PARTS - len(self._parts)
        return [Message("user", told_after_part(self._task, self._scene.game, self._parts[-1], left, self._left))]

    @property
    def _left(self) -> int:
        """The number of actions that may still be attempted."""
        return self._sandbox.limits.actions - len(self._scene.game.events)

    def _is_played_out(self) -> bool:
        game = self._scene.game
        ended = game.over or self._parts[-1].ending.how == "gave_up"
        return ended or has_won(self._task, self._scene.rules, game.events)

    @property
    def _unfinished(self) -> str | None:
        """Why the attempt ends before the game is played out; None if it does not."""
        parts = self._parts
        if self._is_played_out():
            return None
        if len(parts) >= _MOST_IDLE and not any(part.events for part in parts[-_MOST_IDLE:]):
            return f"{_MOST_IDLE} parts in a row attempted no action"
        if len(parts) >= MOST_PARTS:
            return f"the limit of {MOST_PARTS:,} parts is reached"
        return f"the limit of {self._sandbox.limits.actions:,} actions is reached" if self._left <= 0 else None

    def grade(self) -> Verdict:
        """Score the episode that all parts make."""
        if not self._parts:
            raise SuiteError(f"The attempt at {self._task.id} was graded before it had a reply.")
        verdict = verdict_on(self._sandbox, self._task, self._episode(), "feedback")
        return replace(verdict, unfinished=self._unfinished)

    def _episode(self) -> Episode:
        """Return all events, with the lines of the plan that the parts make together."""
        lines = list(first_lines(self._plans))
        events = [_moved(event, line) for part, line in zip(self._parts, lines, strict=True) for event in part.events]
        output = "".join(part.output for part in self._parts)
        return Episode(tuple(events), self._ending(lines[-1]), output)

    def _ending(self, line: int) -> Ending:
        """Return the last part's ending if it ended the game, or if no part did anything."""
        last = self._parts[-1].ending
        if self._scene.begun and not self._scene.game.over:
            return FINISHED
        return Ending(last.how, last.reason, last.line and last.line + line, last.kind, last.error, last.stated)


def _moved(event: Event, line: int) -> Event:
    """Return an event of a part, with its line in the whole plan."""
    action = event.action
    return event._replace(action=action._replace(line=action.line and action.line + line))
