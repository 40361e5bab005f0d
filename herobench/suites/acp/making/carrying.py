"""Makers of instances in which things are carried, piled, exchanged or sent: ferry to satellite."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, permutations
from random import Random

from herobench.suites.acp.making.scene import Counts, Instance


@dataclass(frozen=True, slots=True)
class Maker:
    """Draws instances of one domain."""

    sizes: Sequence[Counts]
    """The sizes of the published instances."""
    make: Callable[[Random, Counts], Instance]
    hurdle: Callable[[Random, Instance], Instance] | None = None
    """Makes something unreachable, in domains whose instances have hardly anything that is."""


def leaving_out(predicate: str, first: str = "", share: float = 1) -> Callable[[Random, Instance], Instance]:
    """Return a hurdle: a fact of a predicate that does not hold, in some share of the instances.

    The first object of the fact may have to begin in some way.
    """

    def hurdle(chance: Random, instance: Instance) -> Instance:
        initial = list(instance.initial)
        if chance.random() >= share:
            return instance
        left_out = chance.choice([fact for fact in initial if fact.startswith(f"{predicate} {first}")])
        return replace(instance, initial=[fact for fact in initial if fact != left_out])

    return hurdle


def some(chance: Random, things: Sequence[str], least: int = 1) -> list[str]:
    """Return at least a number of some things, in their order."""
    sample = set(chance.sample(things, chance.randint(min(least, len(things)), len(things))))
    return [thing for thing in things if thing in sample]


def name_list(name: str, count: int, start: int = 0) -> list[str]:
    """Return names with numbers behind them."""
    return [f"{name}{number}" for number in range(start, start + count)]


def towers(chance: Random, things: Iterable[str], most: int) -> list[list[str]]:
    """Pile things up at random, in a limited number of piles. A pile begins with what lies lowest."""
    piles: list[list[str]] = []
    for thing in chance.sample(list(things), len(list(things))):
        place = chance.randrange(len(piles) + (len(piles) < most))
        if place == len(piles):
            piles.append([])
        piles[place].append(thing)
    return piles


_FERRY_SIZES = ((2, 2), (3, 2), (5, 2), (10, 2), (20, 2), (50, 2), (2, 3), (10, 3), (3, 5), (50, 5))


def _make_ferry(chance: Random, counts: Counts) -> Instance:
    cars, places = name_list("c", counts["car"]), name_list("l", counts["location"])
    initial = [f"at {car} {chance.choice(places)}" for car in cars]
    initial += [f"at-ferry {chance.choice(places)}", "empty-ferry"]
    initial += [f"not-eq {left} {right}" for left, right in permutations(places, 2)]
    goal = [f"at {car} {chance.choice(places)}" for car in cars]
    return Instance(f"ferry-l{len(places)}-c{len(cars)}", {"car": cars, "location": places}, initial, goal)


FERRY = Maker(
    [{"car": cars, "location": places} for cars, places in _FERRY_SIZES], _make_ferry, leaving_out("at", "c", 0.5)
)


_GRIPPER_SIZES = ((4, 2), (4, 3), (4, 5), (4, 7), (4, 10), (7, 3), (15, 3))


def _make_gripper(chance: Random, counts: Counts) -> Instance:
    balls, rooms = name_list("ball", counts["ball"], 1), name_list("room", counts["room"], 1)
    robots = name_list("robot", counts["robot"], 1)
    grippers = [f"{side}{number}" for number in range(1, len(robots) + 1) for side in ("left", "right")]
    initial = [f"at {ball} {chance.choice(rooms)}" for ball in balls]
    initial += [f"at-robby {robot} {chance.choice(rooms)}" for robot in robots]
    initial += [f"free {robot} {gripper}" for robot in robots for gripper in grippers if gripper[-1] == robot[-1]]
    goal = [f"at {ball} {chance.choice(rooms)}" for ball in balls]
    objects = {"ball": balls, "gripper": grippers, "robot": robots, "room": rooms}
    return Instance(f"gripper-{len(robots)}-{len(rooms)}-{len(balls)}", objects, initial, goal)


GRIPPER = Maker(
    [{"ball": balls, "gripper": 2, "robot": 1, "room": rooms} for balls, rooms in _GRIPPER_SIZES],
    _make_gripper,
    leaving_out("at", "ball"),
)


_LOGISTICS_SIZES = ((2, 2, 4), (2, 3, 4), (3, 3, 4), (3, 3, 5), (5, 3, 4), (5, 10, 4))
"""Cities, locations of each with its airport, packages."""


def _make_logistics(chance: Random, counts: Counts) -> Instance:
    cities, size = counts["city"], 1 + counts["location"] // counts["city"]
    places = [[f"l{city}-{number}" for number in range(size)] for city in range(cities)]
    everywhere = [place for city in places for place in city]
    airports = [city[0] for city in places]
    packages, planes = name_list("p", counts["package"]), name_list("a", counts["airplane"])
    trucks = name_list("t", counts["truck"])
    initial = [f"in-city {place} c{city}" for city in range(cities) for place in places[city]]
    initial += [f"at {package} {chance.choice(everywhere)}" for package in packages]
    initial += [f"at {plane} {chance.choice(airports)}" for plane in planes]
    # each city has a truck, as long as there are trucks
    initial += [f"at {truck} {chance.choice(places[number % cities])}" for number, truck in enumerate(trucks)]
    objects = {
        "airplane": planes,
        "airport": airports,
        "city": name_list("c", cities),
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
        for cities, size, packages in _LOGISTICS_SIZES
    ],
    _make_logistics,
)


_DEPOTS_SIZES = ((2, 2), (3, 2), (4, 3), (7, 2), (10, 2))
"""Depots and crates, beside two distributors and two trucks."""


def _make_depots(chance: Random, counts: Counts) -> Instance:
    crates, trucks = name_list("crate", counts["crate"]), name_list("truck", counts["truck"])
    depots, distributors = name_list("depot", counts["depot"]), name_list("distributor", counts["distributor"])
    places = [*depots, *distributors]
    hoists, pallets = name_list("hoist", len(places)), name_list("pallet", len(places))
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
        for depots, crates in _DEPOTS_SIZES
    ],
    _make_depots,
)


_AGENTS = "anton berta cesar dora emil frida gustav hilde ida jonas klara ludwig marta nora otto paula".split()
_ROLES = (
    "lantern kite compass teapot violin ladder basket anchor".split(),
    "baker sailor painter farmer printer weaver miller carter".split(),
    "copper amber walnut ivory cedar silver linen marble".split(),
)


def _make_swap(chance: Random, counts: Counts) -> Instance:
    agents = sorted(chance.sample(_AGENTS, counts["agent"]))
    roles = sorted(chance.sample(chance.choice(_ROLES), len(agents)))
    initial, goal = (
        [f"assigned {agent} {role}" for agent, role in zip(agents, chance.sample(roles, len(roles)), strict=True)]
        for _ in range(2)
    )
    return Instance(f"swap-{len(agents)}", {"agent": agents, "role": roles}, initial, goal)


SWAP = Maker([{"agent": count, "role": count} for count in (3, 4, 6, 7, 8)], _make_swap, leaving_out("assigned"))


def _make_blocks(chance: Random, counts: Counts) -> Instance:
    blocks = name_list("block_", counts["object"], 1)
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


BLOCKS = Maker([{"object": count} for count in (3, 5, 10, 20)], _make_blocks)


_ROVER_SIZES = ((2, 2, 3), (3, 2, 3), (2, 3, 3), (3, 3, 3), (2, 2, 5), (3, 5, 3), (3, 7, 3), (3, 2, 7))
"""Cameras, objectives and waypoints, beside two rovers."""
_ROVER_MODES = ("colour", "high_res", "low_res")
_WORK = ("soil_analysis", "rock_analysis", "imaging")


def _make_rover(chance: Random, counts: Counts) -> Instance:
    rovers, stores = name_list("rover", counts["rover"]), name_list("store", counts["rover"])
    waypoints, objectives = name_list("waypoint", counts["waypoint"]), name_list("objective", counts["objective"])
    cameras = name_list("camera", counts["camera"])
    initial = ["channel_free general", f"at_lander general {chance.choice(waypoints)}"]
    visible = _visible(chance, waypoints)
    initial += [f"visible {one} {other}" for one, other in sorted(visible)]
    for rover, store in zip(rovers, stores, strict=True):
        ways = _tree(chance, waypoints, visible)
        initial += [f"at {rover} {chance.choice(waypoints)}", f"available {rover}"]
        initial += [f"store_of {store} {rover}", f"empty {store}"]
        initial += [f"can_traverse {rover} {one} {other}" for one, other in sorted(ways)]
        initial += [f"equipped_for_{work} {rover}" for work in some(chance, _WORK, 2)]
    for camera in cameras:
        initial += [f"on_board {camera} {chance.choice(rovers)}"]
        initial += [f"calibration_target {camera} {chance.choice(objectives)}"]
        initial += [f"supports {camera} {mode}" for mode in some(chance, _ROVER_MODES)]
    initial += [f"visible_from {thing} {place}" for thing in objectives for place in some(chance, waypoints)]
    samples = {kind: some(chance, waypoints) for kind in ("soil", "rock")}
    initial += [f"at_{kind}_sample {place}" for kind, places in samples.items() for place in places]
    goal = [f"communicated_{kind}_data {place}" for kind, places in samples.items() for place in some(chance, places)]
    images = {(chance.choice(objectives), chance.choice(_ROVER_MODES)): None for _ in range(chance.randint(1, 3))}
    goal += [f"communicated_image_data {thing} {mode}" for thing, mode in images]
    objects = {
        "camera": cameras,
        "lander": ["general"],
        "mode": _ROVER_MODES,
        "objective": objectives,
        "rover": rovers,
        "store": stores,
        "waypoint": waypoints,
    }
    return Instance(f"rover-{len(rovers)}-{len(waypoints)}-{len(objectives)}", objects, initial, goal)


def _visible(chance: Random, waypoints: list[str]) -> set[tuple[str, str]]:
    """Return pairs in both directions that connect all waypoints, and some more."""
    pairs = set()
    for number, place in enumerate(waypoints[1:], 1):
        for other in some(chance, waypoints[:number]):
            pairs |= {(place, other), (other, place)}
    return pairs


def _tree(chance: Random, waypoints: list[str], visible: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return pairs of visible waypoints that connect all of them in one way only, in both directions."""
    ways: set[tuple[str, str]] = set()
    reached = [chance.choice(waypoints)]
    while len(reached) < len(waypoints):
        one, other = chance.choice(sorted(pair for pair in visible if pair[0] in reached and pair[1] not in reached))
        ways |= {(one, other), (other, one)}
        reached.append(other)
    return ways


