"""The regret of each decision of a plan: how much dearer it made the rest of the road.

A decision is an action that was carried out, and the way through a gate is one too. Its regret is its time and the
least time behind it, less the least time before it. So the regrets of a plan add up to its time over the least. A
region is worked out anew for a plan that walks in it: only what crosses the gates is kept.

On a road with chance all these times are expected ones. The mean over several walks of a policy of the regrets of its
decisions is the time that it is expected to lose, with much less noise than the time of the walks.

The *reach* of a decision is the least number of regions that a perfect planner must see to take it rightly: the action
that he takes then has no regret.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from itertools import chain, groupby
from typing import NamedTuple

from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.walk import Call, Position, Refused, Step, act, draw_luck, legal_calls, start
from herobench.task_gen.rpg.journey.values import TIE, BackwardSolver, Values

MOST_SIGHT = 8
"""The longest sight whose plans and decisions are looked at. A decision that needs more has a reach of one more."""


class Decision(NamedTuple):
    """The judgement on a step of a walk."""

    regret: float
    reach: int
    better: Call
    """An action that has no regret in its place, the first one in the order of `legal_calls`."""


def judge(solver: BackwardSolver, road: Road, steps: Sequence[Step]) -> list[Decision]:
    """Return the judgement on each step, which is worked out from the last region to the first.

    The steps are those of a walk, or those of several walks ordered by the region.
    """
    decisions = list[Decision]()
    for number, in_region in groupby(reversed(steps), lambda step: step.before.region):
        # A plan may repeat a step thousands of times, such as a camp with all hearts.
        judge_step = cache(partial(_judge_step, solver, road, cache(partial(solver.region, number))))
        decisions += map(judge_step, in_region)
    return decisions[::-1]


def _judge_step(solver: BackwardSolver, road: Road, values_of: Callable[[int | None], Values], step: Step) -> Decision:
    """Return the judgement on a step, by the values of its region for each sight, and for one who sees all (None)."""
    values, options = values_of(None), legal_steps(road, step.before)
    regret = find_regret(solver, values, step)
    best = best_steps(solver, values, options)
    goals = {option.after for option in best}
    sights = range(1, MOST_SIGHT + 1)
    sufficient = (sight for sight in sights if best_steps(solver, values_of(sight), options)[0].after in goals)
    return Decision(regret, next(sufficient, MOST_SIGHT + 1), best[0].call)


def find_regret(solver: BackwardSolver, values: Values, step: Step) -> float:
    """Return the regret of a step; nothing for one that is too small to tell from an error of rounding."""
    regret = solver.time_by(values, step) - solver.time(values, step.before)
    return regret if regret > TIE else 0


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
    times = [solver.time_by(values, step) for step in options]
    most = min(times) + TIE
    return [step for step, time in zip(options, times, strict=True) if time <= most]


def best_plan(solver: BackwardSolver, road: Road, sight: int | None = None) -> list[Call]:
    """Return a plan without a regret, or with a `sight` that of one who sees so many regions and looks again behind
    each gate.

    Of several best actions it takes the first one in the order of `legal_calls`: it gathers before it crafts, crafts
    before it fights, and drops something only if nothing else is best.
    """
    return policy_plan(road, best_policy(solver, road, sight))


def sight_times(solver: BackwardSolver, road: Road, lucks: Sequence[str]) -> dict[int, float]:
    """Return the time of the plan of each sight up to `MOST_SIGHT`; on a road with chance, the least time and the mean
    regret over some lucks."""
    times = dict[int, float]()
    for sight in range(1, MOST_SIGHT + 1):
        walks = follow(road, best_policy(solver, road, sight), lucks)
        if road.has_chance:
            times[sight] = solver.least + mean_regret(solver, walks)
        else:
            times[sight] = sum(step.time for step in walks[0])
    return times


# -- policies ---------------------------------------------------------------------------------------------------------

Policy = Callable[[Position], Call]
"""What to do in each position."""


def best_policy(solver: BackwardSolver, road: Road, sight: int | None = None) -> Policy:
    """Return the policy without a regret, or that of one who sees so many regions; of ties as `best_plan`."""
    values_of = lru_cache(1)(partial(solver.region, sight=sight))

    @cache
    def choose(position: Position) -> Call:
        return best_steps(solver, values_of(position.region), legal_steps(road, position))[0].call

    return choose


def follow(road: Road, policy: Policy, lucks: Sequence[str]) -> list[list[Step]]:
    """Return the steps of a policy with each luck. All walks go through a region before any goes on, so that the policy
    needs the values of one region at a time."""
    walks: list[list[Step]] = [[] for _ in lucks]
    positions = [start(road) for _ in lucks]
    for region in range(len(road.regions)):
        for number, luck in enumerate(lucks):
            while positions[number].region == region:
                before = positions[number]
                call = policy(before)
                outcome = act(road, before, call, draw_luck(luck, before, call))
                assert not isinstance(outcome, Refused), (call, outcome)
                time, positions[number] = outcome
                walks[number].append(Step(call, time, before, positions[number]))
    return walks


def policy_plan(road: Road, policy: Policy) -> list[Call]:
    """Return what a policy does with the luck of the seed "", which is its plan on a road without chance."""
    (steps,) = follow(road, policy, [""])
    return [step.call for step in steps]


def mean_regret(solver: BackwardSolver, walks: Sequence[Sequence[Step]]) -> float:
    """Return the sum of the regrets of a walk, on average over some walks."""
    steps = sorted(chain.from_iterable(walks), key=lambda step: step.before.region)
    total = 0.0
    for number, in_region in groupby(steps, lambda step: step.before.region):
        values = solver.region(number)
        total += sum(find_regret(solver, values, step) for step in in_region)
    return total / len(walks)
