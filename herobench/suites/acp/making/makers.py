"""The makers of instances: those of the domains on fields and of alfred, and the table of all 13.

There is one maker for each domain of ACPBench Hard, in code of our own. A maker draws a problem of a wanted size. The
sizes are those of the published instances.

The rooms of alfred are the five published ones, because what a room holds cannot be made up sensibly. An instance takes
some of a room's receptacles and things, gives the places new numbers, puts each thing where its type may be, and draws
a goal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import isqrt
from random import Random

from herobench.pddl.parser import read_task
from herobench.pddl.task import PddlTask
from herobench.suites.acp.making.carrying import (
    BLOCKS,
    DEPOTS,
    FERRY,
    GRIPPER,
    LOGISTICS,
    ROVER,
    SATELLITE,
    SWAP,
    Maker,
    name_list,
)
from herobench.suites.acp.making.scene import Counts, Instance
from herobench.suites.acp.questions.questions import published

Cell = tuple[int, int]


def field_cells(rows: int, columns: int) -> list[Cell]:
    """Return the cells of a field, row by row."""
    return [(row, column) for row in range(rows) for column in range(columns)]


def beside(cell: Cell) -> Iterator[Cell]:
    """Yield the four neighbors of a cell, whether or not they exist."""
    row, column = cell
    yield from ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))


def _make_visit_all(chance: Random, counts: Counts) -> Instance:
    width = -(-counts["place"] // 4) if counts["place"] > 16 else 4
    cells = set(field_cells(4, width))
    while len(cells) > counts["place"]:
        left_out = chance.choice(sorted(cells))
        if _is_connected(cells - {left_out}):
            cells.remove(left_out)
    places = sorted(cells)
    start = _visit_all_name(chance.choice(places))
    initial = [f"at-robot {start}", f"visited {start}"]
    initial += [
        f"connected {_visit_all_name(cell)} {_visit_all_name(near)}"
        for cell in places
        for near in beside(cell)
        if near in cells
    ]
    names = list(map(_visit_all_name, places))
    goal = [f"visited {name}" for name in names]
    return Instance(f"grid-4-{width}-{4 * width - len(cells)}", {"place": names}, initial, goal)


def _is_connected(cells: set[Cell]) -> bool:
    reached = [min(cells)]
    for cell in reached:  # grows while it is read
        reached += [near for near in beside(cell) if near in cells and near not in reached]
    return len(reached) == len(cells)


def _visit_all_name(cell: Cell) -> str:
    return f"loc-x{cell[0]}-y{cell[1]}"


def _with_island(chance: Random, instance: Instance) -> Instance:
    """Cut some cells off from the one where the robot is."""
    places, initial = list(instance.objects["place"]), list(instance.initial)
    ways = {tuple(fact.split()[1:]) for fact in initial if fact.startswith("connected ")}
    robot = next(fact.split()[1] for fact in initial if fact.startswith("at-robot "))
    island = [chance.choice([place for place in places if place != robot])]
    for _ in range(chance.randint(0, _ISLAND - 1)):
        near = sorted(two for one, two in ways if one in island and two not in (*island, robot))
        island += [chance.choice(near)] if near else []
    bridges = {f"connected {one} {two}" for one, two in ways if (one in island) != (two in island)}
    return replace(instance, initial=[fact for fact in initial if fact not in bridges])


_ISLAND = 4
"""The most cells of an island, where the robot cannot go."""
VISIT_ALL = Maker([{"place": count} for count in (12, 13, 14, 15, 16, 17, 19)], _make_visit_all, _with_island)


_GRID_SIZES = ((2, 1), (3, 1), (4, 1), (2, 2))
"""Keys and shapes, on a field of five by five cells with as many locks as keys."""


def _make_grid(chance: Random, counts: Counts) -> Instance:
    side = isqrt(counts["place"])
    cells = field_cells(side, side)
    shapes, count = name_list("shape", counts["shape"]), counts["key"]
    keys = {
        f"key{number % len(shapes)}-{number // len(shapes)}": shapes[number % len(shapes)] for number in range(count)
    }
    locked = chance.sample(cells, count)
    unlocked = [cell for cell in cells if cell not in locked]
    initial = ["arm-empty", f"at-robot {_cell_name(chance.choice(unlocked))}"]
    initial += [
        f"conn {_cell_name(cell)} {_cell_name(near)}" for cell in cells for near in beside(cell) if near in cells
    ]
    initial += [f"open {_cell_name(cell)}" for cell in unlocked]
    initial += [f"locked {_cell_name(cell)}" for cell in locked]
    initial += [f"lock-shape {_cell_name(cell)} {chance.choice(shapes)}" for cell in locked]
    initial += [f"key-shape {key} {shape}" for key, shape in keys.items()]
    initial += [f"at {key} {_cell_name(chance.choice(unlocked))}" for key in keys]
    goal = [f"at {key} {_cell_name(chance.choice(cells))}" for key in keys]
    objects = {"key": list(keys), "place": list(map(_cell_name, cells)), "shape": shapes}
    return Instance(f"grid-x{side}-y{side}-t{len(shapes)}-k{count}-l{count}", objects, initial, goal)


def _cell_name(cell: Cell) -> str:
    return f"f{cell[0]}-{cell[1]}f"


GRID = Maker([{"key": keys, "place": 25, "shape": shapes} for keys, shapes in _GRID_SIZES], _make_grid)


_FLOOR_TILE_ROWS = {9: 3, 12: 4, 16: 4, 20: 4, 24: 4}
"""The number of rows for a number of tiles. The lowest row stays unpainted, so that robots have a place."""
_FLOOR_TILE_SIZES = ((2, 9), (2, 12), (2, 16), (2, 20), (3, 20), (2, 24))
_COLORS = ("black", "white")


def _make_floor_tile(chance: Random, counts: Counts) -> Instance:
    count = counts["tile"]
    rows = _FLOOR_TILE_ROWS.get(count, 3)
    width = count // rows
    tiles, robots = name_list("tile_", count, 1), name_list("robot", counts["robot"], 1)
    stands = dict(zip(robots, chance.sample(tiles, len(robots)), strict=True))
    initial = [f"available-color {color}" for color in _COLORS]
    initial += [f"clear {tile}" for tile in tiles if tile not in stands.values()]
    initial += [f"robot-at {robot} {tile}" for robot, tile in stands.items()]
    initial += [f"robot-has {robot} {chance.choice(_COLORS)}" for robot in robots]
    for number, tile in enumerate(tiles):
        if number % width:
            initial += [f"right {tile} {tiles[number - 1]}", f"left {tiles[number - 1]} {tile}"]
        if number >= width:
            initial += [f"up {tile} {tiles[number - width]}", f"down {tiles[number - width]} {tile}"]
    shift = chance.randrange(2)
    # from the top row down: a row that is painted bars the way to the rows above it
    goal = [
        f"painted {tiles[row * width + column]} {_COLORS[(row + column + shift) % 2]}"
        for row in range(rows - 1, 0, -1)
        for column in range(width)
    ]
    objects = {"color": _COLORS, "robot": robots, "tile": tiles}
    return Instance(f"floortile-{rows - 1}-{width}-{len(robots)}", objects, initial, goal)


FLOOR_TILE = Maker(
    [{"color": 2, "robot": robots, "tile": tiles} for robots, tiles in _FLOOR_TILE_SIZES], _make_floor_tile
)


_GOLD_MINER_ROWS = {9: 3, 12: 3, 15: 3, 16: 4}
"""The number of rows for a number of cells."""
_HARD = 0.3
"""The share of hard rock. A bomb removes soft rock only; the laser removes both, and gold too."""


def _make_gold_miner(chance: Random, counts: Counts) -> Instance:
    rows = _GOLD_MINER_ROWS.get(counts["loc"], 3)
    columns = counts["loc"] // rows
    cells = field_cells(rows, columns)
    free = [cell for cell in cells if cell[1] == 0]
    gold = chance.choice([cell for cell in cells if cell[1] == columns - 1])
    initial = [
        "arm-empty",
        "bomb-at f0-0f",
        f"gold-at {_cell_name(gold)}",
        f"soft-rock-at {_cell_name(gold)}",
    ]
    initial += [
        f"robot-at {_cell_name(chance.choice(free))}",
        f"laser-at {_cell_name(chance.choice(free))}",
    ]
    initial += [f"clear {_cell_name(cell)}" for cell in free]
    for cell in cells:
        if cell not in free and cell != gold:
            hard = chance.choices([True, False], [_HARD, 1 - _HARD])[0]
            initial.append(f"{'hard' if hard else 'soft'}-rock-at {_cell_name(cell)}")
    initial += [
        f"connected {_cell_name(cell)} {_cell_name(near)}" for cell in cells for near in beside(cell) if near in cells
    ]
    return Instance(f"gold-miner-{rows}-{columns}", {"loc": list(map(_cell_name, cells))}, initial, ["holds-gold"])


GOLD_MINER = Maker([{"loc": count} for count in (9, 12, 15, 16)], _make_gold_miner)


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

    def with_flag(self, predicate: str) -> set[str]:
        return {args[0] for args in self.of(predicate)}


def _make(chance: Random, counts: Counts) -> Instance:
    room = chance.choice(_rooms())
    kinds, receptacle_kinds = (
        room.mapping("objecttype"),
        _receptacles(chance, room, min(counts["receptacle"], _MOST["receptacle"])),
    )
    fits = room.with_flag("pickupable")
    fitting: dict[str, list[str]] = defaultdict(list)
    """For each type of things the receptacles that may hold them."""
    for receptacle_type, thing_type in room.of("cancontain"):
        fitting[thing_type] += [name for name, kind in receptacle_kinds.items() if kind == receptacle_type]
    movable = [thing for thing in sorted(kinds) if thing in fits and fitting[kinds[thing]]]
    lamps = [thing for thing in sorted(room.with_flag("toggleable")) if thing in kinds]
    carried_sample = chance.sample(movable, min(len(movable), counts["object"], _MOST["object"]))
    place = {thing: chance.choice(fitting[kinds[thing]]) for thing in sorted(carried_sample)}
    place |= {lamp: chance.choice(sorted(receptacle_kinds)) for lamp in lamps}
    things = {thing: kinds[thing] for thing in place}
    initial = [*_fixed_facts(room, receptacle_kinds, things), *_place_facts(chance, room, receptacle_kinds, place)]
    flags = {flag: room.with_flag(flag) & things.keys() for flag in _FLAGS}
    goal = _goal(
        chance, flags, things, receptacle_kinds, {thing_type: set(names) for thing_type, names in fitting.items()}
    )
    constants = room.task.domain.constants
    objects = {
        "agent": ["agent1"],
        "location": name_list("location", len(receptacle_kinds) + 1, 1),
        "object": sorted(things),
        "otype": sorted({*things.values()} - constants.keys()),
        "receptacle": sorted(receptacle_kinds),
        "rtype": sorted({*receptacle_kinds.values()} - constants.keys()),
    }
    return Instance(f"room-{len(things)}-{len(receptacle_kinds)}", objects, initial, goal)


@cache
def _rooms() -> list[_Room]:
    """Return the published rooms, each in the state of one of its questions."""
    rooms: dict[str, _Room] = {}
    for question in published().values():
        if question.domain == "alfred" and question.task == "val":
            task = read_task(question.pddl_domain, question.pddl_problem)
            rooms.setdefault(task.problem.name, _Room(task))
    return [rooms[name] for name in sorted(rooms)]


def _receptacles(chance: Random, room: _Room, count: int) -> dict[str, str]:
    """Return some receptacles of a room with their types."""
    kinds = room.mapping("receptacletype")
    by_kind = {kind: name for name, kind in sorted(kinds.items(), reverse=True) if kind in _PLACES}
    others = sorted(kinds.keys() - by_kind.values())
    sample = [*by_kind.values(), *chance.sample(others, min(len(others), max(3, count - len(by_kind))))]
    return {name: kinds[name] for name in sorted(sample)}


def _fixed_facts(room: _Room, receptacle_kinds: Mapping[str, str], things: Mapping[str, str]) -> Iterable[str]:
    """Yield the facts about types and properties, and which things may be in which receptacles."""
    yield from (f"objecttype {thing} {kind}" for thing, kind in things.items())
    yield from (f"receptacletype {name} {kind}" for name, kind in receptacle_kinds.items())
    yield from (f"{flag} {thing}" for flag in _FLAGS for thing in sorted(room.with_flag(flag) & things.keys()))
    used_kinds = {*receptacle_kinds.values()}, {*things.values()}
    yield from (
        f"cancontain {outer} {inner}"
        for outer, inner in room.of("cancontain")
        if outer in used_kinds[0] and inner in used_kinds[1]
    )


def _place_facts(
    chance: Random, room: _Room, receptacle_kinds: Mapping[str, str], place: Mapping[str, str]
) -> Iterable[str]:
    """Yield the facts that say where everything is. Each receptacle has a place of its own."""
    where = chance.sample(name_list("location", len(receptacle_kinds) + 1, 1), len(receptacle_kinds) + 1)
    at = dict(zip(receptacle_kinds, where, strict=False))
    lamps = room.with_flag("toggleable")
    yield from ("notvalidated", "handempty agent1", f"atlocation agent1 {where[-1]}")
    yield from (f"receptacleatlocation {name} {at[name]}" for name in receptacle_kinds)
    for name in receptacle_kinds:
        yield from (
            [f"openable {name}", f"closed {name}"] if name in room.with_flag("openable") else [f"notopenable {name}"]
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
    receptacle_kinds: Mapping[str, str],
    fitting: Mapping[str, set[str]],
) -> list[str]:
    """Draw a goal that things and receptacles of the instance allow."""
    goals = []
    for goal, flag in _GOALS.items():
        kinds = sorted({things[thing] for thing in flags[flag] & flags["pickupable"]})
        if goal == "validateexamineinlight":
            lamps = sorted({things[lamp] for lamp in flags["toggleable"]})
            pairs = [f"{lamp} {kind}" for lamp in lamps for kind in kinds if kind not in lamps]
        else:
            held = list(things.values())
            several = [kind for kind in kinds if goal != "validatepicktwoandplace" or held.count(kind) > 1]
            pairs = sorted({f"{kind} {receptacle_kinds[name]}" for kind in several for name in fitting[kind]})
        if pairs:
            goals.append(f"{goal} {chance.choice(pairs)}")
    return [chance.choice(goals)]


ALFRED = Maker([{"object": things, "receptacle": receptacles} for things, receptacles in _SIZES], _make)


MAKERS: Mapping[str, Maker] = {
    "ferry": FERRY,
    "logistics-strips": LOGISTICS,
    "blocksworld-4ops": BLOCKS,
    "grid": GRID,
    "floor-tile": FLOOR_TILE,
    "gripper-strips": GRIPPER,
    "rover": ROVER,
    "grid-visit-all": VISIT_ALL,
    "depots": DEPOTS,
    "gold-miner-typed": GOLD_MINER,
    "satellite": SATELLITE,
    "swap": SWAP,
    "alfred": ALFRED,
}
"""The makers by the published name of their domain."""
