"""The rules of a journey: what the hero may do, what it costs, and why an action is refused.

A plan is a list of calls. It is walked from the first region on, and ends at the first action that is refused. What it
walked before counts: each action is a decision that can be judged.

On a road with chance, only fights are drawn. The draw of a fight depends on the seed, the region and the monster, and
on nothing that was done before: all who walk with the same seed have the same luck.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import product
from random import Random
from typing import Any, NamedTuple

from herobench.suites.rpg.journey.road import Code, Place, Region, Road, distance

Call = tuple[str, ...]
"""An action with its values, such as `("fight", "wolf", "bow")`."""
ACTIONS = {"gather": 1, "craft": 1, "fight": 2, "rest": 0, "camp": 0, "drop": 1, "leave": 0}
"""The actions, and how many values each takes at most."""
LEAVE: Call = ("leave",)
Draw = tuple[float, float]
"""Two numbers from 0 to 1. A fight costs one heart more, or breaks the piece, if its number is below the chance."""
_WORST: Draw = (0.0, 0.0)


class Refused(Enum):
    """Why an action is refused."""

    NO_ACTION = "there is no such action"
    VALUES = "it takes other values"
    NO_SITE = "nothing of this name is in the region"
    NONE_LEFT = "nothing is left of it"
    BAG_FULL = "the bag is full"
    NO_WORKSHOP = "no workshop of the region makes it"
    NO_MATERIAL = "materials are missing"
    NO_PLACE = "all places for gear are taken"
    NOT_CARRIED = "the hero does not carry it"
    TOO_WEAK = "no heart would be left"
    GATE_CLOSED = "a monster of the region is not beaten"
    ROAD_ENDED = "the road has ended"


Piece = tuple[Code, int]
"""A piece of gear: its kind, and the fights that it lasts."""


class Position(NamedTuple):
    """Everything that decides what can still be done."""

    region: int
    left: tuple[int, ...]
    """The units left of each node."""
    alive: tuple[bool, ...]
    """True for each monster that is not beaten."""
    place: Place
    bag: tuple[Code, ...]
    """The units of material, sorted."""
    gear: tuple[Piece, ...]
    """The pieces, sorted: of a kind, the most worn one comes first."""
    hearts: int


class Step(NamedTuple):
    """An action that was carried out."""

    call: Call
    time: int
    before: Position
    after: Position


@dataclass(frozen=True, slots=True)
class Walk:
    """What came of a plan."""

    steps: Sequence[Step]
    position: Position
    time: int
    refusal: Refused | None
    """Why the next action of the plan was refused; None if none was."""
    arrived: bool
    """True if the hero left the last region."""


def start(road: Road) -> Position:
    """Return the position at the beginning of a road."""
    return enter(road, 0, (), (), road.limits.hearts)


def enter(road: Road, number: int, bag: tuple[Code, ...], gear: tuple[tuple[Code, int], ...], hearts: int) -> Position:
    """Return the position in which the hero comes into a region; one behind the road has no sites."""
    if number == len(road.regions):
        return Position(number, (), (), (0, 0), bag, gear, hearts)
    region = road.regions[number]
    left = tuple(node.units for node in region.nodes)
    return Position(number, left, (True,) * len(region.monsters), region.enter, bag, gear, hearts)


def act(road: Road, position: Position, call: Call, draw: Draw = _WORST) -> tuple[int, Position] | Refused:
    """Return the time of an action and the position after it, or why it is refused.

    Only the position after a fight depends on the draw, which by default is the worst.
    """
    if call[0] not in ACTIONS:
        return Refused.NO_ACTION
    if position.region == len(road.regions):
        return Refused.ROAD_ENDED
    name, values = call[0], call[1:]
    if not (len(values) == ACTIONS[name] or (name == "fight" and len(values) == 1)):
        return Refused.VALUES
    if name == "fight":
        return _fight(road, position, draw, *values)
    return _RULES[name](road, road.regions[position.region], position, *values)


def draw_luck(seed: str, position: Position, call: Call) -> Draw:
    """Return the draw of an action."""
    if call[0] != "fight":
        return _WORST
    chance = Random(f"{seed}/{position.region}/{call[1:2]}")  # noqa: S311 - the same luck for all
    return chance.random(), chance.random()


def outcomes(road: Road, step: Step) -> Iterator[tuple[float, Position]]:
    """Yield the positions to which the action of a step may lead, each with its chance."""
    if not road.has_chance or step.call[0] != "fight":
        yield 1, step.after
        return
    _, code, *gear = step.call
    monster = next(each for each in road.regions[step.before.region].monsters if each.code == code)
    wound_chance = road.wound_chance(monster, gear[0] if gear else None)
    break_chance = 1 / road.limits.breaks if gear else 0
    for wound, breakage in product((0.0, 1.0), repeat=2):
        chance = (1 - wound_chance if wound else wound_chance) * (1 - break_chance if breakage else break_chance)
        outcome = act(road, step.before, step.call, (wound, breakage))
        assert not isinstance(outcome, Refused)
        if chance:
            yield chance, outcome[1]


def walk(road: Road, plan: Sequence[Call], luck: str = "", so_far: Walk | None = None) -> Walk:
    """Carry a plan out, until an action is refused or the plan ends. Actions behind the last gate are refused.

    `luck` is the seed of what is drawn on a road with chance. `so_far` is the walk of the parts before.
    """
    position, steps, time = start(road), list[Step](), 0
    if so_far:
        position, steps, time = so_far.position, [*so_far.steps], so_far.time
    refusal = None
    for call in plan:
        outcome = act(road, position, call, draw_luck(luck, position, call) if road.has_chance else _WORST)
        if isinstance(outcome, Refused):
            refusal = outcome
            break
        steps.append(Step(call, outcome[0], position, outcome[1]))
        time += outcome[0]
        position = outcome[1]
    return Walk(steps, position, time, refusal, position.region == len(road.regions) and refusal is None)


def legal_calls(road: Road, position: Position) -> Iterator[Call]:
    """Yield all actions that can be carried out, in a fixed order."""
    if position.region == len(road.regions):
        return
    region = road.regions[position.region]
    kinds = sorted({kind for kind, _ in position.gear})
    calls: list[Call] = [("gather", node.material) for node in region.nodes]
    calls += [("craft", kind) for kind in (region.workshop.makes if region.workshop else ())]
    for monster in region.monsters:
        calls += [("fight", monster.code), *(("fight", monster.code, kind) for kind in kinds)]
    calls += [("rest",), ("camp",), LEAVE]
    calls += [("drop", code) for code in [*sorted(set(position.bag)), *kinds]]
    yield from (call for call in calls if not isinstance(act(road, position, call), Refused))


# -- the actions ------------------------------------------------------------------------------------------------------

_Outcome = tuple[int, Position] | Refused


def _gather(road: Road, region: Region, position: Position, code: Code) -> _Outcome:
    number = next((number for number, node in enumerate(region.nodes) if node.material == code), None)
    if number is None:
        return Refused.NO_SITE
    node = region.nodes[number]
    if not position.left[number]:
        return Refused.NONE_LEFT
    if len(position.bag) >= road.limits.bag:
        return Refused.BAG_FULL
    left = (*position.left[:number], position.left[number] - 1, *position.left[number + 1 :])
    bag = tuple(sorted((*position.bag, code)))
    return distance(position.place, node.place) + node.time, position._replace(left=left, place=node.place, bag=bag)


def _craft(road: Road, region: Region, position: Position, kind: Code) -> _Outcome:
    workshop = region.workshop
    if workshop is None or kind not in workshop.makes:
        return Refused.NO_WORKSHOP
    bag = position.bag
    for material in road.gear[kind].recipe:
        if material not in bag:
            return Refused.NO_MATERIAL
        bag = _without(bag, material)
    if len(position.gear) >= road.limits.places:
        return Refused.NO_PLACE
    time = distance(position.place, workshop.place) + road.limits.crafting
    gear = tuple(sorted((*position.gear, (kind, road.limits.uses))))
    return time, position._replace(place=workshop.place, bag=bag, gear=gear)


def _fight(road: Road, position: Position, draw: Draw, code: Code, kind: Code | None = None) -> _Outcome:
    monsters = road.regions[position.region].monsters
    number = next((number for number, monster in enumerate(monsters) if monster.code == code), None)
    if number is None:
        return Refused.NO_SITE
    monster = monsters[number]
    if not position.alive[number]:
        return Refused.NONE_LEFT
    gear = position.gear
    if kind is not None:
        piece = next((piece for piece in gear if piece[0] == kind), None)
        if piece is None:
            return Refused.NOT_CARRIED
        gear = _used(road, gear, piece, draw[1])
    if position.hearts <= road.most_wounds(monster, kind):
        return Refused.TOO_WEAK
    rounds, wounds = road.fight(monster, kind)
    wounds += draw[0] < road.wound_chance(monster, kind)
    alive = (*position.alive[:number], False, *position.alive[number + 1 :])
    time = distance(position.place, monster.place) + rounds
    hearts = position.hearts - wounds
    return time, position._replace(alive=alive, place=monster.place, gear=gear, hearts=hearts)


def _used(road: Road, gear: tuple[Piece, ...], piece: Piece, draw: float) -> tuple[Piece, ...]:
    """Return the gear after a fight with one of its pieces."""
    if road.has_chance:
        return _without(gear, piece) if draw < 1 / road.limits.breaks else gear
    rest, uses = _without(gear, piece), piece[1] - 1
    return tuple(sorted((*rest, (piece[0], uses)))) if uses else rest


def _rest(road: Road, region: Region, position: Position) -> _Outcome:
    if region.inn is None:
        return Refused.NO_SITE
    time = distance(position.place, region.inn) + road.limits.rest
    return time, position._replace(place=region.inn, hearts=road.limits.hearts)


def _camp(road: Road, region: Region, position: Position) -> _Outcome:
    return road.limits.camp, position._replace(hearts=min(road.limits.hearts, position.hearts + 1))


def _drop(road: Road, region: Region, position: Position, code: Code) -> _Outcome:
    if code in position.bag:
        return 0, position._replace(bag=_without(position.bag, code))
    piece = next((piece for piece in position.gear if piece[0] == code), None)
    if piece is None:
        return Refused.NOT_CARRIED
    return 0, position._replace(gear=_without(position.gear, piece))


def _leave(road: Road, region: Region, position: Position) -> _Outcome:
    if any(position.alive):
        return Refused.GATE_CLOSED
    time = distance(position.place, region.leave)
    return time, enter(road, position.region + 1, position.bag, position.gear, position.hearts)


def _without(things: tuple[Any, ...], thing: Any) -> tuple[Any, ...]:
    """Return sorted things without one of them."""
    number = things.index(thing)
    return (*things[:number], *things[number + 1 :])


_RULES: dict[str, Callable[..., _Outcome]] = {
    "gather": _gather,
    "craft": _craft,
    "rest": _rest,
    "camp": _camp,
    "drop": _drop,
    "leave": _leave,
}
