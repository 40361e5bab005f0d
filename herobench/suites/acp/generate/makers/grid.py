"""Instances of the domain grid: a robot, keys, and cells that are locked."""

from __future__ import annotations

from math import isqrt
from random import Random

from herobench.suites.acp.generate.instance import Counts, Instance
from herobench.suites.acp.generate.makers.maker import Cell, Maker, beside, field_of, numbered

_SIZES = ((2, 1), (3, 1), (4, 1), (2, 2))
"""Keys and shapes, on a field of five by five cells with as many locks as keys."""


def _make(chance: Random, counts: Counts) -> Instance:
    side = isqrt(counts["place"])
    cells = field_of(side, side)
    shapes, count = numbered("shape", counts["shape"]), counts["key"]
    keys = {
        f"key{number % len(shapes)}-{number // len(shapes)}": shapes[number % len(shapes)] for number in range(count)
    }
    locked = chance.sample(cells, count)
    unlocked = [cell for cell in cells if cell not in locked]
    initial = ["arm-empty", f"at-robot {_name(chance.choice(unlocked))}"]
    initial += [f"conn {_name(cell)} {_name(near)}" for cell in cells for near in beside(cell) if near in cells]
    initial += [f"open {_name(cell)}" for cell in unlocked]
    initial += [f"locked {_name(cell)}" for cell in locked]
    initial += [f"lock-shape {_name(cell)} {chance.choice(shapes)}" for cell in locked]
    initial += [f"key-shape {key} {shape}" for key, shape in keys.items()]
    initial += [f"at {key} {_name(chance.choice(unlocked))}" for key in keys]
    goal = [f"at {key} {_name(chance.choice(cells))}" for key in keys]
    objects = {"key": list(keys), "place": list(map(_name, cells)), "shape": shapes}
    return Instance(f"grid-x{side}-y{side}-t{len(shapes)}-k{count}-l{count}", objects, initial, goal)


def _name(cell: Cell) -> str:
    return f"f{cell[0]}-{cell[1]}f"


GRID = Maker([{"key": keys, "place": 25, "shape": shapes} for keys, shapes in _SIZES], _make)
