"""A lower bound on the actions of a task, by counting each kind of action alone.

It holds for every plan that makes and wears the missing gear, beats all droppers of its parts, and buys only what
the task sells. Counted are: one craft per item, one gathering per node of a minimum cover, the fights that the drops
need, and one move per place. Ordering and leveling are left out. A plan that meets the bound is optimal.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Drop, World, slot_type
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.oracle.campaign_bound import campaign_bound
from herobench.task_gen.rpg.oracle.gathering import chance_of, fewest_nodes
from herobench.task_gen.rpg.oracle.requirements import NeededItems


def lower_bound(world: World, rules: Rules, task: Task) -> int:
    """Return the bound for a task under its own rules."""
    if task.campaign:
        return campaign_bound(world, rules, task)
    work = NeededItems.of(world, task)
    crafts = work.requirements.crafts
    # An item that monsters drop too may come from fights, so no node is counted for it.
    nodes = fewest_nodes(world, work.gathered.keys() - work.hunted.keys(), world.resources)
    wins = Wins.of(world, rules, task, work)
    shops = {recipe.skill for recipe in map(world.recipe_of, crafts) if recipe}
    workshops = len(shops) if rules.workshop == "matching" else min(1, len(shops))
    target = int(task.kind == "kill")
    stops = len(nodes) + len(wins.each) + workshops + target + bool(work.bought)
    # The hero may already stand on one of the places, so that one needs no move.
    moves = max(0, stops - (world.tiles[task.hero.place].content is not None))
    return moves + len(nodes) + wins.total + len(work.bought) + len(crafts) + _changes(world, task) + target


class Wins(NamedTuple):
    """The fewest victories that a task needs."""

    each: Counter[Code]
    """Victories over each monster, for items that only it drops."""
    more: int
    """Further victories over any of them, for items that several drop."""

    @classmethod
    def of(cls, world: World, rules: Rules, task: Task, work: NeededItems) -> Wins:
        """Return the victories of a task: one over every dropper of a part, and more where the drops need it.

        Of the parts that several monsters drop, only the one that needs most is counted: one victory may serve several.
        """
        droppers = {leaf: [who for who in world.droppers[leaf] if who != task.target] for leaf in work.hunted}
        wins = Counter({who: 1 for everyone in droppers.values() for who in everyone})
        for leaf, everyone in droppers.items():
            # A single dropper has to give all of it.
            if len(everyone) == 1:
                most = most_of(world, rules, everyone[0], leaf)
                wins[everyone[0]] = max(wins[everyone[0]], -(-work.hunted[leaf] // most))
        more = 0
        for leaf, everyone in droppers.items():
            if len(everyone) > 1:
                gives = {who: most_of(world, rules, who, leaf) for who in everyone}
                lacking = work.hunted[leaf] - sum(wins[who] * gives[who] for who in everyone)
                # The maximum, not the sum: the same victories may serve several of these parts.
                more = max(more, -(-lacking // max(gives.values())))
        return cls(wins, more)

    @property
    def total(self) -> int:
        """The number of victories."""
        return self.each.total() + self.more


def most_of(world: World, rules: Rules, who: Code, leaf: Code) -> int:
    """Return the most of an item that one victory can give."""

    # A lower bound on actions has to assume the largest drop that luck can give.
    def falls(drop: Drop) -> int:
        return drop.least if rules.drops == "sure" else drop.most

    return sum(falls(drop) for drop in world.monsters[who].drops if drop.item == leaf and chance_of(drop, rules) > 0)


def _changes(world: World, task: Task) -> int:
    """Return the least number of equips, and of unequips in types that have too few free slots."""
    changes = len(task.missing)
    types = Counter(slot_type(slot) for slot in task.missing)
    for kind, count in types.items():
        slots = [slot for slot in gear_slots(world) if slot_type(slot) == kind]
        changes += max(0, count - sum(slot not in task.hero.worn for slot in slots))
    return changes
