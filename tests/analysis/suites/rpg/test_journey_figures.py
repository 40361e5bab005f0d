"""Do the figures of journeys order players rightly, and hold their intervals what a player does on many tasks?

Players of known skill walk many roads once. Ten of these are drawn again and again, as a run of ten tasks would be, and
each interval is held against the figure of all roads.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean, median

import pandas as pd
import pytest

from herobench.analysis.reading.checked import load_reading
from herobench.analysis.reading.interval import Estimate
from herobench.analysis.suites.rpg.journey_figures import (
    Attempt,
    measure_between,
    measure_loss,
    measure_sight,
    read_attempts,
)
from herobench.suites.rpg.journey.task import Journey
from herobench.suites.rpg.journey.walk import Call
from herobench.task_gen.rpg.journey.planners import careless_plan
from herobench.task_gen.rpg.journey.regrets import best_plan
from herobench.task_gen.rpg.journey.values import BackwardSolver
from tests.sizes import many
from tests.suites.rpg.journey.roads import journey
from tests.suites.rpg.journey.samples import sample

ROADS, REGIONS, TASKS, DRAWS = many(100, 40), 8, 10, many(400, 100)
CARELESS, SIGHTS = (0.1, 0.03, 0.01), (1, 2, 4)


def task(number: int) -> Journey:
    """A journey with all at hand, which is quick to solve."""
    return journey(REGIONS, "hand", 1, 2, f"figures/{number}")


def play(number: int) -> list[Sequence[Call]]:
    """The plans of all players on a road."""
    own_road = task(number).road
    careless = [careless_plan(own_road, chance, f"{chance}/{number}") for chance in CARELESS]
    return [*careless, *(best_plan(BackwardSolver(own_road), own_road, sight) for sight in SIGHTS)]


@pytest.fixture(scope="module")
def players() -> list[list[Attempt]]:
    """What the players did on all roads: careless ones, the best last, then those that see so many regions."""
    reading = load_reading("journey")
    plans = [play(number) for number in range(ROADS)]
    tables = []
    for own in zip(*plans, strict=True):
        samples = [sample(task(number), plan) for number, plan in enumerate(own)]
        facts = [reading.facts(each) for each in samples]
        rows = [{"task_id": str(number), "measured": True, **each} for number, each in enumerate(facts)]
        tables.append(read_attempts(pd.DataFrame(rows)))
    return tables


def holds(interval: Estimate, truth: float | None) -> bool:
    truth = float("inf") if truth is None else truth
    ends = (interval.low or 0) - 1e-9, float("inf") if interval.high is None else interval.high + 1e-9
    return ends[0] <= truth <= ends[1]


def drawn_runs(attempts: Sequence[Attempt]) -> list[list[Attempt]]:
    chance = Random(11)
    return [
        [own._replace(task=str(number)) for number, own in enumerate(chance.choices(attempts, k=TASKS))]
        for _ in range(DRAWS)
    ]


@pytest.mark.slow
def test_intervals_hold_what_a_player_does_on_many_tasks(players: list[list[Attempt]]) -> None:
    for measure in (lambda own: measure_between(own).figure, measure_loss, measure_sight):
        shares = []
        for attempts in players:
            truth = measure(attempts).estimate
            shares.append(fmean(holds(measure(own), truth) for own in drawn_runs(attempts)))
        assert fmean(shares) >= 0.94, shares
        assert min(shares) >= many(0.94, 0.92), shares


@pytest.mark.slow
def test_ten_tasks_order_players_by_their_skill(players: list[list[Attempt]]) -> None:
    betweens, sights = [], []
    for attempts in players:
        runs = drawn_runs(attempts)
        betweens.append(median(measure_between(own).figure.estimate or 1e9 for own in runs))
        sights.append(median(measure_sight(own).estimate or 9 for own in runs))
    for figures in (betweens[: len(CARELESS)], betweens[len(CARELESS) :], sights[: len(CARELESS)]):
        assert figures == sorted(set(figures))
    # a planner stands at its own place of the scale
    assert sights[len(CARELESS) :] == pytest.approx(SIGHTS)
