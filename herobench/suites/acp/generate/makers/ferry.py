"""Instances of the domain ferry: cars, and locations between which a ferry sails."""

from __future__ import annotations

from itertools import permutations
from random import Random

from herobench.suites.acp.generate.instance import Counts, Instance
from herobench.suites.acp.generate.makers.maker import Maker, numbered

_SIZES = ((2, 2), (3, 2), (5, 2), (10, 2), (20, 2), (50, 2), (2, 3), (10, 3), (3, 5), (50, 5))


def _make(chance: Random, counts: Counts) -> Instance:
    cars, places = numbered("c", counts["car"]), numbered("l", counts["location"])
    initial = [f"at {car} {chance.choice(places)}" for car in cars]
    initial += [f"at-ferry {chance.choice(places)}", "empty-ferry"]
    initial += [f"not-eq {left} {right}" for left, right in permutations(places, 2)]
    goal = [f"at {car} {chance.choice(places)}" for car in cars]
    return Instance(f"ferry-l{len(places)}-c{len(cars)}", {"car": cars, "location": places}, initial, goal)


FERRY = Maker([{"car": cars, "location": places} for cars, places in _SIZES], _make)
