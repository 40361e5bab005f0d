"""The backward solver: the least time to the end of a road from every position, region by region from the last.

What crosses a gate is a load: the bag, the gear and the hearts. Loads are an array of hearts by gear by bag, so that an
action is a choice of rows of it. Within a region a *level* says what is left in nodes and which monsters are alive; an
action at a node or against a monster leads to a lower level, and the others stay in it:

- Gear is crafted at most as often as the bag allows, so that so many rounds are enough.
- A camp can wait until the fight that needs the heart, a rest at an inn is never needed twice, and a thing can be
  dropped when something else needs its place. So none of these is tried anywhere else.

Times are kept less than 2 ** 15 by taking the least time out at each gate.

On a road with chance the least times are expected ones, and numbers with fractions. Chance decides in fights only, and
a fight leads to a lower level. So within a level nothing is drawn, and all of the above holds as it stands: a camp that
waits behind a fight gives its heart after every outcome.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, product, takewhile
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from herobench.suites.rpg.journey.road import Code, Place, Region, Road, distance
from herobench.suites.rpg.journey.walk import Position, Step, outcomes

Times = NDArray[Any]
"""Whole numbers of 16 bits, or of a road with chance numbers with fractions, of 64."""
Level = tuple[int, ...]
"""The units left of each node, then 1 for each monster that is alive and 0 for the others."""
Gate = tuple[int, Times]
"""The least times from a gate: a base, and what is to be added to it for each load."""
NEVER = 20_000
"""The time from a position without a way; more than any difference between two loads."""
TIE = 1e-9
"""Expected times that differ by less are equal. Rounding makes differences below 1e-12; of 34,000 actions on best walks
along three roads, none had a regret from there to 1e-6."""


class Values(NamedTuple):
    """The least times from all positions of a region, and those behind its gate."""

    number: int
    """The number of the region."""
    gate: Gate
    levels: Mapping[Level, Mapping[Place, Times]]
    """The times within the region, less the base of the gate."""


class BackwardSolver:
    """The least times of a road.

    `prices` say what each load is taken to cost behind the regions in sight where the road goes on; by default nothing.
    """

    def __init__(self, road: Road, prices: Times | None = None) -> None:
        self._road = road
        self._loads = _loads(_signature(road))
        self._prices = self._loads.zeros() if prices is None else prices
        self._gates: dict[tuple[int, int], Gate] = {}
        """What is known behind the gate to a region, by its number and the end of what is seen."""

    @cached_property
    def gates(self) -> Sequence[Gate]:
        """The least time behind each gate, by load, as a base and the rest; the first is that of the beginning."""
        count = len(self._road.regions)
        return [self._gate(number, count) for number in range(count + 1)]

    @cached_property
    def least(self) -> float:
        """The least time of the whole road."""
        base, times = self.gates[0]
        least: float = base + times[self._loads.index((), (), self._road.limits.hearts)].item()
        return least

    def region(self, number: int, sight: int | None = None) -> Values:
        """Return the least times within a region and behind it.

        With a `sight`, they are those of one who sees so many regions, this one among them. Only what is known of gates
        is kept, so regions are best asked for from the last to the first.
        """
        count = len(self._road.regions)
        return self._solve(number, count if sight is None else min(number + sight, count))

    def _gate(self, number: int, end: int) -> Gate:
        """Return the least times behind the gate to a region, for a road that ends before the region `end`."""
        if number == end:
            return 0, self._loads.zeros() if end == len(self._road.regions) else self._prices
        unknown = takewhile(lambda each: (each, end) not in self._gates, range(number, end))
        for each in reversed(list(unknown)):
            self._solve(each, end)
        return self._gates[number, end]

    def _solve(self, number: int, end: int) -> Values:
        """Return the values of a region for a road that ends before the region `end`, and keep what its gate needs."""
        region, (base, after) = self._road.regions[number], self._gate(number + 1, end)
        levels = _RegionSolver(self._road, self._loads, region, after).levels
        first = levels[_full(region)][region.enter]
        least = int(first.min())
        self._gates[number, end] = base + least, _closed(first - least)
        return Values(number, (base, after), levels)

    def time(self, values: Values, position: Position) -> float:
        """Return the least time from a position of the region with these values, or from one behind its gate."""
        base, times = values.gate
        if position.region == values.number:
            times = values.levels[*position.left, *map(int, position.alive)][position.place]
        time: float = base + times[self._loads.index(position.bag, position.gear, position.hearts)].item()
        return time

    def time_by(self, values: Values, step: Step) -> float:
        """Return the least time from the position before a step if that step is taken."""
        behind = (chance * self.time(values, after) for chance, after in outcomes(self._road, step))
        return step.time + sum(behind)


def _full(region: Region) -> Level:
    return (*(node.units for node in region.nodes), *(1 for _ in region.monsters))


class _RegionSolver:
    """The least times within one region."""

    def __init__(self, road: Road, loads: _Loads, region: Region, after: Times) -> None:
        self._road, self._loads, self._region, self._after = road, loads, region, after
        self.levels: dict[Level, Mapping[Place, Times]] = {}
        for level in sorted(product(*(range(most + 1) for most in _full(region))), key=sum):
            self.levels[level] = self._level(level)

    def _level(self, level: Level) -> Mapping[Place, Times]:
        region, limits = self._region, self._road.limits
        goals = list(self._goals(level))
        workshop, inn = region.workshop, region.inn
        if inn is not None:
            full = [(place, times[-1:]) for place, times in goals]
            if workshop:
                full += [(workshop.place, self._craft(workshop.makes, workshop.place, full))]
            rested = _nearest(inn, full) + limits.rest
            goals.append((inn, np.broadcast_to(rested, self._loads.shape)))
        if workshop:
            goals.append((workshop.place, self._craft(workshop.makes, workshop.place, goals)))
        return {place: _nearest(place, goals) for place in self._places(level)}

    def _goals(self, level: Level) -> Iterator[tuple[Place, Times]]:
        """Yield where the hero can go for an action that leaves the level, and the least time from there."""
        region = self._region
        for number, node in enumerate(region.nodes):
            if level[number]:
                lower = self.levels[_lowered(level, number)][node.place]
                yield node.place, self._loads.gather(lower, node.material) + np.int16(node.time)
        alive = False
        for number, monster in enumerate(region.monsters, len(region.nodes)):
            if level[number]:
                alive = True
                lower = self.levels[_lowered(level, number)][monster.place]
                ways = [
                    (kind, *self._road.fight(monster, kind), self._road.wound_chance(monster, kind))
                    for kind in (None, *self._road.gear)
                ]
                yield monster.place, self._loads.fight(lower, ways, self._road.limits.camp)
        if not alive:
            yield region.leave, self._after

    def _craft(self, makes: Sequence[Code], place: Place, goals: Sequence[tuple[Place, Times]]) -> Times:
        """Return the least time at the workshop if the next action there crafts something."""
        stay = _nearest(place, goals)
        crafted = self._loads.craft(stay, makes, self._road.limits.crafting)
        for _ in range(self._loads.crafts - 1):
            crafted = self._loads.craft(np.minimum(stay, crafted), makes, self._road.limits.crafting)
        return crafted

    def _places(self, level: Level) -> set[Place]:
        """Return where the hero can stand at a level."""
        region, full = self._region, _full(self._region)
        places = {
            place
            for place, now, most in zip(
                map(attrgetter("place"), (*region.nodes, *region.monsters)), level, full, strict=True
            )
            if now < most
        }
        if level == full:
            places.add(region.enter)
        if region.workshop:
            places.add(region.workshop.place)
        if region.inn is not None:
            places.add(region.inn)
        return places


def _lowered(level: Level, number: int) -> Level:
    return (*level[:number], level[number] - 1, *level[number + 1 :])


def _nearest(place: Place, goals: Sequence[tuple[Place, Times]]) -> Times:
    """Return the least time from a place over all goals."""
    least: Times | None = None
    for goal, times in goals:
        far = times + np.int16(distance(place, goal))
        least = far if least is None else np.minimum(least, far, out=far)
    assert least is not None, "the gate is open, or a monster is alive"
    return least


# -- loads ------------------------------------------------------------------------------------------------------------

_Signature = tuple[int, int, int, int, int, tuple[Code, ...], tuple[tuple[Code, tuple[Code, ...]], ...]]
_Rows = NDArray[np.intp]


def _signature(road: Road) -> _Signature:
    """Return all that the loads of a road depend on."""
    limits = road.limits
    recipes = tuple((code, kind.recipe) for code, kind in sorted(road.gear.items()))
    return limits.bag, limits.places, limits.hearts, limits.uses, limits.breaks, road.materials, recipes


@lru_cache(4)
def _loads(signature: _Signature) -> _Loads:
    return _Loads(*signature)


class _Loads:
    """All loads as an array of hearts by gear by bag; no way leads on from one more gear and one more bag."""

    def __init__(
        self,
        bag: int,
        places: int,
        hearts: int,
        uses: int,
        breaks: int,
        materials: Sequence[Code],
        recipes: Sequence[Any],
    ) -> None:
        self._bag, self._places, self._hearts, self._uses, self._breaks = bag, places, hearts, uses, breaks
        self._recipes = dict(recipes)
        bags = [each for size in range(bag + 1) for each in combinations_with_replacement(materials, size)]
        pieces = [(kind, left) for kind, _ in recipes for left in range(1, uses + 1)]
        gears = [each for size in range(places + 1) for each in combinations_with_replacement(pieces, size)]
        self._bag_number = {each: number for number, each in enumerate(bags)}
        self._gear_number = {each: number for number, each in enumerate(gears)}
        self.shape = (hearts, len(gears) + 1, len(bags) + 1)
        self.crafts = bag // min(map(len, self._recipes.values()))
        self._gathered = {code: self._bag_rows(lambda each, code=code: self._with(each, code)) for code in materials}
        self._used = {kind: self._gear_rows(lambda each, kind=kind: self._worn(each, kind)) for kind, _ in recipes}
        self._kept = {kind: self._gear_rows(lambda each, kind=kind: self._unbroken(each, kind)) for kind, _ in recipes}
        self._made = {kind: self._gear_rows(lambda each, kind=kind: self._added(each, kind)) for kind, _ in recipes}
        self._spent = {
            kind: self._bag_rows(lambda each, recipe=recipe: _spent(each, recipe)) for kind, recipe in recipes
        }

    def zeros(self) -> Times:
        """Return the times behind the last gate."""
        return _closed(np.zeros(self.shape, np.float64 if self._breaks else np.int16))

    def index(self, bag: tuple[Code, ...], gear: tuple[tuple[Code, int], ...], hearts: int) -> tuple[int, int, int]:
        """Return where a load stands."""
        return hearts - 1, self._gear_number[gear], self._bag_number[bag]

    def gather(self, after: Times, material: Code) -> Times:
        """Return the least times if the next action adds a unit to the bag, perhaps in place of another."""
        return _least_of(np.take(after, rows, axis=2) for rows in self._gathered[material])

    def craft(self, after: Times, makes: Sequence[Code], time: int) -> Times:
        """Return the least times if the next action crafts one of these kinds, perhaps in place of another piece."""
        ways = []
        for kind in makes:
            (spent,) = self._spent[kind]
            made = _least_of(np.take(after, rows, axis=1) for rows in self._made[kind])
            ways.append(np.take(made, spent, axis=2))
        return np.minimum(_least_of(iter(ways)), NEVER) + np.int16(time)

    def fight(self, after: Times, ways: Sequence[tuple[Code | None, int, int, float]], camp: int) -> Times:
        """Return the least times if the next action is a fight, perhaps after camps. A way costs time and hearts, and
        with a chance one heart more."""
        least = np.full(self.shape, NEVER, after.dtype)
        for kind, time, wounds, chance in ways:
            most = wounds + (chance > 0)
            if most < self._hearts:
                beaten = after if kind is None else self._use(after, kind)
                behind = beaten[most - wounds : self._hearts - wounds]
                if chance:
                    behind = (1 - chance) * behind + chance * beaten[: self._hearts - most]
                weak = least[most:]
                np.minimum(weak, behind + np.int16(time), out=weak)
        for hearts in range(self._hearts - 2, -1, -1):
            np.minimum(least[hearts], least[hearts + 1] + np.int16(camp), out=least[hearts])
        return np.minimum(least, NEVER, out=least)

    def _use(self, after: Times, kind: Code) -> Times:
        """Return the least times before gear of a kind is used in a fight, from those after it."""
        used: Times = np.take(after, self._used[kind][0], axis=1)
        if self._breaks:
            used = (used + (self._breaks - 1) * np.take(after, self._kept[kind][0], axis=1)) / self._breaks
        return used

    def _bag_rows(self, changes: Any) -> tuple[_Rows, ...]:
        return _rows(self._bag_number, changes)

    def _gear_rows(self, changes: Any) -> tuple[_Rows, ...]:
        return _rows(self._gear_number, changes)

    def _with(self, bag: tuple[Code, ...], code: Code) -> list[tuple[Code, ...]]:
        if len(bag) < self._bag:
            return [tuple(sorted((*bag, code)))]
        return [tuple(sorted((*_less(bag, other), code))) for other in sorted(set(bag) - {code})]

    def _worn(self, gear: Any, kind: Code) -> list[Any]:
        piece = next((piece for piece in gear if piece[0] == kind), None)
        if piece is None:
            return []
        rest = _less(gear, piece)
        return [rest if piece[1] == 1 else tuple(sorted((*rest, (kind, piece[1] - 1))))]

    def _unbroken(self, gear: Any, kind: Code) -> list[Any]:
        return [gear] if any(piece[0] == kind for piece in gear) else []

    def _added(self, gear: Any, kind: Code) -> list[Any]:
        new = (kind, self._uses)
        if len(gear) < self._places:
            return [tuple(sorted((*gear, new)))]
        first: dict[Code, tuple[Code, int]] = {}
        for piece in gear:
            first.setdefault(piece[0], piece)
        return [tuple(sorted((*_less(gear, piece), new))) for piece in first.values()]


def _closed(times: Times) -> Times:
    """Let no way lead on from what is not a load. Else what is taken out at each gate makes it near in the end."""
    times[:, -1] = times[:, :, -1] = NEVER
    return times


def _rows(numbers: Mapping[Any, int], changes: Any) -> tuple[_Rows, ...]:
    """Return where each load leads; several arrays if a load can lead to several others."""
    options = [[numbers[after] for after in changes(each)] for each in numbers]
    nowhere = len(numbers)
    count = max(1, max(map(len, options)))
    columns = [[each[number] if number < len(each) else nowhere for each in options] for number in range(count)]
    return tuple(np.array([*column, nowhere], np.intp) for column in columns)


def _spent(bag: tuple[Code, ...], recipe: Sequence[Code]) -> list[tuple[Code, ...]]:
    for code in recipe:
        if code not in bag:
            return []
        bag = _less(bag, code)
    return [bag]


def _less(things: tuple[Any, ...], thing: Any) -> tuple[Any, ...]:
    number = things.index(thing)
    return (*things[:number], *things[number + 1 :])


def _least_of(ways: Iterator[Times]) -> Times:
    least = next(ways)
    for times in ways:
        least = np.minimum(least, times, out=least)
    return least
