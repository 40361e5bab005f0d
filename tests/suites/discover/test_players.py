"""Players: who designs experiments wins; who tries candidates, or pair after pair, hardly ever does."""

from itertools import product

import pytest

from herobench.suite.contract import SuiteSetting
from herobench.suites.discover.game.columns import PLAYERS
from herobench.suites.discover.game.mystery import shipped_mysteries
from herobench.suites.discover.refusals import DiscoverFault
from herobench.suites.discover.suite import Discover
from tests.refusals import raises
from tests.suites.discover.mysteries import played, several


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "least", "most"),
    [
        ("oracle", 1.0, 1.0),
        ("experimenter", 1.0, 1.0),
        ("rote", 0.0, 0.15),
        ("rote:shuffled", 0.0, 0.15),
        ("standard", 0.0, 0.05),
        ("noop", 0.0, 0.0),
    ],
)
def test_a_player_wins_as_often_as_it_should(player: str, least: float, most: float) -> None:
    wins = [played(player, mystery)[2].won for mystery in shipped_mysteries().values()]
    assert least <= sum(wins) / len(wins) <= most


def test_every_player_plays_within_the_budget_and_gives_a_plan() -> None:
    for mystery, player in product((several(1), several(2)), PLAYERS):
        details = played(player, mystery)[2].details
        assert details["days_used"] <= mystery.days
        assert bool(details["plan_actions"]) == (player != "noop")
        assert not details["refused"], "no player makes a call in vain"


@pytest.mark.slow
def test_calls_beyond_a_reply_come_in_the_next_one() -> None:
    _, conversation, verdict = played("experimenter", several(2))
    replies = [message for message in conversation if message.role == "assistant"]
    assert verdict.details["explored"] > 100
    assert len(replies) > 2
    assert verdict.won


def test_rote_knows_one_order_beside_the_told_one() -> None:
    with raises(DiscoverFault.NO_ORDER):
        Discover(SuiteSetting()).player("rote:backwards")
