"""Draw the map of a world as SVG, with its legend.

Each tile is a square, with shapes, names, levels and coordinates. The same world must give the same bytes, and the
drawing asks no network.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from importlib.resources import files
from typing import NamedTuple

from herobench.suites.rpg.game.world import Content, Tile, World
from herobench.suites.rpg.worlds.atlas.terminal import (
    KINDS,
    SIGNS,
    Axis,
    Grid,
    PlacedContent,
    placed_contents,
    text_width,
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
_SIGNS = {"workshop": "W", **SIGNS}
"""The letters of content without a level."""
_LETTERS = 10
"""The most letters of normal width in a line."""


def label_lines(name: str) -> list[str]:
    """Return a name as one or two lines, cut if it is too long."""
    words = name.split()
    first = words[:1]
    while len(first) < len(words) and text_width(" ".join(words[: len(first) + 1])) <= _LETTERS:
        first = words[: len(first) + 1]
    second = words[len(first) :]
    return [_cut(" ".join(part)) for part in (first, second) if part]


def _cut(text: str) -> str:
    if text_width(text) <= _LETTERS:
        return text
    while text_width(text) > _LETTERS - 2:  # room for the ellipsis
        text = text[:-1]
    return f"{text.rstrip()}…"


def common_grounds(world: World) -> list[str]:
    """Return the names of the tiles, the most common first."""
    times: dict[str, int] = {}
    for tile in world.tiles.values():
        times[tile.name] = times.get(tile.name, 0) + 1
    return sorted(times, key=lambda name: (-times[name], name))


_GROUNDS = 6
"""The number of colours of grounds. The rarer grounds share the last."""
_SHAPES = {"monster": '<circle r="11"/>', "resource": '<path d="M0-13L13 0L0 13L-13 0Z"/>'}
_SQUARE = '<rect x="-11" y="-11" width="22" height="22" rx="3"/>'


def draw_shape(kind: str, level: int | None) -> str:
    """Return the shape of a kind of content around the origin, with its level or letter inside."""
    inside = _SIGNS.get(kind, "") if level is None else str(level)
    small = ' class="small"' if len(inside) > 2 else ""  # three digits do not fit in the normal size
    return f'<g class="stand {kind}">{_SHAPES.get(kind, _SQUARE)}<text{small} y="4">{escape(inside)}</text></g>'


def ground_classes(world: World) -> Mapping[str, str]:
    """Return the style class of each ground, by the name of its tiles."""
    return {name: f"ground{min(index, _GROUNDS - 1)}" for index, name in enumerate(common_grounds(world))}


def legend_keys(world: World) -> Iterator[tuple[str, str]]:
    """Yield the legend: each shape, drawn around the origin, and its meaning."""
    known: dict[str, PlacedContent] = {}
    for thing in placed_contents(world).values():
        known.setdefault(thing.kind, thing)
    for kind in known:
        yield draw_shape(kind, None), KINDS[kind]
    yield '<rect class="start" x="-10" y="-10" width="20" height="20" rx="4"/>', "where heroes begin"
    grounds = common_grounds(world)
    for name in grounds[:_GROUNDS]:
        rarer = len(grounds) - _GROUNDS
        words = f"{name} and {rarer} rarer" if rarer > 0 and name == grounds[_GROUNDS - 1] else name
        yield _swatch(ground_classes(world)[name]), words


def _swatch(ground: str) -> str:
    return f'<rect class="{ground} framed" x="-9" y="-9" width="18" height="18" rx="2"/>'


class Map(NamedTuple):
    """The inside of an SVG, and its size."""

    body: str
    width: int
    height: int


def draw_svg(world: World) -> str:
    """Return a whole file: the map, with its legend below it."""
    body, width, height = _with_legend(world, _map(world))
    # for light and dark screens
    style = files("herobench.suites.rpg.worlds.atlas").joinpath("map.css").read_text("utf-8")
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" class="map" width="{width}"'
        f' height="{height}" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(f"Map of {world.name}")}">\n'
        f'<style>\n{style}</style>\n<rect class="paper" width="{width}" height="{height}"/>\n{body}\n</svg>\n'
    )


def _map(world: World) -> Map:
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
    yield f'<rect class="{ground}" width="{TILE}" height="{TILE}"/>'
    if start:
        yield f'<rect class="start" x="3" y="3" width="{TILE - 6}" height="{TILE - 6}" rx="5"/>'
    if thing:
        yield f'<g transform="translate({TILE // 2} 18)">{draw_shape(thing.kind, thing.level)}</g>'
        lines = label_lines(thing.name)
        spans = (f'<tspan x="{TILE // 2}" y="{41 + 9 * i}">{escape(line)}</tspan>' for i, line in enumerate(lines))
        yield f'<text class="label">{"".join(spans)}</text>'


def _with_legend(world: World, drawing: Map) -> Map:
    """Return a map with the lines of its legend below it."""
    body, width, height = drawing
    width = max(width, _NARROWEST)
    parts = [body]
    x, y = _EDGE, height + _KEY_LINE // 2
    for shape, words in legend_keys(world):
        wide = 44 + round(text_width(words) * _KEY_LETTER)
        if x > _EDGE and x + wide > width:
            x, y = _EDGE, y + _KEY_LINE
        parts.append(
            f'<g transform="translate({x + 14} {y})">{shape}<text class="key" x="20" y="4">{escape(words)}</text></g>'
        )
        x += wide
    return Map("\n".join(parts), width, y + _KEY_LINE)
