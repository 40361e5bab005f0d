"""Makes journeys: draws a road, finds its least time by both solvers, and certifies it.

    python -m herobench.task_gen.rpg.journey.maker luck-v1      # makes a shipped set again; without a name, all

Task number n of a seed is the same however many are made. A private twin has the dials of its original, and a road of
its own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from herobench.data.documents import content_folder
from herobench.data.errors import HeroBenchError
from herobench.data.rows import packed_rows
from herobench.suites.rpg.journey.plan import luck_seeds
from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.task import DATASETS, Chance, Dials, Journey, Sites
from herobench.suites.rpg.journey.walk import Step, walk
from herobench.task_gen.rpg.journey.draw import draw_road
from herobench.task_gen.rpg.journey.labels import least_time
from herobench.task_gen.rpg.journey.regrets import best_plan, judge, mean_regret, sight_times
from herobench.task_gen.rpg.journey.sweeps import expected_time
from herobench.task_gen.rpg.journey.values import BackwardSolver
from herobench.work.engine import Each, Local

_DIGITS = 7
"""The digits of expected times in a row."""
_TOLERANCE = 1e-6
"""The most by which an expected time may differ from that of the second solver."""


def make_journey(id: str, seed: str, dials: Dials) -> Journey:
    """Return the certified task of a seed. Raise HeroBenchError if the two solvers do not agree."""
    road = draw_road(seed, dials)
    solver = BackwardSolver(road)
    other_time = _prove_least(road)
    if abs(other_time - solver.least) > _TOLERANCE:
        raise HeroBenchError(f"The solvers disagree on {id}: {solver.least} by the first, {other_time} by the second.")
    plan = best_plan(solver, road)
    sights, reaches = _sights(solver, road, id), _reaches(solver, road, walk(road, plan).steps)
    return Journey(id, dials, road, round(solver.least, _DIGITS), tuple(plan), sights, reaches)


def _sights(solver: BackwardSolver, road: Road, id: str) -> dict[int, float]:
    """Return the time of the plan of each sight, as a certificate says it."""
    times = sight_times(solver, road, luck_seeds(id) if road.has_chance else [""])
    return {sight: round(time, _DIGITS) for sight, time in times.items()}


def _reaches(solver: BackwardSolver, road: Road, steps: Sequence[Step]) -> tuple[int, ...]:
    """Return the reach of each decision of a plan."""
    return tuple(decision.reach for decision in judge(solver, road, steps))


def _prove_least(road: Road) -> float:
    """Return the least time of a road by the second solver of its kind."""
    return expected_time(road) if road.has_chance else least_time(road)


def make_twins(originals: Sequence[Journey], seed: int, workers: int) -> Iterator[Journey]:
    """Yield a private twin of each journey, made from a seed."""
    return Local(workers).results(Each(_Twin(seed), worth=1), originals)


@dataclass(frozen=True)
class _Twin:
    seed: int

    def __call__(self, original: Journey) -> Journey:
        twin = make_journey(original.id, f"twin/{self.seed}/{original.id}", original.dials)
        return replace(twin, twin_of=original.id)


def find_problems(journey: Journey) -> list[str]:
    """Prove the certificate of a journey again. Return a sentence for each claim that does not hold."""
    road, solver = journey.road, BackwardSolver(journey.road)
    problems = list(_plan_problems(journey, solver))
    if abs((least := _prove_least(road)) - journey.least) > _TOLERANCE:
        problems.append(f"the least time is {least}, and the certificate says {journey.least}")
    if (sights := _sights(solver, road, journey.id)) != journey.sights:
        times, claimed_times = (" ".join(map(str, each.values())) for each in (sights, journey.sights))
        problems.append(
            f"planners that see 1, 2, 3 regions and more take {times}, and the certificate says {claimed_times}"
        )
    return problems


def _plan_problems(journey: Journey, solver: BackwardSolver) -> Iterator[str]:
    """Yield what does not hold of the plan of a certificate, and of the reaches of a plan that holds."""
    road_walk = walk(journey.road, journey.plan)
    if not road_walk.arrived:
        yield "the plan does not arrive"
    elif journey.road.has_chance and (regret := mean_regret(solver, [road_walk.steps])):
        yield f"the plan has decisions with a regret, {regret:.10g} in all"
    elif not journey.road.has_chance and road_walk.time != journey.least:
        yield f"the plan takes {road_walk.time}, and the certificate says {journey.least}"
    elif (reaches := _reaches(solver, journey.road, road_walk.steps)) != journey.reaches:
        number = next(at for at, pair in enumerate(zip_longest(reaches, journey.reaches), 1) if len({*pair}) > 1)
        yield f"the reach of decision {number} of the plan is not that which the certificate says"


_SETS, _LONGER, _LONGER_REGIONS = 10, 24, 128
"""How many times the lengths of the default set can be made, and how many longer tasks behind them."""


def ladder() -> list[int]:
    """Return the length of each task that can be made by its number."""
    lengths = [dials.regions for _, _, dials in shipped_dials(DATASETS[0])]
    return lengths * _SETS + [_LONGER_REGIONS] * _LONGER


def make_numbered(seed: int, numbers: Mapping[str, int], workers: int) -> Iterator[Journey]:
    """Yield the tasks of some numbers of `ladder`, by the ids that they get."""
    usual, lengths = [dials for _, _, dials in shipped_dials(DATASETS[0])], ladder()
    wishes = [
        (id, f"made/{seed}/{number}", replace(usual[number % len(usual)], regions=lengths[number]))
        for id, number in numbers.items()
    ]
    return Local(workers).results(Each(_make, worth=1), wishes)


def _make(arguments: tuple[str, str, Dials]) -> Journey:
    return make_journey(*arguments)


# -- the shipped sets -------------------------------------------------------------------------------------------------

_MAPS = ((2, 60), (4, 60), (8, 48), (16, 36), (32, 24), (64, 12))
"""The lengths of the default set, and how many tasks of each: a long task holds many decisions."""
_SHORT, _LONG = ((1, 2), (2, 2), (2, 3), (3, 2)), ((1, 2), (2, 2), (2, 3), (1, 3))
"""Width and reach of the tasks of less than `_LONG_FROM` regions, and from there on, in turn. Gear that lasts one fight
is left out: a planner who sees two regions and knows what loads are worth on average comes near to the least time."""
_LONG_FROM = 8
_HAND = ((8, 16), (16, 14), (32, 12), (64, 8), (125, 5), (250, 3), (500, 2))
"""The same for the set with all at hand."""
_CHANCE = ((2, 10), (4, 10), (8, 10), (16, 6), (32, 4))
"""The same for the set with chance."""
_SHAPES: Mapping[str, tuple[Sequence[tuple[int, int]], Sites, Chance]] = dict(
    zip(DATASETS, ((_MAPS, "maps", "off"), (_HAND, "hand", "off"), (_CHANCE, "maps", "on")), strict=True)
)
"""The lengths, the sites and the chance of each set."""


def shipped_dials(name: str) -> Iterator[tuple[str, str, Dials]]:
    """Yield the id, the seed and the dials of each task of a shipped set."""
    lengths, sites, chance = _SHAPES[name]
    for regions, count in lengths:
        kinds = _LONG if regions >= _LONG_FROM else _SHORT
        for number in range(count):
            width, reach = kinds[number % len(kinds)]
            id = f"{regions}/{number + 1}"
            yield id, f"{name}/{id}", Dials(regions, sites, width, reach, chance)


def make_set(name: str, jobs: int) -> Iterable[Mapping[str, Any]]:
    """Yield the rows of a shipped set, the same ones each time."""
    journeys = Local(jobs).results(Each(_make, worth=1), list(shipped_dials(name)))
    return (journey.as_row() for journey in journeys)


if __name__ == "__main__":
    for dataset in sys.argv[1:] or DATASETS:
        rows = list(make_set(dataset, os.cpu_count() or 1))
        Path(str(content_folder().joinpath("datasets", f"{dataset}.jsonl.xz"))).write_bytes(packed_rows(rows))
