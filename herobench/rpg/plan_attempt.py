"""An attempt of one turn: a prompt, and a reply with the whole plan, which runs in the sandbox when it is graded."""

from __future__ import annotations

from collections.abc import Sequence

from herobench.conversation import Message, Reply, Tool
from herobench.errors import SuiteError
from herobench.prompts.render import render_prompt
from herobench.rpg.answer_file import Answer
from herobench.rpg.batch import score_answer, verdict_of
from herobench.rpg.briefing import Briefing
from herobench.rpg.reply_plan import plan_in
from herobench.rpg.task import Task
from herobench.sandbox import Sandbox
from herobench.suite import Verdict


class PlanAttempt:
    """One prompt and one reply."""

    tools: Sequence[Tool] = ()

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
        answer = Answer(self._task.id, self._epoch, plan, reply.model, reply.usage.output)
        return verdict_of(score_answer(self._sandbox, self._task, answer), "plan")
