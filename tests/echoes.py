"""A package of tiny suites, agents and models, for this process: sound ones, which cost no worker, and broken ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.packages import install

CODE = '''
    from herobench.conversation import Message, Reply, Tool
    from herobench.suite import TaskInfo, Verdict

    class Sound:
        """One suite for all entry points; a subclass breaks one call."""
        dataset, options, players = "echoes-v1", {}, ("echo",)
        def __init__(self, setting):
            self.name = type(self).__name__.lower()
        def tasks(self):
            return [TaskInfo(f"t{n}", None, {"id": f"t{n}"}) for n in range(3)]
        def identity(self):
            return {}
        def files(self):
            return {}
        def prepare(self):
            pass
        def open(self, task_id, epoch):
            return Attempt(task_id)
        def blank(self, task_id):
            return {"schema": 1}
        def player(self, name):
            return Echo()
        def close(self):
            pass

    class Attempt:
        tools = (Tool("look", "Look \\x1b[31maround.", {}),)
        def __init__(self, task_id):
            self.messages = [Message("user", f"{task_id} \\x1b[31mred")]
        def step(self, reply):
            return None
        def grade(self):
            return Verdict(True, 100.0, details={"schema": 1})

    class Echo:
        def __init__(self, setting=None):
            self.word = setting.argument if setting else ""
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
        def identity(self):
            return {"edition": 7}
    class Shut(Sound):
        def open(self, task_id, epoch):
            raise LookupError("no door")
    class Mute(Sound):
        def open(self, task_id, epoch):
            attempt = Attempt(task_id)
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
    "herobench.models": {"says": "echoes:Echo", "unmade": "echoes:agent", "idle": "echoes:Idle"},
    "herobench.agents": {"unmade": "echoes:agent", "idle": "echoes:Idle"},
}


def install_echoes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the package for one test."""
    install(folder, "echoes", CODE, POINTS, "echoes")
    monkeypatch.syspath_prepend(folder)
