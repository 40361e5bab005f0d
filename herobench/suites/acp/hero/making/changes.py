"""Changes to a plan because of which an action may be refused, often far behind the change.

Moves follow from the stops that are left. So a place that nobody works at, or work of two kinds at one place, does not
show where a plan was changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from herobench.suites.acp.hero.making.stops import Stop, units_of, with_amount
from herobench.suites.acp.hero.scene import Scene

Change = Callable[[Scene, Sequence[Stop], Random], Sequence[Stop]]
"""Changes stops; returns them as they are if there is nothing to change."""
_DRESS = ("equip", "unequip")


def _without(scene: Scene, stops: Sequence[Stop], chance: Random) -> Sequence[Stop]:
    """Leave out one action."""
    number = chance.randrange(len(stops))
    actions = list(stops[number].actions)
    del actions[chance.randrange(len(actions))]
    return [*stops[:number], replace(stops[number], actions=tuple(actions)), *stops[number + 1 :]]


def _moved(scene: Scene, stops: Sequence[Stop], chance: Random) -> Sequence[Stop]:
    """Make one stop at another time."""
    rest = list(stops)
    stop = rest.pop(chance.randrange(len(rest)))
    rest.insert(chance.randint(0, len(rest)), stop)
    return rest


def _dressed_elsewhere(scene: Scene, stops: Sequence[Stop], chance: Random) -> Sequence[Stop]:
    """Put something on or take it off at another stop."""
    found = [(number, act) for number, stop in enumerate(stops) for act in stop.actions if act.name in _DRESS]
    if not found:
        return stops
    number, action = chance.choice(found)
    target = chance.randrange(len(stops))
    actions = [[each for each in stop.actions if (at, each) != (number, action)] for at, stop in enumerate(stops)]
    actions[target].append(action)
    return [replace(stop, actions=tuple(each)) for stop, each in zip(stops, actions, strict=True)]


def _weakened(scene: Scene, stops: Sequence[Stop], chance: Random) -> Sequence[Stop]:
    """Do one piece, swing or fight less."""
    strong = [unit for unit in units_of(stops) if unit.amount > 1]
    if not strong:
        return stops
    unit = chance.choice(strong)
    return with_amount(stops, unit, unit.amount - 1)


def _diverted(scene: Scene, stops: Sequence[Stop], chance: Random) -> Sequence[Stop]:
    """Go to another place than that of a stop."""
    number = chance.randrange(len(stops))
    place = chance.choice(sorted(scene.world.tiles))
    return [*stops[:number], replace(stops[number], place=place), *stops[number + 1 :]]


CHANGES: tuple[Change, ...] = (_without, _moved, _dressed_elsewhere, _weakened, _diverted)
