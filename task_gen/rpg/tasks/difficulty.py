"""Total difficulty, as the paper defines it, and the brackets of ten difficulties each.

An item that is not crafted has D = 1; a crafted one has D = 2 + the sum of D over its ingredients, whatever their
amounts. A craft task has D of its target. A kill task has 4, plus D of each missing item, plus 1 for each slot that
has to be emptied first; starter items do not count. Example: D 3 to 12 is bracket 1, 13 to 22 is bracket 2.

A campaign has the sum over its goals, where gear that an earlier goal took counts 1, like an item that is not crafted.
Its difficulty has no bracket: reports group campaigns by the number of their goals.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from herobench.suites.rpg.game.scoring import stages
from herobench.suites.rpg.game.task import Certificate, Task
from herobench.suites.rpg.game.world import Code, World

LEAST_FACTOR, MOST_FACTOR = 1, 100
"""The bounds of the multiple."""


def with_budget(task: Task, factor: float) -> Task:
    """Return a certified task with the budget that a multiple of its lower bound gives."""
    assert task.certificate, "a budget is a multiple of a proven bound"
    budget = budget_of(task.certificate, factor)
    return replace(task, mechanics=replace(task.mechanics, budget=budget, budget_factor=factor))


def budget_of(certificate: Certificate, factor: float) -> int:
    """Return a multiple of the lower bound, rounded up, or the actions of the certified plan if they are more."""
    # As the decimal number that the user wrote: in floating point 1.1 * 10 is above 11.
    return max(math.ceil(Fraction(str(factor)) * certificate.lower_bound), certificate.actions)


FIGHT = 4
"""The difficulty of a kill task before its missing gear is added."""
LEAST = 3
"""The first difficulty of bracket 1: no crafted item has a lower one."""
BRACKETS = range(1, 11)
STEPS = 10
"""The number of difficulties in a bracket."""


def bracket_of(difficulty: int) -> int:
    """Return the bracket of a total difficulty. The last bracket has no upper end."""
    return min(max(1, (difficulty - LEAST) // STEPS + 1), BRACKETS[-1])


def bracket_steps(bracket: int) -> range:
    """Return the total difficulties of a bracket; for the last one, its first ten."""
    first = LEAST + (bracket - 1) * STEPS
    return range(first, first + STEPS)


def group_of(task: Task) -> str:
    """Return the group of a task in reports: its bracket, or for a campaign a range of numbers of goals."""
    if not task.campaign:
        return str(bracket_of(task.difficulty))
    if not task.then:
        return "campaign 1"
    least = 1 << (len(task.goals).bit_length() - 1)
    return f"campaign {least}-{2 * least - 1}"


def total_difficulty(world: World, task: Task) -> int:
    """Return the total difficulty of a task: the sum over its goals."""
    made: set[Code] = set()
    total = 0
    for stage in stages(task):
        total += _goal_difficulty(world, stage, made)
        made.update(stage.missing.values())
    return total


def _goal_difficulty(world: World, task: Task, made: Collection[Code]) -> int:
    """Return the difficulty of a task of one goal, some of whose gear is made already."""
    if task.kind == "craft":
        return item_difficulty(world, task.target)
    worn = {slot for slot, code in task.hero.worn.items() if code not in world.starter_items}
    works = (
        (1 if code in made else item_difficulty(world, code)) + (slot in worn) for slot, code in task.missing.items()
    )
    return FIGHT + sum(works)


# The recursion meets shared ingredients once per path, and every draw of a task asks again.
@lru_cache(maxsize=100_000)
def item_difficulty(world: World, code: Code) -> int:
    """Return D of an item."""
    recipe = world.recipe_of(code)
    return 2 + sum(item_difficulty(world, part) for part in recipe.ingredients) if recipe else 1
