"""The regret of each decision of a plan: how much dearer it made the rest of the road.

A decision is an action that was carried out, and the way through a gate is one too. Its regret is its time and the
least time behind it, less the least time before it. So the regrets of a plan add up to its time over the least. A
region is worked out anew for a plan that walks in it: only what crosses the gates is kept.

The *reach* of a decision is the least number of regions that a perfect planner must see to take it rightly: the action
that he takes then has no regret.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.walk import Call, Position, Refused, Step, act, legal_calls, start
from herobench.task_gen.rpg.journey.values import BackwardSolver, Values

MOST_SIGHT = 8
"""The longest sight whose plans and decisions are looked at."""


class Mistake(NamedTuple):
    """A decision with a regret."""

    action: int
    """Its number, from 0."""
    regret: int
    reach: int
    better: Call
    """An action that has no regret in its place, the first one in the order of `legal_calls`."""

    def as_row(self) -> dict[str, Any]:
        """Return the mistake as plain data."""
        return {**self._asdict(), "better": list(self.better)}


def regrets(solver: BackwardSolver, steps: Iterable[Step]) -> Iterator[int]:
    """Yield the regret of each step of a walk."""
    for number, in_region in groupby(steps, lambda step: step.before.region):
        values = solver.region(number)
        for step in in_region:
            before = solver.time(values, step.before)
            yield step.time + _time_after(solver, values, step.after, number) - before


def find_mistakes(solver: BackwardSolver, road: Road, steps: Sequence[Step]) -> list[Mistake]:
    """Return the steps of a walk that have a regret."""
    amounts = list(regrets(solver, steps))
    wrong = [number for number, regret in enumerate(amounts) if regret]
    found = find_reaches(solver, road, [steps[number] for number in wrong])
    better = _better_calls(solver, road, [steps[number] for number in wrong])
    columns = zip(wrong, found, better, strict=True)
    return [Mistake(number, amounts[number], reach, call) for number, reach, call in columns]


def _better_calls(solver: BackwardSolver, road: Road, steps: Iterable[Step]) -> Iterator[Call]:
    """Yield an action without a regret in place of each step."""
    for number, in_region in groupby(steps, lambda step: step.before.region):
        values = solver.region(number)
        yield from (best_calls(solver, road, values, step.before)[0][0] for step in in_region)


def find_reaches(solver: BackwardSolver, road: Road, steps: Iterable[Step]) -> Iterator[int]:
    """Yield the reach of the decision before each step."""
    for number, in_region in groupby(steps, lambda step: step.before.region):
        true, seen = solver.region(number), _Seen(solver, number)
        yield from (_reach(solver, road, true, seen, step.before) for step in in_region)


class _Seen(dict[int, Values]):
    """The values of a region by sight, which are worked out when they are asked for."""

    def __init__(self, solver: BackwardSolver, number: int) -> None:
        super().__init__()
        self._solver, self._number = solver, number

    def __missing__(self, sight: int) -> Values:
        self[sight] = self._solver.seen_region(self._number, sight)
        return self[sight]


def _reach(solver: BackwardSolver, road: Road, true: Values, seen: Mapping[int, Values], position: Position) -> int:
    right = {after for _, after in best_calls(solver, road, true, position)}
    for sight in range(1, MOST_SIGHT + 1):
        if best_calls(solver, road, seen[sight], position, sight)[0][1] in right:
            return sight
    return MOST_SIGHT + 1


def best_calls(
    solver: BackwardSolver, road: Road, values: Values, position: Position, sight: int | None = None
) -> list[tuple[Call, Position]]:
    """Return all actions without a regret, in the order of `legal_calls`, each with the position behind it.

    With a `sight`, these are the values and regrets of one who sees so many regions.
    """
    least = solver.time(values, position)
    calls = []
    for call in legal_calls(road, position):
        outcome = act(road, position, call)
        assert not isinstance(outcome, Refused)
        time, after = outcome
        if after != position and time + _time_after(solver, values, after, position.region, sight) == least:
            calls.append((call, after))
    return calls


def best_plan(solver: BackwardSolver, road: Road, sight: int | None = None) -> list[Call]:
    """Return a plan without a regret, or with a `sight` that of one who sees so many regions and looks again behind
    each gate.

    Of several best actions it takes the first one in the order of `legal_calls`: it gathers before it crafts, crafts
    before it fights, and drops something only if nothing else is best.
    """
    position, plan = start(road), list[Call]()
    while position.region < len(road.regions):
        number = position.region
        values = solver.region(number) if sight is None else solver.seen_region(number, sight)
        while position.region == number:
            call, position = best_calls(solver, road, values, position, sight)[0]
            plan.append(call)
    return plan


def sights_and_reaches(solver: BackwardSolver, road: Road, steps: Iterable[Step]) -> tuple[dict[int, int], list[int]]:
    """Return the time of the plan of each sight up to `MOST_SIGHT`, and the reach of each decision of a walk.

    A decision that needs a longer sight has the reach `MOST_SIGHT` + 1.
    """
    sights = range(1, MOST_SIGHT + 1)
    positions, times = dict.fromkeys(sights, start(road)), dict.fromkeys(sights, 0)
    reached = list[int]()
    for number, in_region in groupby(steps, lambda step: step.before.region):
        true = solver.region(number)
        seen = _Seen(solver, number)
        for sight in sights:
            while positions[sight].region == number:
                call, after = best_calls(solver, road, seen[sight], positions[sight], sight)[0]
                outcome = act(road, positions[sight], call)
                assert not isinstance(outcome, Refused)
                times[sight] += outcome[0]
                positions[sight] = after
        for step in in_region:
            reached.append(_reach(solver, road, true, seen, step.before))
    return times, reached


def _time_after(solver: BackwardSolver, values: Values, after: Position, number: int, sight: int | None = None) -> int:
    if after.region == number:
        return solver.time(values, after)
    return solver.time_at_gate(after, sight)
