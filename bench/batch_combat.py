"""How many fights a second the batch duel decides on one core."""

from __future__ import annotations

import numpy as np

from bench.clock import seconds
from herobench.suites.rpg.game.combat_batch import Fighters, duels
from herobench.suites.rpg.worlds.content import load_world

_HEROES = 500_000


def measure() -> dict[str, float]:
    """Millions of fights a second, for random gear against a hard and an easy monster."""
    world = load_world()
    chance = np.random.default_rng(1)
    heroes = Fighters(
        hp=chance.integers(200, 1500, _HEROES).astype(float),
        attack=chance.integers(0, 60, (_HEROES, 4)).astype(float),
        damage=chance.integers(0, 80, (_HEROES, 4)).astype(float),
        resistance=chance.integers(-10, 40, (_HEROES, 4)).astype(float),
    )
    return {
        f"million fights a second against {name}": _HEROES
        / seconds(lambda monster=world.monsters[name].stats: duels(heroes, monster, 49))
        / 1e6
        for name in ("cultist_emperor", "lich", "wolf")
    }
