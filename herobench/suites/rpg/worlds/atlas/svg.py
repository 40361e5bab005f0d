"""Draw a world as SVG: a square for each tile, with shapes, names, levels and coordinates. Used by `page`.

The same world must give the same bytes, and the drawing must need no network.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import NamedTuple

from herobench.suites.rpg.game.world import Content, Place, Tile, World
from herobench.suites.rpg.worlds.atlas.marks import (
    Axis,
    Grid,
    PlacedContent,
    ground_classes,
    keys_of,
    lines_of,
    placed_contents,
    shape_of,
    width_of,
)

TILE = 56
_GAP = 18
"""The width of a gap between far places."""
_TOP = 22
_EDGE = 8
_DIGIT = 6.5
"""The approximate width of a digit of a coordinate."""
_NARROWEST = 280
_KEY_LINE = 28
_KEY_LETTER = 7


class Map(NamedTuple):
    """The inside of an SVG, and its size."""

    body: str
    width: int
    height: int

    def opened(self, world: World) -> str:
        """Return the opening tag of the map."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="map" width="{self.width}" height="{self.height}"'
            f' viewBox="0 0 {self.width} {self.height}" role="img" aria-label="{escape(f"Map of {world.name}")}">'
        )


def svg_of(world: World) -> str:
    """Return a whole file: the map, with its legend below it."""
    whole = _with_legend(world, map_of(world))
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n{whole.opened(world)}\n<style>\n{style()}</style>\n'
        f'<rect class="paper" width="{whole.width}" height="{whole.height}"/>\n{whole.body}\n</svg>\n'
    )


@cache
def style() -> str:
    """Return the style of maps, for light and dark screens."""
    return files("herobench.suites.rpg.worlds.atlas").joinpath("map.css").read_text("utf-8")


def map_of(world: World) -> Map:
    """Return the map without its legend."""
    grid = Grid.of(world)
    left = round(max((len(str(y)) for y in grid.rows if y is not None), default=1) * _DIGIT + 10)
    columns, column_gaps, right = _positions(grid.columns, left)
    rows, row_gaps, bottom = _positions(grid.rows, _TOP)
    standing, grounds = placed_contents(world), ground_classes(world)
    parts = [
        *(f'<text class="axis" x="{at + TILE // 2}" y="15">{x}</text>' for x, at in columns.items()),
        *(f'<text class="axis side" x="{left - 6}" y="{at + TILE // 2 + 4}">{y}</text>' for y, at in rows.items()),
        *(f'<path class="gap" d="M{at} {_TOP}V{bottom}"/>' for at in column_gaps),
        *(f'<path class="gap" d="M{left} {at}H{right}"/>' for at in row_gaps),
    ]
    for (x, y), tile in world.tiles.items():
        drawn = "".join(_tile(tile, grounds[tile.name], standing, (x, y) == world.start))
        parts.append(f'<g transform="translate({columns[x]} {rows[y]})">{drawn}</g>')
    return Map("\n".join(parts), right + _EDGE, bottom + _EDGE)


def anchor(place: Place) -> str:
    """Return the id of a tile, for links to it."""
    return f"at_{place[0]}_{place[1]}"


def _positions(axis: Axis, start: int) -> tuple[Mapping[int, int], list[int], int]:
    """Return the position of each column or row, the middles of the gaps, and the end."""
    found: dict[int, int] = {}
    gaps: list[int] = []
    at = start
    for coordinate in axis:
        if coordinate is None:
            gaps.append(at + _GAP // 2)
            at += _GAP
        else:
            found[coordinate] = at
            at += TILE
    return found, gaps, at


def _tile(tile: Tile, ground: str, standing: Mapping[Content, PlacedContent], start: bool) -> Iterator[str]:
    """Yield the parts of a tile, drawn from its upper left corner."""
    x, y = tile.place
    thing = standing[tile.content] if tile.content else None
    where = f"{tile.name} ({x}, {y})" + (", where heroes begin" if start else "")
    # Browsers show a title when the pointer rests on the tile, and screen readers read it.
    yield f"<title>{escape(f'{thing.title}; {where}' if thing else where)}</title>"
    yield f'<rect id="{anchor(tile.place)}" class="{ground}" width="{TILE}" height="{TILE}"/>'
    if start:
        yield f'<rect class="start" x="3" y="3" width="{TILE - 6}" height="{TILE - 6}" rx="5"/>'
    if thing:
        yield f'<g transform="translate({TILE // 2} 18)">{shape_of(thing.kind, thing.level)}</g>'
        lines = lines_of(thing.name)
        spans = (f'<tspan x="{TILE // 2}" y="{41 + 9 * i}">{escape(line)}</tspan>' for i, line in enumerate(lines))
        yield f'<text class="label">{"".join(spans)}</text>'


def _with_legend(world: World, drawing: Map) -> Map:
    """Return a map with the lines of its legend below it."""
    body, width, height = drawing
    width = max(width, _NARROWEST)
    parts = [body]
    x, y = _EDGE, height + _KEY_LINE // 2
    for shape, words in keys_of(world):
        wide = 44 + round(width_of(words) * _KEY_LETTER)
        if x > _EDGE and x + wide > width:
            x, y = _EDGE, y + _KEY_LINE
        parts.append(
            f'<g transform="translate({x + 14} {y})">{shape}<text class="key" x="20" y="4">{escape(words)}</text></g>'
        )
        x += wide
    return Map("\n".join(parts), width, y + _KEY_LINE)
