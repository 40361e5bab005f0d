"""Players: the oracle wins every level in both modes, greedy loses where facts fade, random hardly ever wins."""

import asyncio
from collections.abc import Sequence

import pytest

from herobench.conversation import Message, Request
from herobench.suite.contract import SuiteSetting, Verdict
from herobench.suites.epoch.game.level import DATASET, load_level, load_levels
from herobench.suites.epoch.making.players import find_player, solves
from herobench.suites.epoch.refusals import EpochFault
from herobench.suites.epoch.suite import Epoch
from tests.refusals import raises
from tests.sizes import for_each, many


def verdict(player: str, id: str, epoch: int = 0, **options: str) -> Verdict:
    suite = Epoch(SuiteSetting(dataset="epochs-v1", options=options))
    model, attempt = suite.player(player), suite.open(id, epoch)
    sent: Sequence[Message] | None = attempt.messages
    while sent is not None:
        told = attempt.step(asyncio.run(model.reply(Request(id, epoch, sent))))
        sent = None if told is None else attempt.conversation  # type: ignore[attr-defined]
    return attempt.grade()


@pytest.mark.parametrize("options", [{"window": "1", "state": "changes"}, {"mode": "plan"}])
@pytest.mark.parametrize(
    "id", ["L01", "L02", "L03", "L04", *(pytest.param(id, marks=pytest.mark.slow) for id in ("L05", "L06"))]
)
def test_the_oracle_plays_a_shortest_solution(id: str, options: dict[str, str]) -> None:
    found = verdict("oracle", id, **options)
    assert (found.won, found.details["plan_length"]) == (True, found.details["optimal"])


@pytest.mark.slow
def test_greedy_does_not_know_that_levers_spring_back() -> None:
    assert verdict("greedy", "L05").won
    assert verdict("greedy", "L06").failure == "decay"


def test_random_is_the_same_in_the_same_epoch_and_another_in_the_next() -> None:
    one, same, other = (verdict("random", "L03", epoch).events for epoch in (0, 0, 1))
    assert one == same != other


@pytest.mark.slow
@for_each("player", ["greedy", "sight:1", "sight:2", "random"])
def test_who_does_not_look_ahead_hardly_ever_wins_the_first_roads(player: str) -> None:
    roads = list(load_levels(DATASET).values())[: many(24, 6)]
    assert sum(solves(road, player) for road in roads) <= (1 if player == "sight:2" else 0)


def test_the_oracle_wins_roads_in_the_least_hours() -> None:
    suite = Epoch(SuiteSetting(options={"mode": "plan"}))
    for task in list(suite.tasks())[: many(12, 2)]:
        attempt = suite.open(task.id, 0)
        attempt.step(asyncio.run(suite.player("oracle").reply(Request(task.id, 0, attempt.messages))))
        verdict = attempt.grade()
        assert verdict.won
        figures = [verdict.details[name] for name in ("hours_over", "mistakes", "first_mistake")]
        assert figures == [0, 0, None]
        assert verdict.events
        assert {*verdict.events["regrets"]} == {0}


def test_sight_wins_where_nothing_is_used_up() -> None:
    assert solves(load_level("L02"), "sight:2")
    with raises(EpochFault.BAD_SIGHT, "from 1 to 8", "'nine'"):
        find_player("sight:nine")


@pytest.mark.slow
@for_each(("id", "most"), [("L01", 0.10), ("L02", 0.25), ("L03", 0.02), ("L04", 0.02)])
def test_random_hardly_ever_wins(id: str, most: float) -> None:
    games = many(300, 20)
    assert sum(verdict("random", id, epoch).won for epoch in range(games)) <= max(most * games, 3)
