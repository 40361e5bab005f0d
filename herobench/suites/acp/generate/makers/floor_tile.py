"""Instances of the domain floor-tile: robots paint a floor in alternating colors, and shut themselves off by it."""

from __future__ import annotations

from random import Random

from herobench.suites.acp.generate.instance import Counts, Instance
from herobench.suites.acp.generate.makers.maker import Maker, numbered

_ROWS = {9: 3, 12: 4, 16: 4, 20: 4, 24: 4}
"""The number of rows for a number of tiles. The lowest row stays unpainted, so that robots have a place."""
_SIZES = ((2, 9), (2, 12), (2, 16), (2, 20), (3, 20), (2, 24))
_COLORS = ("black", "white")


def _make(chance: Random, counts: Counts) -> Instance:
    count = counts["tile"]
    rows = _ROWS.get(count, 3)
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


FLOOR_TILE = Maker([{"color": 2, "robot": robots, "tile": tiles} for robots, tiles in _SIZES], _make)
