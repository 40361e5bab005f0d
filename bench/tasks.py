"""A task for benchmarks."""

from __future__ import annotations

from bench.engine import hero
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import World


def gathering_task(world: World) -> Task:
    """Craft copper, with a hero who can do all that the benchmark plans do."""
    told = {"recipes": [], "materials": [], "sold": [], "monsters": [], "places": [], "stats": []}
    return Task.from_row(
        {
            "id": "bench/1_Copper_craft",
            "world": world.digest,
            "kind": "craft",
            "target": "copper",
            "hero": hero().as_row(),
            "missing": {},
            "knowledge": told,
            "mechanics": {"leveling": False, "drop_scale": None},
            "seed": 0,
            "difficulty": 3,
        }
    )
