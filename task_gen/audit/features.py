"""The features of the learned classifier: all that a player sees of an item without computing a fight.

Each told item that the hero could make and wear, and each that he wears, is a candidate for the slots of its type.
Effects count with their sum only: which effect helps against which monster is what the task asks for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from herobench.rpg.task import Task
from herobench.rpg.world import Code, Item, World, slot_type
from herobench.task_gen.audit.told import Told
from herobench.task_gen.knowledge.noise import power

NUMBERS = (
    "level", "level_below_hero", "level_below_target", "power", "effects", "place_in_prompt", "place_in_type", "work",
    "depth", "ingredients", "pieces", "sharing", "least_sharing", "used_in", "raw_materials", "nodes", "monsters",
    "sold", "places", "recipe_level", "same_first_word", "worn",
)  # fmt: skip
RANKED = ("level", "power", "work", "depth", "pieces", "sharing", "raw_materials", "places")
"""Features whose rank among the candidates of the type is a feature too."""
WORDS = ("type", "options", "empty_slots", "skill", "first_word", "last_word")
"""Features that are the same for all candidates of a type, or that are no numbers."""
FEATURES = (*NUMBERS, *(f"{name}_rank" for name in RANKED), *WORDS)
CATEGORIES = ("type", "skill", "first_word", "last_word")


class Candidate(NamedTuple):
    """An item that may be right for a slot of its type."""

    code: Code
    kind: str
    needed: bool
    """True if it is in the right gear. A classifier learns it from other tasks, and is judged by it."""
    worn: bool
    values: dict[str, float | str]


def candidates(world: World, task: Task) -> list[Candidate]:
    """Return the candidates of a kill task; none for a craft task."""
    if task.kind != "kill":
        return []
    told, hero = Told(world, task), task.hero
    # In a campaign with leveling he learns to wear all that is told.
    learns = task.campaign and task.mechanics.leveling
    gear = [item for item in told.gear if told.traceable(item.code) and (learns or item.level <= hero.combat[0])]
    known = {code: world.items[code] for code in hero.worn.values() if told.knows_effects(code)}
    kinds = {item.type for item in gear}
    found = {item.code: item for item in gear} | {code: item for code, item in known.items() if item.type in kinds}
    by_type: dict[str, list[Item]] = {}
    for item in sorted(found.values(), key=lambda item: (item.level, item.code)):
        by_type.setdefault(item.type, []).append(item)
    right = set({**hero.worn, **task.missing}.values()).union(*(goal.missing.values() for goal in task.then))
    return [
        Candidate(item.code, kind, item.code in right, item.code in known, values)
        for kind, items in by_type.items()
        for item, values in zip(items, _values(told, kind, items), strict=True)
    ]


def _values(told: Told, kind: str, items: Sequence[Item]) -> Iterator[dict[str, float | str]]:
    """Yield the features of the candidates of one type."""
    first_words = Counter(item.name.split()[0] for item in told.gear)
    rows = [_numbers(told, item, index / len(items)) for index, item in enumerate(items)]
    for row, item in zip(rows, items, strict=True):
        row["same_first_word"] = first_words[item.name.split()[0]]
    slots = [slot for slot in told.world.slots if slot_type(slot) == kind]
    empty = sum(slot not in told.task.hero.worn for slot in slots)
    ranks = {name: sorted(row[name] for row in rows) for name in RANKED}
    for row, item in zip(rows, items, strict=True):
        yield {
            **row,
            **{f"{name}_rank": ranks[name].index(row[name]) / len(rows) for name in RANKED},
            "type": kind,
            "options": len(rows),
            "empty_slots": empty,
            "skill": item.recipe.skill if item.recipe else "",
            "first_word": item.name.split()[0],
            "last_word": item.name.split()[-1],
        }


def _numbers(told: Told, item: Item, place_in_type: float) -> dict[str, float]:
    world, task = told.world, told.task
    parts = dict(item.recipe.ingredients) if item.recipe else {}
    sharing = [told.uses[part] for part in parts] or [0]
    raw = told.raw(item.code)
    nodes = {node for code in raw for node in told.nodes_of(code)}
    monsters = {who for code in raw for who in told.droppers_of(code)}
    places = [told.places("resource", node) for node in nodes] + [told.places("monster", who) for who in monsters]
    prompt = list(told.items)
    return {
        "level": item.level,
        "level_below_hero": task.hero.combat[0] - item.level,
        "level_below_target": world.monsters[task.target].level - item.level,
        "power": power(item),
        "effects": len(item.effects),
        "place_in_prompt": prompt.index(item.code) / len(prompt) if item.code in told.items else -1,
        "place_in_type": place_in_type,
        "work": told.work(item.code),
        "depth": told.depth(item.code),
        "ingredients": len(parts),
        "pieces": sum(parts.values()),
        "sharing": sum(sharing) / len(sharing),
        "least_sharing": min(sharing),
        "used_in": told.uses[item.code],
        "raw_materials": len(raw),
        "nodes": len(nodes),
        "monsters": len(monsters),
        "sold": sum(code in told.sold for code in raw),
        "places": sum(map(len, places)),
        "recipe_level": item.recipe.level if item.recipe else 0,
        "worn": item.code in task.hero.worn.values(),
    }
