"""Instances of the domain swap: agents trade roles until each has the one that is wanted."""

from __future__ import annotations

from random import Random

from herobench.suites.acp.generate.instance import Counts, Instance
from herobench.suites.acp.generate.makers.maker import Maker

_AGENTS = "anton berta cesar dora emil frida gustav hilde ida jonas klara ludwig marta nora otto paula".split()
_ROLES = (
    "lantern kite compass teapot violin ladder basket anchor".split(),
    "baker sailor painter farmer printer weaver miller carter".split(),
    "copper amber walnut ivory cedar silver linen marble".split(),
)


def _make(chance: Random, counts: Counts) -> Instance:
    agents = sorted(chance.sample(_AGENTS, counts["agent"]))
    roles = sorted(chance.sample(chance.choice(_ROLES), len(agents)))
    initial, goal = (
        [f"assigned {agent} {role}" for agent, role in zip(agents, chance.sample(roles, len(roles)), strict=True)]
        for _ in range(2)
    )
    return Instance(f"swap-{len(agents)}", {"agent": agents, "role": roles}, initial, goal)


SWAP = Maker([{"agent": count, "role": count} for count in (3, 4, 6, 7, 8)], _make)
