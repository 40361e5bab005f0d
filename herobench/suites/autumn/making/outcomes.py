"""The outcomes of what draws random numbers, a start or a step: all of them where they are few, else a sample.

A sample of free draws would hardly ever agree with what was seen of many objects that move at random. So most of the
sample has the true numbers but for one or two of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from herobench.suites.autumn.language.chance import Chance, Script
from herobench.suites.autumn.language.world import World

_HOPELESS = 4
"""More outcomes than this, times those that may be looked at, are not counted but sampled at once."""

Draw = Callable[[Chance], World]
"""Does a start or a step with numbers from a state of chance."""


class Outcomes(NamedTuple):
    """Worlds after a start or a step."""

    worlds: list[World]
    complete: bool
    """Whether there are no others."""


def outcomes(draw: Draw, most: int, truth: Script, random: Random) -> Outcomes:
    """Return what `draw` makes of all numbers that it may draw if there are at most so many, else a sample.

    `truth` has the numbers that were really drawn.
    """
    found: list[World] = []
    script: Script | None = Script()
    if math.prod(truth.bounds) > _HOPELESS * most:
        return Outcomes([draw(other) for other in _near(truth, most, random)], False)
    while script is not None and len(found) < most:
        found.append(draw(script))
        script = drawn_by(found[-1]).next()
    if script is None:
        return Outcomes(found, True)
    return Outcomes([draw(other) for other in _near(truth, most, random)], False)


def drawn_by(world: World) -> Script:
    """Return what a world that was given a script has drawn."""
    chance = world.chance
    assert isinstance(chance, Script)
    return chance


def truly_drawn(draw: Draw, chance: Chance) -> Script:
    """Return the numbers that are drawn from a state of the generator."""
    assert isinstance(chance, int)
    return drawn_by(draw(Script(beyond=chance)))


def stepped(world: World, action: str) -> Draw:
    """Return what does a step of a copy of a world."""

    def draw(chance: Chance) -> World:
        made = world.redrawn(chance)
        made.act(action)
        return made

    return draw


def _near(truth: Script, count: int, random: Random) -> Iterator[Script]:
    """Yield scripts that differ from the true one in a draw, then in two."""
    numbers, bounds = truth.numbers, truth.bounds
    single = [(at, other) for at, bound in enumerate(bounds) for other in range(min(bound, 50)) if other != numbers[at]]
    random.shuffle(single)
    for number in range(count):
        changes = single[number : number + 1] or random.sample(single, min(2, len(single)))
        changed = list(numbers)
        for at, other in changes:
            changed[at] = other
        yield Script(tuple(changed), beyond=random.getrandbits(64))
