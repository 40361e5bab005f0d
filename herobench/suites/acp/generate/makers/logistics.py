"""Instances of the domain logistics-strips: packages, trucks within cities, airplanes between them."""

from __future__ import annotations

from random import Random

from herobench.suites.acp.generate.instance import Counts, Instance
from herobench.suites.acp.generate.makers.maker import Maker, numbered

_SIZES = ((2, 2, 4), (2, 3, 4), (3, 3, 4), (3, 3, 5), (5, 3, 4), (5, 10, 4))
"""Cities, locations of each with its airport, packages."""


def _make(chance: Random, counts: Counts) -> Instance:
    cities, size = counts["city"], 1 + counts["location"] // counts["city"]
    places = [[f"l{city}-{number}" for number in range(size)] for city in range(cities)]
    everywhere = [place for city in places for place in city]
    airports = [city[0] for city in places]
    packages, planes = numbered("p", counts["package"]), numbered("a", counts["airplane"])
    trucks = numbered("t", counts["truck"])
    initial = [f"in-city {place} c{city}" for city in range(cities) for place in places[city]]
    initial += [f"at {package} {chance.choice(everywhere)}" for package in packages]
    initial += [f"at {plane} {chance.choice(airports)}" for plane in planes]
    # each city has a truck, as long as there are trucks
    initial += [f"at {truck} {chance.choice(places[number % cities])}" for number, truck in enumerate(trucks)]
    objects = {
        "airplane": planes,
        "airport": airports,
        "city": numbered("c", cities),
        "location": [place for place in everywhere if place not in airports],
        "package": packages,
        "truck": trucks,
    }
    goal = [f"at {package} {chance.choice(everywhere)}" for package in packages]
    name = f"logistics-c{cities}-s{size}-p{len(packages)}-a{len(planes)}"
    return Instance(name, objects, initial, goal)


LOGISTICS = Maker(
    [
        {
            "airplane": 1,
            "airport": cities,
            "city": cities,
            "location": cities * (size - 1),
            "package": packages,
            "truck": cities,
        }
        for cities, size, packages in _SIZES
    ],
    _make,
)