ROVER = Maker(
    [
        {
            "camera": cameras,
            "lander": 1,
            "mode": 3,
            "objective": objectives,
            "rover": 2,
            "store": 2,
            "waypoint": waypoints,
        }
        for cameras, objectives, waypoints in _ROVER_SIZES
    ],
    _make_rover,
)


_SATELLITE_SIZES = ((1, 1, 7), (3, 5, 7), (6, 11, 11), (7, 18, 7), (10, 16, 7))
"""Satellites, instruments and directions."""
_TARGETS = 5
"""How many directions serve to calibrate, at most. The others are observed."""
_SATELLITE_MODES = ("image", "infrared", "spectrograph", "thermograph")


def _make_satellite(chance: Random, counts: Counts) -> Instance:
    satellites, instruments = name_list("satellite", counts["satellite"]), name_list("instrument", counts["instrument"])
    modes = [f"{chance.choice(_SATELLITE_MODES)}{number}" for number in range(counts["mode"])]
    fixed = min(_TARGETS, counts["direction"] - 1)
    targets = [f"{chance.choice(['star', 'groundstation'])}{number}" for number in range(fixed)]
    objects = [f"{chance.choice(['star', 'planet', 'phenomenon'])}{n}" for n in range(fixed, counts["direction"])]
    directions = [*targets, *objects]
    initial = [f"power_avail {satellite}" for satellite in satellites]
    initial += [f"pointing {satellite} {chance.choice(directions)}" for satellite in satellites]
    for number, instrument in enumerate(instruments):
        home = satellites[number] if number < len(satellites) else chance.choice(satellites)
        initial.append(f"on_board {instrument} {home}")
        initial += [f"supports {instrument} {mode}" for mode in some(chance, modes)]
        initial += [f"calibration_target {instrument} {aim}" for aim in chance.sample(targets, chance.randint(1, 2))]
    goal = [f"have_image {thing} {chance.choice(modes)}" for thing in objects]
    to_turn = [satellite for satellite in satellites if chance.randrange(4) == 0]
    goal += [f"pointing {satellite} {chance.choice(directions)}" for satellite in to_turn]
    objects_by_type = {"direction": directions, "instrument": instruments, "mode": modes, "satellite": satellites}
    return Instance(f"satellite-{len(satellites)}-{len(instruments)}-{len(directions)}", objects_by_type, initial, goal)


SATELLITE = Maker(
    [
        {"direction": directions, "instrument": instruments, "mode": 3, "satellite": satellites}
        for satellites, instruments, directions in _SATELLITE_SIZES
    ],
    _make_satellite,
    leaving_out("on_board"),
)
