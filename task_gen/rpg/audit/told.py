"""The sources that a prompt tells: which items can be traced down to a told place, a told seller or a told monster.

Every player of the audit looks at a task through this, so none of them uses a secret. Nothing here computes a fight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from herobench.suites.rpg.game.task import Task
from herobench.suites.rpg.game.world import Code, Item, Place, World, slot_type
from herobench.task_gen.rpg.gear.candidates import gear_slots


class ToldItems:
    """Knows everything that the prompt of one task tells about items and their sources."""

    def __init__(self, world: World, task: Task) -> None:
        self.world = world
        self.task = task
        knows = task.knowledge
        # The prompt tells which places are closed, and nobody gets anything there.
        self._open = tuple(place for place in knows.places if place not in task.mechanics.closed)
        items = [*(world.items[code] for code in (*knows.recipes, *knows.materials)), *knows.noise]
        self.items: Mapping[Code, Item] = {item.code: item for item in sorted(items, key=_place_in_prompt)}
        """The told items with their recipes, in the order of the prompt. Noise is among them, as in the prompt."""
        self.nodes = self._standing("resource")
        self.shops = self._standing("workshop")
        placed = self._standing("monster")
        self.monsters = tuple(code for code in world.monsters if code in placed and code in knows.monsters)
        self.sold = knows.sold if self._standing("grand_exchange") else frozenset[Code]()
        self._traced: dict[Code, bool] = {}

    def _standing(self, kind: str) -> frozenset[Code]:
        standing = self.world.standing(kind)
        return frozenset(standing[place] for place in self._open if place in standing)

    def places(self, kind: str, code: Code | None) -> list[Place]:
        """Return the told places of a thing, or of all things of a kind, that the hero can enter."""
        standing = self.world.standing(kind)
        return [at for at in self._open if at in standing and code in (None, standing[at])]

    @cached_property
    def gear(self) -> tuple[Item, ...]:
        """The told gear, in the order of the prompt."""
        kinds = {slot_type(slot) for slot in gear_slots(self.world)}
        return tuple(item for item in self.items.values() if item.type in kinds)

    @cached_property
    def uses(self) -> Counter[Code]:
        """For each item, the number of told recipes that it is an ingredient of."""
        return Counter(part for item in self.items.values() if item.recipe for part in item.recipe.ingredients)

    def knows_effects(self, code: Code) -> bool:
        """Return whether the prompt tells the effects of an item."""
        return code in self.items or code in self.task.knowledge.stats

    def nodes_of(self, code: Code) -> tuple[Code, ...]:
        """Return the told nodes that give an item."""
        return tuple(node for node in self.world.nodes.get(code, ()) if node in self.nodes)

    def droppers_of(self, code: Code) -> tuple[Code, ...]:
        """Return the told monsters that drop an item, without the target: the task ends when it is beaten."""
        droppers = self.world.droppers.get(code, ())
        return tuple(who for who in droppers if who in self.monsters and who != self.task.target)

    def is_source(self, code: Code) -> bool:
        """Return whether an item can be had without crafting it."""
        hero = self.task.hero
        owned = code in hero.inventory or code in hero.worn.values()
        return owned or code in self.sold or bool(self.nodes_of(code) or self.droppers_of(code))

    def traceable(self, code: Code) -> bool:
        """Return whether an item comes from told sources, or is made at a told workshop from parts that do."""
        if code not in self._traced:
            item = self.items.get(code)
            recipe = item.recipe if item else None
            made = recipe is not None and recipe.skill in self.shops and all(map(self.traceable, recipe.ingredients))
            # The game knows no recipe of an invented item, whatever its parts are.
            self._traced[code] = self.is_source(code) or (made and code in self.world.items)
        return self._traced[code]

    def depth(self, code: Code) -> int:
        """Return the number of crafts on the longest way from the sources to an item."""
        item = self.items.get(code)
        if item is None or item.recipe is None:
            return 0
        return 1 + max(map(self.depth, item.recipe.ingredients), default=0)

    def work(self, code: Code) -> int:
        """Return the number of pieces that have to be gathered, hunted, bought and crafted for an item, at least 1."""
        item = self.items.get(code)
        if item is None or item.recipe is None:
            return 1
        return 1 + sum(number * self.work(part) for part, number in item.recipe.ingredients.items())

    def raw(self, code: Code, quantity: int = 1) -> Counter[Code]:
        """Return the pieces of each raw material in some pieces of an item."""
        item = self.items.get(code)
        if item is None or item.recipe is None:
            return Counter({code: quantity})
        parts = item.recipe.ingredients.items()
        return sum((self.raw(part, number * quantity) for part, number in parts), Counter[Code]())


def _place_in_prompt(item: Item) -> tuple[int, Code]:
    return item.level, item.code
