"""Instances of the domain grid-visit-all: a field with gaps, all of whose cells a robot visits."""

from __future__ import annotations

from math import isqrt
from random import Random

from herobench.task_gen.acp.maker import Cell, Maker, beside, field_of, numbered
from herobench.task_gen.acp.scene import Counts, Instance


def _make_visit_all(chance: Random, counts: Counts) -> Instance:
    width = -(-counts["place"] // 4) if counts["place"] > 16 else 4
    cells = set(field_of(4, width))
    while len(cells) > counts["place"]:
        left_out = chance.choice(sorted(cells))
        if _is_connected(cells - {left_out}):
            cells.remove(left_out)
    places = sorted(cells)
    start = _visit_all_name(chance.choice(places))
    initial = [f"at-robot {start}", f"visited {start}"]
    initial += [
        f"connected {_visit_all_name(cell)} {_visit_all_name(near)}"
        for cell in places
        for near in beside(cell)
        if near in cells
    ]
    names = list(map(_visit_all_name, places))
    goal = [f"visited {name}" for name in names]
    return Instance(f"grid-4-{width}-{4 * width - len(cells)}", {"place": names}, initial, goal)


def _is_connected(cells: set[Cell]) -> bool:
    found = [min(cells)]
    for cell in found:  # grows while it is read
        found += [near for near in beside(cell) if near in cells and near not in found]
    return len(found) == len(cells)


def _visit_all_name(cell: Cell) -> str:
    return f"loc-x{cell[0]}-y{cell[1]}"


VISIT_ALL = Maker([{"place": count} for count in (12, 13, 14, 15, 16, 17, 19)], _make_visit_all)


_GRID_SIZES = ((2, 1), (3, 1), (4, 1), (2, 2))
"""Keys and shapes, on a field of five by five cells with as many locks as keys."""


def _make_grid(chance: Random, counts: Counts) -> Instance:
    side = isqrt(counts["place"])
    cells = field_of(side, side)
    shapes, count = numbered("shape", counts["shape"]), counts["key"]
    keys = {
        f"key{number % len(shapes)}-{number // len(shapes)}": shapes[number % len(shapes)] for number in range(count)
    }
    locked = chance.sample(cells, count)
    unlocked = [cell for cell in cells if cell not in locked]
    initial = ["arm-empty", f"at-robot {_cell_name(chance.choice(unlocked))}"]
    initial += [
        f"conn {_cell_name(cell)} {_cell_name(near)}" for cell in cells for near in beside(cell) if near in cells
    ]
    initial += [f"open {_cell_name(cell)}" for cell in unlocked]
    initial += [f"locked {_cell_name(cell)}" for cell in locked]
    initial += [f"lock-shape {_cell_name(cell)} {chance.choice(shapes)}" for cell in locked]
    initial += [f"key-shape {key} {shape}" for key, shape in keys.items()]
    initial += [f"at {key} {_cell_name(chance.choice(unlocked))}" for key in keys]
    goal = [f"at {key} {_cell_name(chance.choice(cells))}" for key in keys]
    objects = {"key": list(keys), "place": list(map(_cell_name, cells)), "shape": shapes}
    return Instance(f"grid-x{side}-y{side}-t{len(shapes)}-k{count}-l{count}", objects, initial, goal)


def _cell_name(cell: Cell) -> str:
    return f"f{cell[0]}-{cell[1]}f"


GRID = Maker([{"key": keys, "place": 25, "shape": shapes} for keys, shapes in _GRID_SIZES], _make_grid)


_FLOOR_TILE_ROWS = {9: 3, 12: 4, 16: 4, 20: 4, 24: 4}
"""The number of rows for a number of tiles. The lowest row stays unpainted, so that robots have a place."""
_FLOOR_TILE_SIZES = ((2, 9), (2, 12), (2, 16), (2, 20), (3, 20), (2, 24))
_COLORS = ("black", "white")


def _make_floor_tile(chance: Random, counts: Counts) -> Instance:
    count = counts["tile"]
    rows = _FLOOR_TILE_ROWS.get(count, 3)
    width = count // rows
    tiles, robots = numbered("tile_", count, 1), numbered("robot", counts["robot"], 1)
    stands = dict(zip(robots, chance.sample(tiles, len(robots)), strict=True))
    initial = [f"available-color {color}" for color in _COLORS]
    initial += [f"clear {tile}" for tile in tiles if tile not in stands.values()]
    initial += [f"robot-at {robot} {tile}" for robot, tile in stands.items()]
    initial += [f"robot-has {robot} {chance.choice(_COLORS)}" for robot in robots]
    for number, tile in enumerate(tiles):
        if number % width:
            initial += [f"right {tile} {tiles[number - 1]}", f"left {tiles[number - 1]} {tile}"]
        if number >= width:
            initial += [f"up {tile} {tiles[number - width]}", f"down {tiles[number - width]} {tile}"]
    shift = chance.randrange(2)
    # from the top row down: a row that is painted bars the way to the rows above it
    goal = [
        f"painted {tiles[row * width + column]} {_COLORS[(row + column + shift) % 2]}"
        for row in range(rows - 1, 0, -1)
        for column in range(width)
    ]
    objects = {"color": _COLORS, "robot": robots, "tile": tiles}
    return Instance(f"floortile-{rows - 1}-{width}-{len(robots)}", objects, initial, goal)


FLOOR_TILE = Maker(
    [{"color": 2, "robot": robots, "tile": tiles} for robots, tiles in _FLOOR_TILE_SIZES], _make_floor_tile
)


_GOLD_MINER_ROWS = {9: 3, 12: 3, 15: 3, 16: 4}
"""The number of rows for a number of cells."""
_HARD = 0.3
"""The share of hard rock. A bomb removes soft rock only; the laser removes both, and gold too."""


def _make_gold_miner(chance: Random, counts: Counts) -> Instance:
    rows = _GOLD_MINER_ROWS.get(counts["loc"], 3)
    columns = counts["loc"] // rows
    cells = field_of(rows, columns)
    free = [cell for cell in cells if cell[1] == 0]
    gold = chance.choice([cell for cell in cells if cell[1] == columns - 1])
    initial = [
        "arm-empty",
        "bomb-at f0-0f",
        f"gold-at {_cell_name(gold)}",
        f"soft-rock-at {_cell_name(gold)}",
    ]
    initial += [
        f"robot-at {_cell_name(chance.choice(free))}",
        f"laser-at {_cell_name(chance.choice(free))}",
    ]
    initial += [f"clear {_cell_name(cell)}" for cell in free]
    for cell in cells:
        if cell not in free and cell != gold:
            hard = chance.choices([True, False], [_HARD, 1 - _HARD])[0]
            initial.append(f"{'hard' if hard else 'soft'}-rock-at {_cell_name(cell)}")
    initial += [
        f"connected {_cell_name(cell)} {_cell_name(near)}" for cell in cells for near in beside(cell) if near in cells
    ]
    return Instance(f"gold-miner-{rows}-{columns}", {"loc": list(map(_cell_name, cells))}, initial, ["holds-gold"])


GOLD_MINER = Maker([{"loc": count} for count in (9, 12, 15, 16)], _make_gold_miner)
