"""The rules of the game: the switches in which editions differ, and the two experience curves.

Editions are data (`world_data/editions.json`), read by `content`. `game` and `combat` ask the switches here. What all
editions share belongs in those two modules.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from herobench.suites.rpg.game.world import Code, Place

GATHERING = 1
CRAFTING = 3
"""Factors on the experience of one action: for one gathering, and for one crafted piece."""

Experience = Literal["gained", "none"]
"""Whether the hero learns. With none, all levels stay as at the start."""
CutThoughts = Literal["searched", "ignored"]
"""Whether the thoughts of a reply that was cut off are searched for a plan."""
Defeat = Literal["free", "counted", "final"]
"""The cost of a lost fight: nothing, a part of the score, or the rest of the plan."""
DEFEAT_COST = 10
"""Percent of the score that each lost fight costs if defeats are counted. One slip leaves most of a score; trying gear
in fights until one is won, which takes dozens of them, leaves nothing."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One edition of the rules. The schema `editions` explains each switch."""

    name: str
    xp: Literal["linear", "log-curve"]
    workshop: Literal["matching", "any"]
    failed_craft_is_logged: bool
    craft_credit: Literal["exact", "mention"]
    equip_credit: Literal["worn", "mention"]
    credit: Literal["all", "made"]
    cut_thoughts: CutThoughts
    defeat: Defeat
    drops: Literal["sure", "by_rate"]
    drop_scale: float
    rounds: int
    level_cap: int
    hp_per_level: int
    stack_limit: int
    for_sale: tuple[Code, ...] | None = None
    """The items that the exchange sells; None for those of the world. Only a task sets this, never an edition."""
    budget: int | None = None
    """The number of actions that a game allows; None for any. Only a task sets this, never an edition."""
    closed: tuple[Place, ...] = ()
    """The places that the hero cannot enter. Only a task sets this, never an edition."""
    experience: Experience = "gained"
    """Whether actions teach. Only `frozen` sets this, never an edition: prompts of tasks say that skills grow."""

    @classmethod
    def from_row(cls, name: str, row: Mapping[str, Any]) -> Rules:
        """Build an edition from a row that its schema accepts."""
        switches = {switch: value for switch, value in row.items() if switch != "description"}
        return cls(name=name, **switches)

    def frozen(self) -> Rules:
        """Return the same rules without experience. Questions about what can ever happen are asked under these."""
        return replace(self, experience="none")

    def score_left(self, defeats: int) -> int:
        """Return the percent of a score that is left after some lost fights."""
        return max(0, 100 - DEFEAT_COST * defeats) if self.defeat == "counted" else 100

    def xp_gain(self, own_level: int, action_level: int) -> int:
        """Return the experience that an action of one level gives to a hero of another."""
        if self.experience == "none":
            return 0
        # The published code and the paper's later runs. Most of its base runs were made earlier, on the log curve.
        if self.xp == "linear":
            return 0 if own_level > action_level + 10 else 50
        return _log_curve_gain(own_level, action_level)

    def next_skill_level(self, level: int) -> int:
        """Return the experience needed to leave a level of a skill."""
        return 150 + (level - 1) * 10 if self.xp == "linear" else next_combat_level(level)


def next_combat_level(level: int) -> int:
    """Return the experience needed to leave a level of combat. All editions have the same curve."""
    return int(100 * math.log2(level) * (level // 10 + 1)) // 50 * 50 + 150


@lru_cache(maxsize=4096)
def _log_curve_gain(own_level: int, action_level: int) -> int:
    # By tens of levels: at level 20 an action of level 19 teaches nothing, at level 29 one of level 20 still does.
    if own_level // 10 > action_level // 10:
        return 0
    base = 18 + int(18 * action_level / 50)
    # At least half of the base, however far the hero is above the action. Below it, the gain is unbounded.
    return max(1, int(base * max(1 - (own_level - action_level) / 10, 0.5)))
