"""The RPG as a suite: prompts from the world, replies judged by running their plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from herobench.conversation import Reply
from herobench.prompts.render import render_prompt
from herobench.rpg.answer_file import Answer
from herobench.rpg.batch import blank_row, score_answer
from herobench.rpg.plan import extract_code
from herobench.rpg.task import Task
from herobench.sandbox import Sandbox


class Rpg:
    """Tasks of one world, under one edition of the rules, with the sandbox that runs their plans."""

    def __init__(self, sandbox: Sandbox, tasks: Mapping[str, Task]) -> None:
        self._sandbox = sandbox
        self._tasks = tasks

    @property
    def task_ids(self) -> Sequence[str]:
        """All tasks, in their file's order."""
        return list(self._tasks)

    @property
    def confinement(self) -> Sequence[str]:
        """The layers that hold for the sandbox's workers."""
        return self._sandbox.layers

    def question(self, task_id: str, epoch: int) -> Question:
        """What a model is told of a task."""
        task = self._tasks[task_id]
        prompt = render_prompt(self._sandbox.world, task, self._sandbox.rules)
        return Question(task_id, epoch, prompt, task)

    def grade(self, task_id: str, epoch: int, reply: Reply) -> Mapping[str, Any]:
        """The scored row of a reply."""
        plan = extract_code(reply.text) if reply.plan is None else reply.plan
        answer = Answer(task_id, epoch, plan, reply.model, reply.usage.output)
        return score_answer(self._sandbox, self._tasks[task_id], answer)

    def blank(self, task_id: str, epoch: int) -> Mapping[str, Any]:
        """The row of an attempt that was not measured."""
        return blank_row(self._sandbox, self._tasks[task_id], epoch)
