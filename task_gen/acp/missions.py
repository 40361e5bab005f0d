"""Instances of the domain rover: rovers gather samples and images, and send them to a lander."""

from __future__ import annotations

from random import Random

from herobench.task_gen.acp.maker import Maker, numbered, some
from herobench.task_gen.acp.scene import Counts, Instance

_ROVER_SIZES = ((2, 2, 3), (3, 2, 3), (2, 3, 3), (3, 3, 3), (2, 2, 5), (3, 5, 3), (3, 7, 3), (3, 2, 7))
"""Cameras, objectives and waypoints, beside two rovers."""
_ROVER_MODES = ("colour", "high_res", "low_res")
_WORK = ("soil_analysis", "rock_analysis", "imaging")


def _make_rover(chance: Random, counts: Counts) -> Instance:
    rovers, stores = numbered("rover", counts["rover"]), numbered("store", counts["rover"])
    waypoints, objectives = numbered("waypoint", counts["waypoint"]), numbered("objective", counts["objective"])
    cameras = numbered("camera", counts["camera"])
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
    satellites, instruments = numbered("satellite", counts["satellite"]), numbered("instrument", counts["instrument"])
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
    turned = [satellite for satellite in satellites if chance.randrange(4) == 0]
    goal += [f"pointing {satellite} {chance.choice(directions)}" for satellite in turned]
    named = {"direction": directions, "instrument": instruments, "mode": modes, "satellite": satellites}
    return Instance(f"satellite-{len(satellites)}-{len(instruments)}-{len(directions)}", named, initial, goal)


SATELLITE = Maker(
    [
        {"direction": directions, "instrument": instruments, "mode": 3, "satellite": satellites}
        for satellites, instruments, directions in _SATELLITE_SIZES
    ],
    _make_satellite,
)
