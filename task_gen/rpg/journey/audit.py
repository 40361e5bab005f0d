"""Measures what programs without foresight lose: how often they come near the least time, by length and dials.

`herobench audit TASKS --suite journey` prints it. The times of the sights are certified with each task. `greedy` and
`nearest` are rules of thumb; `repair` and `insertion` change whole plans (`drafts`). `priced:k` sees k regions and
plans them perfectly. It has read how roads are drawn, and so knows what the hero's load is worth on average behind
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from herobench.data.errors import UsageError
from herobench.data.options import read_options
from herobench.suite.contract import SuiteSetting
from herobench.suite.validating import TaskFigures, Watch, WinsTable
from herobench.suites.rpg.journey.columns import NEAR
from herobench.suites.rpg.journey.options import LONGEST_AUDITED, JourneyAuditOptions
from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.task import DATASETS, JOURNEYS, Dials, Journey, shipped_journeys
from herobench.suites.rpg.journey.walk import Call, walk
from herobench.suites.rpg.refusals import RpgFault
from herobench.task_gen.rpg.journey.drafts import inserted_plan, repaired_plan
from herobench.task_gen.rpg.journey.draw import draw_region
from herobench.task_gen.rpg.journey.planners import greedy_plan, nearest_plan
from herobench.task_gen.rpg.journey.regrets import best_plan
from herobench.task_gen.rpg.journey.values import BackwardSolver, Times
from herobench.work.engine import Each, Local

_RULER = 8
"""The regions from which on no family may be near."""
_FUTURES, _DEPTH = 10, 4
"""The roads that are drawn to learn what a load is worth, and their regions."""
_SHORT = (1, 2)
"""The sights that count as none."""


def priced_plan(journey: Journey, sight: int) -> Sequence[Call]:
    """Return the plan of one who sees so many regions, and knows what a load is worth on average behind them."""
    prices = _learn_prices(journey.road, replace(journey.dials, regions=_DEPTH))
    return best_plan(BackwardSolver(journey.road, prices), journey.road, sight)


@lru_cache(1)
def _learn_prices(road: Road, dials: Dials) -> Times:
    """Return what each load costs on average at the gate to a road with these dials and the gear of this one."""
    gates = []
    for number in range(_FUTURES):
        chance = Random(f"futures/{number}")  # noqa: S311 - the same task, the same prices
        regions = tuple(draw_region(chance, dials, list(road.materials), list(road.gear)) for _ in range(_DEPTH))
        gates.append(BackwardSolver(Road(road.limits, road.gear, regions, road.side)).gates[0][1])
    prices: Times = np.mean(gates, axis=0).round().astype(np.int16)
    return prices


FAMILIES: Mapping[str, Callable[[Journey], Sequence[Call]]] = {
    "greedy": lambda journey: greedy_plan(journey.road),
    "nearest": lambda journey: nearest_plan(journey.road),
    "repair": lambda journey: repaired_plan(journey.road, journey.id),
    "insertion": lambda journey: inserted_plan(journey.road),
    **{f"priced:{sight}": lambda journey, sight=sight: priced_plan(journey, sight) for sight in _SHORT},  # type: ignore[misc]
}
"""The families by name, each with its plan, but for the sights."""


def try_families(journey: Journey) -> Mapping[str, float]:
    """Return the time of each family's plan."""
    times: dict[str, float] = {f"sight:{sight}": journey.sights[sight] for sight in _SHORT}
    return times | {name: walk(journey.road, make(journey)).time for name, make in FAMILIES.items()}


def audit(setting: SuiteSetting, watch: Watch) -> TaskFigures:
    """Return what the families lose on the tasks of a setting."""
    options = read_options(JourneyAuditOptions, setting.options, "the suite journey")
    name = str(setting.tasks or DATASETS[0])
    journeys = shipped_journeys(name) if name in DATASETS else JOURNEYS.in_file(Path(name))
    tasks = list(_choose(journeys.values(), options.each))
    if any(journey.road.has_chance for journey in tasks):
        raise UsageError(RpgFault.CHANCE, advice="audit roads without it, since the families make plans")
    rows = []
    with watch(len(tasks)) as step:
        every = Local(setting.workers).results(Each(try_families, worth=2), tasks)
        for journey, times in zip(tasks, every, strict=True):
            rows += [_as_row(journey, family, time) for family, time in times.items()]
            step()
    return TaskFigures(list(_tables(rows)), {"schema": 1, "rows": rows})


def _choose(journeys: Iterable[Journey], each: int) -> Iterator[Journey]:
    """Yield the first journeys of each length that is not too long."""
    counts = Counter[int]()
    for journey in journeys:
        regions = journey.dials.regions
        counts[regions] += 1
        if regions <= LONGEST_AUDITED and counts[regions] <= each:
            yield journey


def _as_row(journey: Journey, family: str, time: float) -> Mapping[str, Any]:
    return {"task": journey.id, **asdict(journey.dials), "family": family, "time": time, "least": journey.least}


def _tables(rows: Sequence[Mapping[str, Any]]) -> Iterator[WinsTable | str]:
    """Yield the figures of each length, and then those of each width and reach from `_RULER` regions on."""
    for regions in sorted({row["regions"] for row in rows}):
        yield f"{regions} regions"
        yield _table([row for row in rows if row["regions"] == regions])
    long = [row for row in rows if row["regions"] >= _RULER]
    for sites, width, reach in sorted({(row["sites"], row["width"], row["reach"]) for row in long}):
        yield f"{sites}, width {width}, reach {reach}, from {_RULER} regions on"
        yield _table([row for row in long if (row["sites"], row["width"], row["reach"]) == (sites, width, reach)])


def _table(rows: Sequence[Mapping[str, Any]]) -> WinsTable:
    """Return the share of the best and of the near plans, and the mean time lost, by family."""
    by_family: dict[str, list[float]] = {}
    for row in rows:
        by_family.setdefault(row["family"], []).append(row["time"] / row["least"])
    lines = []
    for family, ratios in by_family.items():
        best, near = (sum(ratio <= most for ratio in ratios) / len(ratios) for most in (1, NEAR))
        loss = sum(ratios) / len(ratios) - 1
        lines.append([family, f"{100 * best:.0f} %", f"{100 * near:.0f} %", f"{100 * loss:.1f} %"])
    return WinsTable(["family"], [f"best of {len(rows) // len(by_family)}", "within 1 %", "time lost"], lines)
