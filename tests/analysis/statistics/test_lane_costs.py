"""What planning costs, on simulated models with known parts of their failure."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log2

import numpy as np
import pandas as pd
import pytest

from herobench.analysis.statistics.horizon import Trials, count_trials
from herobench.analysis.statistics.lane_costs import LaneCost, asked_alike, lane_cost, lane_costs
from herobench.analysis.suites.rpg.reading import RpgReading
from herobench.suites.rpg.game.task import TOLD
from tests.analysis.statistics.simulated import Floats, ladder
from tests.sizes import for_each, many


@dataclass(frozen=True)
class Model:
    """A model that wins a task if it plans it, chooses its gear and writes it down: each has a horizon of its own.

    All happen by chances that fall with the length of the task. What is told cannot go wrong.
    """

    planning: float
    gear: float
    writing: float
    slope: float = 1.5

    def chances(self, lengths: Floats, lane: str) -> Floats:
        parts = {"plan": (self.planning, self.gear, self.writing), "gear": (self.planning, self.writing)}
        own = parts.get(lane, (self.writing,))
        return np.prod([1 / (1 + (lengths / part) ** (self.slope / np.log(2))) for part in own], axis=0)

    def horizon(self, lane: str) -> float:
        """The length at which half is won."""
        lengths = np.geomspace(0.01, 1e7, 200_001)
        return float(np.interp(0.5, self.chances(lengths, lane)[::-1], lengths[::-1]))

    def cost(self, more: str, less: str) -> float:
        return log2(self.horizon(more) / self.horizon(less))


def asked(model: Model, seed: int, tasks: int = 360) -> dict[str, Trials]:
    """What comes of asking a model the same tasks in each lane. A task is as hard in one lane as in the other."""
    lengths, rng = ladder(tasks), np.random.default_rng(seed)
    won = {lane: rng.random(tasks) < model.chances(lengths, lane) for lane in TOLD}
    return {lane: count_trials(range(tasks), lengths.tolist(), map(float, own)) for lane, own in won.items()}


def cost(trials: dict[str, Trials], more: str, less: str) -> LaneCost:
    return lane_cost(more, trials[more], less, trials[less])


PLANS_BADLY = Model(planning=40, gear=1e9, writing=1e9)
LOSES_ITS_PLACE = Model(planning=1e9, gear=1e9, writing=40)
BOTH = Model(planning=60, gear=1e9, writing=500)
CHOOSES_BADLY = Model(planning=1e9, gear=50, writing=600)


def test_models_that_fail_in_planning_in_writing_or_in_both_are_told_apart() -> None:
    for seed in range(many(3, 1)):
        planning, writing, both = (asked(model, seed) for model in (PLANS_BADLY, LOSES_ITS_PLACE, BOTH))
        found = cost(planning, "steps", "plan")
        assert found.doublings.estimate is None, "all steps are written down, however many"
        assert found.at_least is not None
        assert 5 < found.at_least < log2(4000 / 40)
        found = cost(writing, "steps", "plan")
        assert found.doublings.low is not None
        assert found.doublings.high is not None
        assert found.doublings.low < 0.6
        assert found.doublings.high < 1.2, "planning costs nothing, or little"
        found = cost(both, "steps", "plan")
        assert found.doublings.low is not None
        assert found.doublings.low > 1.5
        assert abs((found.doublings.estimate or 0) - BOTH.cost("steps", "plan")) < 1.5


def test_the_gear_is_told_from_the_rest_of_the_plan() -> None:
    for seed in range(many(3, 1)):
        gear, rest = asked(CHOOSES_BADLY, seed), asked(BOTH, seed)
        assert (cost(gear, "gear", "plan").doublings.low or -1) > 2
        assert (cost(gear, "steps", "gear").doublings.high or inf) < 1.2
        assert (cost(rest, "gear", "plan").doublings.high or inf) < 1.2
        assert (cost(rest, "steps", "gear").doublings.low or -1) > 1.5


@pytest.mark.slow
@pytest.mark.parametrize("model", [BOTH, CHOOSES_BADLY, LOSES_ITS_PLACE], ids=["both", "gear", "writing"])
def test_the_intervals_hold_what_planning_costs(model: Model) -> None:
    """An interval of 95 % holds the truth in 88 % of 100 runs or more, or one would doubt it (p = 0.002)."""
    truth, held = model.cost("steps", "plan"), 0
    for seed in range(100):
        found = cost(asked(model, 1000 + seed), "steps", "plan").doublings
        held += found.low is not None and found.high is not None and found.low <= truth <= found.high
    assert held >= 88


def test_pairing_tasks_narrows_the_interval() -> None:
    """Tasks that are lost in every lane do not blur what planning costs."""
    rng, lengths = np.random.default_rng(5), ladder(200)
    luck = rng.random(200)
    chances = {lane: LOSES_ITS_PLACE.chances(lengths, lane) for lane in ("plan", "steps")}
    paired = {lane: count_trials(range(200), lengths.tolist(), map(float, luck < own)) for lane, own in chances.items()}
    alone = {
        lane: count_trials(range(200), lengths.tolist(), map(float, rng.random(200) < own))
        for lane, own in chances.items()
    }
    wide, narrow = (cost(trials, "steps", "plan").doublings for trials in (alone, paired))
    assert (narrow.low, narrow.estimate, narrow.high) == (0, 0, 0)
    assert (wide.high or 0) - (wide.low or 0) > 0.4


@for_each("tasks", [20, 39])
def test_few_tasks_tell_nothing(tasks: int) -> None:
    found = cost(asked(BOTH, 1, tasks), "steps", "plan")
    assert (found.doublings.estimate, found.at_least, found.words) == (None, None, "not determined")


# -- runs -------------------------------------------------------------------------------------------------------------


def table(run: str, told: str, seed: int = 1, model: str = "m", **settings: str) -> pd.DataFrame:
    lengths, rng = ladder(60), np.random.default_rng(seed)
    won = rng.random(60) < BOTH.chances(lengths, told)
    rows = [
        {"run": run, "task_id": str(number), "model": model, "lane": told, "decisions": length, "win": win}
        | {"counted": True, "measured": True, "rules": "standard", "track": "straight", "mode": "plan"}
        | settings
        for number, (length, win) in enumerate(zip(lengths, won, strict=True))
    ]
    return pd.DataFrame(rows)


def test_the_lanes_of_a_model_are_found_among_runs() -> None:
    runs = {lane: table(lane, lane) for lane in reversed(TOLD)}
    runs |= {"other": table("other", "plan", model="n"), "renamed": table("renamed", "plan", names="random")}
    (found,) = lane_costs(runs, RpgReading())
    assert (found.model, dict(found.runs)) == ("m", {lane: (lane,) for lane in TOLD})
    assert [(each.more, each.less) for each in found.costs] == [("steps", "plan"), ("steps", "gear"), ("gear", "plan")]
    assert found.as_row()["runs"] == {lane: [lane] for lane in TOLD}
    assert found.horizons["plan"].h50.estimate is not None


def test_runs_that_were_asked_otherwise_are_not_compared() -> None:
    runs = {"a": table("a", "plan"), "b": table("b", "steps")}
    asked = {model: {"config": {"model": model, "identity": {}}} for model in ("x", "y")}
    assert len(lane_costs(runs, RpgReading(), {"a": asked["x"], "b": asked["x"]})) == 1
    assert lane_costs(runs, RpgReading(), {"a": asked["x"], "b": asked["y"]}) == []
    assert lane_costs({"a": runs["a"], "c": table("c", "plan", 2)}, RpgReading()) == []


def test_repeats_of_a_lane_are_more_attempts_at_its_tasks() -> None:
    runs = {"a": table("a", "plan"), "again": table("again", "plan", 2), "b": table("b", "steps")}
    (found,) = lane_costs(runs, RpgReading())
    assert (found.runs["plan"], found.horizons["plan"].h50.samples, found.horizons["plan"].h50.tasks) == (
        ("a", "again"),
        120,
        60,
    )


def test_runs_are_alike_if_they_differ_in_the_lane_alone() -> None:
    config = {"model": "m", "identity": {"rules": "r"}, "sampling": {"temperature": 0}, "task_count": 3}
    told = {**config, "identity": {"rules": "r", "told": "gear", "told_prompts": "0"}, "task_count": 5}
    warm = {**config, "sampling": {"temperature": 1}}
    keys = [asked_alike({"config": each}, RpgReading()) for each in (config, told, warm)]
    assert keys[0] == keys[1] != keys[2]
    assert asked_alike(None, RpgReading()) is None
