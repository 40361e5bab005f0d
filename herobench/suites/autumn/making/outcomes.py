"""The outcomes of what draws random numbers, a start or a step: all of them where they are few, else a sample."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from herobench.suites.autumn.language.chance import Chance, Script
from herobench.suites.autumn.language.world import World


class Outcomes(NamedTuple):
    """Worlds after a start or a step."""

    worlds: list[World]
    complete: bool
    """Whether there are no others."""


def outcomes(draw: Callable[[Chance], World], most: int, sample: int, random: Random) -> Outcomes:
    """Return what `draw` makes of all numbers that it may draw: all outcomes if there are at most so many."""
    found: list[World] = []
    script: Script | None = Script()
    while script is not None and len(found) < most:
        found.append(draw(script))
        after = found[-1].chance
        script = after.next() if isinstance(after, Script) else None
    if script is None:
        return Outcomes(found, True)
    return Outcomes([draw(random.getrandbits(64)) for _ in range(sample)], False)


def stepped(world: World, action: str) -> Callable[[Chance], World]:
    """Return what does a step of a copy of a world with random numbers from a state of chance."""

    def draw(chance: Chance) -> World:
        made = world.redrawn(chance)
        made.act(action)
        return made

    return draw
