"""Programs that change a whole plan piece by piece, and plan nothing ahead. They must not come near the least time.

A *draft* lists the wishes of each region: actions that are carried out if the rules allow it. A fight for which gear is
not there is fought without it, camps give the hearts that a fight needs, and monsters that no wish names are fought
last. So each draft arrives, and a change of one action leaves the rest of the plan as it was.

`repaired_plan` begins with the plan of `greedy` and keeps random changes that cost nothing. `inserted_plan` begins with
bare fights, and inserts *packages* where they save most time: gather what a recipe needs, craft the piece, and use it
in some of the next fights.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random
from typing import NamedTuple

from herobench.suites.rpg.journey.road import Code, Monster, Place, Region, Road, distance
from herobench.suites.rpg.journey.walk import LEAVE, Call, Position, Refused, act, start
from herobench.task_gen.rpg.journey.planners import greedy_plan

MOST_WALKS = 3_000
"""The walks that `repaired_plan` tries for a road."""
_BACK, _AHEAD = 3, 4
"""The regions before a workshop in which a package gathers, and those from it on in which it fights."""
_SOURCES = 8
"""The choices of nodes that are tried for a piece, the nearest first."""
_HEART = 3
"""The time that a heart is taken to be worth in the choice of fights."""

Draft = tuple[tuple[Call, ...], ...]
_Fight = tuple[int, Code]
"""A region and a monster of it."""


class _Package(NamedTuple):
    """A piece that is made, and what it is used for."""

    region: int
    kind: Code
    sources: tuple[int, ...]
    """The region in which each unit of the recipe is gathered."""
    fights: tuple[_Fight, ...]


def repaired_plan(road: Road, seed: str, most: int = MOST_WALKS) -> list[Call]:
    """Return the plan of one who improves that of `greedy` by random changes: he deletes, inserts, replaces and moves
    actions, and inserts packages."""
    walker, chance = _Walker(road), Random(f"repair/{seed}")  # noqa: S311 - the same seed, the same plan
    draft = _as_draft(greedy_plan(road))
    least = walker.time(draft)
    while walker.walks < most:
        candidate = _change(road, draft, chance)
        time = walker.time(candidate)
        if time <= least:
            draft, least = candidate, time
    return walker.plan(draft)


def inserted_plan(road: Road) -> list[Call]:
    """Return the plan of one who makes the changes that save most, region by region, until none does."""
    walker = _Walker(road)
    draft, before = tuple(_bare_fights(region) for region in road.regions), None
    while draft != before:
        before, draft = draft, _insert(walker, draft)
    return walker.plan(draft)


class _Walker:
    """Walks drafts of a road, and keeps what came of each region."""

    def __init__(self, road: Road) -> None:
        self.road, self.walks = road, 0
        self._kept: dict[tuple[Sequence[Call], Position], tuple[int, Position]] = {}

    def time(self, draft: Draft) -> int:
        """Return the time of a draft."""
        self.walks += 1
        position, total = start(self.road), 0
        for wishes in draft:
            key = wishes, position
            if key not in self._kept:
                time, position, _ = self._cross(wishes, position)
                self._kept[key] = time, position
            time, position = self._kept[key]
            total += time
        return total

    def plan(self, draft: Draft) -> list[Call]:
        """Return the actions of a draft that are carried out."""
        position, plan = start(self.road), list[Call]()
        for wishes in draft:
            _, position, calls = self._cross(wishes, position)
            plan += calls
        return plan

    def _cross(self, wishes: Sequence[Call], position: Position) -> tuple[int, Position, list[Call]]:
        """Return the time of a region, the position behind its gate, and the actions."""
        total, calls = 0, list[Call]()
        region = self.road.regions[position.region]
        for call in (*wishes, *_bare_fights(region), LEAVE):
            outcome = act(self.road, position, call)
            if outcome is Refused.NOT_CARRIED and call[0] == "fight":
                call = call[:2]
                outcome = act(self.road, position, call)
            while outcome is Refused.TOO_WEAK:
                time, position = _outcome(act(self.road, position, ("camp",)))
                total += time
                calls.append(("camp",))
                outcome = act(self.road, position, call)
            if not isinstance(outcome, Refused):
                total += outcome[0]
                position = outcome[1]
                calls.append(call)
        return total, position, calls


def _outcome(outcome: tuple[int, Position] | Refused) -> tuple[int, Position]:
    assert not isinstance(outcome, Refused)
    return outcome


def _as_draft(plan: Sequence[Call]) -> Draft:
    """Return the actions of a plan by region, without gates and camps."""
    regions: list[list[Call]] = [[]]
    for call in plan:
        if call == LEAVE:
            regions.append([])
        elif call[0] != "camp":
            regions[-1].append(call)
    return tuple(map(tuple, regions[:-1]))


def _bare_fights(region: Region) -> tuple[Call, ...]:
    return tuple(("fight", monster.code) for monster in region.monsters)


# -- changes ----------------------------------------------------------------------------------------------------------


def _insert(walker: _Walker, draft: Draft) -> Draft:
    """Return a draft with the changes that save most in each region, one after the other, until none does."""
    least = walker.time(draft)
    for number in range(len(draft)):
        while True:
            options = [_with_package(walker.road, draft, each) for each in _packages(walker.road, draft, number)]
            options += _with_small_changes(walker.road, draft, number)
            time, best = min(((walker.time(option), option) for option in options), default=(least, draft))
            if time >= least:
                break
            least, draft = time, best
    return draft


def _with_small_changes(road: Road, draft: Draft, number: int) -> Iterator[Draft]:
    """Yield the drafts with one rest more, one action less, or two neighbours the other way round in a region."""
    wishes = draft[number]
    if road.regions[number].inn is not None:
        rest: Call = ("rest",)
        yield from (_put(draft, number, (*wishes[:at], rest, *wishes[at:])) for at in range(len(wishes) + 1))
    for at in range(len(wishes)):
        yield _put(draft, number, (*wishes[:at], *wishes[at + 1 :]))
        yield _put(draft, number, (*wishes[:at], *wishes[at : at + 2][::-1], *wishes[at + 2 :]))


def _put(draft: Draft, number: int, wishes: Sequence[Call]) -> Draft:
    return (*draft[:number], tuple(wishes), *draft[number + 1 :])


def _change(road: Road, draft: Draft, chance: Random) -> Draft:
    """Return a draft with a random change."""
    number = chance.randrange(len(draft))
    region, wishes = road.regions[number], list(draft[number])
    at = chance.randrange(len(wishes) + 1)
    match chance.choice(("package", "delete", "insert", "move", "replace")):
        case "package":
            packages = list(_packages(road, draft, number))
            return _with_package(road, draft, chance.choice(packages)) if packages else draft
        case "delete":
            del wishes[at : at + 1]
        case "insert":
            calls: list[Call] = [("gather", node.material) for node in region.nodes]
            calls += [("craft", kind) for kind in (region.workshop.makes if region.workshop else ())]
            calls += [("rest",), *(("drop", code) for code in (*road.materials, *road.gear))]
            wishes.insert(at, chance.choice(calls))
        case "move" if wishes:
            wishes.insert(at, wishes.pop(chance.randrange(len(wishes))))
        case "replace" if at < len(wishes) and wishes[at][0] == "fight":
            wishes[at] = (*wishes[at][:2], *chance.choice([(), *((kind,) for kind in road.gear)]))
    return _put(draft, number, wishes)


# -- packages ---------------------------------------------------------------------------------------------------------


def _packages(road: Road, draft: Draft, number: int) -> Iterator[_Package]:
    """Yield what can be made at the workshop of a region, and used."""
    workshop = road.regions[number].workshop
    for kind in workshop.makes if workshop else ():
        sources = sorted(_sources(road, draft, number, road.gear[kind].recipe), key=sum, reverse=True)[:_SOURCES]
        for fights in _uses(road, draft, number, kind) if sources else ():
            yield from (_Package(number, kind, each, fights) for each in sources)


def _sources(road: Road, draft: Draft, number: int, recipe: Sequence[Code]) -> Iterator[tuple[int, ...]]:
    """Yield the choices of regions for the units of a sorted recipe."""
    choices = []
    for material, count in Counter(recipe).items():
        units: list[int] = []
        for region in range(max(0, number - _BACK), number + 1):
            node = next((node for node in road.regions[region].nodes if node.material == material), None)
            if node:
                units += [region] * (node.units - draft[region].count(("gather", material)))
        choices.append(sorted(set(combinations(units, count))))
    yield from (sum(choice, ()) for choice in product(*choices))


def _uses(road: Road, draft: Draft, number: int, kind: Code) -> Iterator[tuple[_Fight, ...]]:
    """Yield the sets of next fights for which a new piece may be used, out of those that gain most by it."""
    gains: list[tuple[int, _Fight]] = []
    for region, wishes in enumerate(draft[number : number + _AHEAD], number):
        monsters = {monster.code: monster for monster in road.regions[region].monsters}
        for call in wishes:
            if call[0] == "fight":
                now = _cost(road, monsters[call[1]], call[2] if len(call) > 2 else None)
                gains.append((now - _cost(road, monsters[call[1]], kind), (region, call[1])))
    uses = road.limits.uses
    best = [fight for gain, fight in sorted(gains, reverse=True)[: uses + 1] if gain > 0]
    for count in range(1, uses + 1):
        yield from combinations(best, count)


def _cost(road: Road, monster: Monster, kind: Code | None) -> int:
    time, wounds = road.fight(monster, kind)
    return time + _HEART * wounds


def _with_package(road: Road, draft: Draft, package: _Package) -> Draft:
    """Return a draft with a package, whose actions stand where they are the least out of the way."""
    regions = list(map(list, draft))
    own, craft = regions[package.region], ("craft", package.kind)
    targets = [("fight", code) for number, code in package.fights if number == package.region]
    first = next((at for at, call in enumerate(own) if call[:2] in targets), len(own))
    own.insert(_cheapest(road.regions[package.region], own, craft, first), craft)
    for number, material in zip(package.sources, road.gear[package.kind].recipe, strict=True):
        wishes, call = regions[number], ("gather", material)
        end = wishes.index(craft) if number == package.region else len(wishes)
        wishes.insert(_cheapest(road.regions[number], wishes, call, end), call)
    for number, code in package.fights:
        regions[number] = [
            ("fight", code, package.kind) if call[:2] == ("fight", code) else call for call in regions[number]
        ]
    return tuple(map(tuple, regions))


def _cheapest(region: Region, wishes: Sequence[Call], call: Call, end: int) -> int:
    """Return where a call up to an end costs the shortest way."""
    stops = [region.enter]
    for wish in wishes:
        stops.append(_place(region, wish) or stops[-1])
    here = _place(region, call) or region.enter

    def detour(at: int) -> int:
        after = stops[at + 1] if at < len(wishes) else region.leave
        return distance(stops[at], here) + distance(here, after) - distance(stops[at], after)

    return min(range(end + 1), key=detour)


def _place(region: Region, call: Call) -> Place | None:
    """Return where a wish leads; None for one that needs no place, or that the region does not have."""
    match call[0]:
        case "gather":
            return next((node.place for node in region.nodes if node.material == call[1]), None)
        case "fight":
            return next((monster.place for monster in region.monsters if monster.code == call[1]), None)
        case "craft":
            return region.workshop.place if region.workshop else None
        case "rest":
            return region.inn
    return None
