"""Check the map: find islands, and buildings that nobody needs.

Called by the survey.
"""

from __future__ import annotations

from collections.abc import Iterator

from herobench.rpg.world import Place, World
from herobench.task_gen.worlds.oddity import Oddity, OddityKind, Spots


def islands(world: World) -> list[list[Place]]:
    """Return the groups of tiles that no edge joins to the start's group, each in the map's order."""
    # A dict serves as an ordered set, so that islands come in the map's order.
    left = dict.fromkeys(world.tiles)
    _take_group(left, world.start)
    found = []
    while left:
        group = _take_group(left, next(iter(left)))
        found.append([place for place in world.tiles if place in group])
    return found


def _take_group(left: dict[Place, None], first: Place) -> set[Place]:
    """Remove one connected group of tiles from those left, and return it (flood fill)."""
    group, open_places = set[Place](), [first]
    while open_places:
        x, y = place = open_places.pop()
        if place in left:
            del left[place]
            group.add(place)
            open_places += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return group


def stray_land(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the islands of the map."""
    for island in islands(world):
        size = "1 tile" if len(island) == 1 else f"{len(island)} tiles"
        what = f"an island of {size} around {island[0]}, joined to the land around the start by no edge"
        advice = "move it, or add the tiles between; heroes get there anyway"
        yield Oddity(OddityKind.ISLAND, spots.tile(island[0]), what, advice)


def idle_buildings(world: World, spots: Spots) -> Iterator[Oddity]:
    """Yield the workshops in which nothing is made, and the exchanges that sell nothing."""
    used = {item.recipe.skill for item in world.items.values() if item.recipe}
    needed = used | {node.skill for node in world.resources.values()}
    for place, skill in world.standing("workshop").items():
        # A skill that nothing needs at all is an oddity of the skill, reported elsewhere.
        if skill in needed and skill not in used:
            what, advice = f"no recipe asks for {skill}, so nothing is made there", "add one, or leave out the workshop"
            yield Oddity(OddityKind.IDLE_WORKSHOP, spots.tile(place, "content", "code"), what, advice)
    if not world.exchange_sells:
        for place in world.standing("grand_exchange"):
            what, advice = "the exchange sells nothing", "name goods in exchange_sells, or leave out the exchange"
            yield Oddity(OddityKind.IDLE_EXCHANGE, spots.tile(place, "content", "code"), what, advice)
