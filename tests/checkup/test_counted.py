"""What a checkup is said to take is what a server counts, within 15 %, for models that answer from scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from herobench.checkup.folder import Checkup, spent
from herobench.checkup.price import Terms
from herobench.checkup.work import work
from herobench.models.prices import Price
from herobench.runs.launch import RunCallbacks
from herobench.suite.checkup_parts import load_parts
from herobench.suites.rpg.checkup import LONGEST, SHORTEST
from tests.checkup.scripted import Scripted, Skill, loses_all, mixed, wins_all

SIZES = {
    "horizon/plan": 40, "horizon/steps": 40, "questions": 40, "epochs": 24, "autumn": 6,
    "discover": 12,
}  # fmt: skip
PRICES = '{"m": {"input": 1.25, "output": 10}}'
MIDDLE = (SHORTEST * LONGEST) ** 0.5
"""The horizon of the middle model."""


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    ("model", "skill"),
    [("wins all", wins_all), ("loses all", loses_all), ("middle", mixed(MIDDLE))],
    ids=["oracle", "random", "mixed"],
)
def test_the_shown_cost_is_the_counted_one(model: str, skill: Skill, tmp_path: Path) -> None:
    checkup = Checkup(tmp_path / "checkup", "m", None, SIZES, load_parts())
    checkup.write()
    (tmp_path / "prices.json").write_text(PRICES, "utf-8")
    terms = Terms(checkup.parts, Price(1.25, 10.0, 1.25), thoughts=0)
    with Scripted(checkup.folder, skill) as server:
        request = {"model": "m", "base_url": server.url, "prices": tmp_path / "prices.json"}
        endings = list(work(checkup, request, lambda *_: RunCallbacks()))  # type: ignore[arg-type]
    assert all(ending.complete for ending in endings)
    counted = {run: spent(checkup.folder / run) for run in SIZES}
    shown = {bill.run: bill.cost(terms.price) for bill in terms.bills(SIZES, model)}
    print({run: (round(shown[run] or 0, 3), round(counted[run], 3)) for run in SIZES})
    assert sum(cost or 0.0 for cost in shown.values()) == pytest.approx(sum(counted.values()), rel=0.15)
