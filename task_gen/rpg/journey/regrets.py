"""The regret of each decision of a plan: how much dearer it made the rest of the road.

A decision is an action that was carried out, and the way through a gate is one too. Its regret is its time and the
least time behind it, less the least time before it. So the regrets of a plan add up to its time over the least. A
region is worked out anew for a plan that walks in it: only what crosses the gates is kept.

The *reach* of a decision is the least number of regions that a perfect planner must see to take it rightly: the action
that he takes then has no regret.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import groupby
from typing import NamedTuple

from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.walk import Call, Position, Refused, Step, act, legal_calls, start, walk
from herobench.task_gen.rpg.journey.values import BackwardSolver, Values

MOST_SIGHT = 8
"""The longest sight whose plans and decisions are looked at. A decision that needs more has a reach of one more."""


class Decision(NamedTuple):
    """The judgement on a step of a walk."""

    regret: int
    reach: int
    better: Call
    """An action that has no regret in its place, the first one in the order of `legal_calls`."""


def judge(solver: BackwardSolver, road: Road, steps: Sequence[Step]) -> list[Decision]:
    """Return the judgement on each step of a walk, which is worked out from the last region to the first."""
    decisions = list[Decision]()
    for number, in_region in groupby(reversed(steps), lambda step: step.before.region):
        values_of = cache(partial(solver.region, number))
        decisions += [_judge_step(solver, road, values_of, step) for step in in_region]
    return decisions[::-1]


def _judge_step(solver: BackwardSolver, road: Road, values_of: Callable[[int | None], Values], step: Step) -> Decision:
    """Return the judgement on a step, by the values of its region for each sight, and for one who sees all (None)."""
    values, options = values_of(None), legal_steps(road, step.before)
    regret = step.time + solver.time(values, step.after) - solver.time(values, step.before)
    best = best_steps(solver, values, options)
    goals = {option.after for option in best}
    sights = range(1, MOST_SIGHT + 1)
    sufficient = (sight for sight in sights if best_steps(solver, values_of(sight), options)[0].after in goals)
    return Decision(regret, next(sufficient, MOST_SIGHT + 1), best[0].call)


def legal_steps(road: Road, position: Position) -> list[Step]:
    """Return all actions that can be carried out and change anything, in the order of `legal_calls`."""
    steps = []
    for call in legal_calls(road, position):
        outcome = act(road, position, call)
        assert not isinstance(outcome, Refused)
        time, after = outcome
        if after != position:
            steps.append(Step(call, time, position, after))
    return steps


def best_steps(solver: BackwardSolver, values: Values, options: Sequence[Step]) -> list[Step]:
    """Return the steps without a regret among all from a position, after the values of one who may see less."""
    times = [step.time + solver.time(values, step.after) for step in options]
    least = min(times)
    return [step for step, time in zip(options, times, strict=True) if time == least]


def best_plan(solver: BackwardSolver, road: Road, sight: int | None = None) -> list[Call]:
    """Return a plan without a regret, or with a `sight` that of one who sees so many regions and looks again behind
    each gate.

    Of several best actions it takes the first one in the order of `legal_calls`: it gathers before it crafts, crafts
    before it fights, and drops something only if nothing else is best.
    """
    position, plan = start(road), list[Call]()
    while position.region < len(road.regions):
        values = solver.region(position.region, sight)
        while position.region == values.number:
            step = best_steps(solver, values, legal_steps(road, position))[0]
            plan.append(step.call)
            position = step.after
    return plan


def sight_times(solver: BackwardSolver, road: Road) -> dict[int, int]:
    """Return the time of the plan of each sight up to `MOST_SIGHT`."""
    return {sight: walk(road, best_plan(solver, road, sight)).time for sight in range(1, MOST_SIGHT + 1)}
