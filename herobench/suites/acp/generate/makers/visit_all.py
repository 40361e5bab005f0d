"""Instances of the domain grid-visit-all: a field with gaps, all of whose cells a robot visits."""

from __future__ import annotations

from random import Random

from herobench.suites.acp.generate.instance import Counts, Instance
from herobench.suites.acp.generate.makers.maker import Cell, Maker, beside, field_of


def _make(chance: Random, counts: Counts) -> Instance:
    width = -(-counts["place"] // 4) if counts["place"] > 16 else 4
    cells = set(field_of(4, width))
    while len(cells) > counts["place"]:
        left_out = chance.choice(sorted(cells))
        if _is_connected(cells - {left_out}):
            cells.remove(left_out)
    places = sorted(cells)
    start = _name(chance.choice(places))
    initial = [f"at-robot {start}", f"visited {start}"]
    initial += [f"connected {_name(cell)} {_name(near)}" for cell in places for near in beside(cell) if near in cells]
    names = list(map(_name, places))
    goal = [f"visited {name}" for name in names]
    return Instance(f"grid-4-{width}-{4 * width - len(cells)}", {"place": names}, initial, goal)


def _is_connected(cells: set[Cell]) -> bool:
    found = [min(cells)]
    for cell in found:  # grows while it is read
        found += [near for near in beside(cell) if near in cells and near not in found]
    return len(found) == len(cells)


def _name(cell: Cell) -> str:
    return f"loc-x{cell[0]}-y{cell[1]}"


VISIT_ALL = Maker([{"place": count} for count in (12, 13, 14, 15, 16, 17, 19)], _make)
