"""Instances of the domain blocksworld-4ops: towers of blocks that become other towers."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from herobench.suites.acp.generate.instance import Counts, Instance
from herobench.suites.acp.generate.makers.maker import Maker, numbered, towers


def _make(chance: Random, counts: Counts) -> Instance:
    blocks = numbered("block_", counts["object"], 1)
    initial = ["handempty"]
    for tower in towers(chance, blocks, len(blocks)):
        initial += [f"ontable {tower[0]}", f"clear {tower[-1]}"]
        initial += [f"on {upper} {lower}" for lower, upper in pairwise(tower)]
    goal = [
        f"on {upper} {lower}"
        for tower in towers(chance, blocks, max(1, len(blocks) // 2))
        for lower, upper in pairwise(tower)
    ]
    return Instance(f"bw-rand-{len(blocks)}", {"object": blocks}, initial, goal)


BLOCKS = Maker([{"object": count} for count in (3, 5, 10, 20)], _make)
