"""Splits the work of a plan: a part of it is done at another time, at a stop of its own.

A needed split changes nothing else. A spare one leaves the work that it was taken from whole, so that the plan does
more than it needs. Both kinds of stops are drawn alike, and stand where a needed part could stand. So the form of a
plan does not tell which stop is spare: the amounts do, and what is needed of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from herobench.rpg.events import Action
from herobench.rpg.goals import reaches
from herobench.suites.acp.hero.making.stops import CRAFT, FIGHT, Plan, Stop, Unit, laid, units_of, with_amount, work
from herobench.suites.acp.hero.scene import Scene

_TRIES = 6
"""How many places in the plan are tried for a part."""


def is_clean(scene: Scene, plan: Plan) -> bool:
    """Return whether a plan reaches the goal with its last action and nothing is refused."""
    events = scene.played(plan)
    return len(events) == len(plan) > 0 and all(event.ok for event in events) and reaches(scene.task, events[-1])


def split(scene: Scene, stops: Sequence[Stop], chance: Random, kind: str | None = None) -> list[Stop] | None:
    """Return the stops with a part of some work at a stop of its own; None if no place is found for it."""
    units = [unit for unit in units_of(stops) if unit.amount > 1 and not stops[unit.stop].is_spare]
    unit = _drawn(units, chance, kind)
    if unit is None:
        return None
    # The two parts are in proportion as the part of a spare split and the whole are.
    share = chance.random()
    part = max(1, round(unit.amount * share / (1 + share)))
    rest, stop = with_amount(stops, unit, unit.amount - part), _part(stops, unit, part)
    found = (_placed(rest, gap, stop) for gap in _gaps(rest, stop, chance))
    return next((each for each in found if _holds(scene, each)), None)


def spare_part(scene: Scene, stops: Sequence[Stop], chance: Random, kind: str) -> list[Stop] | None:
    """Return the stops with a part of some work done once more than needed; None if no place is found for it.

    It stands where the part could stand if it were needed. What a craft uses up is added to the work that gives it.
    """
    units = list(units_of(stops))
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
    scene: Scene, stops: Sequence[Stop], done: Sequence[Stop], chance: Random, kind: str
) -> list[Stop] | None:
    """Return the stops with some work that was done before all of them; None if there is none.

    It stands before the last craft, as if something of it were needed.
    """
    unit = _drawn(list(units_of(done)), chance, kind)
    if unit is None:
        return None
    stop = replace(_part(done, unit, unit.amount), is_spare=True)
    last = max((unit.stop for unit in units_of(stops) if unit.action.name == CRAFT), default=len(stops))
    found = (_placed(stops, gap, stop) for gap in _gaps(stops, stop, chance) if gap <= last)
    return next((each for each in found if _holds(scene, each)), None)


def work_in(stop: Stop) -> int:
    """Return how much work is done at a stop."""
    return sum(unit.amount for unit in units_of([stop]))


def _drawn(units: Sequence[Unit], chance: Random, kind: str | None) -> Unit | None:
    """Draw some work of a kind. Without a kind, one is drawn first: each is as likely, whatever its numbers."""
    kinds = sorted({unit.action.name for unit in units if kind in (None, unit.action.name)})
    if not kinds:
        return None
    drawn = chance.choice(kinds)
    return chance.choice([unit for unit in units if unit.action.name == drawn])


def _part(stops: Sequence[Stop], unit: Unit, amount: int) -> Stop:
    return Stop(stops[unit.stop].place, work(unit.action, amount))


def _gaps(stops: Sequence[Stop], stop: Stop, chance: Random) -> list[int]:
    """Return some of the gaps between stops where another one can stand, not beside one of the same place."""

    def beside(gap: int) -> Sequence[Stop]:
        return stops[max(0, gap - 1) : gap + 1]

    gaps = [gap for gap in range(len(stops)) if all(other.place != stop.place for other in beside(gap))]
    return chance.sample(gaps, min(_TRIES, len(gaps)))


def _placed(stops: Sequence[Stop], gap: int, stop: Stop) -> list[Stop]:
    return [*stops[:gap], stop, *stops[gap:]]


def _holds(scene: Scene, stops: Sequence[Stop]) -> bool:
    """Return whether the plan works, with its spare stops and without them."""
    here = scene.task.hero.place
    needed = [stop for stop in stops if not stop.is_spare]
    return is_clean(scene, laid(here, stops).plan) and is_clean(scene, laid(here, needed).plan)


# -- what a spare craft uses up ---------------------------------------------------------------------------------------


def _supplied(scene: Scene, stops: list[Stop], number: int) -> list[Stop] | None:
    """Return the stops with what the craft at one of them uses up; None if nothing before it gives that."""
    lacking = list(_used(scene, stops[number].actions))
    while lacking:
        code, count = lacking.pop()
        givers = [unit for unit in units_of(stops[:number]) if _given(scene, stops[unit.stop], unit.action, code)]
        if not givers:
            return None
        unit = givers[-1]
        more = -(-count // _given(scene, stops[unit.stop], unit.action, code))
        stops = with_amount(stops, unit, unit.amount + more)
        lacking += _used(scene, work(unit.action, more))
    return stops


def _used(scene: Scene, actions: Plan) -> Iterator[tuple[str, int]]:
    """Yield the items that crafts use up, with their counts."""
    for action in actions:
        recipe = scene.world.recipe_of(str(action.args[1])) if action.name == CRAFT else None
        if recipe:
            yield from ((part, count * int(str(action.args[-1]))) for part, count in recipe.ingredients.items())


def _given(scene: Scene, stop: Stop, action: Action, code: str) -> int:
    """Return how many pieces of an item one swing, one victory, or one piece of a purchase or craft gives."""
    world = scene.world
    if action.name in (CRAFT, "buy"):
        return int(action.args[1] == code)
    content = world.tiles[stop.place].content
    giver = content and (world.monsters if action.name == FIGHT else world.resources).get(content.code)
    return sum(drop.least for drop in giver.drops if drop.item == code) if giver else 0
