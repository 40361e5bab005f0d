"""The greedy player: compute fights, but choose one item at a time.

Called by the model `greedy`. In each step it takes the told item that improves the fight most, until it wins or no
item helps. It finds gear that wins but not the smallest set, and misses items that help only together. The oracle
plans how to make the gear.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from herobench.rpg.combat import Duel, Fighter, duel
from herobench.rpg.goals import stages
from herobench.rpg.hero import Hero
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import Code, Item, Stats, World, stats_of
from herobench.task_gen.baselines import choices, in_gear
from herobench.task_gen.gear.stat_sums import add, subtract
from herobench.task_gen.oracle.planner import oracle_code
from herobench.task_gen.oracle.unplannable import Unplannable


def greedy_plan(world: World, rules: Rules, task: Task) -> str | None:
    """Return the greedy player's plan as code, or None if the chosen gear cannot be made."""
    chosen: list[Mapping[str, Code]] = []
    worn = task.hero.worn
    # Goal by goal: what the player wears for one goal is what he begins the next with.
    for goal in stages(task):
        stage = replace(goal, hero=replace(goal.hero, worn=worn))
        gear = greedy_gear(world, rules, stage) if goal.kind == "kill" else {}
        # Noise items exist in the prompt only, so no plan can make them.
        if any(item.code not in world.items for item in gear.values()):
            return None
        chosen.append(MappingProxyType({slot: item.code for slot, item in gear.items()}))
        worn = MappingProxyType({**worn, **chosen[-1]})
    try:
        return oracle_code(world, rules, in_gear(task, chosen))
    except Unplannable:
        return None


def greedy_gear(world: World, rules: Rules, task: Task) -> dict[str, Item]:
    """Return the chosen gear by slot."""
    target = world.monsters[task.target].stats
    stats = Hero(world, task.hero).stats
    fight = duel(Fighter(stats), target, rules.rounds)
    chosen: dict[str, Item] = {}
    while not fight.won:
        ways = [(slot, item, with_item) for slot, item, with_item in _ways(world, task, stats, chosen)]
        fights = [duel(Fighter(with_item), target, rules.rounds) for _, _, with_item in ways]
        best = max(range(len(ways)), key=lambda index: _merit(fights[index]), default=None)
        # Ties end the loop as well: equal items could be swapped forever.
        if best is None or _merit(fights[best]) <= _merit(fight):
            break
        slot, item, stats = ways[best]
        chosen[slot], fight = item, fights[best]
    return chosen


def _ways(world: World, task: Task, stats: Stats, chosen: Mapping[str, Item]) -> Iterator[tuple[str, Item, Stats]]:
    """Yield each change of one slot, with the stats that it leads to."""
    for choice in choices(world, task):
        worn = chosen.get(choice.slot, choice.worn)
        bare = stats if worn is None else subtract(stats, stats_of(worn.effects, world.elements))
        for item in choice.told:
            if item != worn:
                yield choice.slot, item, add(bare, stats_of(item.effects, world.elements))


def _merit(fight: Duel) -> tuple[bool, float, float]:
    """Return how good a fight is: won first, then little health left to the monster, then much left to the hero."""
    return fight.won, -fight.monster_hp, fight.hero_hp
