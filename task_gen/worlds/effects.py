"""Check effects: find those that do nothing where they stand, and elements that nobody uses.

Called by the survey.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from herobench.rpg.world import CONSUMABLE, Item, World
from herobench.task_gen.worlds.gear_checks import worn_types
from herobench.task_gen.worlds.oddity import Oddity, OddityKind, Spot, Spots

_CLOSE = 0.75
"""The similarity to a known effect from which a name counts as a typing error; other names are left alone."""


def worn_effects(world: World) -> tuple[str, ...]:
    """Return the effects of gear."""
    return ("hp", *(f"{kind}_{element}" for kind in ("attack", "dmg", "res") for element in world.elements))


def eaten_effects(world: World) -> tuple[str, ...]:
    """Return the effects of food."""
    return ("restore", "boost_hp", *(f"boost_dmg_{element}" for element in world.elements))


def idle_effects(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the effects of heroes, items and distractors that do nothing."""
    yield from _slips(world, world.hero_stats, spots.about("hero"))
    for code, item in world.items.items():
        yield from _slips(world, item.effects, spots.item(code, "effects"))
        yield from _misplaced(world, item, spots)
    for code, item in world.distractors.items():
        yield from _slips(world, item.effects, spots.distractor(code, "effects"))


def _slips(world: World, effects: Mapping[str, int], spot: Spot) -> Iterator[Oddity]:
    """Yield the names that are no effect but look like one."""
    known = (*worn_effects(world), *eaten_effects(world))
    for effect in effects:
        # Only near misses are reported: an unknown effect may be meant for another program.
        near = () if effect in known else get_close_matches(effect, known, 1, _CLOSE)
        if near:
            what = f"there is no effect {effect!r}, so it does nothing"
            yield Oddity(OddityKind.IDLE_EFFECT, spot.inside(effect), what, f"is {near[0]!r} meant?")


def _misplaced(world: World, item: Item, spots: Spots) -> Iterator[Oddity]:
    """Yield the effects of food on gear, and of gear on food."""
    if item.type == CONSUMABLE:
        idle, why, there = worn_effects(world), "food does nothing when it is worn", eaten_effects(world)
    elif item.type in worn_types(world):
        idle, why, there = eaten_effects(world), "gear is not eaten", worn_effects(world)
    else:
        return
    for effect, value in item.effects.items():
        # An effect of 0 is harmless anywhere.
        if effect in idle and value:
            what = f"{effect} of {item.name} does nothing: {why}"
            yield Oddity(
                OddityKind.IDLE_EFFECT, spots.item(item.code, "effects", effect), what, _instead(effect, there)
            )


def _instead(effect: str, there: tuple[str, ...]) -> str:
    near = [name for name in there if name in effect or effect in name]
    return f"is {near[0]!r} meant?" if near else f"effects that count here are {', '.join(there)}"


def dead_elements(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the elements that nobody attacks in."""
    for index, element in enumerate(world.elements):
        strikes = world.hero_stats.get(f"attack_{element}", 0) > 0
        worn = any(item.worn.attack[index] > 0 for item in world.items.values() if item.type in worn_types(world))
        if not (strikes or worn or any(monster.stats.attack[index] for monster in world.monsters.values())):
            what = f"nobody attacks in {element}, so its resistances and damage count for nothing"
            advice = f"give a monster or gear an attack in {element}, or leave it out"
            yield Oddity(OddityKind.DEAD_ELEMENT, spots.listed("elements", element), what, advice)
