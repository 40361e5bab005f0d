"""Planners without foresight, which must not win, and one that is perfect but for mistakes, for simulations.

`greedy` looks at the next fight only, and takes the least time up to its end. `nearest` always goes to the nearest site
that is of use. `careless:p` takes best actions, but with the chance p one drawn from all that do not end the plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from herobench.suites.rpg.journey.road import Code, Road
from herobench.suites.rpg.journey.walk import LEAVE, Call, Position, Refused, act, legal_calls, start
from herobench.task_gen.rpg.journey.regrets import best_steps, legal_steps
from herobench.task_gen.rpg.journey.values import BackwardSolver


def careless_plan(road: Road, chance_of_mistake: float, seed: str) -> list[Call]:
    """Return a plan that is perfect but for a chance of another action at each decision."""
    chance, solver = Random(f"careless/{seed}"), BackwardSolver(road)  # noqa: S311 - the same seed, the same plan
    plan: list[Call] = []
    position = start(road)
    while position.region < len(road.regions):
        values = solver.region(position.region)
        while position.region == values.number:
            options = legal_steps(road, position)
            step = best_steps(solver, values, options)[0]
            if chance.random() < chance_of_mistake:
                step = chance.choice([step, *options])
            plan.append(step.call)
            position = step.after
    return plan


def _carry_out(road: Road, position: Position, calls: Sequence[Call]) -> Position:
    for call in calls:
        outcome = act(road, position, call)
        assert not isinstance(outcome, Refused), (call, outcome)
        position = outcome[1]
    return position


# -- rules of thumb ---------------------------------------------------------------------------------------------------


def greedy_plan(road: Road) -> list[Call]:
    """Return the plan of one who takes the least time to the end of the next fight, and then to the next."""
    plan: list[Call] = []
    position = start(road)
    while position.region < len(road.regions):
        calls = _next_fight(road, position) if any(position.alive) else [LEAVE]
        position = _carry_out(road, position, calls)
        plan += calls
    return plan


def _next_fight(road: Road, position: Position) -> list[Call]:
    """Return the actions up to the end of a fight that take the least time together, by looking at all of them."""
    best: tuple[int, list[Call]] | None = None
    queue: list[tuple[int, list[Call], Position]] = [(0, [], position)]
    least_times: dict[Position, int] = {position: 0}
    while queue:
        queue.sort(key=lambda each: each[0], reverse=True)
        time, calls, here = queue.pop()
        if best and time >= best[0]:
            break
        for call in legal_calls(road, here):
            outcome = act(road, here, call)
            if call == LEAVE or isinstance(outcome, Refused):
                continue
            later, after = time + outcome[0], outcome[1]
            if call[0] == "fight":
                if best is None or later < best[0]:
                    best = later, [*calls, call]
            elif later < least_times.get(after, later + 1):
                least_times[after] = later
                queue.append((later, [*calls, call], after))
    assert best is not None, "camps make any monster beatable"
    return best[1]


def nearest_plan(road: Road) -> list[Call]:
    """Return the plan of one who does, of all that is of use, what is nearest; ties by the order of calls."""
    plan: list[Call] = []
    position = start(road)
    while position.region < len(road.regions):
        call = _nearest_call(road, position)
        position = _carry_out(road, position, [call])
        plan.append(call)
    return plan


def _nearest_call(road: Road, position: Position) -> Call:
    """Return the call with the least time but for its fight: to gather, to craft, or a monster's best fight."""
    legal = [call for call in legal_calls(road, position) if call[0] in ("gather", "craft", "fight")]
    fights = {
        call[1]: call for call in sorted(legal, key=lambda call: -_time(road, position, call)) if call[0] == "fight"
    }
    choices = [call for call in legal if call[0] != "fight"] if any(position.alive) else []
    choices += fights.values()
    if not any(position.alive):
        return LEAVE
    if not choices:
        rest: Call = ("rest",)
        return rest if rest in list(legal_calls(road, position)) else ("camp",)
    return min(choices, key=lambda call: _way(road, position, call))


def _time(road: Road, position: Position, call: Call) -> int:
    outcome = act(road, position, call)
    assert not isinstance(outcome, Refused)
    return outcome[0]


def _way(road: Road, position: Position, call: Call) -> int:
    """Return the time of a call without that of its fight."""
    time = _time(road, position, call)
    if call[0] != "fight":
        return time
    monster = next(each for each in road.regions[position.region].monsters if each.code == call[1])
    kind: Code | None = call[2] if len(call) > 2 else None
    return time - road.fight(monster, kind)[0]
