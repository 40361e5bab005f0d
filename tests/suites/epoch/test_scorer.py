"""Attempts as tools and trainers play them."""

from collections.abc import Iterator

import pytest

from herobench.scorer import Scorer, TaskQuery
from tests.scorer.attempts import AttemptProperties as TestAttempts
from tests.scorer.test_learner import assert_learns_in_a_quarter

__all__ = ["TestAttempts"]


@pytest.fixture(scope="module")
def scorer() -> Iterator[Scorer]:
    with Scorer(TaskQuery(suite="epoch", dataset="epochs-v1", levels="1-3", jobs=1)) as opened:
        yield opened


@pytest.mark.slow
def test_a_table_learns_in_a_quarter_of_the_episodes() -> None:
    assert_learns_in_a_quarter(4, 10, suite="epoch", dataset="epochs-v1", levels="1-3")
