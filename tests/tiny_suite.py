"""A tiny suite for the packages of tests: a prompt and a reply for each task, and any reply wins. It costs no worker.

The modules that tests install in their own process subclass it, and change the part that they are about.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from herobench.conversation import Message, Model, Reply, Request
from herobench.suite.contract import Attempt, Suite, TaskInfo, Verdict


class TinySuite(Suite):
    """Tasks t0 to t2, under the name of its class in small letters."""

    dataset = "tiny-v1"
    players = ("echo",)

    def __init__(self, setting: object) -> None:
        self.name = type(self).__name__.lower()

    def tasks(self) -> Iterable[TaskInfo]:
        return [TaskInfo(f"t{n}", None, {"id": f"t{n}"}) for n in range(3)]

    def open(self, task_id: str, epoch: int) -> Attempt:
        return OneTurn(task_id)

    def blank(self, task_id: str) -> Mapping[str, Any]:
        return {"schema": 1}

    def player(self, name: str) -> Model:
        return Echo()


class OneTurn(Attempt):
    """An attempt whose prompt is the id of its task."""

    messages: Sequence[Message] = ()

    def __init__(self, prompt: str) -> None:
        self.messages = [Message("user", prompt)]

    def step(self, reply: Reply) -> None: ...

    def grade(self) -> Verdict:
        return Verdict(True, 100.0, details={"schema": 1})


class Echo:
    """A model that always says the same."""

    async def reply(self, request: Request) -> Reply:
        return Reply("x")

    async def close(self) -> None: ...
