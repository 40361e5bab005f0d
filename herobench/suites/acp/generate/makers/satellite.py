"""Instances of the domain satellite: instruments on satellites are calibrated and take images."""

from __future__ import annotations

from random import Random

from herobench.suites.acp.generate.instance import Counts, Instance
from herobench.suites.acp.generate.makers.maker import Maker, numbered, some

_SIZES = ((1, 1, 7), (3, 5, 7), (6, 11, 11), (7, 18, 7), (10, 16, 7))
"""Satellites, instruments and directions."""
_TARGETS = 5
"""How many directions serve to calibrate, at most. The others are observed."""
_MODES = ("image", "infrared", "spectrograph", "thermograph")


def _make(chance: Random, counts: Counts) -> Instance:
    satellites, instruments = numbered("satellite", counts["satellite"]), numbered("instrument", counts["instrument"])
    modes = [f"{chance.choice(_MODES)}{number}" for number in range(counts["mode"])]
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
        for satellites, instruments, directions in _SIZES
    ],
    _make,
)
