"""Policies of players on roads with chance, and the program that does what a policy does.

Players know the luck of the walks: a program has a line only for what happens on one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from herobench.suites.rpg.journey.road import Road
from herobench.suites.rpg.journey.walk import Position, Step
from herobench.task_gen.rpg.journey.planners import careless_policy, greedy_steps, nearest_step
from herobench.task_gen.rpg.journey.regrets import Policy, best_policy, follow
from herobench.task_gen.rpg.journey.values import BackwardSolver

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
