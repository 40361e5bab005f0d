"""Things that are told beyond what a task needs: harmless ones that can be made or beaten, and hurdles that cannot.

Each takes the full world, a scene and chance, and returns the scene's task with more told, or None if nothing fits.
What is impossible is not taken from here: the closures find out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType

from herobench.rpg.task import Knowledge, Task
from herobench.rpg.world import CONSUMABLE, Code, Item, Monster, Recipe, World
from herobench.suites.acp.hero.scene import Scene

Extra = Callable[[World, Scene, Random], Task | None]
_MOST_PARTS = 3
_MOST_PIECES = 8
_MOST_ABOVE = 10
"""The most levels that something is above the hero."""


def _makeable(world: World, scene: Scene, chance: Random) -> Task | None:
    """Tell an item that is made of told things."""
    item = _item(world, scene, chance)
    return None if item is None else _with_item(scene, item)


def _without_source(world: World, scene: Scene, chance: Random) -> Task | None:
    """Tell an item with an ingredient that comes from nowhere."""
    item = _item(world, scene, chance)
    foreign = sorted(code for code in world.items if code not in scene.mentioned)
    if item is None or item.recipe is None or not foreign:
        return None
    parts = dict(item.recipe.ingredients)
    parts.pop(chance.choice(sorted(parts)))
    parts[chance.choice(foreign)] = chance.randint(1, _MOST_PIECES)
    return _with_item(scene, replace(item, recipe=item.recipe._replace(ingredients=parts)))


def _too_hard_to_make(world: World, scene: Scene, chance: Random) -> Task | None:
    """Tell an item whose recipe is above the hero's skill."""
    item = _item(world, scene, chance)
    if item is None or item.recipe is None:
        return None
    level = scene.task.hero.skills[item.recipe.skill][0] + chance.randint(1, _MOST_ABOVE)
    return _with_item(scene, replace(item, recipe=item.recipe._replace(level=level)))


def _too_hard_to_wear(world: World, scene: Scene, chance: Random) -> Task | None:
    """Tell an item that can be made but is above the hero's level."""
    item = _item(world, scene, chance)
    level = scene.task.hero.combat[0] + chance.randint(1, _MOST_ABOVE)
    return None if item is None else _with_item(scene, replace(item, level=level))


def _monster(is_above: bool) -> Extra:
    """Tell a monster above the hero's level, or one that is not."""

    def extra(world: World, scene: Scene, chance: Random) -> Task | None:
        level = scene.task.hero.combat[0]

        def fits(who: Monster) -> bool:
            known = who.code in scene.whole.monsters or who.code in scene.task.knowledge.monsters
            untold = not known and world.places_of("monster", who.code)
            return bool(untold) and (who.level > level) == is_above

        fitting = sorted(code for code, who in world.monsters.items() if fits(who))
        if not fitting:
            return None
        who = chance.choice(fitting)
        knows = scene.task.knowledge
        place = world.places_of("monster", who)[0]
        return _telling(scene, replace(knows, monsters=(*knows.monsters, who), places=(*knows.places, place)))

    return extra


def _lost_place(world: World, scene: Scene, chance: Random) -> Task | None:
    """Tell one place less: what stood there cannot be found."""
    knows, here = scene.task.knowledge, scene.task.hero.place
    places = [place for place in knows.places if place != here and world.tiles[place].content]
    if not places:
        return None
    lost = chance.choice(places)
    return _telling(scene, replace(knows, places=tuple(place for place in knows.places if place != lost)))


HARMLESS: tuple[Extra, ...] = (_makeable, _makeable, _monster(is_above=False))
HURDLES: tuple[Extra, ...] = (
    _without_source, _too_hard_to_make, _too_hard_to_wear, _monster(is_above=True), _lost_place,
)  # fmt: skip


def _item(world: World, scene: Scene, chance: Random) -> Item | None:
    """Draw gear of the world that is not told, and give it a recipe of told things at a told workshop."""
    told, hero = scene.world, scene.task.hero
    mentioned = {*scene.mentioned, *scene.whole.items, *(item.code for item in scene.task.knowledge.noise)}
    untold = [item for code, item in world.items.items() if code not in mentioned and item.recipe]
    gear = [item for item in untold if item.type != CONSUMABLE and item.type in _types(told)]
    shops = sorted(frozenset(told.standing("workshop").values()))
    parts = sorted(
        code for code in scene.mentioned if code in told.items or code in told.droppers or code in told.nodes
    )
    if not gear or not shops or not parts:
        return None
    item, shop = chance.choice(gear), chance.choice(shops)
    ingredients: Mapping[Code, int] = {
        part: chance.randint(1, _MOST_PIECES)
        for part in chance.sample(parts, min(len(parts), chance.randint(1, _MOST_PARTS)))
    }
    level = min(item.level, hero.combat[0])
    recipe = Recipe(shop, min(level, hero.skills[shop][0]), MappingProxyType(dict(ingredients)))
    return replace(item, level=level, recipe=recipe)


def _types(world: World) -> frozenset[str]:
    return frozenset(slot.rstrip("0123456789") for slot in world.slots)


def _with_item(scene: Scene, item: Item) -> Task:
    knows = scene.task.knowledge
    return _telling(scene, replace(knows, noise=(*knows.noise, item)))


def _telling(scene: Scene, knows: Knowledge) -> Task:
    return replace(scene.task, knowledge=knows)
