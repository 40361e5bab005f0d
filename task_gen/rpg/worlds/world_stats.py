"""The statistics of a world (winning gear, difficulties, brackets), and portraits of its things.

Called by `herobench world stats`, `world list` and `world show`. A minimal winning gear set is a kill task in the
making: any part of it may be missing. Sets are counted up to a limit; beyond it, difficulties come from the smallest
sets and a few random ones, so a world may offer more than its statistics say, and never less.

A portrait joins a thing's row with its places, its sources and its uses, so that an author of a world need not search
six files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, islice
from random import Random
from typing import Any

from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.rules import Rules
from herobench.suites.rpg.game.world import Code, Drop, Item, Monster, Place, Resource, World, item_row
from herobench.task_gen.rpg.gear.search import Gear, GearSearch
from herobench.task_gen.rpg.tasks.drafts import can_be_target, hero_levels
from herobench.task_gen.rpg.tasks.spec import BRACKETS, item_difficulty, to_bracket
from herobench.task_gen.rpg.worlds.survey import difficulties, find_brackets

SCHEMA = 1
MOST_SETS = 1000
"""The limit up to which gear sets are counted."""
_MORE_SETS = 40
"""The number of random sets that are added beyond the limit."""


@dataclass(frozen=True, slots=True)
class Fight:
    """A monster and a hero level, with the gear that wins."""

    monster: Code
    hero_level: int
    smallest: int | None
    """The number of items in the smallest set, or None if no gear wins."""
    sets: int
    """The number of minimal sets, up to `MOST_SETS`."""
    bits: int
    """The total difficulties of its tasks, as a bit set."""

    @classmethod
    def of(cls, world: World, rules: Rules, monster: Monster, level: int) -> Fight:
        """Return the winning gear for a hero who wears nothing."""
        search = GearSearch.of(world, rules, monster, HeroStart.bare(world, rules, level))
        # minimal_sets yields small sets first, so the first one is a smallest.
        found: list[Gear] = list(islice(search.minimal_sets(), MOST_SETS))
        rng = Random(0)  # noqa: S311 - a reproducible estimate
        # The enumeration is cut off and begins with small sets; random sets add the larger ones.
        more = (search.random_set(rng) or {} for _ in range(_MORE_SETS if len(found) == MOST_SETS else 0))
        bits = reduce(int.__or__, (difficulties(world, gear) for gear in chain(found, more)), 0)
        return cls(monster.code, level, len(found[0]) if found else None, len(found), bits)

    @property
    def difficulty(self) -> tuple[int, int] | None:
        """The lowest and the highest total difficulty, or None if there are no tasks."""
        if not self.bits:
            return None
        # x & -x keeps the lowest set bit.
        return (self.bits & -self.bits).bit_length() - 1, self.bits.bit_length() - 1

    def as_row(self) -> dict[str, Any]:
        """Return the fight as plain data."""
        return {
            "monster": self.monster,
            "hero_level": self.hero_level,
            "smallest_set": self.smallest,
            "sets": self.sets,
            "difficulty": list(self.difficulty) if self.difficulty else None,
        }


@dataclass(frozen=True)
class WorldStats:
    """The statistics of a world."""

    world: World
    rules: Rules
    fights: tuple[Fight, ...]
    crafts: Mapping[Code, int]
    """The items that a craft task can ask for, with their total difficulties."""

    @classmethod
    def of(cls, world: World, rules: Rules, step: Callable[[], None] = lambda: None) -> WorldStats:
        """Return the statistics of a world; `step` is called after each fight."""
        fights = []
        for monster, level in kill_fights(world, rules):
            fights.append(Fight.of(world, rules, monster, level))
            step()
        crafts = {
            code: item_difficulty(world, code)
            for code, item in world.items.items()
            if item.recipe and can_be_target(world, code)
        }
        return cls(world, rules, tuple(fights), crafts)

    def offers(self, bracket: int) -> tuple[list[Code], list[Code]]:
        """Return the monsters and the items that tasks of a bracket can be about."""
        monsters = dict.fromkeys(fight.monster for fight in self.fights if bracket in find_brackets(fight.bits))
        return list(monsters), [code for code, work in self.crafts.items() if to_bracket(work) == bracket]

    def as_row(self) -> dict[str, Any]:
        """Return the statistics as plain data."""
        world = self.world
        return {
            "schema": SCHEMA,
            "world": {"code": world.code, "name": world.name, "digest": world.digest},
            "rules": self.rules.name,
            "counts": thing_counts(world),
            "most_sets": MOST_SETS,
            "fights": [fight.as_row() for fight in self.fights],
            "brackets": [
                {"bracket": bracket, "kill": monsters, "craft": items}
                for bracket in BRACKETS
                for monsters, items in [self.offers(bracket)]
            ],
        }


def kill_fights(world: World, rules: Rules) -> list[tuple[Monster, int]]:
    """Return the fights that kill tasks are about: each monster with the levels of its heroes."""
    return [(monster, level) for monster in world.monsters.values() for level in hero_levels(monster, rules)]


def thing_counts(world: World) -> dict[str, int]:
    """Return the number of things of each kind."""
    return {
        "monsters": len(world.monsters),
        "resources": len(world.resources),
        "items": len(world.items),
        "recipes": sum(item.recipe is not None for item in world.items.values()),
        "distractors": len(world.distractors),
        "tiles": len(world.tiles),
    }


# -- portraits --------------------------------------------------------------------------------------------------------

Row = dict[str, Any]
Entity = Monster | Resource | Item


def world_portrait(world: World) -> Row:
    """Return the facts about a world as a whole, with its digest and the number of things of each kind."""
    # The author's own text: World keeps only what the game needs.
    about: Mapping[str, Any] = json.loads(world.source)["world"]
    facts = {key: value for key, value in about.items() if key not in ("schema", "$schema")}
    return {**facts, "hero": dict(world.hero_stats), "digest": world.digest, "counts": thing_counts(world)}


def things(world: World) -> dict[str, Mapping[Code, Entity]]:
    """Return everything that has a code and a name, by kind."""
    return {
        "monster": world.monsters,
        "resource": world.resources,
        "item": world.items,
        "distractor": world.distractors,
    }


def portraits(world: World, text: str) -> list[Row]:
    """Return the things with a code or name (in any case), or the tile at a place such as 2,1.

    Usually there is one; an unknown name has none.
    """
    # Coordinates first: no code or name looks like them.
    if place := parse_place(text):
        return [place_portrait(world, place)] if place in world.tiles else []
    wanted = text.lower()
    return [
        {"kind": kind, **portrait(world, thing)}
        for (kind, known), portrait in zip(things(world).items(), _PORTRAITS, strict=True)
        for thing in known.values()
        if wanted in (thing.code.lower(), thing.name.lower())
    ]


_PLACE = re.compile(r"\s*(-?[0-9]{1,8})\s*,\s*(-?[0-9]{1,8})\s*")


def parse_place(text: str) -> Place | None:
    """Return the place that coordinates such as 2,1 name; None if they are none."""
    numbers = _PLACE.fullmatch(text)
    return (int(numbers[1]), int(numbers[2])) if numbers else None


def place_portrait(world: World, place: Place) -> Row:
    """Return the portrait of a tile."""
    tile = world.tiles[place]
    content = tile.content._asdict() if tile.content else None
    return {"kind": "place", "place": list(place), "name": tile.name, "skin": tile.skin, "content": content}


def _monster(world: World, monster: Any) -> Row:
    elements = world.elements
    return {
        "code": monster.code,
        "name": monster.name,
        "level": monster.level,
        "intended_level": monster.intended_level,
        "hp": monster.stats.hp,
        "attack": _by_element(elements, monster.stats.attack),
        "resistance": _by_element(elements, monster.stats.resistance),
        "gold": list(monster.gold),
        "drops": list(map(_drop, monster.drops)),
        "places": _places(world, "monster", monster.code),
    }


def _resource(world: World, node: Any) -> Row:
    return {
        "code": node.code,
        "name": node.name,
        "skill": node.skill,
        "level": node.level,
        "drops": list(map(_drop, node.drops)),
        "places": _places(world, "resource", node.code),
    }


def _item(world: World, item: Any) -> Row:
    code, recipe = item.code, item.recipe
    return {
        **item_row(item),
        "gathered_at": _sources(world.resources, world.nodes.get(code, ()), code),
        "dropped_by": _sources(world.monsters, world.droppers.get(code, ()), code),
        "sold": code in world.exchange_sells,
        "owned": code in world.starter_items,
        "workshops": _places(world, "workshop", recipe.skill) if recipe else [],
        "goes_into": [
            other.code for other in world.items.values() if other.recipe and code in other.recipe.ingredients
        ],
        "difficulty": item_difficulty(world, code),
        "tree": recipe_lines(world, code),
    }


def _distractor(world: World, item: Any) -> Row:
    lacking = [code for code in item.recipe.ingredients if code not in world.items] if item.recipe else []
    return {**item_row(item), "lacking": lacking}


_PORTRAITS: Sequence[Callable[[World, Any], Row]] = (_monster, _resource, _item, _distractor)
"""What makes the portrait of each kind of `things`."""


def recipe_lines(world: World, code: Code) -> list[str]:
    """Return a recipe tree as lines, indented by depth; amounts are for the whole.

    An item that is crafted and comes again is not expanded a second time.
    """
    shown: set[Code] = set()
    lines: list[str] = []

    def add(part: Code, quantity: int, depth: int) -> None:
        recipe = world.recipe_of(part)
        # Without this, a recipe with shared parts would have exponentially many lines.
        again = ", as above" if part in shown else ""
        lines.append(f"{'  ' * depth}{quantity} {part}{f' ({recipe.skill} {recipe.level}{again})' if recipe else ''}")
        if recipe and not again:
            shown.add(part)
            for other, number in recipe.ingredients.items():
                add(other, quantity * number, depth + 1)

    add(code, 1, 0)
    return lines


def _by_element(elements: tuple[str, ...], values: tuple[int, ...]) -> dict[str, int]:
    return {element: value for element, value in zip(elements, values, strict=True) if value}


def _drop(drop: Drop) -> Row:
    return {"item": drop.item, "one_in": drop.one_in, "min": drop.least, "max": drop.most}


def _sources(known: Mapping[Code, Any], codes: tuple[Code, ...], item: Code) -> list[Row]:
    """Return who gives an item, and how often."""
    falls = ((code, drop) for code in codes for drop in known[code].drops if drop.item == item)
    return [{"code": code, "one_in": drop.one_in, "min": drop.least, "max": drop.most} for code, drop in falls]


def _places(world: World, kind: str, code: Code) -> list[list[int]]:
    return [list(place) for place in world.places_of(kind, code)]
