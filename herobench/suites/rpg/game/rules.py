"""The rules of the game: the switches in which editions differ, the two experience curves, and the duel.

Editions are data (`world_data/editions.json`), read by `content`. The game asks the switches here. The duel is the one
place where a fight is decided. It is deterministic, nothing rounded: it counts in hundredths of a point, of which every
hit is a whole number. The published editions count in floats. The hero strikes first, and both sides start every fight
at full health. `strike` is the one definition of a hit: the duel here, the duel over arrays in `combat_batch`, and the
gear search derive from it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, overload

from herobench.suites.rpg.game.world import Code, Place, Stats, health_after

if TYPE_CHECKING:
    from numpy.typing import NDArray

GATHERING = 1
CRAFTING = 3
"""Factors on the experience of one action: for one gathering, and for one crafted piece."""

CutThoughts = Literal["searched", "ignored"]
"""Whether the thoughts of a reply that was cut off are searched for a plan."""
Defeat = Literal["free", "counted", "final"]
"""The cost of a lost fight: nothing, a part of the score, or the rest of the plan."""
DEFEAT_COST = 10
"""Percent of the score that each lost fight costs if defeats are counted. One slip leaves most of a score; trying gear
in fights until one is won, which takes dozens of them, leaves nothing."""


T = TypeVar("T", int, float)
Attack = TypeVar("Attack", int, "NDArray[Any]")
Unit = tuple[T, T]
"""The unit of hits: how many of it are a point of health, and how many a percent of a point."""
HEALTH: Unit[float] = (1, 0.01)
"""Points of health, in which the published duel counts. Floats, so the order of operations is part of its rules."""
POINT = 100
"""A point of health in hundredths."""
HUNDREDTHS: Unit[int] = (POINT, 1)
"""Hundredths of a point: every hit is a whole number of them, so nothing is ever rounded."""


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
    fights: Literal["exact", "floats"]
    """What fights count in: hundredths of a point, or floats as published, which may leave 1e-14 of a point."""
    for_sale: tuple[Code, ...] | None = None
    """The items that the exchange sells; None for those of the world. Only a task sets this, never an edition."""
    budget: int | None = None
    """The number of actions that a game allows; None for any. Only a task sets this, never an edition."""
    closed: tuple[Place, ...] = ()
    """The places that the hero cannot enter. Only a task sets this, never an edition."""
    ground: tuple[Place, ...] | None = None
    """The places that the hero can enter; None for all of the world. Only a task sets this, never an edition."""

    @classmethod
    def from_row(cls, name: str, row: Mapping[str, Any]) -> Rules:
        """Build an edition from a row that its schema accepts."""
        switches = {switch: value for switch, value in row.items() if switch != "description"}
        return cls(name=name, **switches)

    @property
    def unit(self) -> Unit[Any]:
        """The unit in which fights count."""
        return HUNDREDTHS if self.fights == "exact" else HEALTH

    @property
    def bout(self) -> tuple[int, Unit[Any]]:
        """What a fight depends on beside the fighters: `duel(hero, monster, *rules.bout)`."""
        return self.rounds, self.unit

    def score_left(self, defeats: int) -> int:
        """Return the percent of a score that is left after some lost fights."""
        return max(0, 100 - DEFEAT_COST * defeats) if self.defeat == "counted" else 100

    def xp_gain(self, own_level: int, action_level: int) -> int:
        """Return the experience that an action of one level gives to a hero of another."""
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


class Fighter(NamedTuple):
    """The hero as he enters a fight: his stats with his gear on, and the effects of his consumables."""

    stats: Stats
    boost_hp: int = 0
    boost_damage: tuple[int, ...] = ()
    meals: tuple[tuple[int, int], ...] = ()
    """For each restoring stack, the health that a piece gives back, and the number of pieces."""


class Duel(NamedTuple):
    """The result of a fight."""

    won: bool
    rounds: int
    hero_hp: float
    monster_hp: float
    eaten: tuple[int, ...] = ()
    """Pieces eaten, for each of the fighter's meals."""

    @property
    def died(self) -> bool:
        """True if the hero lost by death, and not by the round limit."""
        return self.hero_hp <= 0


