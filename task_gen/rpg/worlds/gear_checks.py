"""Check gear, effects and distractors: find those that do nothing, and slots and types that do not fit.

Called by the survey.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches

from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import CONSUMABLE, Code, Item, World, slot_type
from herobench.task_gen.rpg.gear.candidates import gear_candidates, gear_slots, sources
from herobench.task_gen.rpg.tasks.drafts import can_be_target, hero_levels
from herobench.task_gen.rpg.worlds.oddity import Oddity, Spot, Spots, acts, ingredients

_NAMED = 5
"""The number of items that a message names."""


def odd_distractors(world: World, rules: Rules, spots: Spots) -> Iterator[Oddity]:
    """Yield the oddities of the distractors."""
    yield from _unlearnt(world, spots)
    names = {item.name: code for code, item in world.items.items()}
    for code, item in world.distractors.items():
        # A prompt that names two items alike tells the careful reader that one of them is noise.
        if item.name in names:
            what = f"{item.name} is the name of the item {names[item.name]} too"
            yield Oddity("transparent", spots.of("distractors", code, "name"), what, "give it a name of its own")
        if item.recipe and item.recipe.level > rules.level_cap:
            what = f"{item.name} asks for skill {item.recipe.level}, and nobody gets beyond {rules.level_cap}"
            spot = spots.of("distractors", code, "recipe", "level")
            yield Oddity("transparent", spot, what, f"ask for {rules.level_cap} or less")


def _unlearnt(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the distractors that need a skill which the world does not have."""
    skills = (item.recipe.skill for item in world.distractors.values() if item.recipe)
    for skill in dict.fromkeys(skill for skill in skills if skill not in world.skills):
        items = [item for item in world.distractors.values() if item.recipe and item.recipe.skill == skill]
        near = get_close_matches(skill, world.skills, 1)
        advice = f"is {near[0]!r} meant?" if near else f"there are {', '.join(world.skills)}"
        what = f"the world has no skill {skill!r}, and it is asked for by {_name_list(items)}"
        yield Oddity("transparent", spots.of("distractors", items[0].code, "recipe", "skill"), what, advice)


def _name_list(items: Sequence[Item]) -> str:
    """Return the names of some items, and how many more there are."""
    names = [item.name for item in items[:_NAMED]]
    return ", ".join(names) + (f" and {len(items) - _NAMED} more" if len(items) > _NAMED else "")


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
        yield from _slips(world, item.effects, spots.of("items", code, "effects"))
        yield from _misplaced_effects(world, item, spots)
    for code, item in world.distractors.items():
        yield from _slips(world, item.effects, spots.of("distractors", code, "effects"))


def _slips(world: World, effects: Mapping[str, int], spot: Spot) -> Iterator[Oddity]:
    """Yield the names that are no effect but look like one."""
    known_effects = (*worn_effects(world), *eaten_effects(world))
    for effect in effects:
        # Only near misses are reported: an unknown effect may be meant for another program.
        near = () if effect in known_effects else get_close_matches(effect, known_effects, 1, _CLOSE)
        if near:
            what = f"there is no effect {effect!r}, so it does nothing"
            yield Oddity("idle_effect", spot.inside(effect), what, f"is {near[0]!r} meant?")


def _misplaced_effects(world: World, item: Item, spots: Spots) -> Iterator[Oddity]:
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
            near = [name for name in there if name in effect or effect in name]
            what = f"{effect} of {item.name} does nothing: {why}"
            advice = f"is {near[0]!r} meant?" if near else f"effects that count here are {', '.join(there)}"
            yield Oddity("idle_effect", spots.of("items", item.code, "effects", effect), what, advice)


def dead_elements(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the elements that nobody attacks in."""
    for index, element in enumerate(world.elements):
        strikes = world.hero_stats.get(f"attack_{element}", 0) > 0
        in_gear = any(item.worn.attack[index] > 0 for item in world.items.values() if item.type in worn_types(world))
        if not (strikes or in_gear or any(monster.stats.attack[index] for monster in world.monsters.values())):
            what = f"nobody attacks in {element}, so its resistances and damage count for nothing"
            advice = f"give a monster or gear an attack in {element}, or leave it out"
            yield Oddity("dead_element", spots.of("elements", element), what, advice)


def worn_types(world: World) -> frozenset[str]:
    """Return the types of item that are worn as gear."""
    return frozenset(map(slot_type, gear_slots(world)))


def unasked_gear(world: World, rules: Rules, spots: Spots, had: Collection[Code]) -> Iterator[Oddity]:
    """Yield the gear that can be obtained but that no task can ask for."""
    types, parts = worn_types(world), ingredients(world)
    fights = [gear_candidates(world, who, hero_levels(who, rules)[-1]) for who in world.monsters.values()]
    codes_asked = {item.code for fight in fights for items in fight.values() for item in items}
    for code, item in world.items.items():
        if item.type not in types or code in parts or code in world.starter_items or code not in had or not acts(item):
            continue
        # A craft task can ask for it.
        if item.recipe and can_be_target(world, code):
            continue
        if sources(world, code) is None:
            what = f"no task can ask for {item.name}: a part of it is neither gathered nor dropped"
            advice = "let a node give it, let a monster drop it, or let the exchange sell what its recipe lacks"
            yield Oddity("unasked", spots.of("items", code), what, advice)
            continue
        if fights and code not in codes_asked:
            what = f"no fight is left to wear {item.name} in once it can be made and worn"
            advice = "lower its level, let weaker monsters drop what it is made of, or add a stronger monster"
            yield Oddity("unasked", spots.of("items", code), what, advice)


def misfits(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the slots that no item fits, and the items with effects that no slot takes."""
    types = dict.fromkeys(map(slot_type, world.slots))
    item_types = {item.type for item in world.items.values()}
    for slot in world.slots:
        if slot_type(slot) not in item_types:
            what, advice = f"no item is of type {slot_type(slot)!r}", "add one, or leave out the slot"
            yield Oddity("empty_slot", spots.of("slots", slot), what, advice)
    for code, item in world.items.items():
        eaten = item.eaten.restore or item.eaten.hp or any(item.eaten.damage)
        if item.type not in types and (eaten or item.worn.hp or any(map(any, item.worn[1:]))):
            # A close match is probably what the author meant to write.
            near = get_close_matches(item.type, types, 1)
            advice = f"is {near[0]!r} meant?" if near else f"there are slots for {', '.join(types)}"
            what = f"no slot takes a {item.type!r}, so the effects of {item.name} do nothing"
            yield Oddity("unwearable", spots.of("items", code, "type"), what, advice)
