"""A plan as stops: the places that it goes to, and what is done there. Moves follow from the order of the stops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

from herobench.suites.acp.hero.scene import HeroScene, act
from herobench.suites.rpg.game.events import Action
from herobench.suites.rpg.game.task import reaches
from herobench.suites.rpg.game.world import Place

Plan = tuple[Action, ...]
CRAFT, FIGHT = "craft", "fight"
_COUNTED = ("gather", "buy", CRAFT)
"""The actions with a quantity."""


@dataclass(frozen=True)
class PlaceStop:
    """A place and what is done there."""

    place: Place
    actions: Plan
    is_spare: bool = False
    """Whether the plan can do without it."""


class Unit(NamedTuple):
    """Work of one kind at a stop: a gathering, purchase or craft, or fights one after the other."""

    stop: int
    """The number of the stop."""
    start: int
    """The position of the first action at the stop."""
    end: int
    """The position behind the last one."""
    action: Action
    amount: int
    """Pieces, swings or fights."""


class Laid(NamedTuple):
    """Stops as a plan."""

    plan: Plan
    spare: tuple[int, ...]
    """The numbers of the actions that the plan can do without, moves to spare stops included."""


def split_stops(here: Place, plan: Iterable[Action]) -> list[PlaceStop]:
    """Return the stops of a plan that begins at a place."""
    stops = [PlaceStop(here, ())]
    for action in plan:
        if action.name == "move":
            x, y = action.args[1:]
            stops.append(PlaceStop((int(str(x)), int(str(y))), ()))
        else:
            stops[-1] = replace(stops[-1], actions=(*stops[-1].actions, action))
    return [stop for stop in stops if stop.actions]


def laid(here: Place, stops: Iterable[PlaceStop]) -> Laid:
    """Return the plan of some stops, with a move wherever the place changes."""
    marked: list[tuple[Action, bool]] = []
    without_spare = here
    for stop in stops:
        if stop.actions and stop.place != here:
            marked.append((act("move", *stop.place), stop.is_spare or stop.place == without_spare))
            here = stop.place
        if stop.actions and not stop.is_spare:
            without_spare = stop.place
        marked += [(action, stop.is_spare) for action in stop.actions]
    spare = tuple(number for number, (_, is_spare) in enumerate(marked) if is_spare)
    return Laid(tuple(action for action, _ in marked), spare)


def split_into_units(stops: Iterable[PlaceStop]) -> Iterator[Unit]:
    """Yield the work of some stops, in order."""
    for number, stop in enumerate(stops):
        start = 0
        for end, action in enumerate(stop.actions, 1):
            if action.name == FIGHT and stop.actions[end : end + 1] == (action,):
                continue
            if action.name == FIGHT:
                yield Unit(number, start, end, action, end - start)
            elif action.name in _COUNTED:
                yield Unit(number, start, end, action, int(str(action.args[-1])))
            start = end


def work(action: Action, amount: int) -> Plan:
    """Return the actions that do some amount of work."""
    if action.name == FIGHT:
        return (action,) * amount
    return (action._replace(args=(*action.args[:-1], amount)),) if amount else ()


def with_amount(stops: Sequence[PlaceStop], unit: Unit, amount: int) -> list[PlaceStop]:
    """Return the stops with another amount of some work."""
    actions = stops[unit.stop].actions
    changed = (*actions[: unit.start], *work(unit.action, amount), *actions[unit.end :])
    return [*stops[: unit.stop], replace(stops[unit.stop], actions=changed), *stops[unit.stop + 1 :]]


_SPLIT_TRIES = 6
"""How many places in the plan are tried for a part."""


def is_clean(scene: HeroScene, plan: Plan) -> bool:
    """Return whether a plan reaches the goal with its last action and nothing is refused."""
    events = scene.played(plan)
    return len(events) == len(plan) > 0 and all(event.ok for event in events) and reaches(scene.task, events[-1])


def split(
    scene: HeroScene, stops: Sequence[PlaceStop], chance: Random, kind: str | None = None
) -> list[PlaceStop] | None:
    """Return the stops with a part of some work at a stop of its own; None if no place is found for it."""
    units = [unit for unit in split_into_units(stops) if unit.amount > 1 and not stops[unit.stop].is_spare]
    unit = _drawn(units, chance, kind)
    if unit is None:
        return None
    # The two parts are in proportion as the part of a spare split and the whole are.
    share = chance.random()
    part = max(1, round(unit.amount * share / (1 + share)))
    rest, stop = with_amount(stops, unit, unit.amount - part), _part(stops, unit, part)
    found = (_placed(rest, gap, stop) for gap in _gaps(rest, stop, chance))
    return next((each for each in found if _holds(scene, each)), None)


def spare_part(scene: HeroScene, stops: Sequence[PlaceStop], chance: Random, kind: str) -> list[PlaceStop] | None:
    """Return the stops with a part of some work done once more than needed; None if no place is found for it.

    It stands where the part could stand if it were needed. What a craft uses up is added to the work that gives it.
    """
    units = list(split_into_units(stops))
    unit = _drawn([unit for unit in units if unit.amount > 1] or units, chance, kind)
    if unit is None:
        return None
    stop = _part(stops, unit, max(1, round(unit.amount * chance.random())))
    without = with_amount(stops, unit, unit.amount - work_in(stop))
    for gap in _gaps(stops, stop, chance):
        if _holds(scene, _placed(without, gap, stop)):
            found = _supplied(scene, _placed(stops, gap, replace(stop, is_spare=True)), gap)
            if found and _holds(scene, found):
                return found
    return None


def spare_repeat(
    scene: HeroScene, stops: Sequence[PlaceStop], done: Sequence[PlaceStop], chance: Random, kind: str
) -> list[PlaceStop] | None:
    """Return the stops with some work that was done before all of them; None if there is none.

    It stands before the last craft, as if something of it were needed.
    """
    unit = _drawn(list(split_into_units(done)), chance, kind)
    if unit is None:
        return None
    stop = replace(_part(done, unit, unit.amount), is_spare=True)
    last = max((unit.stop for unit in split_into_units(stops) if unit.action.name == CRAFT), default=len(stops))
    found = (_placed(stops, gap, stop) for gap in _gaps(stops, stop, chance) if gap <= last)
    return next((each for each in found if _holds(scene, each)), None)


def work_in(stop: PlaceStop) -> int:
    """Return how much work is done at a stop."""
    return sum(unit.amount for unit in split_into_units([stop]))


def _drawn(units: Sequence[Unit], chance: Random, kind: str | None) -> Unit | None:
    """Draw some work of a kind. Without a kind, one is drawn first: each is as likely, whatever its numbers."""
    kinds = sorted({unit.action.name for unit in units if kind in (None, unit.action.name)})
    if not kinds:
        return None
    drawn = chance.choice(kinds)
    return chance.choice([unit for unit in units if unit.action.name == drawn])


def _part(stops: Sequence[PlaceStop], unit: Unit, amount: int) -> PlaceStop:
    return PlaceStop(stops[unit.stop].place, work(unit.action, amount))


def _gaps(stops: Sequence[PlaceStop], stop: PlaceStop, chance: Random) -> list[int]:
    """Return some of the gaps between stops where another one can stand, not beside one of the same place."""

    def beside(gap: int) -> Sequence[PlaceStop]:
        return stops[max(0, gap - 1) : gap + 1]

    gaps = [gap for gap in range(len(stops)) if all(other.place != stop.place for other in beside(gap))]
    return chance.sample(gaps, min(_SPLIT_TRIES, len(gaps)))


def _placed(stops: Sequence[PlaceStop], gap: int, stop: PlaceStop) -> list[PlaceStop]:
    return [*stops[:gap], stop, *stops[gap:]]


def _holds(scene: HeroScene, stops: Sequence[PlaceStop]) -> bool:
    """Return whether the plan works, with its spare stops and without them."""
    here = scene.task.hero.place
    needed = [stop for stop in stops if not stop.is_spare]
    return is_clean(scene, laid(here, stops).plan) and is_clean(scene, laid(here, needed).plan)


# -- what a spare craft uses up ---------------------------------------------------------------------------------------


def _supplied(scene: HeroScene, stops: list[PlaceStop], number: int) -> list[PlaceStop] | None:
    """Return the stops with what the craft at one of them uses up; None if nothing before it gives that."""
    lacking = list(_used(scene, stops[number].actions))
    while lacking:
        code, count = lacking.pop()
        givers = [
            unit for unit in split_into_units(stops[:number]) if _given(scene, stops[unit.stop], unit.action, code)
        ]
        if not givers:
            return None
        unit = givers[-1]
        more = -(-count // _given(scene, stops[unit.stop], unit.action, code))
        stops = with_amount(stops, unit, unit.amount + more)
        lacking += _used(scene, work(unit.action, more))
    return stops


def _used(scene: HeroScene, actions: Plan) -> Iterator[tuple[str, int]]:
    """Yield the items that crafts use up, with their counts."""
    for action in actions:
        recipe = scene.world.recipe_of(str(action.args[1])) if action.name == CRAFT else None
        if recipe:
            yield from ((part, count * int(str(action.args[-1]))) for part, count in recipe.ingredients.items())


def _given(scene: HeroScene, stop: PlaceStop, action: Action, code: str) -> int:
    """Return how many pieces of an item one swing, one victory, or one piece of a purchase or craft gives."""
    world = scene.world
    if action.name in (CRAFT, "buy"):
        return int(action.args[1] == code)
    content = world.tiles[stop.place].content
    giver = content and (world.monsters if action.name == FIGHT else world.resources).get(content.code)
    return sum(drop.least for drop in giver.drops if drop.item == code) if giver else 0


Change = Callable[[HeroScene, Sequence[PlaceStop], Random], Sequence[PlaceStop]]
"""Changes stops; returns them as they are if there is nothing to change."""
_EQUIP = ("equip", "unequip")


def _without(scene: HeroScene, stops: Sequence[PlaceStop], chance: Random) -> Sequence[PlaceStop]:
    """Leave out one action."""
    number = chance.randrange(len(stops))
    actions = list(stops[number].actions)
    del actions[chance.randrange(len(actions))]
    return [*stops[:number], replace(stops[number], actions=tuple(actions)), *stops[number + 1 :]]


def _moved(scene: HeroScene, stops: Sequence[PlaceStop], chance: Random) -> Sequence[PlaceStop]:
    """Make one stop at another time."""
    rest = list(stops)
    stop = rest.pop(chance.randrange(len(rest)))
    rest.insert(chance.randint(0, len(rest)), stop)
    return rest


def _changed_elsewhere(scene: HeroScene, stops: Sequence[PlaceStop], chance: Random) -> Sequence[PlaceStop]:
    """Put something on or take it off at another stop."""
    found = [(number, act) for number, stop in enumerate(stops) for act in stop.actions if act.name in _EQUIP]
    if not found:
        return stops
    number, action = chance.choice(found)
    target = chance.randrange(len(stops))
    actions = [[each for each in stop.actions if (at, each) != (number, action)] for at, stop in enumerate(stops)]
    actions[target].append(action)
    return [replace(stop, actions=tuple(each)) for stop, each in zip(stops, actions, strict=True)]


def _weakened(scene: HeroScene, stops: Sequence[PlaceStop], chance: Random) -> Sequence[PlaceStop]:
    """Do one piece, swing or fight less."""
    strong = [unit for unit in split_into_units(stops) if unit.amount > 1]
    if not strong:
        return stops
    unit = chance.choice(strong)
    return with_amount(stops, unit, unit.amount - 1)


def _diverted(scene: HeroScene, stops: Sequence[PlaceStop], chance: Random) -> Sequence[PlaceStop]:
    """Go to another place than a stop's place."""
    number = chance.randrange(len(stops))
    place = chance.choice(sorted(scene.world.tiles))
    return [*stops[:number], replace(stops[number], place=place), *stops[number + 1 :]]


CHANGES: tuple[Change, ...] = (_without, _moved, _changed_elsewhere, _weakened, _diverted)
