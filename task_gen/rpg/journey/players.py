"""Players of journeys that need no model.

`oracle` walks a best plan. `sight:k` sees k regions, plans them perfectly, walks one and looks again: what he carries
behind the last region that he sees is worth nothing to him. `greedy` and `nearest` are rules of thumb. `careless:p` is
perfect but for a chance of a mistake at each decision. `noop` leaves nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from herobench.conversation import Reply, Request
from herobench.data.errors import UsageError
from herobench.suite.players import SuitePlayer, parse_player
from herobench.suites.rpg.journey.columns import PLAYERS
from herobench.suites.rpg.journey.plan import as_code
from herobench.suites.rpg.journey.policy import luck_seeds
from herobench.suites.rpg.journey.task import Journey
from herobench.suites.rpg.journey.walk import Call
from herobench.suites.rpg.play.execution import as_answer
from herobench.task_gen.rpg.journey.planners import careless_plan, greedy_plan, nearest_plan
from herobench.task_gen.rpg.journey.policies import player_policy, policy_code
from herobench.task_gen.rpg.journey.regrets import best_plan
from herobench.task_gen.rpg.journey.values import BackwardSolver

_MOST_SIGHT = 1_000


class JourneyPlayer(SuitePlayer):
    """Answers with a whole plan, or on a road with chance with a policy."""

    def __init__(self, name: str, journeys: Mapping[str, Journey]) -> None:
        self._kind, argument = parse_player("journey", name, PLAYERS, ("sight", "careless"))
        self._number = _read_number(self._kind, argument)
        super().__init__(name)
        self._journeys = journeys

    async def _answer(self, request: Request) -> Reply:
        seed = f"{request.task_id} {request.epoch}"
        code = await asyncio.to_thread(self._code, self._journeys[request.task_id], seed)
        return Reply(as_answer(code), stop="stop")

    def _code(self, journey: Journey, seed: str) -> str:
        if not journey.road.has_chance or self._kind == "noop":
            return as_code(self._plan(journey, seed))
        policy = player_policy(journey.road, self._kind, self._number, seed)
        return policy_code(journey.road, policy, luck_seeds(journey.id))

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
