"""Draw a world as SVG, alone or in an HTML page with its legend and lists of everything with its places.

Each tile is a square, with shapes, names, levels and coordinates. The same world must give the same bytes. The page
must work without scripts and without a network; its policy allows only its own style. A wide map scrolls in its frame,
so that the page itself does not.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import NamedTuple

from herobench.suites.rpg.game.world import Content, Drop, Place, Tile, World
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

    def opened(self, world: World) -> str:
        """Return the opening tag of the map."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="map" width="{self.width}" height="{self.height}"'
            f' viewBox="0 0 {self.width} {self.height}" role="img" aria-label="{escape(f"Map of {world.name}")}">'
        )


def draw_svg(world: World) -> str:
    """Return a whole file: the map, with its legend below it."""
    whole = _with_legend(world, draw_map(world))
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n{whole.opened(world)}\n<style>\n{style()}</style>\n'
        f'<rect class="paper" width="{whole.width}" height="{whole.height}"/>\n{whole.body}\n</svg>\n'
    )


@cache
def style() -> str:
    """Return the style of maps, for light and dark screens."""
    return files("herobench.suites.rpg.worlds.atlas").joinpath("map.css").read_text("utf-8")


def draw_map(world: World) -> Map:
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


_HEADINGS = {"monster": "Monsters", "resource": "Resources"}
_OTHERS = "Workshops and other places"


def draw_page(world: World) -> str:
    """Return the page of a world."""
    looks, drawing = _style(), draw_map(world)  # the policy holds the hash of exactly this style
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_policy(looks)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>{escape(world.name)}: map</title>
<style>{looks}</style>
</head>
<body>
<main>
<h1>{escape(world.name)}</h1>
<p>{escape(world.description)}</p>
<p class="soft">{_figures(world)}</p>
<div class="frame" tabindex="0" role="region" aria-label="Map">
{drawing.opened(world)}
{drawing.body}
</svg>
</div>
<ul class="keys">
{_keys(world)}
</ul>
{"".join(_lists(world))}</main>
</body>
</html>
"""


@cache
def _style() -> str:
    return files("herobench.suites.rpg.worlds.atlas").joinpath("page.css").read_text("utf-8") + style()


def _policy(looks: str) -> str:
    """Return a policy that allows one style, by its hash, and nothing else."""
    digest = base64.b64encode(hashlib.sha256(looks.encode("utf-8")).digest()).decode("ascii")
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _figures(world: World) -> str:
    counts = (
        (len(world.tiles), "tiles"),
        (len(world.monsters), "monsters"),
        (len(world.resources), "kinds of resources"),
        (len(world.items), "items"),
    )
    figures = ", ".join(f"{count:,} {what}" for count, what in counts)
    return f"{figures}; digest <code>{world.digest[:12]}</code>; heroes begin at {_places([world.start])}"


def _keys(world: World) -> str:
    drawn = '<svg class="map" width="28" height="28" viewBox="-14 -14 28 28" aria-hidden="true">{}</svg>'
    return "\n".join(f"<li>{drawn.format(shape)}{escape(words)}</li>" for shape, words in legend_keys(world))


# -- what stands where ------------------------------------------------------------------------------------------------


def _lists(world: World) -> Iterator[str]:
    """Yield the lists of a page, one for each kind of content in the world."""
    things = placed_contents(world).values()
    monsters = [_monster(world, thing) for thing in things if thing.kind == "monster"]
    resources = [_resource(world, thing) for thing in things if thing.kind == "resource"]
    others = [[escape(thing.name), _places(thing.places)] for thing in things if thing.kind not in _HEADINGS]
    yield _table("Monsters", ["name", "#level", "#meant for level", "#health", "drops", "places"], monsters)
    yield _table("Resources", ["name", "skill", "#level", "gives", "places"], resources)
    yield _table(_OTHERS, ["name", "places"], others)


def _monster(world: World, thing: PlacedContent) -> list[str]:
    monster = world.monsters[thing.code]
    figures = (monster.level, monster.intended_level, monster.stats.hp)
    return [escape(thing.name), *map(str, figures), _drops(world, monster.drops), _places(thing.places)]


def _resource(world: World, thing: PlacedContent) -> list[str]:
    node = world.resources[thing.code]
    return [escape(thing.name), escape(node.skill), str(node.level), _drops(world, node.drops), _places(thing.places)]


def _drops(world: World, drops: Iterable[Drop]) -> str:
    return ", ".join(escape(world.items[drop.item].name) for drop in drops)


def _places(places: Iterable[Place]) -> str:
    """Return links to the places of something on the map."""
    return " ".join(f'<a href="#{anchor((x, y))}">({x}, {y})</a>' for x, y in places)


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of rows of HTML. A # before the name of a column marks it as numbers."""
    if not rows:
        return ""
    classes = [' class="num"' if column.startswith("#") else "" for column in columns]
    heads = "".join(
        f'<th scope="col"{kind}>{column.lstrip("#")}</th>' for kind, column in zip(classes, columns, strict=True)
    )
    lines = []
    for first, *rest in rows:
        cells = "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(classes[1:], rest, strict=True))
        lines.append(f'<tr><th scope="row">{first}</th>{cells}</tr>\n')
    return (
        f'<h2>{title}</h2>\n<div class="list"><table>\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{''.join(lines)}</tbody>\n</table></div>\n"
    )
