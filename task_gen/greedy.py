"""The greedy player: computes fights, but dresses one item at a time.

Of all that the prompt tells he puts on whatever helps the most against the target, then what helps the most beside it,
until he would win or nothing helps. He finds gear that wins, though not the least of it, and misses what pays only in
pairs. Making the gear is left to the oracle's machinery.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from herobench.rpg.combat import Duel, Fighter, duel
from herobench.rpg.hero import Hero
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import Item, Stats, World, stats_of
from herobench.task_gen.baselines import choices
from herobench.task_gen.gear.stats import add, subtract
from herobench.task_gen.oracle.planner import oracle_code
from herobench.task_gen.oracle.unplannable import Unplannable


def greedy_plan(world: World, rules: Rules, task: Task) -> str | None:
    """The plan of the greedy player; None where what he chose cannot be had."""
    gear = greedy_gear(world, rules, task) if task.kind == "kill" else {}
    if any(item.code not in world.items for item in gear.values()):
        return None
    missing = MappingProxyType({slot: item.code for slot, item in gear.items()})
    try:
        return oracle_code(world, rules, replace(task, missing=missing))
    except Unplannable:
        return None


def greedy_gear(world: World, rules: Rules, task: Task) -> dict[str, Item]:
    """What he chooses, by slot."""
    target = world.monsters[task.target].stats
    stats = Hero(world, task.hero).stats
    fight = duel(Fighter(stats), target, rules.rounds)
    chosen: dict[str, Item] = {}
    while not fight.won:
        ways = [(slot, item, with_item) for slot, item, with_item in _ways(world, task, stats, chosen)]
        fights = [duel(Fighter(with_item), target, rules.rounds) for _, _, with_item in ways]
        best = max(range(len(ways)), key=lambda index: _merit(fights[index]), default=None)
        if best is None or _merit(fights[best]) <= _merit(fight):
            break
        slot, item, stats = ways[best]
        chosen[slot], fight = item, fights[best]
    return chosen


def _ways(world: World, task: Task, stats: Stats, chosen: Mapping[str, Item]) -> Iterator[tuple[str, Item, Stats]]:
    """What he may put on next, with what that makes of him."""
    for choice in choices(world, task):
        worn = chosen.get(choice.slot, choice.worn)
        bare = stats if worn is None else subtract(stats, stats_of(worn.effects, world.elements))
        for item in choice.told:
            if item != worn:
                yield choice.slot, item, add(bare, stats_of(item.effects, world.elements))


def _merit(fight: Duel) -> tuple[bool, float, float]:
    """How good a fight is: won, or else with how little left of the monster, and how much of the hero."""
    return fight.won, -fight.monster_hp, fight.hero_hp
