"""What a task tells: the recipes, materials, monsters and places that a hero who wants to make something has to know.

Everything is told in the world's order, so the order gives nothing away.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from herobench.rpg.task import Knowledge, KnowledgeLevel
from herobench.rpg.world import Code, Item, Place, World


@dataclass
class Telling:
    """What is to be told, gathered bit by bit."""

    world: World
    level: KnowledgeLevel
    items: set[Code] = field(default_factory=set)
    """Items that are told with their recipes, or as materials."""
    nodes: set[Code] = field(default_factory=set)
    monsters: set[Code] = field(default_factory=set)
    sold: set[Code] = field(default_factory=set)
    stats: set[Code] = field(default_factory=set)
    noise: tuple[Item, ...] = ()

    @classmethod
    def everything(cls, world: World, sold: Iterable[Code]) -> Telling:
        """All there is to know of a world."""
        return cls(
            world,
            "world",
            items=set(world.items),
            nodes=set(world.resources),
            monsters=set(world.monsters),
            sold=set(sold),
        )

    def add_item(self, code: Code) -> None:
        """Tell of an item with all that goes into it, and of everyone who drops a part."""
        if code in self.items:
            return
        self.items.add(code)
        recipe = self.world.recipe_of(code)
        for part in recipe.ingredients if recipe else ():
            self.add_item(part)
        if not recipe and code not in self.sold:
            self.monsters.update(self.world.droppers.get(code, ()))

    def knowledge(self) -> Knowledge:
        """All of it, as a task has it."""
        world = self.world
        recipes = tuple(code for code in world.items if code in self.items and world.recipe_of(code))
        materials = tuple(code for code in world.items if code in self.items and not world.recipe_of(code))
        return Knowledge(
            recipes=recipes,
            materials=materials,
            sold=frozenset(self.sold),
            monsters=tuple(code for code in world.monsters if code in self.monsters),
            places=tuple(self._places(recipes)),
            stats=tuple(code for code in world.items if code in self.stats and code not in self.items),
            noise=self.noise,
            level=self.level,
        )

    def _places(self, recipes: Collection[Code]) -> Iterable[Place]:
        shops = {recipe.skill for recipe in map(self.world.recipe_of, recipes) if recipe}
        for place, tile in self.world.tiles.items():
            if tile.content:
                kind, code = tile.content
                told: dict[str, set[Code]] = {"monster": self.monsters, "resource": self.nodes, "workshop": shops}
                if code in told.get(kind, ()) or (kind == "grand_exchange" and self.sold):
                    yield place
