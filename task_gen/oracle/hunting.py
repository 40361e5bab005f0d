"""Plan the hunts: which monsters to beat, and how often.

Called by the planner. The full score asks for one victory over every monster that drops a needed item, whatever the
item is taken from; beyond that, as few fights as possible.
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
    """The fights with one monster: a number of victories, and then more until random drops have given enough."""

    wins: int = 1
    until: dict[Code, int] = field(default_factory=dict)


def plan_hunts(world: World, rules: Rules, need: Mapping[Code, int], target: Code) -> dict[Code, Hunt]:
    """Return the hunts that give what is needed, by monster.

    An item may be needed 0 times: its droppers still have to be beaten once. The target is never hunted, because the
    task ends when it is beaten.
    """
    hunts = {who: Hunt() for who in world.monsters if who != target and _drops_any(world, who, need)}
    # Leaves with few droppers first: their victories are forced, and often give enough of the other leaves as well.
    for leaf in sorted(need, key=lambda leaf: len(world.droppers.get(leaf, ()))):
        if need[leaf]:
            _take(world, rules, hunts, leaf, need[leaf])
    return hunts


def _drops_any(world: World, who: Code, need: Mapping[Code, int]) -> bool:
    return any(drop.item in need for drop in world.monsters[who].drops)


def _take(world: World, rules: Rules, hunts: dict[Code, Hunt], leaf: Code, quantity: int) -> None:
    """Add the victories that give enough of a leaf, from the monster that gives most of it."""
    drops = {who: drop for who in hunts for drop in world.monsters[who].drops if drop.item == leaf}
    if not drops:
        raise Unplannable(f"{leaf} falls from the target alone")
    # Among equal yields, the weakest monster: its fight is most likely to be won early.
    best = max(drops, key=lambda who: (chance_of(drops[who], rules) * drops[who].least, -world.monsters[who].level))
    if chance_of(drops[best], rules) < 1:
        hunts[best].until[leaf] = quantity
        return
    sure = {who: drop.least for who, drop in drops.items() if chance_of(drop, rules) == 1}
    # Victories that other items need give some of this one too; only the rest needs further victories.
    lacking = quantity - sum(hunts[who].wins * least for who, least in sure.items())
    if lacking > 0:
        hunts[best].wins += -(-lacking // drops[best].least)
