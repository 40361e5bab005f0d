"""What stands where in a world, and its map as text: a grid of short marks, and a list of their meanings.

Both maps draw a `Grid` of columns and rows, and every `PlacedContent`; `svg` uses them too. Tiles may be a hundred
thousand steps apart, so long stretches without a tile are drawn as a gap. The map as text (`world map`) uses plain
characters without colours, so that it looks the same in any terminal, file or mail. A map wider than the terminal is
cut into strips from left to right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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


def text_width(text: str) -> int:
    """Return the width of a text, in letters of normal width."""
    return sum(1 + (east_asian_width(letter) in "WF") for letter in text if not combining(letter))


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


# -- the map as text ----------------------------------------------------------------------------------------------

_LETTERS = {"monster": "m", "resource": "r", "workshop": "w"}
SIGNS = {"grand_exchange": "$", "bank": "B", "tasks_master": "T"}
_PLAIN, _GAP = ".", ":"
_MOST_PLACES = 4
"""The most places that are listed for one thing."""


def draw_text(world: World, width: int) -> str:
    """Return the map of a world for a terminal of this width."""
    things = placed_contents(world)
    marks = _marks(things)
    grid = Grid.of(world)
    lines = [*_strips(world, grid, marks, width), *_legend(world, things, marks)]
    return "\n".join(line.rstrip() for line in lines) + "\n"  # no trailing spaces, so that copies wrap well


def _marks(things: Mapping[Content, PlacedContent]) -> dict[Content, str]:
    """Return a mark for each thing: a letter with a number, or only a sign if it is the only thing of its kind."""
    counts: dict[str, int] = {}
    marks = {}
    for content, thing in things.items():
        counts[thing.kind] = number = counts.get(thing.kind, 0) + 1
        sign = SIGNS.get(thing.kind)
        marks[content] = f"{_LETTERS.get(thing.kind, sign)}{number}" if sign is None or number > 1 else sign
    return marks


# -- the grid ---------------------------------------------------------------------------------------------------------


def _strips(world: World, grid: Grid, marks: Mapping[Content, str], width: int) -> Iterator[str]:
    heads = [str(x) for x in grid.columns if x is not None]
    cell = 1 + max(map(len, [*heads, *marks.values(), "."]))
    side = max(len(str(y)) for y in grid.rows if y is not None)
    across = max(1, (width - side) // cell)  # at least one column, however narrow the terminal is
    for first in range(0, len(grid.columns), across):
        yield from _strip(world, grid.columns[first : first + across], grid.rows, marks, (side, cell))
        yield ""


def _strip(
    world: World, columns: Axis, rows: Axis, marks: Mapping[Content, str], widths: tuple[int, int]
) -> Iterator[str]:
    side, cell = widths
    yield " " * side + "".join(f"{_GAP if x is None else x:>{cell}}" for x in columns)
    for y in rows:
        if y is None:
            yield f"{_GAP:>{side}}"
        else:
            yield f"{y:>{side}}" + "".join(f"{_mark(world, x, y, marks):>{cell}}" for x in columns)


def _mark(world: World, x: int | None, y: int, marks: Mapping[Content, str]) -> str:
    tile = world.tiles.get((x, y)) if x is not None else None
    if tile is None:
        return ""
    return marks[tile.content] if tile.content else _PLAIN


# -- the legend -------------------------------------------------------------------------------------------------------


def _legend(world: World, things: Mapping[Content, PlacedContent], marks: Mapping[Content, str]) -> Iterator[str]:
    wide = max(map(len, marks.values()), default=1)
    names = max((text_width(thing.name) for thing in things.values()), default=1)
    for content, thing in things.items():
        name = thing.name + " " * (names - text_width(thing.name))
        yield f"{marks[content]:<{wide}}  {name}  {_about(thing):<12}  {_places(thing.places)}"
    yield f"{_PLAIN:<{wide}}  nothing stands here; heroes begin at {_places([world.start])}"


def _about(thing: PlacedContent) -> str:
    """Return the level of a thing, or its kind unless its name is the same word."""
    kind = thing.kind.replace("_", " ")
    if thing.level is not None:
        return f"level {thing.level}"
    return kind if kind != thing.name.lower() else ""


def _places(places: Sequence[tuple[int, int]]) -> str:
    shown = " ".join(f"({x}, {y})" for x, y in places[:_MOST_PLACES])
    return shown if len(places) <= _MOST_PLACES else f"{shown} and {len(places) - _MOST_PLACES} more"
