"""The second solver of roads with chance: the least expected time, by all actions in all places until nothing changes.

It proves what the backward solver says, and shares no code with it. It knows no shortcut either: the hero may camp,
rest, craft and drop anywhere and at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.journey.road import Monster, Node, Place, Region, Road, distance

_Times = NDArray[np.float64]
"""Expected times by number of the load and hearts. The last row stands for what is no load."""
_Rows = NDArray[np.intp]
_Level = tuple[int, ...]


def expected_time(road: Road) -> float:
    """Return the least expected time of a road."""
    tables = _Tables(road)
    times = np.zeros((len(tables.numbers) + 1, road.limits.hearts))
    times[-1] = inf
    for region in reversed(road.regions):
        times = _solve_region(road, tables, region, times)
    return float(times[tables.numbers[(), ()], -1])


class _Tables:
    """The loads of a road, and the load to which each action leads."""

    def __init__(self, road: Road) -> None:
        bags = list(_multisets(road.materials, road.limits.bag))
        gears = list(_multisets(list(road.gear), road.limits.places))
        self.numbers: dict[Any, int] = {load: number for number, load in enumerate(product(bags, gears))}
        self.gather = {code: self._rows((code,), (), (), ()) for code in road.materials}
        self.craft = {kind: self._rows((), gear.recipe, (kind,), ()) for kind, gear in road.gear.items()}
        self.keep = {kind: self._rows((), (), (kind,), (kind,)) for kind in road.gear}
        self.lose = {kind: self._rows((), (), (), (kind,)) for kind in road.gear}
        self.drop = [*self.lose.values(), *(self._rows((), (code,), (), ()) for code in road.materials)]

    def _rows(self, material: Sequence[str], spent: Sequence[str], gear: Sequence[str], lost: Sequence[str]) -> _Rows:
        """Return where each load leads if some things are taken out of it, and then others are added."""
        nowhere = len(self.numbers)
        loads = ((_changed(bag, spent, material), _changed(pieces, lost, gear)) for bag, pieces in self.numbers)
        return np.array([*(self.numbers.get(load, nowhere) for load in loads), nowhere], np.intp)


def _multisets(things: Sequence[str], most: int) -> Iterator[tuple[str, ...]]:
    for size in range(most + 1):
        yield from combinations_with_replacement(sorted(things), size)


def _changed(things: tuple[str, ...], lost: Sequence[str], added: Sequence[str]) -> tuple[str, ...] | None:
    rest = list(things)
    for thing in lost:
        if thing not in rest:
            return None
        rest.remove(thing)
    return tuple(sorted([*rest, *added]))


def _solve_region(road: Road, tables: _Tables, region: Region, behind: _Times) -> _Times:
    """Return the expected times at which the hero comes into a region, from those behind its gate."""
    most = (*(node.units for node in region.nodes), *(1 for _ in region.monsters))
    levels: dict[_Level, dict[Place, _Times]] = {}
    for level in product(*(range(each + 1) for each in most)):
        goals = list(_goals(road, tables, region, level, levels))
        if not any(level[len(region.nodes) :]):
            goals.append((region.leave, behind))
        levels[level] = _sweep(road, tables, region, goals)
    return levels[most][region.enter]


def _goals(
    road: Road, tables: _Tables, region: Region, level: _Level, levels: dict[_Level, dict[Place, _Times]]
) -> Iterator[tuple[Place, _Times]]:
    """Yield the place of each action that leads to a lower level, and the expected times there before it."""
    sites: list[Node | Monster] = [*region.nodes, *region.monsters]
    for number, site in enumerate(sites):
        if level[number]:
            lower = levels[*level[:number], level[number] - 1, *level[number + 1 :]][site.place]
            if isinstance(site, Monster):
                for kind in (None, *road.gear):
                    yield site.place, _fight(road, tables, site, kind, lower)
            else:
                yield site.place, lower[tables.gather[site.material]] + site.time


def _fight(road: Road, tables: _Tables, monster: Monster, kind: str | None, after: _Times) -> _Times:
    if kind is not None:
        break_chance = 1 / road.limits.breaks
        after = break_chance * after[tables.lose[kind]] + (1 - break_chance) * after[tables.keep[kind]]
    time, wounds = road.fight(monster, kind)
    times = np.full_like(after, inf)
    for hearts in range(road.most_wounds(monster, kind) + 1, road.limits.hearts + 1):
        chance = road.wound_chance(monster, kind)
        times[:, hearts - 1] = time + (1 - chance) * after[:, hearts - wounds - 1]
        if chance:
            times[:, hearts - 1] += chance * after[:, hearts - wounds - 2]
    return times


def _sweep(road: Road, tables: _Tables, region: Region, goals: Sequence[tuple[Place, _Times]]) -> dict[Place, _Times]:
    """Return the expected times at each place of a level, given those at which it can be left."""
    limits, workshop, inn = road.limits, region.workshop, region.inn
    places = {region.enter, *(node.place for node in region.nodes), *(monster.place for monster in region.monsters)}
    places |= {*([workshop.place] if workshop else []), *([inn] if inn is not None else [])}
    level = {place: np.min([times + distance(place, goal) for goal, times in goals], axis=0) for place in places}
    more_hearts = np.minimum(np.arange(limits.hearts) + 1, limits.hearts - 1)
    changed = True
    while changed:
        changed = False
        for place, times in level.items():
            ways = [times, *(times[rows] for rows in tables.drop), times[:, more_hearts] + limits.camp]
            if workshop:
                there = level[workshop.place] + (distance(place, workshop.place) + limits.crafting)
                ways += [there[tables.craft[kind]] for kind in workshop.makes]
            if inn is not None:
                rest_times = level[inn][:, -1:] + (distance(place, inn) + limits.rest)
                ways.append(np.broadcast_to(rest_times, times.shape))
            level[place] = np.min(ways, axis=0)
            changed |= not np.array_equal(level[place], times)
    return level
