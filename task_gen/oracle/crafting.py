"""The crafting graph: what it takes to make something, down to what is gathered, dropped or bought.

Amounts are those of the whole order at once, so what several recipes share is counted together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter
from types import MappingProxyType

from herobench.rpg.world import Code, World


@dataclass(frozen=True)
class Requirements:
    """What has to be crafted and come by for an order of items."""

    crafts: Mapping[Code, int]
    """How many pieces of each item are crafted, in an order that works: ingredients before what they go into."""
    raw: Mapping[Code, int]
    """How many of each item that is not crafted are needed."""
    skills: Mapping[str, int]
    """The level that the recipes ask of each skill."""

    @classmethod
    def of(cls, world: World, order: Mapping[Code, int]) -> Requirements:
        """The requirements of so many pieces of each item."""
        need: Counter[Code] = Counter(order)
        crafts: dict[Code, int] = {}
        skills: dict[str, int] = {}
        for code in reversed(_work_order(world, order)):
            recipe = world.recipe_of(code)
            if recipe:
                crafts[code] = need.pop(code)
                skills[recipe.skill] = max(recipe.level, skills.get(recipe.skill, 1))
                for part, quantity in recipe.ingredients.items():
                    need[part] += quantity * crafts[code]
        ordered = dict(reversed(crafts.items()))
        return cls(MappingProxyType(ordered), MappingProxyType(dict(sorted(need.items()))), MappingProxyType(skills))

    def monsters(self, world: World) -> tuple[Code, ...]:
        """Who drops any of what is needed, in the world's order."""
        return _in_world_order(world.monsters, (who for code in self.raw for who in world.droppers.get(code, ())))

    def nodes(self, world: World) -> tuple[Code, ...]:
        """Where any of what is needed can be gathered, in the world's order."""
        return _in_world_order(world.resources, (node for code in self.raw for node in world.nodes.get(code, ())))


def _work_order(world: World, order: Iterable[Code]) -> list[Code]:
    """The items of an order with all that goes into them, ingredients first; the same order every time."""
    graph: TopologicalSorter[Code] = TopologicalSorter()
    left, seen = list(order), set(order)
    while left:
        code = left.pop()
        recipe = world.recipe_of(code)
        parts = tuple(recipe.ingredients) if recipe else ()
        graph.add(code, *parts)
        left += [part for part in parts if part not in seen]
        seen.update(parts)
    return list(graph.static_order())


def _in_world_order(all_of_them: Iterable[Code], some: Iterable[Code]) -> tuple[Code, ...]:
    wanted = set(some)
    return tuple(code for code in all_of_them if code in wanted)
