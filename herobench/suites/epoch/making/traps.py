"""The traps of a road: actions that can be carried out, look like progress, and lose.

A trap is open in a state of the reference plan. To step into it brings the next gate nearer by a turn, as much as any
action can, and still no way on from there wins within the turns of the level: the values prove that. Behind a trap some
gate can never be raised; or, if it is *late*, the goal is in reach, but not in time. The *reach* of a trap is how many
turns later it shows, even if all else is done as well as can be: at the first gate that is raised later than by the
reference plan, or never.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

from herobench.pddl import GroundAction
from herobench.suites.epoch.game.level import Trap
from herobench.suites.epoch.making.road import MISSED

if TYPE_CHECKING:
    from herobench.suites.epoch.making.values import RoadValues


class Walk(NamedTuple):
    """A plan from the start of a road, its states, and the turn at which it raises each gate."""

    actions: Sequence[GroundAction]
    states: Sequence[int]
    raised: Sequence[int]


def walk(values: RoadValues, actions: Sequence[GroundAction]) -> Walk:
    """Carry out a plan."""
    world = values.road.world
    states = [*accumulate(actions, world.after, initial=world.initial)]
    raised = [
        turn for turn, (one, other) in enumerate(pairwise(states), 1) if values.road.gate(one) < values.road.gate(other)
    ]
    return Walk(actions, states, raised)


def find_traps(values: RoadValues, reference: Walk, turns: int) -> Iterator[Trap]:
    """Yield the traps along a reference plan, each action once, at the first turn at which it is one."""
    seen: set[GroundAction] = set()
    for turn, state in enumerate(reference.states[:-1], 1):
        near = values.near(state)
        for action, after in values.road.world.choices(state):
            if action in seen or turn + values.value(after) <= turns:
                continue
            gate = values.road.gate(state)
            if values.road.gate(after) > gate or values.near(after) < near:
                seen.add(action)
                shown = _first_late_gate(values, reference, turn, after)
                is_late = values.value(after) < MISSED
                yield Trap(turn, str(action), reference.raised[shown] - turn, shown - gate, is_late)


def _first_late_gate(values: RoadValues, reference: Walk, turn: int, state: int) -> int:
    """Return the first gate that a best plan from a state raises later than the reference plan, or never."""
    gates = len(reference.raised)
    for gate in range(values.road.gate(state), gates - values.value(state) // MISSED):
        while values.road.gate(state) == gate:
            state, turn = values.best_choice(state)[1], turn + 1
        if turn > reference.raised[gate]:
            return gate
    return gates - 1


def greedy_turns(values: RoadValues) -> int:
    """Return the turns of a player who takes the shortest way to each gate; `MISSED` if it cannot raise one."""
    state, turn = values.road.world.initial, 0
    while not values.road.world.grounded.is_goal(state):
        near = values.near(state)
        if near >= MISSED:
            return MISSED
        state, turn = near_choice(values, state)[1], turn + 1
    return turn


def near_choice(values: RoadValues, state: int) -> tuple[GroundAction, int]:
    """Return an action on a shortest way to the next gate, and the state behind it: the first one of several."""
    near, gate = values.near(state), values.road.gate(state)
    for action, after in values.road.world.choices(state):
        if values.road.gate(after) > gate or values.near(after) < near:
            return action, after
    raise ValueError("the next gate cannot be raised")


def find_regrets(values: RoadValues, turns: Sequence[GroundAction | None]) -> list[int | None]:
    """Return what each turn of a game made the rest dearer; None stands for a turn without an action.

    The last one is None where the goal went out of reach: nothing behind it can be compared.
    """
    world, state = values.road.world, values.road.world.initial
    before, regrets = values.value(state), list[int | None]()
    for action in turns:
        state = world.after(state, action) if action else state
        after = values.value(state)
        if after >= MISSED:
            return [*regrets, None]
        regrets.append(after + 1 - before)
        before = after
    return regrets
