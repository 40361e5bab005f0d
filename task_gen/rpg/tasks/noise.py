"""Noise: told gear that looks at least as good as the needed gear, and that nobody can make.

Called by `telling`. A third comes from the world's catalogue of distractors; the rest is invented for the task, so
that nobody can learn it by heart. An invented item copies type, level and stats of real gear, takes its name from
words of the world, and needs an ingredient that has no source.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import cycle, islice
from random import Random
from types import MappingProxyType

from herobench.suites.rpg.game.world import Code, Item, Recipe, World, item_from_row, item_row, slot_type
from herobench.task_gen.rpg.gear.candidates import gear_slots
from herobench.task_gen.rpg.oracle.a_star import Unplannable

_FROM_CATALOGUE = 1 / 3
_TRIES = 100
"""The number of tries per noise item: an ingredient of one must not be another one, so some tries fail."""
_STRONGER = (1.0, 1.3)
"""The range of the factor by which the effects of an invented item differ from the item it copies."""


def power(item: Item) -> int:
    """Return how strong an item looks: the sum of its effects."""
    return sum(item.effects.values())


def most_noise(world: World, kinds: Iterable[str]) -> int:
    """Return how many noise items of some types can be invented: as many as there are new names."""
    return len({name for kind in kinds for name in _names(world, kind)})


def noise_for(world: World, likeness: Sequence[Item], number: int, rng: Random) -> tuple[Item, ...]:
    """Return noise items, each at least as strong as one of `likeness` and at its level; these are taken in turns.

    Raises Unplannable if the world does not have enough names.
    """
    most = most_noise(world, {item.type for item in likeness})
    if number > most:
        raise Unplannable(f"no more than {most} noise items can be invented")
    noise_items: dict[Code, Item] = {}
    strange: set[Code] = set()
    for like in islice(cycle(likeness), number * _TRIES):
        if len(noise_items) == number:
            break
        # Two noise items with one name would show that they are invented.
        used_codes = noise_items.keys() | strange
        item = _from_catalogue(world, like, used_codes, rng) or _invent(world, like, used_codes, rng)
        if item is not None and item.recipe and noise_items.keys().isdisjoint(item.recipe.ingredients):
            noise_items[item.code] = item
            # Remembered, so that no later noise item is one of these ingredients.
            strange |= item.recipe.ingredients.keys() - world.items.keys()
    if len(noise_items) < number:
        raise Unplannable(f"only {len(noise_items)} noise items were found that are not ingredients of each other")
    # Noise items take the form that they have when a task is read back, so both ways give equal tasks.
    return tuple(item_from_row(item_row(noise_items[code]), ()) for code in sorted(noise_items))


def _from_catalogue(world: World, like: Item, used_codes: Collection[Code], rng: Random) -> Item | None:
    """Return a distractor of the same type and level that is at least as strong."""
    if rng.random() >= _FROM_CATALOGUE:
        return None
    fitting = [
        item
        for item in world.distractors.values()
        if item.type == like.type
        and item.level == like.level
        and power(item) >= power(like)
        and item.recipe
        and item.recipe.skill in world.skills
        and item.code not in used_codes
        # A distractor whose ingredients all exist could be made, and would be no noise.
        and not all(part in world.items for part in item.recipe.ingredients)
    ]
    return rng.choice(fitting) if fitting else None


def _invent(world: World, like: Item, used_codes: Collection[Code], rng: Random) -> Item | None:
    # Free names only: two noise items with one name would show that they are invented.
    names = [name for name, code in _names(world, like.type).items() if code not in used_codes]
    if not names:
        return None
    name = rng.choice(names)
    recipe = like.recipe or _usual_recipe(world, like)
    effects = {effect: _stronger(value, rng) for effect, value in like.effects.items()}
    return replace(
        like,
        code=_code(name),
        name=name,
        effects=MappingProxyType(effects),
        recipe=_impossible(world, recipe, rng),
    )


def _stronger(value: int, rng: Random) -> int:
    # Negative effects stay: a weaker drawback would be another way to look too good.
    return round(value * rng.uniform(*_STRONGER)) if value > 0 else value


def _usual_recipe(world: World, like: Item) -> Recipe:
    """Return a recipe for gear that only monsters have: the recipe of the nearest level among gear of its type."""
    items = [item for item in world.items.values() if item.type == like.type and item.recipe]
    items = items or [item for item in world.items.values() if item.recipe]
    nearest = min(items, key=lambda item: abs(item.level - like.level))
    assert nearest.recipe
    return nearest.recipe


def _impossible(world: World, recipe: Recipe, rng: Random) -> Recipe:
    """Return a recipe in which one ingredient is replaced by one that does not exist."""
    parts = list(recipe.ingredients.items())
    index = rng.randrange(len(parts))
    # One ingredient without a source is enough to make the whole item impossible.
    parts[index] = (_code(rng.choice(_strange_materials(world))), parts[index][1])
    return recipe._replace(ingredients=MappingProxyType(dict(parts)))


# -- names ------------------------------------------------------------------------------------------------------------


def _code(name: str) -> Code:
    return "_".join("".join(letter if letter.isalnum() else " " for letter in name.lower()).split())


@lru_cache(maxsize=1000)
def _names(world: World, kind: str) -> Mapping[str, Code]:
    """Return new names for items of a type, with their codes.

    They have the first word of a similar item, and the last word of one of the type.
    """
    gear = {slot_type(slot) for slot in gear_slots(world)}
    family = [item for item in world.items.values() if (item.type in gear) == (kind in gear)]
    names = _mix_names(world, family, [item for item in family if item.type == kind])
    return MappingProxyType({name: _code(name) for name in names})


@lru_cache(maxsize=100)
def _strange_materials(world: World) -> tuple[str, ...]:
    """Return names for materials that do not exist."""
    ingredients = {part for item in world.items.values() if item.recipe for part in item.recipe.ingredients}
    materials = [item for item in world.items.values() if item.code in ingredients]
    # A world with one-word names only leaves nothing to mix, so a prefix makes the name new.
    return _mix_names(world, materials, materials) or tuple(f"Strange {item.name}" for item in materials)


def _mix_names(world: World, beginnings: Iterable[Item], endings: Iterable[Item]) -> tuple[str, ...]:
    """Combine first and last words of item names to new names; a word that ends names does not begin one."""
    last = dict.fromkeys(item.name.split()[-1] for item in endings)
    first = dict.fromkeys(item.name.split()[0] for item in beginnings)
    names = (f"{one} {other}" for one in first if one not in last for other in last)
    used_codes = {"", *world.items, *world.distractors}
    return tuple(name for name in names if _code(name) not in used_codes)
