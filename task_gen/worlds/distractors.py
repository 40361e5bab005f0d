"""Check distractors: find those that no task can tell of, and those that show what they are.

Called by the survey. If many distractors share a mistake, it is one oddity: catalogues are written by the dozen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from herobench.rpg.rules import Rules
from herobench.rpg.world import Item, World
from herobench.task_gen.worlds.gear_checks import gear_of
from herobench.task_gen.worlds.oddity import Oddity, OddityKind, Spots

_NAMED = 5
"""The number of items that a message names."""


def odd_distractors(world: World, rules: Rules, spots: Spots) -> Iterator[Oddity]:
    """Yield the oddities of the distractors."""
    yield from _untold(world, spots)
    yield from _unlearnt(world, spots)
    names = {item.name: code for code, item in world.items.items()}
    for code, item in world.distractors.items():
        # A prompt that names two items alike tells the careful reader that one of them is noise.
        if item.name in names:
            what = f"{item.name} is the name of the item {names[item.name]} too"
            yield Oddity(OddityKind.TRANSPARENT, spots.distractor(code, "name"), what, "give it a name of its own")
        if item.recipe and item.recipe.level > rules.level_cap:
            what = f"{item.name} asks for skill {item.recipe.level}, and nobody gets beyond {rules.level_cap}"
            spot = spots.distractor(code, "recipe", "level")
            yield Oddity(OddityKind.TRANSPARENT, spot, what, f"ask for {rules.level_cap} or less")


def _untold(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the distractors unlike all gear: noise copies the type and level of gear that tasks ask for."""
    # Noise copies type and level of gear that a task asks for, so these pairs decide what can be told.
    told = {(gear.item.type, gear.item.level) for gears in gear_of(world).values() for gear in gears}
    untold = [item for item in world.distractors.values() if (item.type, item.level) not in told]
    if untold:
        first = untold[0]
        levels = [level for kind, level in told if kind == first.type]
        nearest = min(levels, key=lambda level: (abs(level - first.level), level), default=None)
        gear = f"the world has no gear of type {first.type!r} and level {first.level}"
        what = f"no task tells of {_listed(untold)}: {gear}{' or the like' if len(untold) > 1 else ''}"
        advice = f"give {first.code} {f'level {nearest}' if nearest else 'a type that there is gear of'}"
        yield Oddity(OddityKind.UNTOLD, spots.distractor(first.code, "level"), what, advice)


def _unlearnt(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the distractors that need a skill which the world does not have."""
    skills = (item.recipe.skill for item in world.distractors.values() if item.recipe)
    for skill in dict.fromkeys(skill for skill in skills if skill not in world.skills):
        items = [item for item in world.distractors.values() if item.recipe and item.recipe.skill == skill]
        near = get_close_matches(skill, world.skills, 1)
        advice = f"is {near[0]!r} meant?" if near else f"there are {', '.join(world.skills)}"
        what = f"the world has no skill {skill!r}, and it is asked for by {_listed(items)}"
        yield Oddity(OddityKind.TRANSPARENT, spots.distractor(items[0].code, "recipe", "skill"), what, advice)


def _listed(items: Sequence[Item]) -> str:
    """Return the names of some items, and how many more there are."""
    names = [item.name for item in items[:_NAMED]]
    return ", ".join(names) + (f" and {len(items) - _NAMED} more" if len(items) > _NAMED else "")
