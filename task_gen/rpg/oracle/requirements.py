"""Requirements of an order: expand its recipe graph into crafts, raw materials and skill levels.

Used all over task_gen. Amounts are for the whole order at once, so an ingredient that several recipes share is
counted together. Example: 2 swords of 3 bars each are 6 bars in one craft.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter
from types import MappingProxyType

from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Resource, World


@dataclass(frozen=True)
class Requirements:
    """The crafts, raw materials and skills that an order of items needs."""

    crafts: Mapping[Code, int]
    """The number of pieces to craft of each item, in topological order: ingredients come first."""
    raw: Mapping[Code, int]
    """The number needed of each item that has no recipe."""
    skills: Mapping[str, int]
    """The skill levels that the recipes need."""

    @classmethod
    def of(cls, world: World, order: Mapping[Code, int]) -> Requirements:
        """Return the requirements of an order, given as a number of pieces per item."""
        need: Counter[Code] = Counter(order)
        crafts: dict[Code, int] = {}
        skills: dict[str, int] = {}
        # In reverse topological order, the need for an item is complete before its ingredients are counted.
        for code in reversed(_work_order(world, order)):
            recipe = world.recipe_of(code)
            if recipe:
                crafts[code] = need.pop(code)
                skills[recipe.skill] = max(recipe.level, skills.get(recipe.skill, 1))
                for part, quantity in recipe.ingredients.items():
                    need[part] += quantity * crafts[code]
        in_order = dict(reversed(crafts.items()))
        return cls(MappingProxyType(in_order), MappingProxyType(dict(sorted(need.items()))), MappingProxyType(skills))

    def monsters(self, world: World) -> tuple[Code, ...]:
        """Return the monsters that drop any raw material, in the world's order."""
        return _in_world_order(world.monsters, (who for code in self.raw for who in world.droppers.get(code, ())))

    def nodes(self, world: World) -> tuple[Code, ...]:
        """Return the nodes that give any raw material, in the world's order."""
        return _in_world_order(world.resources, (node for code in self.raw for node in world.nodes.get(code, ())))


def items_to_make(task: Task) -> Counter[Code]:
    """Return what a task asks to be made: the target of a craft, or the missing gear."""
    return Counter([task.target] if task.kind == "craft" else task.missing.values())


def skills_for(world: World, level: int, order: Mapping[Code, int]) -> dict[str, int]:
    """Return skills that suffice for an order: the hero's level, or more where a recipe or node needs more."""
    requirements = Requirements.of(world, order)
    needed = dict(requirements.skills)
    for leaf in requirements.raw:
        if easiest := easiest_node(world, leaf):
            needed[easiest.skill] = max(easiest.level, needed.get(easiest.skill, 1))
    return {skill: max(level, needed.get(skill, 1)) for skill in world.skills}


def easiest_node(world: World, code: Code) -> Resource | None:
    """Return the node of the lowest level that gives an item; None if no node does."""
    return min((world.resources[node] for node in world.nodes.get(code, ())), key=lambda node: node.level, default=None)


def _work_order(world: World, order: Iterable[Code]) -> list[Code]:
    """Return the items of an order and all their ingredients, ingredients first; always in the same order."""
    # The sorter gives the same order for the same insertions, so plans are reproducible.
    graph: TopologicalSorter[Code] = TopologicalSorter()
    to_visit, visited = list(order), set(order)
    while to_visit:
        code = to_visit.pop()
        recipe = world.recipe_of(code)
        parts = tuple(recipe.ingredients) if recipe else ()
        graph.add(code, *parts)
        to_visit += [part for part in parts if part not in visited]
        visited.update(parts)
    return list(graph.static_order())


def _in_world_order(all_of_them: Iterable[Code], some: Iterable[Code]) -> tuple[Code, ...]:
    codes = set(some)
    return tuple(code for code in all_of_them if code in codes)


@dataclass(frozen=True)
class NeededItems:
    """The items that a task needs, by their source."""

    requirements: Requirements
    bought: Mapping[Code, int]
    gathered: Mapping[Code, int]
    hunted: Mapping[Code, int]
    """Items that monsters drop; the number is 0 for items that are gathered anyway."""

    @classmethod
    def of(cls, world: World, task: Task) -> NeededItems:
        """Return the work of a task. Drops count in kill tasks only: in craft tasks fights earn nothing."""
        requirements = Requirements.of(world, items_to_make(task))
        need = {code: max(0, n - task.hero.inventory.get(code, 0)) for code, n in requirements.raw.items()}
        sold = {code for code in need if code in task.knowledge.sold}
        # One purchase gets any amount, so nothing that is sold is gathered.
        from_nodes = {code for code in need if code in world.nodes} - sold
        from_monsters = {code for code in need if code in world.droppers and task.kind == "kill"}
        from_exchange = need.keys() - from_nodes - from_monsters
        return cls(
            requirements,
            bought={code: need[code] for code in sorted(from_exchange) if need[code]},
            # At least one, even if the hero owns enough: the full score counts the gathering itself.
            gathered={code: max(1, need[code]) for code in sorted(from_nodes)},
            hunted={code: 0 if code in from_nodes else need[code] for code in sorted(from_monsters)},
        )
