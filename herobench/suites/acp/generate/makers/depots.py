"""Instances of the domain depots: crates are stacked by hoists and moved by trucks."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from herobench.suites.acp.generate.instance import Counts, Instance
from herobench.suites.acp.generate.makers.maker import Maker, numbered, towers

_SIZES = ((2, 2), (3, 2), (4, 3), (7, 2), (10, 2))
"""Depots and crates, beside two distributors and two trucks."""


def _make(chance: Random, counts: Counts) -> Instance:
    crates, trucks = numbered("crate", counts["crate"]), numbered("truck", counts["truck"])
    depots, distributors = numbered("depot", counts["depot"]), numbered("distributor", counts["distributor"])
    places = [*depots, *distributors]
    hoists, pallets = numbered("hoist", len(places)), numbered("pallet", len(places))
    home = dict(zip(pallets, places, strict=True))
    initial = [f"at {pallet} {place}" for pallet, place in home.items()]
    initial += [f"at {hoist} {place}" for hoist, place in zip(hoists, places, strict=True)]
    initial += [f"available {hoist}" for hoist in hoists]
    initial += [f"at {truck} {chance.choice(places)}" for truck in trucks]
    piles = _piles(chance, crates, pallets)
    initial += [f"clear {pallet}" for pallet in pallets if pallet not in (pile[0] for pile in piles)]
    initial += [f"clear {pile[-1]}" for pile in piles]
    initial += [f"at {crate} {home[pile[0]]}" for pile in piles for crate in pile[1:]]
    initial += _on(piles)
    objects = {
        "crate": crates,
        "depot": depots,
        "distributor": distributors,
        "hoist": hoists,
        "pallet": pallets,
        "truck": trucks,
    }
    name = f"depot-{len(depots)}-{len(distributors)}-{len(trucks)}-{len(pallets)}-{len(hoists)}-{len(crates)}"
    return Instance(name, objects, initial, _on(_piles(chance, crates, pallets)))


def _piles(chance: Random, crates: list[str], pallets: list[str]) -> list[list[str]]:
    """Stack the crates at random. Each pile begins with its pallet."""
    piles = towers(chance, crates, len(pallets))
    return [[pallet, *pile] for pallet, pile in zip(chance.sample(pallets, len(piles)), piles, strict=True)]


def _on(piles: list[list[str]]) -> list[str]:
    return [f"on {upper} {lower}" for pile in piles for lower, upper in pairwise(pile)]


DEPOTS = Maker(
    [
        {"crate": crates, "depot": depots, "distributor": 2, "hoist": depots + 2, "pallet": depots + 2, "truck": 2}
        for depots, crates in _SIZES
    ],
    _make,
)
