"""The traps of a road: actions that can be carried out, look like progress, and lose.

A trap is open in a state of the reference plan. To step into it brings the next gate nearer by the hours that it takes,
as much as any action can, and still no way on from there wins within the hours of the level: the values prove that. The
*reach* of a trap is how many turns later it shows, even if all else is done as well as can be: at the first gate that
is raised later than by the reference plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

from herobench.pddl import GroundAction
from herobench.suites.epoch.game.level import Trap

if TYPE_CHECKING:
    from herobench.suites.epoch.making.values import RoadValues


class Walk(NamedTuple):
    """A plan from the start of a road."""

    actions: Sequence[GroundAction]
    states: Sequence[int]
    """The states before its actions, and the one at its end."""
    hours: Sequence[int]
    """The hours up to each of them."""
    raised: Sequence[int]
    """The numbers of the actions that raise the gates, from 1."""


def walk(values: RoadValues, actions: Sequence[GroundAction]) -> Walk:
    """Carry out a plan."""
    world = values.road.world
    states = [*accumulate(actions, world.after, initial=world.initial)]
    gates = map(values.road.gate, states)
    raised = [turn for turn, (one, other) in enumerate(pairwise(gates), 1) if one < other]
    return Walk(actions, states, [*accumulate(map(world.hours, actions), initial=0)], raised)


def find_traps(values: RoadValues, reference: Walk, most: int) -> Iterator[Trap]:
    """Yield the traps along a reference plan, each action once, at the first turn at which it is one.

    Within `most` hours the road is won.
    """
    seen: set[GroundAction] = set()
    for turn, (state, hours) in enumerate(zip(reference.states[:-1], reference.hours, strict=False), 1):
        for action, after in _near_choices(values, state):
            now = hours + values.road.world.hours(action)
            if action not in seen and now + values.value(after) > most:
                seen.add(action)
                shown = _first_late_gate(values, reference, now, after)
                gate = values.road.gate(state)
                yield Trap(turn, str(action), reference.raised[shown] - turn, shown - gate)


def _first_late_gate(values: RoadValues, reference: Walk, hours: int, state: int) -> int:
    """Return the first gate that a best plan from a state raises later than the reference plan."""
    world = values.road.world
    for gate in range(values.road.gate(state), len(reference.raised)):
        while values.road.gate(state) == gate:
            action, state = values.best_choice(state)
            hours += world.hours(action)
        if hours > reference.hours[reference.raised[gate]]:
            return gate
    return len(reference.raised) - 1


def greedy_walk(values: RoadValues) -> Walk:
    """Carry out the plan of a player who takes the shortest way to each gate."""
    plan, state = list[GroundAction](), values.road.world.initial
    while not values.road.world.grounded.is_goal(state):
        action, state = near_choice(values, state)
        plan.append(action)
    return walk(values, plan)


def near_choice(values: RoadValues, state: int) -> tuple[GroundAction, int]:
    """Return an action on a shortest way to the next gate, and the state behind it: the first one of several."""
    return next(_near_choices(values, state))


def _near_choices(values: RoadValues, state: int) -> Iterator[tuple[GroundAction, int]]:
    """Yield the actions on shortest ways to the next gate, each with the state behind it."""
    road, near = values.road, values.near(state)
    for action, after in road.world.choices(state):
        rest = 0 if road.gate(after) > road.gate(state) else values.near(after)
        if road.world.hours(action) + rest == near:
            yield action, after


def find_regrets(values: RoadValues, turns: Sequence[GroundAction | None]) -> list[int]:
    """Return what each turn of a game made the rest dearer; None stands for a turn without an action, of one hour."""
    world, state = values.road.world, values.road.world.initial
    before, regrets = values.value(state), list[int]()
    for action in turns:
        hours = 1
        if action:
            state, hours = world.after(state, action), world.hours(action)
        after = values.value(state)
        regrets.append(after + hours - before)
        before = after
    return regrets
