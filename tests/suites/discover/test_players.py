"""Players: who believes what is told loses, who experiments wins, and chance hardly ever does."""

import pytest

from herobench.suites.discover.game.mystery import shipped_mysteries
from tests.sizes import many
from tests.suites.discover.mysteries import played, some

PLAYED = many(60, 2)


def rate(player: str, **options: str) -> float:
    wins = [played(player, mystery, **options)[2].won for mystery in some(PLAYED, 500 if PLAYED > 2 else 40)]
    return sum(wins) / len(wins)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "least", "most"),
    [("oracle", 1.0, 1.0), ("experimenter", 0.95, 1.0), ("standard", 0.0, 0.05), ("noop", 0.0, 0.0)],
)
def test_a_player_wins_as_often_as_it_should(player: str, least: float, most: float) -> None:
    assert least <= rate(player) <= most


def test_a_player_whose_calls_end_with_the_budget_and_a_reply_gives_its_plan() -> None:
    """600 calls in six replies: the exploration is over before the player says so."""
    details = played("random", shipped_mysteries()["discover-1-30"])[2].details
    assert (details["explored"] + details["resets"]) % 100 == 0
    assert details["plan_actions"]


@pytest.mark.slow
def test_chance_hardly_ever_wins() -> None:
    every = shipped_mysteries().values()
    assert sum(played("random", mystery)[2].won for mystery in every) <= 0.10 * len(every)


@pytest.mark.slow
def test_chance_makes_no_call_that_cannot_be_carried_out() -> None:
    """Nothing is crafted in these tasks, so what is told says whether a call can be."""
    without_work = [mystery for mystery in some(240, 30) if not mystery.told.world.resources]
    for mystery in without_work[:: len(without_work) // many(4, 2)][: many(4, 2)]:
        verdict, budget = played("random", mystery)[2], mystery.budget
        details = verdict.details
        assert details["explored"] > 0.9 * budget.actions or details["resets"] == budget.resets, mystery.id
        assert details["refused"] == 0, mystery.id
        names = {call["name"] for call in verdict.events["exploration"]}  # type: ignore[index]
        assert names == {"move", "fight", "equip", "unequip", "reset"}, mystery.id


@pytest.mark.slow
def test_the_experimenter_does_without_the_number_of_differences_and_with_the_goal_told_first() -> None:
    assert rate("experimenter", disclosure="hinted") >= 0.95
    assert rate("experimenter", goal="first") >= 0.95


@pytest.mark.slow
def test_every_player_keeps_its_budget() -> None:
    for mystery in shipped_mysteries().values():
        for player in ("experimenter", "random"):
            details = played(player, mystery)[2].details
            assert details["explored"] <= mystery.budget.actions
            assert details["resets"] <= mystery.budget.resets
