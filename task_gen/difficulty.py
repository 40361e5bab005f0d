"""The total difficulty of a task: how much work its recipes hold.

D of what is not crafted is 1, D of what is crafted 2 plus the D of each ingredient, whatever the amounts. A craft task
is as difficult as its target. A kill task starts at 4 and adds, for every slot of missing gear, D of what belongs there
and 1 where something else has to come off first; a starter item is no obstacle.

Brackets are ten steps of total difficulty each: 3 to 12, 13 to 22, and so on; the tenth is open.
"""

from __future__ import annotations

from functools import lru_cache

from herobench.rpg.task import Task
from herobench.rpg.world import Code, World

FIGHT = 4
"""What a kill task starts at."""
LEAST = 3
"""Where the first bracket begins: nothing that is crafted is easier."""
BRACKETS = range(1, 11)
STEPS = 10
"""How many steps of total difficulty a bracket has."""


def bracket_of(difficulty: int) -> int:
    """The bracket of a total difficulty."""
    return min(max(1, (difficulty - LEAST) // STEPS + 1), BRACKETS[-1])


def bracket_steps(bracket: int) -> range:
    """The total difficulties of a bracket; of the open one, its first ten."""
    first = LEAST + (bracket - 1) * STEPS
    return range(first, first + STEPS)


def total_difficulty(world: World, task: Task) -> int:
    """How difficult a task is, as published."""
    if task.kind == "craft":
        return item_difficulty(world, task.target)
    worn = {slot for slot, code in task.hero.worn.items() if code not in world.starter_items}
    return FIGHT + sum(item_difficulty(world, code) + (slot in worn) for slot, code in task.missing.items())


@lru_cache(maxsize=100_000)
def item_difficulty(world: World, code: Code) -> int:
    """D of an item."""
    recipe = world.recipe_of(code)
    return 2 + sum(item_difficulty(world, part) for part in recipe.ingredients) if recipe else 1
