"""Whom to beat how often.

For the full score everyone who drops something needed has to be beaten once, whoever it is taken from; beyond that, as
few fights as possible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from herobench.rpg.rules import Rules
from herobench.rpg.world import Code, World
from herobench.task_gen.oracle.gathering import chance_of
from herobench.task_gen.oracle.unplannable import Unplannable


@dataclass
class Hunt:
    """What is taken from one monster: so many victories, and then on until chance has given enough."""

    wins: int = 1
    until: dict[Code, int] = field(default_factory=dict)


def hunting(world: World, rules: Rules, need: Mapping[Code, int], target: Code) -> dict[Code, Hunt]:
    """The hunts that give what is needed, by monster; what is needed of something may be none, and its droppers have to
    be beaten all the same. The target is never hunted: beating it is the end."""
    hunts = {who: Hunt() for who in world.monsters if who != target and _drops_any(world, who, need)}
    for leaf in sorted(need, key=lambda leaf: len(world.droppers.get(leaf, ()))):
        if need[leaf]:
            _take(world, rules, hunts, leaf, need[leaf])
    return hunts


def _drops_any(world: World, who: Code, need: Mapping[Code, int]) -> bool:
    return any(drop.item in need for drop in world.monsters[who].drops)


def _take(world: World, rules: Rules, hunts: dict[Code, Hunt], leaf: Code, quantity: int) -> None:
    """Add what it takes to have so many of a leaf: all that is still lacking, from the one who gives most."""
    drops = {who: drop for who in hunts for drop in world.monsters[who].drops if drop.item == leaf}
    if not drops:
        raise Unplannable(f"{leaf} falls from the target alone")
    best = max(drops, key=lambda who: (chance_of(drops[who], rules) * drops[who].least, -world.monsters[who].level))
    if chance_of(drops[best], rules) < 1:
        hunts[best].until[leaf] = quantity
        return
    sure = {who: drop.least for who, drop in drops.items() if chance_of(drop, rules) == 1}
    lacking = quantity - sum(hunts[who].wins * least for who, least in sure.items())
    if lacking > 0:
        hunts[best].wins += -(-lacking // drops[best].least)
