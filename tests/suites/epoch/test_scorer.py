"""Attempts as tools and trainers play them."""

from collections.abc import Iterator

import pytest

from herobench.data.options import OptionFault
from herobench.scorer import Scorer, TaskQuery
from herobench.scorer.refusals import ScorerFault
from tests.refusals import raises
from tests.scorer.attempts import AttemptProperties as TestAttempts

__all__ = ["TestAttempts"]


@pytest.fixture(scope="module")
def scorer() -> Iterator[Scorer]:
    with Scorer(TaskQuery(suite="epoch", dataset="epochs-v1", levels="1-3", jobs=1)) as opened:
        yield opened


def test_the_end_of_a_game_is_shown_to_whoever_plays(scorer: Scorer) -> None:
    play = scorer.play("L01")
    (last,) = play.say("STUCK")
    assert play.over
    assert "THE GAME IS LOST: you gave up." in last.text
    assert play.transcript[-1] == last


def test_knobs_that_do_not_fit_are_refused() -> None:
    with raises(ScorerFault.NO_SUCH_KNOB):
        Scorer(TaskQuery(suite="epoch", seed=1, difficulty=2))
    with raises(OptionFault.BAD_VALUE):
        Scorer(TaskQuery(suite="epoch", seed=1, length="many"))
