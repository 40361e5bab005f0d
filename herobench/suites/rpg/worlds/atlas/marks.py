"""What both maps draw: columns and rows, content with its places, and short names. `terminal` and `svg` use it.

Tiles may be a hundred thousand steps apart, so long stretches without a tile are drawn as a gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from herobench.suites.rpg.game.world import Content, Place, World

_LONGEST = 2
"""The most empty columns or rows in a row that are drawn. More become a gap."""

Axis = tuple[int | None, ...]
"""The coordinates that are drawn, in order. None is a gap."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The columns from left to right, and the rows from top to bottom."""

    columns: Axis
    rows: Axis

    @classmethod
    def of(cls, world: World) -> Grid:
        """Return the grid of all tiles of a world."""
        return cls(_axis(x for x, _ in world.tiles), _axis(y for _, y in world.tiles))


def _axis(values: Iterable[int]) -> Axis:
    known = sorted(set(values))
    drawn: list[int | None] = [*known[:1]]
    for before, value in pairwise(known):
        between = range(before + 1, value)
        drawn += [None] if len(between) > _LONGEST else between
        drawn.append(value)
    return tuple(drawn)


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


def text_width(text: str) -> int:
    """Return the width of a text, in letters of normal width."""
    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _cut(text: str) -> str:
    if text_width(text) <= _LETTERS:
        return text
    while text_width(text) > _LETTERS - 2:  # room for the ellipsis
        text = text[:-1]
    return f"{text.rstrip()}…"


SIGNS: Mapping[str, str] = MappingProxyType({"workshop": "W", "grand_exchange": "$", "bank": "B", "tasks_master": "T"})
"""The letters of content without a level."""
KINDS: Mapping[str, str] = MappingProxyType(
    {
        "monster": "monster, with its level",
        "resource": "resource, with its level",
        "workshop": "workshop",
        "grand_exchange": "exchange",
        "bank": "bank",
        "tasks_master": "tasks master",
    }
)
"""The kinds of content, in the order of legends."""


class PlacedContent(NamedTuple):
    """A monster, resource node or building, with all of its places."""

    kind: str
    code: str
    name: str
    level: int | None
    places: tuple[Place, ...]

    @property
    def title(self) -> str:
        """The name, level and kind, for the title of a tile."""
        level = "" if self.level is None else f", level {self.level}"
        return f"{self.name}{level}: {self.kind.replace('_', ' ')}"


def placed_contents(world: World) -> dict[Content, PlacedContent]:
    """Return all content of a world, ordered by kind as in legends, then by level and name."""
    places: dict[Content, list[Place]] = {}
    for place, tile in world.tiles.items():
        if tile.content:
            places.setdefault(tile.content, []).append(place)
    found = [_placed(world, content, tuple(where)) for content, where in places.items()]
    order = list(KINDS)
    found.sort(key=lambda thing: (order.index(thing.kind), thing.level or 0, thing.name, thing.code))
    return {Content(thing.kind, thing.code): thing for thing in found}


def _placed(world: World, content: Content, places: tuple[Place, ...]) -> PlacedContent:
    kind, code = content
    if kind == "monster":
        monster = world.monsters[code]
        return PlacedContent(kind, code, monster.name, monster.level, places)
    if kind == "resource":
        resource = world.resources[code]
        return PlacedContent(kind, code, resource.name, resource.level, places)
    return PlacedContent(kind, code, code.replace("_", " ").capitalize(), None, places)


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
    inside = SIGNS.get(kind, "") if level is None else str(level)
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