@overload
def strike(attack: int, damage: int, resistance: int, unit: Unit[T]) -> T: ...
@overload
def strike(attack: Any, damage: Any, resistance: Any, unit: Unit[T]) -> NDArray[Any]: ...
def strike(attack: Any, damage: Any, resistance: Any, unit: Unit[Any]) -> Any:
    """Return what one hit in one element takes off, for numbers and numpy arrays alike.

    Damage and resistance are percentages of the attack alone. A hit below 0 heals: resistances may be above 100 %.
    """
    whole, percent = unit
    # As the published code computes it. `attack * (1 + damage - resistance)` is the same on paper, but floats round
    # differently, and the last digit can decide a fight.
    return attack * whole + attack * (damage * percent) - attack * (resistance * percent)


def gain(attack: Attack) -> Attack:
    """Return how many hundredths each percent of damage adds to a hit.

    Hits are linear in both percentages, so a sum over many items multiplies with `gain` and `ward` instead of striking
    once for each.
    """
    # A product and not max(), which does not take arrays. An attack of 0 or less never hits.
    striking: Attack = attack * (attack > 0)
    hundredths: Attack = strike(striking, 1, 0, HUNDREDTHS) - strike(striking, 0, 0, HUNDREDTHS)
    return hundredths


def ward(attack: Attack) -> Attack:
    """Return how many hundredths each percent of resistance takes off a hit."""
    striking: Attack = attack * (attack > 0)
    hundredths: Attack = strike(striking, 0, 0, HUNDREDTHS) - strike(striking, 0, 1, HUNDREDTHS)
    return hundredths


def hits(attacker: Stats, defender: Stats, boost: Sequence[int] = (), unit: Unit[Any] = HEALTH) -> list[float]:
    """Return the hits of one round, element by element in the world's order. Only an attack above 0 hits."""
    damages = list(map(int.__add__, attacker.damage, boost)) if boost else attacker.damage
    return [
        strike(attack, damage, resistance, unit)
        for attack, damage, resistance in zip(attacker.attack, damages, defender.resistance, strict=True)
        if attack > 0
    ]


def damage(attacker: Stats, defender: Stats) -> int:
    """Return the sum of the hits of one round, without a boost, in hundredths."""
    total = 0
    # A loop, since a gear search asks this more often than anything else: a comprehension takes a third longer.
    for attack, percent, resistance in zip(attacker.attack, attacker.damage, defender.resistance, strict=True):
        if attack > 0:
            total += strike(attack, percent, resistance, HUNDREDTHS)
    return total


def duel(hero: Fighter, monster: Stats, rounds: int, unit: Unit[Any] = HUNDREDTHS) -> Duel:
    """Fight for at most `rounds` rounds. A fight that is undecided by then is lost."""
    point = unit[0]
    hero_hits = hits(hero.stats, monster, hero.boost_damage, unit)
    monster_hits = hits(monster, hero.stats, (), unit)
    hero_hp, monster_hp = float((hero.stats.hp + hero.boost_hp) * point), float(monster.hp * point)
    half = hero_hp / 2  # of the health with boosts
    left = [pieces for _, pieces in hero.meals]
    hero_effects, monster_effects = hero.stats.round_effects, monster.round_effects
    for number in range(1, rounds + 1):
        # As published: before the hits, one piece of every restoring stack at once, and health may rise above
        # its start.
        if left and hero_hp < half:
            for index, (restore, _) in enumerate(hero.meals):
                if left[index] > 0:
                    hero_hp += restore * point
                    left[index] -= 1
        # One hit at a time, in the world's order: with floats, subtracting their sum can differ by 1e-14, and that can
        # decide whether a monster still stands.
        for hit in hero_hits:
            monster_hp -= hit
        if hero_effects:
            monster_hp = health_after(hero_effects, number, monster_hp, point)
        # A beaten monster does not strike back, so the hero can win at any health of his own.
        if monster_hp <= 0:
            return Duel(True, number, hero_hp / point, monster_hp / point, _eaten(hero, left))
        for hit in monster_hits:
            hero_hp -= hit
        if monster_effects:
            hero_hp = health_after(monster_effects, number, hero_hp, point)
        if hero_hp <= 0:
            return Duel(False, number, hero_hp / point, monster_hp / point, _eaten(hero, left))
    return Duel(False, rounds, hero_hp / point, monster_hp / point, _eaten(hero, left))


def _eaten(hero: Fighter, left: Sequence[int]) -> tuple[int, ...]:
    return tuple(pieces - rest for (_, pieces), rest in zip(hero.meals, left, strict=True))
