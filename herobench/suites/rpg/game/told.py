"""The told world: the part of a world that a task tells, and nothing else.

Agents try plans out in it before they answer. Everything else is missing: an untold tile cannot be entered, an untold
recipe cannot be crafted, an untold drop does not fall. So a dry run reveals nothing beyond the prompt.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from types import MappingProxyType
from typing import TypeVar

from herobench.suites.rpg.game.hero import HeroStart
from herobench.suites.rpg.game.task import Knowledge
from herobench.suites.rpg.game.world import (
    Code,
    Content,
    Drop,
    Item,
    Monster,
    Place,
    Resource,
    Tile,
    World,
    item_from_row,
    item_row,
)


def told_world(world: World, knows: Knowledge, hero: HeroStart) -> World:
    """Return the part of a world that a hero is told. Its `source` says what it was made from."""
    tiles = dict(_tiles(world, knows, hero))
    standing = {tile.content.code for tile in tiles.values() if tile.content}
    return replace(
        world,
        exchange_sells=knows.sold,
        monsters=_by_code(world.monsters[code] for code in knows.monsters),
        resources=_by_code(_resources(world, standing, frozenset(knows.materials))),
        items=_by_code(_items(world, knows, hero)),
        distractors=MappingProxyType({}),
        tiles=MappingProxyType(tiles),
        # worlds are equal by their sources, and this one is not the whole world
        source=json.dumps(
            {"told_of": world.digest, "knows": knows.as_row(), "place": hero.place, "worn": dict(hero.worn)}
        ),
    )


def told_hero(world: World, knows: Knowledge, hero: HeroStart) -> HeroStart:
    """Return the hero of the told world. His numbers are the same, with his gear on.

    Untold gear counts as part of the bare hero: a dry run that takes it off must not reveal its numbers."""
    stats = Counter(hero.stats)
    for code in _untold_gear(knows, hero):
        stats.update(world.items[code].effects)
    return replace(hero, stats=MappingProxyType(dict(stats)))


def _untold_gear(knows: Knowledge, hero: HeroStart) -> Iterator[Code]:
    """Yield the gear that the hero wears but is not told about, as often as he wears it."""
    known_codes = {*knows.stats, *knows.materials, *knows.recipes}
    yield from (code for code in hero.worn.values() if code not in known_codes)


def dry_run_seed(seed: int) -> int:
    """Return the seed for dry runs, which reveals nothing about the random numbers of the game."""
    return int.from_bytes(hashlib.sha256(f"dry run {seed}".encode()).digest()[:4])


def _tiles(world: World, knows: Knowledge, hero: HeroStart) -> Iterator[tuple[Place, Tile]]:
    """Yield the told tiles and, without content, the two others that a hero knows: his own and the start."""
    for place in (world.start, hero.place):
        if place in world.tiles:
            yield place, replace(world.tiles[place], content=None)
    for place in knows.places:
        tile = world.tiles[place]
        yield place, tile if _can_be_used(world, tile, knows) else replace(tile, content=None)


def _can_be_used(world: World, tile: Tile, knows: Knowledge) -> bool:
    """Return whether enough is told about the content of a tile: a monster's record, or a drop of a node.

    Otherwise a fight would reveal the monster, and a swing the level of the node."""
    match tile.content:
        case Content("monster", code):
            return code in knows.monsters
        case Content("resource", code):
            return bool(_known_drops(world.resources[code].drops, frozenset(knows.materials)))
        case _:
            return True


def _resources(world: World, standing: Set[Code], materials: Set[Code]) -> Iterator[Resource]:
    """Yield the nodes on told tiles, with only those drops that are told as materials."""
    for code, node in world.resources.items():
        if code in standing:
            yield replace(node, drops=_known_drops(node.drops, materials))


def _known_drops(drops: Iterable[Drop], materials: Set[Code]) -> tuple[Drop, ...]:
    return tuple(drop for drop in drops if drop.item in materials)


def _items(world: World, knows: Knowledge, hero: HeroStart) -> Iterator[Item]:
    """Yield the told items and what the hero uses. Untold gear has only its code and its type.

    Only items listed with their recipes, and noise, keep them. No item keeps its subtype."""
    for code in _untold_gear(knows, hero):
        yield item_from_row({**_NAMELESS, "code": code, "name": code, "type": world.items[code].type}, world.elements)
    food = (stack.item for stack in hero.consumables.values())
    for code in (*food, *knows.stats, *knows.materials):
        yield replace(world.items[code], recipe=None, subtype="")
    for code in knows.recipes:
        yield replace(world.items[code], subtype="")
    for item in knows.noise:
        # A task keeps noise without numbers by element, which a fight needs.
        yield replace(item_from_row(item_row(item), world.elements), subtype="")


_NAMELESS = {"level": 1, "subtype": "", "description": "", "effects": {}}

_Thing = TypeVar("_Thing", Monster, Resource, Item)


def _by_code(things: Iterable[_Thing]) -> Mapping[Code, _Thing]:
    # Of two things with one code the later counts: a recipe overrides a mere material.
    return MappingProxyType({thing.code: thing for thing in things})
