"""The suites, each with a few tasks and in the modes in which it can be played."""

from collections.abc import Iterator

import pytest

from herobench.scorer import Scorer, TaskQuery

SUITES = {
    "epoch": {"suite": "epoch", "dataset": "epochs-v1", "levels": "1-3"},
    "rpg": {"suite": "rpg", "mode": "tools", "dataset": "base", "difficulty": "1-3", "limit": 3},
    "parts": {"suite": "rpg", "mode": "feedback", "dataset": "base", "difficulty": "1", "limit": 1},
    "plan": {"suite": "rpg", "dataset": "base", "difficulty": "1", "limit": 1},
    "autumn": {"suite": "autumn", "task_id": ("angler-prediction", "passphrase-planning"), "total": 60, "steps": 20},
    "acp": {"suite": "acp", "limit": 2},
}


@pytest.fixture(scope="module", params=SUITES.values(), ids=SUITES)
def scorer(request: pytest.FixtureRequest) -> Iterator[Scorer]:
    with Scorer(TaskQuery(**request.param, jobs=1)) as opened:
        yield opened
