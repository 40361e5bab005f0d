"""How many actions a task takes at least.

For every plan that does what the task asks (makes the missing gear and wears it, beats everyone who drops a part of it,
and buys only what is told to be for sale). Each kind of action is looked at by itself: one craft for each item, one
gathering for each node of the smallest choice, as many fights as the drops ask for, one way to each thing that has to
be stood on. What the order of the work adds is not counted, nor what raising skills takes; where the oracle's plan
meets the bound, no plan is shorter.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import Code, Drop, World, slot_type
from herobench.task_gen.gear.candidates import gear_slots
from herobench.task_gen.oracle.gathering import chance_of, fewest_nodes
from herobench.task_gen.oracle.work import Work


def lower_bound(world: World, rules: Rules, task: Task) -> int:
    """The bound for a task under its own rules."""
    work = Work.of(world, task)
    crafts = work.requirements.crafts
    nodes = fewest_nodes(world, work.gathered.keys() - work.hunted.keys(), world.resources)
    wins = Wins.of(world, rules, task, work)
    shops = {recipe.skill for recipe in map(world.recipe_of, crafts) if recipe}
    workshops = len(shops) if rules.workshop == "matching" else min(1, len(shops))
    target = int(task.kind == "kill")
    stops = len(nodes) + len(wins.each) + workshops + target + bool(work.bought)
    moves = max(0, stops - (world.tiles[task.hero.place].content is not None))
    return moves + len(nodes) + wins.total + len(work.bought) + len(crafts) + _changes(world, task) + target


class Wins(NamedTuple):
    """The fewest victories that a task takes."""

    each: Counter[Code]
    """Over each monster, for what only it drops."""
    more: int
    """Over any of them, for what several drop."""

    @classmethod
    def of(cls, world: World, rules: Rules, task: Task, work: Work) -> Wins:
        """The victories of a task: everyone who drops a part is beaten once. Of the parts that several drop, the one
        that asks for the most victories beyond that is counted."""
        droppers = {leaf: [who for who in world.droppers[leaf] if who != task.target] for leaf in work.hunted}
        wins = Counter({who: 1 for everyone in droppers.values() for who in everyone})
        for leaf, everyone in droppers.items():
            if len(everyone) == 1:
                most = most_of(world, rules, everyone[0], leaf)
                wins[everyone[0]] = max(wins[everyone[0]], -(-work.hunted[leaf] // most))
        more = 0
        for leaf, everyone in droppers.items():
            if len(everyone) > 1:
                gives = {who: most_of(world, rules, who, leaf) for who in everyone}
                lacking = work.hunted[leaf] - sum(wins[who] * gives[who] for who in everyone)
                more = max(more, -(-lacking // max(gives.values())))
        return cls(wins, more)

    @property
    def total(self) -> int:
        """How many they are."""
        return self.each.total() + self.more


def most_of(world: World, rules: Rules, who: Code, leaf: Code) -> int:
    """The most of something that one victory can give."""

    def falls(drop: Drop) -> int:
        return drop.least if rules.drops == "sure" else drop.most

    return sum(falls(drop) for drop in world.monsters[who].drops if drop.item == leaf and chance_of(drop, rules) > 0)


def _changes(world: World, task: Task) -> int:
    """Equips, and what has to come off first: of each type as much as there are not enough free slots for."""
    changes = len(task.missing)
    types = Counter(slot_type(slot) for slot in task.missing)
    for kind, count in types.items():
        slots = [slot for slot in gear_slots(world) if slot_type(slot) == kind]
        changes += max(0, count - sum(slot not in task.hero.worn for slot in slots))
    return changes
