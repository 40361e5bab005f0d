"""The shapes on a map, and their meanings. `svg` and `page` use them.

A circle with a level is a monster, a diamond with a level a resource, a square with a letter a building. A shape must
be clear without its colour. Colours of the ground go by how common it is; the title of a tile names it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from herobench.rpg.atlas.placed import KINDS, SIGNS, PlacedContent, grounds_of, placed_contents
from herobench.rpg.world import World

_GROUNDS = 6
"""The number of grounds with a colour of their own. The rarer ones share the last."""
_SHAPES = {"monster": '<circle r="11"/>', "resource": '<path d="M0-13L13 0L0 13L-13 0Z"/>'}
_SQUARE = '<rect x="-11" y="-11" width="22" height="22" rx="3"/>'


def shape_of(kind: str, level: int | None) -> str:
    """Return the shape of a kind of content around the origin, with its level or letter inside."""
    inside = SIGNS.get(kind, "") if level is None else str(level)
    small = ' class="small"' if len(inside) > 2 else ""  # three digits do not fit in the common size
    return f'<g class="stand {kind}">{_SHAPES.get(kind, _SQUARE)}<text{small} y="4">{escape(inside)}</text></g>'


def ground_classes(world: World) -> Mapping[str, str]:
    """Return the style class of each ground, by the name of its tiles."""
    return {name: f"ground{min(index, _GROUNDS - 1)}" for index, name in enumerate(grounds_of(world))}


def keys_of(world: World) -> Iterator[tuple[str, str]]:
    """Yield the legend: each shape, drawn around the origin, and its meaning."""
    known: dict[str, PlacedContent] = {}
    for thing in placed_contents(world).values():
        known.setdefault(thing.kind, thing)
    for kind in known:
        yield shape_of(kind, None), KINDS[kind]
    yield '<rect class="start" x="-10" y="-10" width="20" height="20" rx="4"/>', "where heroes begin"
    grounds = grounds_of(world)
    for name in grounds[:_GROUNDS]:
        rarer = len(grounds) - _GROUNDS
        words = f"{name} and {rarer} rarer" if rarer > 0 and name == grounds[_GROUNDS - 1] else name
        yield _swatch(ground_classes(world)[name]), words


def _swatch(ground: str) -> str:
    return f'<rect class="{ground} framed" x="-9" y="-9" width="18" height="18" rx="2"/>'
