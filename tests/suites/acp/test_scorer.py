"""Attempts as tools and trainers play them."""

from collections.abc import Iterator

import pytest

from herobench.scorer import Scorer, TaskQuery
from herobench.scorer.refusals import ScorerFault
from tests.refusals import raises
from tests.scorer.attempts import AttemptProperties as TestAttempts

__all__ = ["TestAttempts"]


@pytest.fixture(scope="module")
def scorer() -> Iterator[Scorer]:
    with Scorer(TaskQuery(suite="acp", limit=2, jobs=1)) as opened:
        yield opened


def test_a_knob_that_does_not_fit_is_refused() -> None:
    with raises(ScorerFault.NO_SUCH_KNOB):
        Scorer(TaskQuery(suite="acp", seed=1, length=2))
