"""Noise: gear that is told like any other, looks at least as good as what is needed, and cannot be made.

Some comes from the world's catalogue of distractors, the rest is invented for the task, so that nobody can learn it by
heart. An invented item borrows type, level and shape from gear of the world; its name and the name of the ingredient
that has no source are put together from words that the world uses for such things.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import cycle, islice
from random import Random
from types import MappingProxyType

from herobench.rpg.world import Code, Item, Recipe, World, item_from_row, item_row, slot_type
from herobench.task_gen.gear.candidates import gear_slots
from herobench.task_gen.oracle.unplannable import Unplannable

_FROM_CATALOGUE = 1 / 3
_TRIES = 100
"""How often each noise item is tried to be invented: what one of them is made of must not be another one."""
_STRONGER = (1.0, 1.3)
"""By how much the effects of an invented item are those of the gear that it borrows from."""


def power(item: Item) -> int:
    """How strong gear looks: all its effects summed up."""
    return sum(item.effects.values())


def most_noise(world: World, kinds: Iterable[str]) -> int:
    """How many noise items of some types of item can be invented: as many as there are names for."""
    return len({name for kind in kinds for name in _names(world, kind)})


def noise_for(world: World, likeness: Sequence[Item], number: int, chance: Random) -> tuple[Item, ...]:
    """So many noise items, each at least as strong as one of the items it is to be like, at its level, and these taken
    in turns. Raises Unplannable where the world has not enough words for so many."""
    most = most_noise(world, {item.type for item in likeness})
    if number > most:
        raise Unplannable(f"no more than {most} noise items can be invented")
    found: dict[Code, Item] = {}
    strange: set[Code] = set()
    for like in islice(cycle(likeness), number * _TRIES):
        if len(found) == number:
            break
        taken = found.keys() | strange
        item = _from_catalogue(world, like, taken, chance) or _invented(world, like, taken, chance)
        if item is not None and item.recipe and found.keys().isdisjoint(item.recipe.ingredients):
            found[item.code] = item
            strange |= item.recipe.ingredients.keys() - world.items.keys()
    if len(found) < number:
        raise Unplannable(f"no more than {len(found)} noise items were invented that do not make one another")
    return tuple(item_from_row(item_row(found[code]), ()) for code in sorted(found))  # as they are read from a task


def _from_catalogue(world: World, like: Item, taken: Collection[Code], chance: Random) -> Item | None:
    """A distractor for the same slot, as strong and at the same level."""
    if chance.random() >= _FROM_CATALOGUE:
        return None
    fitting = [
        item
        for item in world.distractors.values()
        if item.type == like.type
        and item.level == like.level
        and power(item) >= power(like)
        and item.recipe
        and item.recipe.skill in world.skills
        and item.code not in taken
        and not all(part in world.items for part in item.recipe.ingredients)
    ]
    return chance.choice(fitting) if fitting else None


def _invented(world: World, like: Item, taken: Collection[Code], chance: Random) -> Item | None:
    names = _free_names(world, like.type, taken)
    if not names:
        return None
    name = chance.choice(names)
    recipe = like.recipe or _usual_recipe(world, like)
    effects = {effect: _stronger(value, chance) for effect, value in like.effects.items()}
    return replace(
        like,
        code=_code(name),
        name=name,
        effects=MappingProxyType(effects),
        recipe=_impossible(world, recipe, chance),
    )


def _stronger(value: int, chance: Random) -> int:
    return round(value * chance.uniform(*_STRONGER)) if value > 0 else value


def _usual_recipe(world: World, like: Item) -> Recipe:
    """For gear that only monsters have: the recipe of gear of its type, the nearest in level."""
    crafted = [item for item in world.items.values() if item.type == like.type and item.recipe]
    crafted = crafted or [item for item in world.items.values() if item.recipe]
    nearest = min(crafted, key=lambda item: abs(item.level - like.level))
    assert nearest.recipe
    return nearest.recipe


def _impossible(world: World, recipe: Recipe, chance: Random) -> Recipe:
    """A recipe with one of its ingredients replaced by something that does not exist."""
    parts = list(recipe.ingredients.items())
    index = chance.randrange(len(parts))
    parts[index] = (_code(chance.choice(_strange_materials(world))), parts[index][1])
    return recipe._replace(ingredients=MappingProxyType(dict(parts)))


# -- names ------------------------------------------------------------------------------------------------------------


def _code(name: str) -> Code:
    return "_".join("".join(letter if letter.isalnum() else " " for letter in name.lower()).split())


def _free_names(world: World, kind: str, taken: Collection[Code]) -> list[str]:
    return [name for name in _names(world, kind) if _code(name) not in taken]


@lru_cache(maxsize=1000)
def _names(world: World, kind: str) -> tuple[str, ...]:
    """Names for items of a type: the first word of some gear, or for other types of some other item, and the last of
    one of the type."""
    gear = {slot_type(slot) for slot in gear_slots(world)}
    family = [item for item in world.items.values() if (item.type in gear) == (kind in gear)]
    return _mixed(world, family, [item for item in family if item.type == kind])


@lru_cache(maxsize=100)
def _strange_materials(world: World) -> tuple[str, ...]:
    """Names for materials that nobody has."""
    used = {part for item in world.items.values() if item.recipe for part in item.recipe.ingredients}
    materials = [item for item in world.items.values() if item.code in used]
    return _mixed(world, materials, materials) or tuple(f"Strange {item.name}" for item in materials)


def _mixed(world: World, beginnings: Iterable[Item], endings: Iterable[Item]) -> tuple[str, ...]:
    """New names of a first and a last word of others; what ends names does not begin them."""
    last = dict.fromkeys(item.name.split()[-1] for item in endings)
    first = dict.fromkeys(item.name.split()[0] for item in beginnings)
    names = (f"{one} {other}" for one in first if one not in last for other in last)
    return tuple(name for name in names if not _known(world, _code(name)))


def _known(world: World, code: Code) -> bool:
    return not code or code in world.items or code in world.distractors
