"""A plan as stops: the places that it goes to, and what is done there. Moves follow from the order of the stops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from herobench.rpg.events import Action
from herobench.rpg.world import Place
from herobench.suites.acp.hero.action import act

Plan = tuple[Action, ...]
CRAFT, FIGHT = "craft", "fight"
_COUNTED = ("gather", "buy", CRAFT)
"""The actions with a quantity."""


@dataclass(frozen=True)
class Stop:
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


def stops_of(here: Place, plan: Iterable[Action]) -> list[Stop]:
    """Return the stops of a plan that begins at a place."""
    stops = [Stop(here, ())]
    for action in plan:
        if action.name == "move":
            x, y = action.args[1:]
            stops.append(Stop((int(str(x)), int(str(y))), ()))
        else:
            stops[-1] = replace(stops[-1], actions=(*stops[-1].actions, action))
    return [stop for stop in stops if stop.actions]


def laid(here: Place, stops: Iterable[Stop]) -> Laid:
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


def units_of(stops: Iterable[Stop]) -> Iterator[Unit]:
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


def with_amount(stops: Sequence[Stop], unit: Unit, amount: int) -> list[Stop]:
    """Return the stops with another amount of some work."""
    actions = stops[unit.stop].actions
    changed = (*actions[: unit.start], *work(unit.action, amount), *actions[unit.end :])
    return [*stops[: unit.stop], replace(stops[unit.stop], actions=changed), *stops[unit.stop + 1 :]]
