"""Instances of the domain gold-miner-typed: a robot gets to gold behind rock, with a laser and bombs."""

from __future__ import annotations

from random import Random

from herobench.suites.acp.generate.instance import Counts, Instance
from herobench.suites.acp.generate.makers.maker import Cell, Maker, beside, field_of

_ROWS = {9: 3, 12: 3, 15: 3, 16: 4}
"""The number of rows for a number of cells."""
_HARD = 0.3
"""The share of hard rock. A bomb removes soft rock only; the laser removes both, and gold too."""


def _make(chance: Random, counts: Counts) -> Instance:
    rows = _ROWS.get(counts["loc"], 3)
    columns = counts["loc"] // rows
    cells = field_of(rows, columns)
    free = [cell for cell in cells if cell[1] == 0]
    gold = chance.choice([cell for cell in cells if cell[1] == columns - 1])
    initial = ["arm-empty", "bomb-at f0-0f", f"gold-at {_name(gold)}", f"soft-rock-at {_name(gold)}"]
    initial += [f"robot-at {_name(chance.choice(free))}", f"laser-at {_name(chance.choice(free))}"]
    initial += [f"clear {_name(cell)}" for cell in free]
    for cell in cells:
        if cell not in free and cell != gold:
            hard = chance.choices([True, False], [_HARD, 1 - _HARD])[0]
            initial.append(f"{'hard' if hard else 'soft'}-rock-at {_name(cell)}")
    initial += [f"connected {_name(cell)} {_name(near)}" for cell in cells for near in beside(cell) if near in cells]
    return Instance(f"gold-miner-{rows}-{columns}", {"loc": list(map(_name, cells))}, initial, ["holds-gold"])


def _name(cell: Cell) -> str:
    return f"f{cell[0]}-{cell[1]}f"


GOLD_MINER = Maker([{"loc": count} for count in (9, 12, 15, 16)], _make)
