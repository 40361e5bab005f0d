"""The ways in which the RPG can be played, each with a few tasks."""

from collections.abc import Iterator

import pytest

from herobench.scorer import Scorer, TaskQuery

BASE = {"suite": "rpg", "dataset": "base", "difficulty": "1-3", "jobs": 1}
WAYS = {
    "tools": {**BASE, "mode": "tools", "limit": 3},
    "parts": {**BASE, "mode": "feedback", "limit": 1},
    "plan": {**BASE, "limit": 1},
}


@pytest.fixture(scope="module", params=WAYS.values(), ids=WAYS)
def scorer(request: pytest.FixtureRequest) -> Iterator[Scorer]:
    with Scorer(TaskQuery(**request.param)) as opened:
        yield opened


@pytest.fixture(scope="module")
def short() -> Iterator[Scorer]:
    """One task, four calls long."""
    with Scorer(TaskQuery(**BASE, mode="tools", limit=1)) as opened:
        yield opened
