"""Attempts as tools and trainers play them."""

from collections.abc import Iterator

import pytest

from herobench.scorer import Scorer, TaskQuery
from tests.scorer.attempts import AttemptProperties as TestAttempts

__all__ = ["TestAttempts"]


@pytest.fixture(scope="module")
def scorer() -> Iterator[Scorer]:
    with Scorer(
        TaskQuery(suite="autumn", task_id=("tray-prediction", "passphrase-planning"), total=60, steps=20, jobs=1)
    ) as opened:
        yield opened
