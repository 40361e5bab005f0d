"""How many actions a task takes at least.

For every plan that does what the task asks (makes the missing gear and wears it, beats everyone who drops a part of it,
and buys only what is told to be for sale). Each kind of action is looked at by itself: one craft for each item, one
gathering for each node of the smallest choice, as many fights as the drops ask for, one way to each thing that has to
be stood on. What the order of the work adds is not counted, nor what raising skills takes; where the oracle's plan
meets the bound, no plan is shorter.
"""

from __future__ import annotations

from collections import Counter

from herobench.rules import Rules
from herobench.task import Task
from herobench.task_gen.gear.candidates import gear_slots
from herobench.task_gen.oracle.gathering import chance_of, fewest_nodes
from herobench.task_gen.oracle.planner import Work
from herobench.world import Code, Drop, World, slot_type


def lower_bound(world: World, rules: Rules, task: Task) -> int:
    """The bound for a task under its own rules."""
    work = Work.of(world, task)
    crafts = work.requirements.crafts
    nodes = fewest_nodes(world, work.gathered.keys() - work.hunted.keys(), world.resources)
    hunts = _fewest_wins(world, rules, task, work)
    shops = {recipe.skill for recipe in map(world.recipe_of, crafts) if recipe}
    workshops = len(shops) if rules.workshop == "matching" else min(1, len(shops))
    target = int(task.kind == "kill")
    stops = len(nodes) + len(hunts) + workshops + target + bool(work.bought)
    moves = max(0, stops - (world.tiles[task.hero.place].content is not None))
    return moves + len(nodes) + hunts.total() + len(work.bought) + len(crafts) + _changes(world, task) + target


def _fewest_wins(world: World, rules: Rules, task: Task, work: Work) -> Counter[Code]:
    """Victories over everyone who drops a part: as many as what only he drops asks for; the most that a drop of
    several asks for beyond that is counted for one of them."""
    droppers = {leaf: [who for who in world.droppers[leaf] if who != task.target] for leaf in work.hunted}
    wins = Counter({who: 1 for everyone in droppers.values() for who in everyone})
    for leaf, everyone in droppers.items():
        if len(everyone) == 1:
            wins[everyone[0]] = max(wins[everyone[0]], -(-work.hunted[leaf] // _most(world, rules, everyone[0], leaf)))
    more: Counter[Code] = Counter()
    for leaf, everyone in droppers.items():
        if len(everyone) > 1:
            most = {who: _most(world, rules, who, leaf) for who in everyone}
            best = max(everyone, key=lambda who: most[who])
            lacking = work.hunted[leaf] - sum(wins[who] * most[who] for who in everyone)
            if -(-lacking // most[best]) > more.total():
                more = Counter({best: -(-lacking // most[best])})
    return wins + more


def _most(world: World, rules: Rules, who: Code, leaf: Code) -> int:
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
