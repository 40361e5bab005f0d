"""Models that answer badly: every conversation ends within the limits, is judged, and crashes no run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from herobench.runs.options import AttemptLimits
from herobench.suites.rpg.game.world import World
from tests.builders import TINY, craft_task
from tests.plays import drake_task
from tests.program import write_jsonl
from tests.suites.rpg.agents.games import WAYS, game
from tests.suites.rpg.agents.sloppy import Sloppy

MOST_CALLS = 60


def everything(world: World) -> dict[str, Any]:
    """Knowledge of all that there is."""
    crafted = [code for code, item in world.items.items() if item.recipe]
    return {
        "recipes": crafted,
        "materials": [code for code in world.items if code not in crafted],
        "sold": [],
        "monsters": list(world.monsters),
        "places": [list(place) for place in world.tiles],
        "stats": [],
    }


def test_without_mistakes_the_same_conversations_win(tiny: World, tmp_path: Path) -> None:
    for way in WAYS:
        played(tmp_path / "-".join(way), tiny, way, 1, share=0.0, epochs=1, won=True)


def played(
    folder: Path, tiny: World, way: tuple[str, str], seed: int, share: float, epochs: int, won: bool | None = None
) -> int:
    """Play fuzzed conversations, and return how many."""
    told = {"knowledge": everything(tiny)}  # so that parts work in dry runs, and conversations come far
    rows = [drake_task(tiny, id="drake", difficulty=73, **told).as_row(), craft_task(tiny, "brick", **told).as_row()]
    folder.mkdir()
    tasks = write_jsonl(folder / "tasks.jsonl", rows)
    limits = AttemptLimits(calls=MOST_CALLS)
    with game(folder / "run", tasks, way, lambda oracle: Sloppy(oracle, share, seed), limits, TINY, epochs) as trial:
        trial.work()
        trial.assert_whole()
        for row in trial.samples:
            assert row["status"] == "ok", row["error"]
            assert row["calls"] <= MOST_CALLS
            assert row["won"] == (row["failure"] is None)
            assert row["won"] is not None
            assert won in (None, row["won"])
        return len(trial.samples)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids="-".join)
def test_a_sloppy_model_ends_within_limits_and_is_judged(way: tuple[str, str], tiny: World, tmp_path: Path) -> None:
    for share in (0.3, 1.0):
        assert played(tmp_path / f"{share}", tiny, way, 1, share, epochs=2) == 4
