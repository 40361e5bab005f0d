"""Planners without foresight, which must not win, and one that is perfect but for mistakes, for simulations.

`greedy` looks at the next fight only, and takes the least time up to its end. `nearest` always goes to the nearest site
that is of use. `careless:p` takes best actions, but with the chance p one drawn from all that do not end the plan.
"""

from __future__ import annotations

from random import Random

from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.walk import LEAVE, Call, Position, Step, start
from herobench.task_gen.rpg.journey.regrets import Policy, best_policy, legal_steps, policy_plan
from herobench.task_gen.rpg.journey.values import BackwardSolver


def careless_plan(road: Road, chance_of_mistake: float, seed: str) -> list[Call]:
    """Return a plan that is perfect but for a chance of another action at each decision."""
    return policy_plan(road, careless_policy(road, chance_of_mistake, seed))


def careless_policy(road: Road, chance_of_mistake: float, seed: str) -> Policy:
    """Return a policy that is perfect but for a chance of another action in each position."""
    best = best_policy(BackwardSolver(road), road)

    def choose(position: Position) -> Call:
        chance = Random(f"careless/{seed}/{position}")  # noqa: S311 - the same seed, the same policy
        if chance.random() >= chance_of_mistake:
            return best(position)
        return chance.choice([best(position), *(step.call for step in legal_steps(road, position))])

    return choose


# -- rules of thumb ---------------------------------------------------------------------------------------------------


def greedy_plan(road: Road) -> list[Call]:
    """Return the plan of one who takes the least time to the end of the next fight, and then to the next."""
    plan: list[Call] = []
    position = start(road)
    while position.region < len(road.regions):
        steps = greedy_steps(road, position)
        plan += [step.call for step in steps]
        position = steps[-1].after
    return plan


def greedy_steps(road: Road, position: Position) -> list[Step]:
    """Return the way through the gate if it is open, or else the actions up to the end of the next fight."""
    leaving = [step for step in legal_steps(road, position) if step.call == LEAVE]
    return leaving or _steps_to_next_fight(road, position)


def _steps_to_next_fight(road: Road, position: Position) -> list[Step]:
    """Return the actions up to the end of a fight that take the least time together, by looking at all of them."""
    best: tuple[int, list[Step]] | None = None
    queue: list[tuple[int, list[Step], Position]] = [(0, [], position)]
    least_times: dict[Position, int] = {position: 0}
    while queue:
        queue.sort(key=lambda each: each[0], reverse=True)
        time, steps, here = queue.pop()
        if best and time >= best[0]:
            break
        for step in legal_steps(road, here):
            later = time + step.time
            if step.call[0] == "fight":
                if best is None or later < best[0]:
                    best = later, [*steps, step]
            elif later < least_times.get(step.after, later + 1):
                least_times[step.after] = later
                queue.append((later, [*steps, step], step.after))
    assert best is not None, "camps make any monster beatable"
    return best[1]


def nearest_plan(road: Road) -> list[Call]:
    """Return the plan of one who does, of all that is of use, what is nearest; ties by the order of calls."""
    return policy_plan(road, lambda position: nearest_step(road, position).call)


def nearest_step(road: Road, position: Position) -> Step:
    """Return the step with the least time but for its fight: to gather, to craft, or a monster's best fight."""
    steps = {step.call: step for step in legal_steps(road, position)}
    if LEAVE in steps:
        return steps[LEAVE]
    slowest_first = sorted(steps.values(), key=lambda step: -step.time)
    fights = {step.call[1]: step for step in slowest_first if step.call[0] == "fight"}
    choices = [*(step for call, step in steps.items() if call[0] in ("gather", "craft")), *fights.values()]
    if not choices:
        return steps.get(("rest",)) or steps["camp",]
    return min(choices, key=lambda step: _way(road, step))


def _way(road: Road, step: Step) -> int:
    """Return the time of a step without that of its fight."""
    name, *values = step.call
    if name != "fight":
        return step.time
    code, kind = values if len(values) > 1 else (*values, None)
    monster = next(each for each in road.regions[step.before.region].monsters if each.code == code)
    return step.time - road.fight(monster, kind)[0]
