"""Players of journeys that need no model.

`oracle` walks a best plan. `sight:k` sees k regions, plans them perfectly, walks one and looks again: what he carries
behind the last region that he sees is worth nothing to him. `greedy` and `nearest` are rules of thumb. `careless:p` is
perfect but for a chance of a mistake at each decision. `noop` leaves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

from herobench.conversation import Reply
from herobench.data.errors import UsageError
from herobench.suite.players import GamePlayer, parse_player
from herobench.suites.rpg.journey.options import PLAYERS
from herobench.suites.rpg.journey.plan import as_code, luck_seeds
from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.task import Journey
from herobench.suites.rpg.journey.walk import LEAVE, Call, Position, Step
from herobench.suites.rpg.play.execution import as_answer
from herobench.task_gen.rpg.journey.planners import (
    careless_plan,
    careless_policy,
    greedy_plan,
    greedy_steps,
    nearest_plan,
    nearest_step,
)
from herobench.task_gen.rpg.journey.regrets import Policy, best_plan, best_policy, follow
from herobench.task_gen.rpg.journey.values import BackwardSolver

_MOST_SIGHT = 1_000


class JourneyPlayer(GamePlayer[str]):
    """Answers with a whole plan, with a part for each region, or on a road with chance with a policy."""

    turn = re.compile(r"You have given (\d+) of at most")

    def __init__(self, name: str, journeys: Mapping[str, Journey], *, in_parts: bool = False) -> None:
        self._kind, argument = parse_player("journey", name, PLAYERS, ("sight", "careless"))
        self._number = _read_number(self._kind, argument)
        super().__init__(name)
        self._journeys, self._in_parts = journeys, in_parts

    def _decide(self, task_id: str, epoch: int) -> Sequence[str]:
        journey, seed = self._journeys[task_id], f"{task_id} {epoch}"
        if journey.road.has_chance and self._kind != "noop":
            policy = player_policy(journey.road, self._kind, self._number, seed)
            return [policy_code(journey.road, policy, luck_seeds(journey.id))]
        plan = self._plan(journey, seed)
        return [as_code(part) for part in parts_by_region(plan)] if self._in_parts and plan else [as_code(plan)]

    def _move(self, moves: Sequence[str], number: int) -> Reply:
        return Reply(as_answer(moves[min(number, len(moves) - 1)]), stop="stop")

    def _plan(self, journey: Journey, seed: str) -> Sequence[Call]:
        match self._kind:
            case "oracle":
                return journey.plan
            case "sight":
                return best_plan(BackwardSolver(journey.road), journey.road, int(self._number))
            case "greedy":
                return greedy_plan(journey.road)
            case "nearest":
                return nearest_plan(journey.road)
            case "careless":
                return careless_plan(journey.road, self._number, seed)
        return ()


def parts_by_region(plan: Sequence[Call]) -> list[Sequence[Call]]:
    """Return a plan in parts that each end with the way through a gate."""
    ends = [number for number, call in enumerate(plan, 1) if call == LEAVE]
    return [plan[first:end] for first, end in pairwise([0, *ends])]


def _read_number(kind: str, argument: str) -> float:
    """Return the argument of a player as a number; 0 for a player without one. Raise UsageError for a wrong one."""
    if kind == "sight":
        if not argument.isdecimal() or not 0 < int(argument) <= _MOST_SIGHT:
            raise UsageError(f"sight takes the number of regions that it sees, such as sight:2, and not {argument!r}.")
        return int(argument)
    if kind == "careless":
        try:
            chance = float(argument)
        except ValueError:
            chance = -1.0
        if not 0 <= chance <= 1:
            raise UsageError(f"careless takes a chance from 0 to 1, such as careless:0.1, and not {argument!r}.")
        return chance
    return 0.0


# -- policies ---------------------------------------------------------------------------------------------------------


_PROGRAM = """\
# Each line: what to do up to the end of a fight; then the hearts and the gear after it, with the line that follows.
LINES = [
{lines}
]
ACTIONS = {{
    "gather": gather, "craft": craft, "fight": fight, "rest": rest, "camp": camp, "drop": drop, "leave": leave,
}}
calls, following = LINES[0]
while True:
    for call in calls.split("; "):
        name, *things = call.split()
        hero = ACTIONS[name](*things)
    calls, following = LINES[following[f"{{hero['hearts']}} {{' '.join(hero['gear'])}}"]]
"""


def player_policy(road: Road, kind: str, number: float, seed: str) -> Policy:
    """Return the policy of a kind of player, with the number that belongs to it."""
    match kind:
        case "greedy":
            return cache(lambda position: greedy_steps(road, position)[0].call)
        case "nearest":
            return lambda position: nearest_step(road, position).call
        case "careless":
            return careless_policy(road, number, seed)
    return best_policy(BackwardSolver(road), road, int(number) if kind == "sight" else None)


def policy_code(road: Road, policy: Policy, lucks: Sequence[str]) -> str:
    """Return a program that does what a policy does with some lucks."""
    numbers: dict[Position, int] = {}
    calls: dict[int, str] = {}
    following: dict[int, dict[str, int]] = {}
    for steps in follow(road, policy, lucks):
        for line in _lines(steps):
            number = numbers.setdefault(line[0].before, len(numbers))
            calls[number] = "; ".join(" ".join(step.call) for step in line)
            after = line[-1].after
            if line[-1].call[0] == "fight":
                hero = f"{after.hearts} {' '.join(kind for kind, _ in after.gear)}"
                following.setdefault(number, {})[hero] = numbers.setdefault(after, len(numbers))
    rows = (f"    {(calls[number], following.get(number, {}))}," for number in range(len(numbers)))
    return _PROGRAM.format(lines="\n".join(rows))


def _lines(steps: Sequence[Step]) -> list[list[Step]]:
    """Return steps in parts that each end with a fight; the last one ends the road."""
    lines: list[list[Step]] = [[]]
    for step in steps:
        lines[-1].append(step)
        if step.call[0] == "fight":
            lines.append([])
    return lines
