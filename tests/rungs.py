"""A package of a suite whose tasks have lengths, and that makes tasks: for runs that choose their tasks."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.packages import install

CODE = '''
    import json
    from herobench.conversation import Message
    from herobench.suite.contract import Attempt, FreshSuite, Suite, SuiteSetting, TaskInfo, Verdict

    def steps(number):
        return round(4 * 2 ** (number % 120 / 12))

    class Rungs(Suite):
        """Tasks t0 to t119, each longer than the one before. Whoever says that he climbs it wins."""
        name, dataset, length_column = "rungs", "rungs-v1", "steps"
        def __init__(self, setting):
            self.rows = [{"id": f"t{n}", "steps": steps(n)} for n in range(120)]
            if setting.tasks:
                self.rows = list(map(json.loads, setting.tasks.read_text().splitlines()))
        def tasks(self):
            return [TaskInfo(row["id"], None, row) for row in self.rows]
        def open(self, task_id, epoch):
            return Climb(task_id, self.blank(task_id))
        def blank(self, task_id):
            return {"schema": 1, "steps": next(row["steps"] for row in self.rows if row["id"] == task_id)}
        def ladder(self):
            return [steps(n) for n in range(1200)]
        def make(self, seed, numbers):
            more = Rungs(SuiteSetting())
            kept = [row["id"] for row in self.rows]
            # like a world that grows: each row names how many tasks there are
            more.rows = [
                {"id": id, "steps": steps(n) + 1, "seed": seed, "of": len(numbers)} for id, n in numbers.items()
            ]
            assert [id for id in kept if id in numbers] in (kept, []), "what was made stays"
            return FreshSuite(more)

    class Climb(Attempt):
        messages = ()
        def __init__(self, task_id, blank):
            self.messages, self.blank, self.text = [Message("user", f"Task: {task_id}.")], blank, ""
        def step(self, reply):
            self.text = reply.text
        def grade(self):
            won = self.text == "climbed"
            return Verdict(won, 100.0 * won, details=self.blank, failure=None if won else "fell")

    class Flat(Rungs):
        name, length_column = "flat", None
'''
POINTS = {"herobench.suites": {"rungs": "rungs:Rungs", "flat": "rungs:Flat"}}
KEY = r"Task: ([\w/]+)\."
"""Where a prompt names its task."""
PRICES = {"m": {"input": 1.0, "output": 1.0, "cache_read": 1.0}}


def install_rungs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the package for one test and the programs that it starts."""
    install(folder, "rungs", CODE, POINTS, "rungs")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder))


def climbs(key: str) -> str:
    """The answer of a model that climbs about half of the tasks around t60."""
    number = (int(key.removeprefix("made/")) - 1) % 120 if "/" in key else int(key[1:])
    return "climbed" if Random(key).random() < 1 / (1 + 2 ** ((number - 60) / 6)) else "I fell."
