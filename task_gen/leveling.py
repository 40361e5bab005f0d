"""Leveling: decide whether a task needs higher skills, or a higher level, than the hero starts with."""

from __future__ import annotations

from herobench.rpg.milestones import TaskItems
from herobench.rpg.task import Task
from herobench.rpg.world import Code, World


def needs_leveling(world: World, task: Task) -> bool:
    """Return whether the missing gear asks for more than the hero's level, or the work for more than his skills."""
    gear = (world.items[code] for goal in task.goals for code in goal.missing.values())
    if any(item.level > task.hero.combat[0] for item in gear):
        return True
    # A skill that the task does not list is at level 1.
    return any(task.hero.skills.get(skill, (1, 0, 0))[0] < level for skill, level in _demands(world, task))


def _demands(world: World, task: Task) -> set[tuple[str, int]]:
    """Return the skills and levels that the task's crafts and gatherings ask for."""
    parts = TaskItems.of(task, world)
    targets = {goal.target for goal in task.goals if goal.kind == "craft"}
    crafted = parts.missing | targets | parts.intermediates
    recipes = filter(None, map(world.recipe_of, crafted))
    demands = {(recipe.skill, recipe.level) for recipe in recipes}
    return demands.union(*(_gathering(world, code) for code in parts.leaves - task.knowledge.sold))


def _gathering(world: World, code: Code) -> set[tuple[str, int]]:
    """Return the skill and level of the easiest node of an item, or nothing if a monster drops the item."""
    nodes = [world.resources[node] for node in world.nodes.get(code, ())]
    # A dropped item can be had by fights, so it needs no skill.
    if not nodes or code in world.droppers:
        return set()
    easiest = min(nodes, key=lambda node: node.level)
    return {(easiest.skill, easiest.level)}
