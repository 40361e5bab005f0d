"""The forward solver: the least time to reach every position, region by region from the first.

It proves what the backward solver says, and shares no code with it. A load has one number, and each action is a list of
pairs of numbers: the load before it and the load after it. No two pairs of a list lead to the same load, so that a list
is carried out by one assignment.

At a level, what the hero last did brought him where he is. From there he may craft, rest, or both, and then does what
leads to a lower level or out of the region.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.journey.road import Monster, Node, Place, Region, Road

_Times = NDArray[np.int32]
"""The least time at which each load is reached, by hearts and number of the load."""
_Pairs = tuple[NDArray[np.intp], NDArray[np.intp]]
_FAR = 2**30


def least_time(road: Road) -> int:
    """Return the least time of a road."""
    tables = _Tables(road)
    times = np.full((road.limits.hearts, len(tables.loads)), _FAR, np.int32)
    times[-1, tables.loads[(), ()]] = 0
    for region in road.regions:
        times = _RegionLabels(road, tables, region).leave(times)
    return int(times.min())


class _Tables:
    """The loads of a road, and what actions make of them."""

    def __init__(self, road: Road) -> None:
        limits = road.limits
        materials = sorted({code for kind in road.gear.values() for code in kind.recipe})
        bags = list(_multisets(materials, limits.bag))
        gears = list(_multisets(list(product(sorted(road.gear), range(1, limits.uses + 1))), limits.places))
        self.loads = {load: number for number, load in enumerate(product(bags, gears))}
        self.gather = {code: list(self._gather(code, limits.bag)) for code in materials}
        self.craft = {kind: list(self._craft(road, kind)) for kind in road.gear}
        self.fight = {kind: [self._fight(kind, uses) for uses in range(1, limits.uses + 1)] for kind in road.gear}
        self.crafts = limits.bag // min(len(kind.recipe) for kind in road.gear.values())

    def _gather(self, code: str, most: int) -> Iterator[_Pairs]:
        """Yield the pairs of a unit that finds room, and those of one that takes the place of another material."""
        yield self._pairs((load, (_add(load[0], code), load[1])) for load in self.loads if len(load[0]) < most)
        for another in {code for bag, _ in self.loads for code in bag} - {code}:
            full = (load for load in self.loads if len(load[0]) == most and another in load[0])
            yield self._pairs((load, (_add(_remove(load[0], another), code), load[1])) for load in full)

    def _craft(self, road: Road, kind: str) -> Iterator[_Pairs]:
        """Yield the pairs of a piece that finds a place, and those of one that takes the place of another piece."""
        needs, new = Counter(road.gear[kind].recipe), (kind, road.limits.uses)
        able = [load for load in self.loads if not needs - Counter(load[0])]
        paid = {load: tuple(sorted((Counter(load[0]) - needs).elements())) for load in able}
        yield self._pairs(
            (load, (paid[load], _add(load[1], new))) for load in able if len(load[1]) < road.limits.places
        )
        full = [load for load in able if len(load[1]) == road.limits.places]
        for piece in product(road.gear, range(1, road.limits.uses + 1)):
            loads = (load for load in full if _most_worn(load[1], piece[0]) == piece[1])
            yield self._pairs((load, (paid[load], _add(_remove(load[1], piece), new))) for load in loads)

    def _fight(self, kind: str, uses: int) -> _Pairs:
        """Return the pairs of a fight with a piece that lasts so many fights."""
        pairs = []
        for bag, gear in self.loads:
            if _most_worn(gear, kind) == uses:
                rest = _remove(gear, (kind, uses))
                pairs.append(((bag, gear), (bag, rest if uses == 1 else _add(rest, (kind, uses - 1)))))
        return self._pairs(pairs)

    def _pairs(self, changes: Iterable[tuple[tuple, tuple]]) -> _Pairs:  # type: ignore[type-arg]
        numbers = [(self.loads[before], self.loads[after]) for before, after in changes]
        return np.array([pair[0] for pair in numbers], np.intp), np.array([pair[1] for pair in numbers], np.intp)


class _RegionLabels:
    """The least times at which loads are reached within one region."""

    def __init__(self, road: Road, tables: _Tables, region: Region) -> None:
        self._road, self._tables, self._region = road, tables, region

    def leave(self, entry_times: _Times) -> _Times:
        """Return the least times behind the gate, from those at which the hero comes in."""
        region = self._region
        sites: list[Node | Monster] = [*region.nodes, *region.monsters]
        most = [*(node.units for node in region.nodes), *(1 for _ in region.monsters)]
        arrivals: dict[tuple[int, ...], dict[Place, _Times]] = {tuple(most): {region.enter: entry_times}}
        exit_times = np.full_like(entry_times, _FAR)
        for level in sorted(product(*(range(each + 1) for each in most)), reverse=True):
            ready = self._prepare(arrivals.pop(level))
            for number, site in enumerate(sites):
                if level[number]:
                    lower = (*level[:number], level[number] - 1, *level[number + 1 :])
                    here = _walk(ready, site.place)
                    if isinstance(site, Monster):
                        there = self._fight(here, site)
                    else:
                        there = self._apply(here, self._tables.gather[site.material], site.time)
                    _reach(arrivals.setdefault(lower, {}), site.place, there)
            if not any(level[len(region.nodes) :]):
                exit_times = np.minimum(exit_times, _walk(ready, region.leave))
        return exit_times

    def _prepare(self, arrivals: dict[Place, _Times]) -> dict[Place, _Times]:
        """Return where the hero may be before he leaves a level, after he crafted, rested, or both in either order."""
        region = self._region
        ready = dict(arrivals)
        craft_times = self._craft(arrivals)
        rest_times = self._rest(arrivals)
        if region.workshop and craft_times is not None:
            _reach(ready, region.workshop.place, craft_times)
        if region.inn is not None and rest_times is not None:
            _reach(ready, region.inn, rest_times)
            if region.workshop and craft_times is not None:
                _reach(ready, region.workshop.place, self._craft({region.inn: rest_times}))
                _reach(ready, region.inn, self._rest({region.workshop.place: craft_times}))
        return ready

    def _craft(self, positions: dict[Place, _Times]) -> _Times | None:
        """Return when the hero has crafted one piece or more."""
        workshop = self._region.workshop
        if workshop is None:
            return None
        here, craft_times = _walk(positions, workshop.place), None
        for _ in range(self._tables.crafts):
            pairs = [each for kind in workshop.makes for each in self._tables.craft[kind]]
            here = self._apply(here, pairs, self._road.limits.crafting)
            craft_times = here if craft_times is None else np.minimum(craft_times, here)
        return craft_times

    def _rest(self, positions: dict[Place, _Times]) -> _Times | None:
        inn = self._region.inn
        if inn is None:
            return None
        rest_times = np.full_like(next(iter(positions.values())), _FAR)
        rest_times[-1] = _walk(positions, inn).min(axis=0) + self._road.limits.rest
        return rest_times

    def _fight(self, here: _Times, monster: Monster) -> _Times:
        """Return when the hero has beaten a monster, perhaps after camps."""
        here = here.copy()
        for hearts in range(1, len(here)):
            here[hearts] = np.minimum(here[hearts], here[hearts - 1] + self._road.limits.camp)
        win_times = np.full_like(here, _FAR)
        for kind in (None, *self._road.gear):
            time, wounds = self._road.fight(monster, kind)
            if wounds >= len(here):
                continue
            weaker = win_times[: len(here) - wounds]
            if kind is None:
                np.minimum(weaker, here[wounds:] + time, out=weaker)
                continue
            for before, after in self._tables.fight[kind]:
                weaker[:, after] = np.minimum(weaker[:, after], here[wounds:, before] + time)
        return win_times

    def _apply(self, here: _Times, lists: Iterable[_Pairs], time: int) -> _Times:
        there = np.full_like(here, _FAR)
        for before, after in lists:
            there[:, after] = np.minimum(there[:, after], here[:, before] + time)
        return there


def _walk(positions: dict[Place, _Times], goal: Place) -> _Times:
    """Return when the hero can be at a place, from wherever he may be."""
    ways = (times + (abs(place[0] - goal[0]) + abs(place[1] - goal[1])) for place, times in positions.items())
    there = next(ways)
    for times in ways:
        np.minimum(there, times, out=there)
    return np.minimum(there, _FAR, out=there)


def _reach(positions: dict[Place, _Times], place: Place, times: _Times | None) -> None:
    """Note that the hero may be at a place at these times."""
    if times is not None:
        positions[place] = np.minimum(positions[place], times) if place in positions else times


def _multisets(things: list, most: int) -> Iterator[tuple]:  # type: ignore[type-arg]
    """Yield all multisets of up to so many things, each sorted."""
    for size in range(most + 1):
        # the bars between things of one sort and of the next, among all places
        for bars in combinations(range(size + len(things) - 1), len(things) - 1):
            ends = [-1, *bars, size + len(things) - 1]
            counts = [ends[number + 1] - ends[number] - 1 for number in range(len(things))]
            yield tuple(thing for thing, count in zip(things, counts, strict=True) for _ in range(count))


def _most_worn(gear: tuple, kind: str) -> int | None:  # type: ignore[type-arg]
    return min((uses for code, uses in gear if code == kind), default=None)


def _add(things: tuple, thing: object) -> tuple:  # type: ignore[type-arg]
    return tuple(sorted((*things, thing)))


def _remove(things: tuple, thing: object) -> tuple:  # type: ignore[type-arg]
    rest = list(things)
    rest.remove(thing)
    return tuple(rest)
