"""A package of a tiny suite that has private twins, two that make them wrongly, and a model that learns by heart."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.packages import install

CODE = '''
    import json
    from pathlib import Path

    from herobench.conversation import Reply
    from herobench.data.errors import UsageError
    from herobench.suite.contract import FreshSuite, TaskInfo
    from tests.tiny_suite import TinySuite

    class Pairs(TinySuite):
        """Tasks t0 to t3; the twin of t0 from seed 7 is t0-7."""
        dataset = "pairs-v1"
        def __init__(self, setting, rows=None):
            super().__init__(setting)
            self.seed = setting.files.get("seed.txt", "")
            if self.seed and not setting.tasks:
                raise UsageError("These are the files of twins.")
            if setting.tasks:
                rows = [json.loads(line) for line in setting.tasks.read_text().splitlines()]
            self.rows = rows or [{"id": f"t{n}"} for n in range(4)]
        def fresh(self, seed, task_ids):
            rows = [{"id": f"{task_id}-{seed}", "twin_of": task_id} for task_id in task_ids]
            if "t3" in task_ids:
                raise UsageError("The task 't3' can have no twin.")
            twins = type(self)(Setting(), rows)
            twins.seed = str(seed)
            return FreshSuite(twins, ["One twin is harder."])
        def tasks(self):
            return [TaskInfo(row["id"], None, row) for row in self.rows]
        def identity(self, task_ids):
            return {"seed": self.seed}
        def files(self):
            return {"seed.txt": self.seed}
        def close(self):
            CLOSED.append(self.seed or "public")

    CLOSED = []

    class Setting:
        files, tasks = {}, None

    class Dropping(Pairs):
        def fresh(self, seed, task_ids):
            return super().fresh(seed, task_ids[1:])
    class Bare(Pairs):
        def fresh(self, seed, task_ids):
            return self

    class Heart:
        """Has learned a file of answers by heart, prompt by prompt. Of any other prompt it knows nothing better."""
        def __init__(self, setting):
            self.answers = json.loads(Path(setting.argument).read_text("utf-8"))
        async def reply(self, request):
            return Reply(self.answers.get(request.messages[-1].text, next(iter(self.answers.values()))))
        async def close(self):
            pass
'''
POINTS = {
    "herobench.suites": {"pairs": "pairs:Pairs", "dropping": "pairs:Dropping", "bare": "pairs:Bare"},
    "herobench.models": {"heart": "pairs:Heart"},
}


def install_pairs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the package for one test."""
    install(folder, "pairs", CODE, POINTS, "pairs")
    monkeypatch.syspath_prepend(folder)
