"""Instances of the domain alfred: an agent carries, opens, heats, cools and cleans things in a room.

The rooms are the five published ones, because what a room holds cannot be made up sensibly. An instance takes some of
a room's receptacles and things, gives the places new numbers, puts each thing where its type may be, and draws a goal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random

from herobench.pddl.parser import read_task
from herobench.pddl.task import PddlTask
from herobench.suites.acp.questions.questions import published
from herobench.task_gen.acp.maker import Maker, numbered
from herobench.task_gen.acp.scene import Counts, Instance

_MOST = {"object": 32, "receptacle": 14}
"""An instance is no larger: in a whole room, to decide what can be reached takes a minute."""
_SIZES = ((12, 6), (16, 8), (20, 9), (24, 10))
_PLACES = ("fridgetype", "microwavetype", "sinkbasintype")
"""The types of receptacles that every instance keeps, since things are cooled, heated and cleaned there."""
_FLAGS = ("cleanable", "coolable", "heatable", "pickupable", "sliceable", "toggleable")
_GOALS = {
    "validatepickandplace": "pickupable",
    "validatecleanandplace": "cleanable",
    "validatecoolandplace": "coolable",
    "validateheatandplace": "heatable",
    "validatepicktwoandplace": "pickupable",
    "validateexamineinlight": "pickupable",
}
"""The flag that a thing needs for each goal."""


@dataclass(frozen=True)
class _Room:
    """What never changes in a published room, and where its fixed things are."""

    task: PddlTask

    def of(self, predicate: str) -> list[tuple[str, ...]]:
        return sorted(atom.args for atom in self.task.problem.initial if atom.name == predicate)

    def mapping(self, predicate: str) -> dict[str, str]:
        return {args[0]: args[1] for args in self.of(predicate)}

    def flagged(self, predicate: str) -> set[str]:
        return {args[0] for args in self.of(predicate)}


def _make(chance: Random, counts: Counts) -> Instance:
    room = chance.choice(_rooms())
    kinds, kept = room.mapping("objecttype"), _receptacles(chance, room, min(counts["receptacle"], _MOST["receptacle"]))
    fits = room.flagged("pickupable")
    allowed: dict[str, list[str]] = defaultdict(list)
    """For each type of things the receptacles that may hold them."""
    for receptacle_type, thing_type in room.of("cancontain"):
        allowed[thing_type] += [name for name, kind in kept.items() if kind == receptacle_type]
    carried = [thing for thing in sorted(kinds) if thing in fits and allowed[kinds[thing]]]
    lamps = [thing for thing in sorted(room.flagged("toggleable")) if thing in kinds]
    chosen = chance.sample(carried, min(len(carried), counts["object"], _MOST["object"]))
    place = {thing: chance.choice(allowed[kinds[thing]]) for thing in sorted(chosen)}
    place |= {lamp: chance.choice(sorted(kept)) for lamp in lamps}
    things = {thing: kinds[thing] for thing in place}
    initial = [*_fixed(chance, room, kept, things), *_placed(chance, room, kept, place)]
    flags = {flag: room.flagged(flag) & things.keys() for flag in _FLAGS}
    goal = _goal(chance, flags, things, kept, {thing_type: set(names) for thing_type, names in allowed.items()})
    constants = room.task.domain.constants
    objects = {
        "agent": ["agent1"],
        "location": numbered("location", len(kept) + 1, 1),
        "object": sorted(things),
        "otype": sorted({*things.values()} - constants.keys()),
        "receptacle": sorted(kept),
        "rtype": sorted({*kept.values()} - constants.keys()),
    }
    return Instance(f"room-{len(things)}-{len(kept)}", objects, initial, goal)


@cache
def _rooms() -> list[_Room]:
    """Return the published rooms, each in the state of one of its questions."""
    found: dict[str, _Room] = {}
    for question in published().values():
        if question.domain == "alfred" and question.task == "val":
            task = read_task(question.pddl_domain, question.pddl_problem)
            found.setdefault(task.problem.name, _Room(task))
    return [found[name] for name in sorted(found)]


def _receptacles(chance: Random, room: _Room, count: int) -> dict[str, str]:
    """Return some receptacles of a room with their types."""
    kinds = room.mapping("receptacletype")
    fixed = {kind: name for name, kind in sorted(kinds.items(), reverse=True) if kind in _PLACES}
    others = sorted(kinds.keys() - fixed.values())
    chosen = [*fixed.values(), *chance.sample(others, min(len(others), max(3, count - len(fixed))))]
    return {name: kinds[name] for name in sorted(chosen)}


def _fixed(chance: Random, room: _Room, kept: Mapping[str, str], things: Mapping[str, str]) -> Iterable[str]:
    """Yield the facts about types and properties, and which things may be in which receptacles."""
    yield from (f"objecttype {thing} {kind}" for thing, kind in things.items())
    yield from (f"receptacletype {name} {kind}" for name, kind in kept.items())
    yield from (f"{flag} {thing}" for flag in _FLAGS for thing in sorted(room.flagged(flag) & things.keys()))
    used = {*kept.values()}, {*things.values()}
    yield from (
        f"cancontain {outer} {inner}" for outer, inner in room.of("cancontain") if outer in used[0] and inner in used[1]
    )


def _placed(chance: Random, room: _Room, kept: Mapping[str, str], place: Mapping[str, str]) -> Iterable[str]:
    """Yield the facts that say where everything is. Each receptacle has a place of its own."""
    where = chance.sample(numbered("location", len(kept) + 1, 1), len(kept) + 1)
    at = dict(zip(kept, where, strict=False))
    lamps = room.flagged("toggleable")
    yield from ("notvalidated", "handempty agent1", f"atlocation agent1 {where[-1]}")
    yield from (f"receptacleatlocation {name} {at[name]}" for name in kept)
    for name in kept:
        yield from (
            [f"openable {name}", f"closed {name}"] if name in room.flagged("openable") else [f"notopenable {name}"]
        )
    for thing, receptacle in place.items():
        yield f"inreceptacle {thing} {receptacle}"
        yield f"objectatlocation {thing} {at[receptacle]}"
        if thing in lamps:
            yield f"isoff {thing}"


def _goal(
    chance: Random,
    flags: Mapping[str, set[str]],
    things: Mapping[str, str],
    kept: Mapping[str, str],
    allowed: Mapping[str, set[str]],
) -> list[str]:
    """Draw a goal that things and receptacles of the instance allow."""
    goals = []
    for goal, flag in _GOALS.items():
        kinds = sorted({things[thing] for thing in flags[flag] & flags["pickupable"]})
        if goal == "validateexamineinlight":
            lamps = sorted({things[lamp] for lamp in flags["toggleable"]})
            pairs = [f"{lamp} {kind}" for lamp in lamps for kind in kinds if kind not in lamps]
        else:
            several = [kind for kind in kinds if goal != "validatepicktwoandplace" or _count(things, kind) > 1]
            pairs = sorted({f"{kind} {kept[name]}" for kind in several for name in allowed[kind]})
        if pairs:
            goals.append(f"{goal} {chance.choice(pairs)}")
    return [chance.choice(goals)]


def _count(things: Mapping[str, str], kind: str) -> int:
    return sum(other == kind for other in things.values())


ALFRED = Maker([{"object": things, "receptacle": receptacles} for things, receptacles in _SIZES], _make)
