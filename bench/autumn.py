"""Steps of Autumn programs per second of processor time, each with its grid, against the C++ reference.

The anchors are the reference's figures with the grid of colours ("REF step+render+colour grid" of its specification),
measured on another machine of this kind, so a ratio is good to about a fifth. The actions are those of the public
traces. The programs lie beside the project; where they do not, nothing is measured.
"""

from __future__ import annotations

import json
import lzma
import time
from statistics import median

from herobench.suites.autumn import AutumnError, Program
from tests.builders import SHARED

REFERENCE = SHARED / "reference" / "autumn"
ANCHORS = {
    "particle_1": 5544,
    "ice": 2442,
    "mario": 656,
    "space_invaders": 455,
    "gravity": 1093,
    "ants": 3588,
    "gravity_4": 553,
    "gameOfLife": 59,
    "sand": 26,
}
"""Steps per second of the reference, by program."""
_RUNS = 3


def measure() -> dict[str, float]:
    """Return steps per second over all traces of each program, the slowest trace, and how often the anchor that is."""
    figures: dict[str, float] = {}
    for name, anchor in ANCHORS.items():
        path = REFERENCE / "golden" / f"{name}.json.xz"
        if path.is_file():
            with lzma.open(path, "rt") as file:
                document = json.load(file)
            start = time.process_time()
            program = Program.from_text((REFERENCE / document["program"]).read_text("utf-8"))
            figures[f"{name}: ms to compile"] = 1000 * (time.process_time() - start)
            rates = [_rate(program, trace["seed"], trace["actions"]) for trace in document["traces"]]
            figures[f"{name}: steps with grid a second"] = len(rates) / sum(1 / rate for rate in rates)
            figures[f"{name}: in the slowest trace"] = min(rates)
            figures[f"{name}: times the reference"] = figures[f"{name}: steps with grid a second"] / anchor
    return figures


def _rate(program: Program, seed: int, actions: list[str]) -> float:
    """Return steps per second of one trace: the median of some runs."""
    return median(_once(program, seed, actions) for _ in range(_RUNS))


def _once(program: Program, seed: int, actions: list[str]) -> float:
    world = program.start(seed)
    start = time.process_time()
    for action in actions:
        try:
            world.act(action)
        except AutumnError:  # some traces end with an error of the program
            break
        _ = world.grid
    return world.steps / (time.process_time() - start)
