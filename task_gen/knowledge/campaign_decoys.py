"""Decoys of campaigns: for each goal and each type of gear that it takes, told gear with which the hero loses.

Chosen with the goals, in `campaigns`: they are the gear of other monsters. The gear of other goals serves as well, so a
prompt grows less than the number of goals. The campaigns ask here goal by goal, and the validation for a whole task.
"""

from __future__ import annotations

from collections.abc import Collection

from herobench.rpg.goals import stages
from herobench.rpg.rules import Rules
from herobench.rpg.task import Task
from herobench.rpg.world import Code, Item, World, slot_type
from herobench.task_gen.knowledge.decoys import Matchup


def bare_types(matchup: Matchup, told: Collection[Code]) -> list[str]:
    """Return the types of gear that a goal takes for which no decoy is told."""
    kinds = dict.fromkeys(map(slot_type, matchup.missing))
    level = matchup.hero.combat[0]
    gear: dict[str, list[Item]] = {kind: [] for kind in kinds}
    for item in map(matchup.world.items.__getitem__, sorted(told)):
        if item.type in gear and item.level <= level:
            gear[item.type].append(item)
    misleading = matchup.misleading(gear)
    return [kind for kind in kinds if not misleading[kind]]


def without_decoys(world: World, rules: Rules, task: Task) -> list[int]:
    """Return the numbers of the goals, from 1, with a type of gear of which no decoy is told."""
    told = {*task.knowledge.recipes, *task.knowledge.materials}
    return [
        number
        for number, stage in enumerate(stages(task), 1)
        if stage.kind == "kill"
        and bare_types(
            Matchup(world, rules, world.monsters[stage.target], stage.hero.grown(rules), stage.missing), told
        )
    ]
