"""A package of tiny suites, agents and models, for this process: sound ones, which cost no worker, and broken ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.packages import install

CODE = '''
    from herobench.conversation import Message, Reply, Tool
    from herobench.suite.contract import TaskInfo
    from tests.tiny_suite import OneTurn, TinySuite

    class Sound(TinySuite):
        """One suite for all entry points; a subclass breaks one call."""
        dataset = "echoes-v1"
        def open(self, task_id, epoch):
            return Coloured(f"{task_id} \\x1b[31mred")

    class Coloured(OneTurn):
        tools = (Tool("look", "Look \\x1b[31maround.", {}),)

    class Says:
        def __init__(self, setting):
            self.word = setting.argument
        async def reply(self, request):
            if self.word == "number" and request.task_id == "t1":
                return Reply(5)
            return Reply("x")
        async def close(self):
            if self.word == "open":
                raise LookupError("stuck")

    class Listless(Sound):
        def tasks(self):
            raise LookupError("no list")
    class Twins(Sound):
        def tasks(self):
            return [*super().tasks(), TaskInfo("t1", None, {"id": "t1", "again": True})]
    class Numbered(Sound):
        def identity(self, task_ids):
            return {"edition": 7}
    class Shut(Sound):
        def open(self, task_id, epoch):
            raise LookupError("no door")
    class Mute(Sound):
        def open(self, task_id, epoch):
            attempt = OneTurn(task_id)
            attempt.messages = [Message("user", None)]
            return attempt
    class Unready(Sound):
        def prepare(self):
            raise OSError(28, "No space", "/somewhere")
    class Fileless(Sound):
        def files(self):
            return {"a.json": {"not": "text"}}
    class Leaking(Sound):
        def close(self):
            raise RuntimeError("leaks")
    class Playerless(Sound):
        def player(self, name):
            return None

    def agent():
        raise LookupError("no agent")

    class Idle:
        pass
'''
SUITES = ("Sound", "Listless", "Twins", "Numbered", "Shut", "Mute", "Unready", "Fileless", "Leaking", "Playerless")
POINTS = {
    "herobench.suites": {name.lower(): f"echoes:{name}" for name in SUITES},
    "herobench.models": {"says": "echoes:Says", "unmade": "echoes:agent", "idle": "echoes:Idle"},
    "herobench.agents": {"unmade": "echoes:agent", "idle": "echoes:Idle"},
}


def install_echoes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the package for one test."""
    install(folder, "echoes", CODE, POINTS, "echoes")
    monkeypatch.syspath_prepend(folder)
